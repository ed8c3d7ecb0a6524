"""A JSON text whose values know their way and their place, for messages about one of them.

Invariant: a value is taken as what it is asked for or refused: no number is read from a text, no
    truth from a number. An object names each of its fields once; NaN and infinities are no JSON,
    and every text is Unicode, without half of a surrogate pair.
Refuses: the code that the document was read with.
Entry: `Document.read`, `Node`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

from alpha.ir.refusals import Place, Refusal

NUMBER_MAX = (1 << 63) - 1

Way = tuple["str | int", ...]

_HALF = re.compile(r"\\u[dD][89a-fA-F]")
"""Where a text may have half of a surrogate pair."""

_TOKEN = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[\[\]{},:]|[^\s\[\]{},:"]+)')


class _Twice(Exception):
    """A name stands twice in an object."""


class _NoNumber(Exception):
    """NaN or an infinity, which Python's reader takes for a number."""


@dataclass(frozen=True)
class Document:
    """A JSON text, the name of its file, and the code with which it is refused."""

    file: str
    text: str
    code: str
    what: str
    """What the file should be, as messages say it."""

    def read(self) -> Node:
        """The outermost value.

        Raises:
            Refusal: the text isn't JSON, or an object in it names a field twice.
        """
        try:
            value = json.loads(self.text, object_pairs_hook=_object, parse_constant=_constant)
        except json.JSONDecodeError as error:
            place = Place(self.file, error.lineno, error.colno)
            raise Refusal(self.code, self.what, f"no JSON: {error.msg}", place) from None
        except _Twice as error:
            found = f"an object that names {error} twice"
            raise Refusal(self.code, self.what, found, Place(self.file, 1, 1)) from None
        except _NoNumber as error:
            found = f"no JSON: {error}"
            raise Refusal(self.code, self.what, found, Place(self.file, 1, 1)) from None
        except (ValueError, RecursionError):
            found = "a number of very many digits, or very deep brackets"
            raise Refusal(self.code, self.what, found, Place(self.file, 1, 1)) from None
        if _HALF.search(self.text) and not _is_unicode(value):
            found = "half of a surrogate pair"
            raise Refusal(self.code, self.what, found, Place(self.file, 1, 1))
        return Node(self, (), value)

    def place(self, way: Way) -> Place:
        """Where the value stands that a way leads to; where there is none, the last on the way."""
        at = _start_of(self.text, way)
        line = self.text.count("\n", 0, at) + 1
        return Place(self.file, line, at - self.text.rfind("\n", 0, at))


@dataclass(frozen=True)
class Node:
    """A value of a document, with the fields and indices that lead to it."""

    document: Document
    way: Way
    value: object

    @property
    def name(self) -> str:
        """The way as messages tell it: `roles[1].target`."""
        text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.way)
        return text.removeprefix(".")

    def refuse(self, wanted: str, found: str | None = None) -> NoReturn:
        """Refuse the value, which isn't what is wanted here."""
        said = _shown(self.value) if found is None else found
        expected = f"{self.name} to be {wanted}" if self.way else wanted
        raise Refusal(self.document.code, expected, said, self.document.place(self.way))

    @property
    def is_null(self) -> bool:
        """Whether the value is `null`."""
        return self.value is None

    def field(self, name: str) -> Node:
        """A field of an object, which has to have it."""
        if not isinstance(self.value, dict):
            self.refuse("an object")
        if name not in self.value:
            self.refuse(f"an object with the field {name}", "none")
        return Node(self.document, (*self.way, name), self.value[name])

    def fields(self) -> dict[str, Node]:
        """All fields of an object, by name."""
        if not isinstance(self.value, dict):
            self.refuse("an object")
        return {
            name: Node(self.document, (*self.way, name), self.value[name]) for name in self.value
        }

    def items(self) -> list[Node]:
        """The items of a list."""
        if not isinstance(self.value, list):
            self.refuse("a list")
        return [Node(self.document, (*self.way, at), item) for at, item in enumerate(self.value)]

    def number(self, least: int = 0, most: int = NUMBER_MAX) -> int:
        """A whole number in a range."""
        value = self.value
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            self.refuse(f"a number from {least} to {most}" if least < most else f"{least}")
        return value

    def truth(self) -> bool:
        """A truth."""
        if not isinstance(self.value, bool):
            self.refuse("true or false")
        return self.value

    def string(self) -> str:
        """A text."""
        if not isinstance(self.value, str):
            self.refuse("a text")
        return self.value

    def matching(self, pattern: str, wanted: str) -> str:
        """A text that a pattern describes as a whole."""
        text = self.string()
        if not re.fullmatch(pattern, text, re.ASCII):
            self.refuse(wanted)
        return text


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in pairs:
        if name in found:
            raise _Twice(repr(name[:60]))
        found[name] = value
    return found


def _constant(text: str) -> NoReturn:
    raise _NoNumber(text)


def _is_unicode(value: object) -> bool:
    """Whether UTF-8 can say all texts and names in a value."""
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _shown(value: object) -> str:
    """A value as a message repeats it."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else f"{text[:60]}... of {len(text)} letters"


def _start_of(text: str, way: Way) -> int:
    """The offset at which a value of a text begins that is known to be JSON."""
    tokens = _TOKEN.finditer(text)
    last = next(tokens, None)
    for step in way:
        found = None if last is None else _inside(tokens, last, step)
        if found is None:
            break
        last = found
    return 0 if last is None else last.start(1)


def _inside(
    tokens: Iterator[re.Match[str]], opening: re.Match[str], step: str | int
) -> re.Match[str] | None:
    """The first token of a field or an item of the value that has just been opened."""
    if opening.group(1) not in ("[", "{"):
        return None
    depth, index = 0, 0
    before = opening
    key: re.Match[str] | None = None
    for token in tokens:
        mark = token.group(1)
        begins_item = depth == 0 and before.group(1) in "[," and opening.group(1) == "["
        if begins_item and mark != "]" and index == step:
            return token
        if depth == 0 and key is not None and before.group(1) == ":":
            if json.loads(key.group(1)) == step:
                return token
            key = None
        if depth == 0 and mark == ":":
            key = before
        if mark in ("[", "{"):
            depth += 1
        elif mark in ("]", "}"):
            depth -= 1
            if depth < 0:
                return None
        elif mark == "," and depth == 0:
            index += 1
        before = token
    return None
