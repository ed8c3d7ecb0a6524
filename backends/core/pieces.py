"""Vectors whose bytes aren't all known: pieces, each of known bits, of a term, or of a truth.

Invariant: what is symbolic is never divided; known bits and junk are, wherever it is asked.
Entry: `Piece`, `Pieces`, `Kind`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import NamedTuple

from alpha.backends.core.carriers import NotModelled


class Kind(Enum):
    """What the value of a piece is."""

    BITS = "bits"
    """An unsigned integer."""
    TERM = "term"
    """The number of a term: a float as wide as the piece."""
    TRUTH = "truth"
    """The number of a truth: ones where it is true, zeros where it is false."""
    SIGN = "sign"
    """The number of a term: its sign bit, with a NaN's read as positive, and zeros below."""
    UNKNOWN = "unknown"
    """Nothing: junk."""


class Piece(NamedTuple):
    """So many bytes."""

    kind: Kind
    value: int
    bytes: int

    @property
    def divides(self) -> bool:
        """Whether a part of it can be named."""
        return self.kind in (Kind.BITS, Kind.UNKNOWN)

    def part(self, start: int, bytes: int) -> Piece:
        """Some of its bytes. Raises NotModelled if they aren't all of it and it is symbolic."""
        if bytes == self.bytes:
            return self
        if not self.divides:
            raise NotModelled(f"{bytes} bytes of a {self.kind.value} of {self.bytes}")
        value = self.value >> 8 * start & ((1 << 8 * bytes) - 1)
        return Piece(self.kind, value, bytes)


class Pieces:
    """A vector, the piece in its lowest bytes first."""

    __slots__ = ("nbytes", "pieces")

    def __init__(self, pieces: Iterable[Piece]) -> None:
        self.pieces = tuple(pieces)
        self.nbytes = sum(piece.bytes for piece in self.pieces)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Pieces):
            return NotImplemented
        return self._divided() == other._divided()

    def __hash__(self) -> int:
        return hash(self._divided())

    def _divided(self) -> tuple[Piece, ...]:
        """The pieces with those that divide as single bytes."""
        return tuple(
            part
            for piece in self.pieces
            for part in (
                [piece.part(at, 1) for at in range(piece.bytes)] if piece.divides else [piece]
            )
        )

    def cut(self, start: int, bytes: int) -> list[Piece]:
        """The pieces of so many bytes from one on. Raises NotModelled where it cuts a symbolic one.

        Raises IndexError if there aren't so many.
        """
        if start + bytes > self.nbytes:
            raise IndexError(f"{bytes} bytes at {start} of {self.nbytes}")
        found: list[Piece] = []
        at = 0
        for piece in self.pieces:
            first, last = max(at, start), min(at + piece.bytes, start + bytes)
            if first < last:
                found.append(piece.part(first - at, last - first))
            at += piece.bytes
        return found

    def lane(self, start: int, bytes: int) -> Piece:
        """So many bytes as one piece. Raises NotModelled if they are of several kinds."""
        found = self.cut(start, bytes)
        if len(found) == 1:
            return found[0]
        if all(piece.divides for piece in found):
            if any(piece.kind is Kind.UNKNOWN for piece in found):
                return Piece(Kind.UNKNOWN, 0, bytes)
            value, at = 0, 0
            for piece in found:
                value |= piece.value << 8 * at
                at += piece.bytes
            return Piece(Kind.BITS, value, bytes)
        kinds = ", ".join(f"a {piece.kind.value} of {piece.bytes}" for piece in found)
        raise NotModelled(f"a lane of {bytes} bytes that is {kinds}")

    def lanes(self, bytes: int) -> list[Piece]:
        """All of it, in lanes of so many bytes. Raises NotModelled."""
        if all(piece.bytes == bytes for piece in self.pieces):
            return list(self.pieces)
        return [self.lane(start, bytes) for start in range(0, self.nbytes, bytes)]


def bits(value: int, bytes: int) -> Piece:
    """A piece of known bits."""
    return Piece(Kind.BITS, value & ((1 << 8 * bytes) - 1), bytes)


def unknown(bytes: int) -> Pieces:
    """So many bytes of which nothing is known."""
    return Pieces([Piece(Kind.UNKNOWN, 0, bytes)])


def aligned(a: Pieces, b: Pieces) -> Sequence[tuple[Piece, Piece]]:
    """Both vectors in pieces of the same sizes.

    Raises NotModelled where that divides a symbolic one, ValueError if they aren't equally long.
    """
    if a.nbytes != b.nbytes:
        raise ValueError(f"vectors of {a.nbytes} and {b.nbytes} bytes")
    found: list[tuple[Piece, Piece]] = []
    edges = _edges(a), _edges(b)
    start = 0
    while start < a.nbytes:
        one, other = edges[0].get(start), edges[1].get(start)
        widths = [piece.bytes for piece in (one, other) if piece and not piece.divides]
        if not widths:
            ends = [end for each in edges for end in each if end > start]
            widths = [min([*ends, a.nbytes]) - start]
        width = max(widths)
        found.append((a.lane(start, width), b.lane(start, width)))
        start += width
    return found


def _edges(vector: Pieces) -> dict[int, Piece]:
    """The pieces by where they begin."""
    found: dict[int, Piece] = {}
    at = 0
    for piece in vector.pieces:
        found[at] = piece
        at += piece.bytes
    return found
