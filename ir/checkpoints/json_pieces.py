"""JSON in which some values are known only when it is written, as pieces of a text.

Invariant: with every piece in its place the text is what Python's `json` writes for the value, with
    letters of all scripts as they are; names stand in the order of the value.
Entry: `json_pieces`, `Quoted`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from json.encoder import encode_basestring
from typing import TypeAlias

from alpha.ir.checkpoints.texts import Piece, Text


@dataclass(frozen=True)
class Quoted:
    """A piece that is a text of the JSON, rather than a number."""

    piece: Piece


Json: TypeAlias = "int | str | Piece | Quoted | Sequence[Json] | Mapping[str, Json] | None"


def json_pieces(value: Json, indent: int | None = None) -> list[Piece]:
    """The JSON of a value: on one line without blanks, or indented by so many spaces a level.

    UnicodeEncodeError for a text that isn't Unicode.
    """
    found: list[bytes | Piece] = []
    _add(found, value, indent, 0)
    return _merged(found)


def _merged(found: Sequence[bytes | Piece]) -> list[Piece]:
    """The pieces, with one text in the place of constants that follow one another."""
    pieces: list[Piece] = []
    known: list[bytes] = []
    for each in found:
        if isinstance(each, bytes):
            known.append(each)
            continue
        if known:
            pieces.append(Text(b"".join(known)))
            known = []
        pieces.append(each)
    if known:
        pieces.append(Text(b"".join(known)))
    return pieces


def _add(found: list[bytes | Piece], value: Json, indent: int | None, level: int) -> None:
    """Add the pieces of a value that stands so many levels deep."""
    if isinstance(value, str):
        found.append(encode_basestring(value).encode())
    elif value is None or isinstance(value, int):
        found.append(b"null" if value is None else b"%d" % value)
    elif isinstance(value, Quoted):
        found += (b'"', value.piece, b'"')
    elif isinstance(value, Mapping):
        between = b":" if indent is None else b": "
        names = [encode_basestring(name).encode() + between for name in value]
        _add_inside(found, b"{}", names, list(value.values()), indent, level)
    elif isinstance(value, Sequence):
        _add_inside(found, b"[]", [b""] * len(value), value, indent, level)
    else:
        found.append(value)


def _add_inside(
    found: list[bytes | Piece],
    brackets: bytes,
    names: Sequence[bytes],
    items: Sequence[Json],
    indent: int | None,
    level: int,
) -> None:
    """Add what stands in an object or a list, and its brackets."""
    if not items:
        found.append(brackets)
        return
    end = b"" if indent is None else b"\n" + b" " * (indent * level)
    separator = b"" if indent is None else end + b" " * indent
    before = brackets[:1] + separator
    for name, item in zip(names, items, strict=True):
        found.append(before + name)
        _add(found, item, indent, level + 1)
        before = b"," + separator
    found.append(end + brackets[1:])
