"""Texts of which all is known beforehand but a version, and lengths and digests of files.

Invariant: a text is its pieces, one behind the other. No two constant pieces stand together.
Why: a role is compiled before it runs. What it writes later is put together from the same pieces by
    its executable and by the interpreter.
Entry: `Piece`, `render`, `merged`, `bytes_most`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from alpha.ir.checkpoints.file_digests import DIGEST_BYTES, FileDigest

DIGITS_MAX = 20
"""Most digits of a number below 2^64."""


@dataclass(frozen=True)
class Text:
    """Constant bytes."""

    data: bytes


@dataclass(frozen=True)
class VersionText:
    """The version, in decimal."""


@dataclass(frozen=True)
class Spaces:
    """Spaces until the text, from its beginning on, has so many bytes."""

    to: int


@dataclass(frozen=True)
class SizeText:
    """The bytes of a file, in decimal: of a child's manifest, or of the role's own shard (None)."""

    role: int | None


@dataclass(frozen=True)
class DigestText:
    """The SHA-256 of a file, in 64 hexadecimal digits; of the same files as `SizeText`."""

    role: int | None


Piece: TypeAlias = "Text | VersionText | Spaces | SizeText | DigestText"


def merged(pieces: Iterable[Piece]) -> list[Piece]:
    """The same text without an empty piece, and with one constant piece where several were."""
    result: list[Piece] = []
    known: list[bytes] = []
    for piece in pieces:
        if isinstance(piece, Text):
            known.append(piece.data)
            continue
        if data := b"".join(known):
            result.append(Text(data))
        known = []
        result.append(piece)
    if data := b"".join(known):
        result.append(Text(data))
    return result


def render(pieces: Sequence[Piece], version: int, files: Mapping[int | None, FileDigest]) -> bytes:
    """The text at a version; `files` has the children's manifests, and at None the shard."""
    text = bytearray()
    for piece in pieces:
        match piece:
            case Text(data=data):
                text += data
            case VersionText():
                text += b"%d" % version
            case Spaces(to=to):
                text += b" " * (to - len(text))
            case SizeText(role=role):
                text += b"%d" % files[role].bytes
            case DigestText(role=role):
                text += files[role].sha256.hex().encode()
    return bytes(text)


def bytes_most(pieces: Iterable[Piece]) -> int:
    """The most bytes that a text of these pieces can have."""
    most = 0
    for piece in pieces:
        match piece:
            case Text(data=data):
                most += len(data)
            case VersionText() | SizeText():
                most += DIGITS_MAX
            case Spaces(to=to):
                most = max(most, to)
            case DigestText():
                most += 2 * DIGEST_BYTES
    return most
