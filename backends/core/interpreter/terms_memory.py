"""Memory whose words may be terms: pieces by where they begin.

Entry: `TermsMemory`.
"""

from __future__ import annotations

from alpha.backends.core.carriers import NotModelled, Vector
from alpha.backends.core.interpreter.faults import MachineFault
from alpha.backends.core.interpreter.memory import Buffer, Memory
from alpha.backends.core.pieces import Kind, Piece, Pieces
from alpha.backends.core.symbolic import MachineTerms

PIECE_BYTES_MAX = 8


class _PieceBuffer(Buffer):
    """The pieces of a buffer by their offsets; none is longer than `PIECE_BYTES_MAX`."""

    __slots__ = ("pieces",)

    def __init__(self, start: int, bytes: int) -> None:
        super().__init__(start, bytes)
        self.pieces: dict[int, Piece] = {}


class TermsMemory(Memory):
    """Memory that holds pieces; a vector is `Pieces`."""

    def __init__(self, carrier: MachineTerms) -> None:
        super().__init__()
        self.carrier = carrier

    def made(self, start: int, bytes: int) -> Buffer:
        return _PieceBuffer(start, bytes)

    def load(self, address: int, bytes: int) -> Vector:
        """So many bytes. Raises MachineFault; NotModelled where they divide a symbolic word."""
        buffer, offset = self.access(address, bytes)
        assert isinstance(buffer, _PieceBuffer)
        end = offset + bytes
        if buffer.written.find(0, offset, end) >= 0:
            raise MachineFault(f"reads {bytes} bytes at {offset}, not all of them written")
        found: list[Piece] = []
        while offset < end:
            start = _start(buffer, offset)
            piece = buffer.pieces[start]
            width = min(start + piece.bytes, end) - offset
            found.append(piece.part(offset - start, width))
            offset += width
        return Pieces(found)

    def store(self, address: int, vector: Vector, bytes: int) -> None:
        buffer, offset = self.written_to(address, vector, bytes)
        assert isinstance(buffer, _PieceBuffer)
        _clear(buffer, offset, offset + bytes)
        for piece in vector.pieces:
            for at in range(0, piece.bytes, PIECE_BYTES_MAX):
                width = min(PIECE_BYTES_MAX, piece.bytes - at)
                buffer.pieces[offset + at] = piece.part(at, width)
            offset += piece.bytes


def _start(buffer: _PieceBuffer, offset: int) -> int:
    """Where the piece begins that this byte is of."""
    start = offset
    while start not in buffer.pieces:
        start -= 1
    return start


def _clear(buffer: _PieceBuffer, start: int, end: int) -> None:
    """Take away what lies in a span; of a symbolic word that is cut, the rest is junk."""
    for at in range(start - PIECE_BYTES_MAX + 1, end):
        piece = buffer.pieces.get(at)
        if piece is None or at + piece.bytes <= start:
            continue
        del buffer.pieces[at]
        for first, last in ((at, start), (end, at + piece.bytes)):
            if first < last:
                buffer.pieces[first] = _rest(piece, first - at, last - first)


def _rest(piece: Piece, start: int, bytes: int) -> Piece:
    try:
        return piece.part(start, bytes)
    except NotModelled:
        return Piece(Kind.UNKNOWN, 0, bytes)
