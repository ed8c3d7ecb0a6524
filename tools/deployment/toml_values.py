"""A TOML text whose values know their way and their place, for messages about one of them.

Invariant: a value is taken as what it is asked for or refused: no number is read from a text, no
    truth from a number. A key that nobody has asked for is refused, since it would change nothing.
Refuses: the code that the text was read with.
Entry: `read_toml`, `Value`, `Table`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

from alpha.ir.refusals import Note, Place, Refusal
from alpha.tools.deployment.toml_places import Places, Way
from alpha.tools.number_flags import quoted

_AT = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_BARE = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True)
class Value:
    """A value, with the keys and indices that lead to it."""

    places: Places
    code: str
    way: Way
    value: object

    @property
    def name(self) -> str:
        """The way as it would be written: `hosts.left.roles[1]`."""
        return _written(self.way)

    @property
    def place(self) -> Place:
        """Where it stands."""
        return self.places.of(self.way)

    def refuse(
        self, wanted: str, found: str | None = None, notes: tuple[Note, ...] = ()
    ) -> NoReturn:
        """Refuse the value, which isn't what is wanted here."""
        expected = f"{self.name} to be {wanted}" if self.way else wanted
        said = _shown(self.value) if found is None else found
        raise Refusal(self.code, expected, said, self.place, notes)

    def text(self, pattern: str, wanted: str) -> str:
        """A text that a pattern describes as a whole."""
        if not isinstance(self.value, str) or not re.fullmatch(pattern, self.value, re.ASCII):
            self.refuse(wanted)
        return self.value

    def number(self, least: int, most: int, wanted: str | None = None) -> int:
        """A whole number in a range."""
        value = self.value
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            self.refuse(f"a number from {least} to {most}" if wanted is None else wanted)
        return value

    def items(self, wanted: str) -> list[Value]:
        """The items of an array."""
        if not isinstance(self.value, list):
            self.refuse(wanted)
        return [self._inner(at, item) for at, item in enumerate(self.value)]

    def table(self, keys: Sequence[str], needed: Sequence[str] = ()) -> Mapping[str, Value]:
        """The values of a table that has these keys at most, and all those that are needed."""
        found = self.named("a table")
        for key, value in found.items():
            if key not in keys:
                one = f"one of the keys {', '.join(keys)}"
                where = f" of {self.name}" if self.way else ""
                raise Refusal(self.code, f"{one}{where}", _key(key), value.place)
        for key in needed:
            if key not in found:
                self.refuse(f"a table with the key {key}", "none")
        return found

    def named(self, wanted: str) -> Mapping[str, Value]:
        """The values of a table with any keys."""
        if not isinstance(self.value, dict):
            self.refuse(wanted)
        return {key: self._inner(key, value) for key, value in self.value.items()}

    def _inner(self, step: str | int, value: object) -> Value:
        return Value(self.places, self.code, (*self.way, step), value)


def read_toml(file: str, data: bytes, code: str) -> Value:
    """The outermost table of a text.

    Raises:
        Refusal: with the code, the bytes aren't TOML.
    """
    import tomllib  # here, since most commands read no such file

    what = "TOML"
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        found = f"a byte that isn't UTF-8, 0x{data[error.start]:02x}"
        raise Refusal(code, what, found, Place(file, line, column)) from None
    try:
        value = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Refusal(code, what, *_error(file, text, str(error))) from None
    except (ValueError, RecursionError):
        found = "a number of very many digits, or very deep brackets"
        raise Refusal(code, what, found, Place(file, 1, 1)) from None
    return Value(Places(file, text), code, (), value)


def _error(file: str, text: str, said: str) -> tuple[str, Place]:
    """What the parser says, and where; it counts both from 1."""
    at = _AT.search(said)
    if at is None:
        return said, Place(file, 1, 1)
    if at[1] is None:
        lines = text.split("\n")
        return f"{said[: at.start()]} at the end", Place(file, len(lines), len(lines[-1]) + 1)
    return said[: at.start()], Place(file, int(at[1]), int(at[2]))


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else quoted(key)


def _written(way: Way) -> str:
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{_key(step)}" for step in way)
    return text.removeprefix(".")


def _shown(value: object) -> str:
    """A value as a message repeats it."""
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return f"an array of {len(value)}"
    if isinstance(value, bool):
        return "true" if value else "false"
    return quoted(value) if isinstance(value, str) else str(value)[:80]
