"""The text of selections: `stride(0, 1, 4)`, `repeat(8, 40, ...)`, `join(..., ...)`, `empty`.

Invariant: what `str` writes for a selection reads back as an equal one. Reading is linear in the
    length of the text, for every text.
Refuses: source-syntax, source-integer-limit, source-nesting-limit, and what constructors refuse.
Entry: `parse_selection_text`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NoReturn

from alpha.ir.refusals import Refusal
from alpha.ir.selections.form import DEPTH_MAX
from alpha.ir.selections.nodes import Empty, Join, Repeat, Selection, Stride

DIGITS_MAX = 20
"""Longest number: 2^64 has 20 digits, and no number of a selection reaches 2^63."""

_TOKEN = re.compile(r"(?P<word>[a-z]+)|(?P<number>[0-9]+)|(?P<mark>\S)", re.ASCII)


def parse_selection_text(text: str) -> Selection:
    """The selection that a text says; white space between words and marks doesn't matter.

    Raises:
        Refusal: `source-syntax` with the column where the text isn't a selection;
            `source-integer-limit` for a number of more than 20 digits; `source-nesting-limit` for
            more than 64 open brackets; and those of the constructors.
    """
    reader = _Reader(text)
    selection = reader.selection(1)
    if reader.token is not None:
        reader.refuse("the end of a selection")
    return selection


class _Reader:
    """Recursive descent, one token ahead; the recursion is as deep as a selection may be."""

    def __init__(self, text: str) -> None:
        self._tokens: Iterator[re.Match[str]] = _TOKEN.finditer(text)
        self._end = len(text)
        self.token: re.Match[str] | None = next(self._tokens, None)

    def selection(self, depth: int) -> Selection:
        form = self._take("word", "stride, repeat, join or empty")
        if form == "empty":
            return Empty()
        if form not in ("stride", "repeat", "join"):
            raise Refusal("source-syntax", "stride, repeat, join or empty", form[:20])
        if depth > DEPTH_MAX:
            wanted = f"selections nested at most {DEPTH_MAX} deep"
            raise Refusal("source-nesting-limit", wanted, f"{depth}")
        self._mark("(")
        if form == "join":
            parts = [self.selection(depth + 1)]
            while self._at(","):
                self._mark(",")
                parts.append(self.selection(depth + 1))
            self._mark(")")
            return Join(tuple(parts))
        first = self._number()
        self._mark(",")
        second = self._number()
        self._mark(",")
        if form == "stride":
            count = self._number()
            self._mark(")")
            return Stride(first, second, count)
        inner = self.selection(depth + 1)
        self._mark(")")
        return Repeat(first, second, inner)

    def refuse(self, wanted: str) -> NoReturn:
        """Say what should stand where the next token is."""
        column = self._end if self.token is None else self.token.start()
        found = "the end of the text" if self.token is None else self.token.group()[:20]
        raise Refusal("source-syntax", f"{wanted} at column {column + 1}", found)

    def _at(self, mark: str) -> bool:
        return self.token is not None and self.token.group() == mark

    def _take(self, kind: str, wanted: str) -> str:
        token = self.token
        if token is None or token.lastgroup != kind:
            self.refuse(wanted)
        self.token = next(self._tokens, None)
        return token.group()

    def _mark(self, mark: str) -> None:
        if not self._at(mark):
            self.refuse(f"'{mark}'")
        self._take("mark", mark)

    def _number(self) -> int:
        digits = self._take("number", "a number")
        if len(digits) > DIGITS_MAX:
            wanted = f"a number of at most {DIGITS_MAX} digits"
            raise Refusal("source-integer-limit", wanted, f"{len(digits)} digits")
        return int(digits)
