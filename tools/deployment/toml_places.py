"""Where the values of a TOML text stand, which its parser doesn't tell.

Invariant: the text is known to be TOML. What is found is the place of a value by the keys and
    indices that lead to it; of what isn't found by itself, that of the last part of its way.
Entry: `Places`.
"""

from __future__ import annotations

import re

from alpha.ir.refusals import Place

Way = tuple["str | int", ...]

_SPACE = re.compile(r"[ \t]*")
_LINES = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
# In the order in which they have to be tried: three quotes before one.
_TEXT = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}'
    r"|'''.*?'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'",
    re.DOTALL,
)
_OTHER = re.compile(r"[^\s,\]}#]+(?: [0-9][^\s,\]}#]*)?")
"""A number, a truth, or a date with its time."""


class Places:
    """The places of all values of a text."""

    def __init__(self, file: str, text: str) -> None:
        # As the parser does: a line may end in both.
        self._file = file
        self._text = text.replace("\r\n", "\n")
        self._found: dict[Way, int] = {(): 0}
        self._arrays: dict[Way, int] = {}
        self._read()

    def of(self, way: Way) -> Place:
        """The place of what a way leads to."""
        known = way
        while known not in self._found:
            known = known[:-1]
        at = self._found[known]
        line = self._text.count("\n", 0, at) + 1
        return Place(self._file, line, at - self._text.rfind("\n", 0, at))

    def _read(self) -> None:
        table: Way = ()
        at = self._after(_LINES, 0)
        while at < len(self._text):
            if self._text.startswith("[[", at):
                way, end = self._key(at + 2)
                number = self._arrays.get(way, 0)
                self._arrays[way] = number + 1
                self._note(way, at)
                table, at = self._note((*way, number), at), end + 2
            elif self._text[at] == "[":
                way, end = self._key(at + 1)
                table, at = self._note(way, at), end + 1
            else:
                at = self._pair(table, at)
            at = self._after(_LINES, at)

    def _note(self, way: Way, at: int) -> Way:
        """Keep a place of a value, and of the tables around it that have none yet."""
        for length in range(1, len(way) + 1):
            self._found.setdefault(way[:length], at)
        return way

    def _after(self, pattern: re.Pattern[str], at: int) -> int:
        found = pattern.match(self._text, at)
        return at if found is None else found.end()

    def _key(self, at: int) -> tuple[Way, int]:
        """The parts of a dotted key, and what stands behind it and its space."""
        from tomllib import loads  # here, since most commands read no such file

        parts: list[str] = []
        while True:
            at = self._after(_SPACE, at)
            bare = _BARE.match(self._text, at)
            if bare is not None:
                parts.append(bare.group())
                at = bare.end()
            else:
                end = self._after(_TEXT, at)
                parts.append(loads(f"text = {self._text[at:end]}")["text"])
                at = end
            at = self._after(_SPACE, at)
            if not self._text.startswith(".", at):
                return tuple(parts), at
            at += 1

    def _pair(self, table: Way, at: int) -> int:
        """Read a key with its value; gives what stands behind them."""
        way, end = self._key(at)
        self._note((*table, *way[:-1]), at)
        return self._value((*table, *way), self._after(_SPACE, end + 1))

    def _value(self, way: Way, at: int) -> int:
        self._note(way, at)
        opening = self._text[at]
        if opening == "[":
            return self._items(way, at + 1)
        if opening == "{":
            return self._fields(way, at + 1)
        end = self._after(_TEXT, at)
        return end if end > at else self._after(_OTHER, at)

    def _items(self, way: Way, at: int) -> int:
        index = 0
        while True:
            at = self._after(_LINES, at)
            if self._text[at] == "]":
                return at + 1
            at = self._after(_LINES, self._value((*way, index), at))
            index += 1
            at += self._text[at] == ","

    def _fields(self, way: Way, at: int) -> int:
        while True:
            at = self._after(_LINES, at)
            if self._text[at] == "}":
                return at + 1
            at = self._after(_LINES, self._pair(way, at))
            at += self._text[at] == ","
