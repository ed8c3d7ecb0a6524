"""The place of a value is where it stands, in TOML of every form.

The oracle is the text itself: each value of a document is a number or a word that stands in it
once, so that its place is found without reading TOML.
"""

from __future__ import annotations

import itertools
import random
import tomllib
from collections.abc import Iterator

import pytest

from alpha.ir.refusals import Place, Refusal
from alpha.tools.deployment.toml_places import Places, Way
from alpha.tools.deployment.toml_values import read_toml


class Writer:
    """Writes documents without rhyme or reason, in every form that TOML has for a value."""

    def __init__(self, seed: int) -> None:
        self.choose = random.Random(seed)
        self.numbers = itertools.count(100001)

    def key(self) -> str:
        name = f"k{next(self.numbers)}"
        quoted = (
            name,
            name,
            f'"{name}.x # ]"',
            f"'{name}= [y]'",
            f'"{name}\\"\\\\"',
            '"\\u00e9%s"',
        )
        form = self.choose.choice(quoted)
        return form % name if "%s" in form else form

    def dotted(self) -> str:
        point = self.choose.choice((".", " . "))
        return point.join(self.key() for _ in range(self.choose.choice((1, 1, 1, 2, 3))))

    def filling(self) -> str:
        """What may stand between the items of an array."""
        return self.choose.choice(("", " ", "\n", "\t\n  ", ' # "a" ] comment\n'))

    def scalar(self) -> str:
        number = next(self.numbers)
        return self.choose.choice(
            (
                f"{number}",
                f"+{number}.5",
                f'"v{number} # \\" [ ]"',
                f"'v{number} \\'",
                f'"""v{number}\n"" = [\\""""',
                f'"""\\\n  v{number}"""""',
                f"'''v{number} '' \n'''",
                f"2020-01-01 00:00:00.{number}",
                f"2020-01-01T00:00:00.{number}",
            )
        )

    def value(self, depth: int = 0) -> str:
        form = self.choose.random()
        if depth > 3 or form < 0.6:
            return self.scalar()
        count = range(self.choose.randrange(4))
        if form < 0.85:
            items = [self.filling() + self.value(depth + 1) + self.filling() for _ in count]
            comma = self.choose.choice((",", "")) if items else ""
            return f"[{','.join(items)}{comma}{self.filling()}]"
        pairs = [f"{self.dotted()} = {self.value(depth + 1)}" for _ in count]
        return "{ " + " , ".join(pairs) + " }"

    def document(self) -> str:
        lines: list[str] = []
        for _ in range(self.choose.randrange(12)):
            form = self.choose.random()
            if form < 0.15:
                lines.append(f"[ {self.dotted()} ] # table")
            elif form < 0.3:
                name = self.key()
                lines += [f"[[{name}]]", f"{self.key()} = {self.value()}"] * 1
                lines += [f"[[ {name} ]]", f"{self.key()} = {self.value()}"]
            elif form < 0.4:
                lines.append(self.choose.choice(("", "# [no] table", "   ")))
            else:
                lines.append(f"  {self.dotted()}={self.value()}")
        return self.choose.choice(("\n", "\r\n")).join(lines) + self.choose.choice(("", "\n"))


def values(value: object, way: Way = ()) -> Iterator[tuple[Way, object]]:
    yield way, value
    if isinstance(value, dict):
        for key, each in value.items():
            yield from values(each, (*way, key))
    elif isinstance(value, list):
        for at, each in enumerate(value):
            yield from values(each, (*way, at))


def mark_of(value: object) -> str:
    """The number that a value alone has."""
    text = value.isoformat() if hasattr(value, "isoformat") else str(value)  # pyright: ignore
    return next(text[at : at + 6] for at in range(len(text)) if text[at : at + 6].isdecimal())


@pytest.mark.parametrize("seed", range(300))
def test_every_value_is_found(seed: int) -> None:
    text = Writer(seed).document().replace("\r\n", "\n")
    places = Places("t.toml", text)
    lines = text.split("\n")
    for way, value in values(tomllib.loads(text)):
        place = places.of(way)
        if isinstance(value, dict | list):
            assert 1 <= place.line <= len(lines)
            continue
        # Behind the place, with nothing but the beginning of its form between.
        rest = lines[place.line - 1][place.column - 1 :] + "\n" + "\n".join(lines[place.line :])
        before = rest[: rest.index(mark_of(value))].strip("+'\"\\\n v")
        assert before in ("", "2020-01-01 00:00:00.", "2020-01-01T00:00:00."), (way, rest[:60])


TEXT = """\
top = 1
[a.b]
list = [ 1,
  "two", { three = 3 } ]
c.d = 4

[[e]]
f = 5
[[e]]
f = [
  6 ]
[a]
g = 7
"""


@pytest.mark.parametrize(
    ("way", "line", "column"),
    [
        ((), 1, 1),
        (("top",), 1, 7),
        (("a",), 2, 1),
        (("a", "b"), 2, 1),
        (("a", "b", "list"), 3, 8),
        (("a", "b", "list", 0), 3, 10),
        (("a", "b", "list", 1), 4, 3),
        (("a", "b", "list", 2), 4, 10),
        (("a", "b", "list", 2, "three"), 4, 20),
        (("a", "b", "c"), 5, 1),
        (("a", "b", "c", "d"), 5, 7),
        (("e", 0, "f"), 8, 5),
        (("e", 1), 9, 1),
        (("e", 1, "f", 0), 11, 3),
        (("a", "g"), 13, 5),
        (("a", "b", "none", 3), 2, 1),
    ],
)
def test_places(way: Way, line: int, column: int) -> None:
    assert Places("t", TEXT).of(way) == Place("t", line, column)
    assert Places("t", TEXT.replace("\n", "\r\n")).of(way) == Place("t", line, column)


@pytest.mark.parametrize(
    ("data", "found", "line", "column"),
    [
        (b"a = 1\nb = = 2\n", "Invalid value", 2, 5),
        (b"a = 1\nb = [ 2\n", "Unclosed array at the end", 3, 1),
        (b"a = 1\na = 2\n", "Cannot overwrite a value", 2, 6),
        (b"a = 1\n\xff", "a byte that isn't UTF-8, 0xff", 2, 1),
        (b"a = " + b"9" * 5000, "a number of very many digits, or very deep brackets", 1, 1),
        (b"a = " + b"[" * 100000, "a number of very many digits, or very deep brackets", 1, 1),
    ],
)
def test_what_is_no_toml(data: bytes, found: str, line: int, column: int) -> None:
    with pytest.raises(Refusal) as caught:
        read_toml("t.toml", data, "deployment-file")
    assert (caught.value.expected, caught.value.found) == ("TOML", found)
    assert caught.value.place == Place("t.toml", line, column)
