"""JSON in which some values are known only when it is written, as pieces of a text.

Invariant: with every piece in its place the text is what Python's `json` writes for the value, with
    letters of all scripts as they are; names stand in the order of the value.
Entry: `json_pieces`, `Quoted`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

from alpha.ir.checkpoints.texts import Piece, Text, merged


@dataclass(frozen=True)
class Quoted:
    """A piece that is a text of the JSON, rather than a number."""

    piece: Piece


Json: TypeAlias = "int | str | Piece | Quoted | Sequence[Json] | Mapping[str, Json] | None"


def json_pieces(value: Json, indent: int | None = None) -> list[Piece]:
    """The JSON of a value: on one line without blanks, or indented by so many spaces a level.

    UnicodeEncodeError for a text that isn't Unicode.
    """
    return merged(_pieces(value, indent, 0))


def _pieces(value: Json, indent: int | None, level: int) -> Iterator[Piece]:
    if isinstance(value, Quoted):
        yield Text(b'"')
        yield value.piece
        yield Text(b'"')
    elif value is None or isinstance(value, int | str):
        yield Text(_text(value))
    elif isinstance(value, Mapping):
        between = ": " if indent is not None else ":"
        items = (
            chain((Text(_text(name) + between.encode()),), _pieces(item, indent, level + 1))
            for name, item in value.items()
        )
        yield from _inside(b"{", items, b"}", indent, level)
    elif isinstance(value, Sequence):
        items = (_pieces(item, indent, level + 1) for item in value)
        yield from _inside(b"[", items, b"]", indent, level)
    else:
        yield value


def _inside(
    opening: bytes,
    items: Iterator[Iterator[Piece]],
    closing: bytes,
    indent: int | None,
    level: int,
) -> Iterator[Piece]:
    """What stands in an object or a list, and its brackets."""
    separator = b"" if indent is None else b"\n" + b" " * (indent * (level + 1))
    end = b"" if indent is None else b"\n" + b" " * (indent * level)
    before = opening + separator
    empty = True
    for item in items:
        yield Text(before)
        yield from item
        before, empty = b"," + separator, False
    yield Text(opening + closing if empty else end + closing)


def _text(value: int | str | None) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8")
