"""The text of a function while it is written: its values by scope, and what it may still cost.

Entry: `Writer`, `Value`, `Types`, and the names of types.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

NUMBERS = ("i8", "i16", "i32", "i64")
INTEGERS = ("i1", *NUMBERS, "index")
FLOATS = ("f32", "f64")
POINTER = "!ptr_xdsl.ptr"

FLOAT_CONSTANTS = {
    "f64": ("0.0", "-0.0", "1.0", "-1.5", "0.1", "3.25", "1.0e300", "-4.9e-324", "2.0e-310"),
    "f32": ("0.0", "-0.0", "1.0", "-1.5", "0.1", "3.25", "1.0e38", "-1.4e-45", "2.0e-40"),
}
FLOAT_BITS = {
    "f64": ("0x7FF0000000000000", "0xFFF0000000000000", "0x7FF8000000000000"),
    "f32": ("0x7F800000", "0xFF800000", "0x7FC00000"),
}
"""Infinities and a NaN, which have no decimal spelling."""


class Value(NamedTuple):
    """A value by name and type; an index that is known to be from 0 to `below` - 1 says so."""

    name: str
    type: str
    below: int | None = None


def width_of(type: str) -> int:
    """The bits of a scalar."""
    return 64 if type == "index" else int(type[1:])


@dataclass(frozen=True)
class Types:
    """The vectors of a function: so many bits each."""

    bits: int = 128

    def vector(self, element: str) -> str:
        """The type of a vector of these elements."""
        return f"vector<{self.lanes(element)}x{element}>"

    def lanes(self, element: str) -> int:
        """How many of them a vector has."""
        return self.bits // width_of(element)

    @property
    def of_floats(self) -> tuple[str, ...]:
        """Elements of vectors of floats, as vectors."""
        return tuple(self.vector(each) for each in FLOATS)

    @property
    def of_integers(self) -> tuple[str, ...]:
        """Those of integers."""
        return tuple(self.vector(each) for each in ("i32", "i64"))

    @property
    def scalars(self) -> tuple[str, ...]:
        """All that isn't a vector."""
        return (*INTEGERS, *FLOATS)

    @property
    def all(self) -> tuple[str, ...]:
        """All types of values."""
        return (*self.scalars, *self.of_floats, *self.of_integers)


def element_of(type: str) -> str:
    """The element of a vector, or the type itself."""
    return type.removesuffix(">").split("x", 1)[1] if type.startswith("vector<") else type


def lanes_of(type: str) -> int:
    """The lanes of a vector, 1 of another type."""
    return int(type.removeprefix("vector<").split("x")[0]) if type.startswith("vector<") else 1


@dataclass
class Writer:
    """A function while it is written.

    `weight` is how often the place that is being written runs at most in one call, and `cost` the
    most operations of a call so far; no more than `cost_max` are wanted.
    """

    random: Random
    types: Types
    cost_max: int
    lines: list[str] = field(default_factory=list)
    scopes: list[list[Value]] = field(default_factory=lambda: [[]])
    uses: Counter[str] = field(default_factory=Counter)
    weight: int = 1
    cost: int = 0
    depth: int = 0
    names: int = 0

    def name(self, prefix: str = "%v") -> str:
        """A name that wasn't used."""
        self.names += 1
        return f"{prefix}{self.names}"

    def line(self, text: str) -> None:
        """A line at the depth of the current region."""
        self.lines.append("  " * (self.depth + 1) + text)
        self.cost += self.weight

    def label(self, text: str) -> None:
        """A line that begins a block or ends a region."""
        self.lines.append("  " * self.depth + text)

    def make(self, type: str, text: str, below: int | None = None) -> Value:
        """An operation of one result, which is a value from here on."""
        value = Value(self.name(), type, below)
        self.line(f"{value.name} = {text}")
        self.scopes[-1].append(value)
        return value

    def passing(self, type: str, text: str) -> str:
        """An operation whose result is for what is written next alone: its name."""
        made = self.make(type, text)
        self.scopes[-1].pop()
        return made.name

    def add(self, value: Value) -> Value:
        """A value that something else defines: a parameter, a result."""
        self.scopes[-1].append(value)
        return value

    @contextmanager
    def region(self, weight: int) -> Iterator[list[Value]]:
        """A region that runs so often for each time the place around it does; its values."""
        held = self.weight
        self.weight, self.depth = held * weight, self.depth + 1
        self.scopes.append([])
        yield self.scopes[-1]
        self.scopes.pop()
        self.weight, self.depth = held, self.depth - 1

    def affords(self, cost: int) -> bool:
        """Whether so many operations more, done once here, are within the limit."""
        return self.cost + self.weight * cost <= self.cost_max

    def visible(self, type: str) -> list[Value]:
        """The values of a type, the newest last."""
        return [value for scope in self.scopes for value in scope if value.type == type]

    def unused(self, scope: Sequence[Value]) -> list[Value]:
        """The values of a scope that nothing has used yet."""
        return [value for value in scope if not self.uses[value.name]]

    def pick(self, type: str) -> Value:
        """A value of a type: one that nothing uses, one of the newest, any, or a new constant."""
        values = self.visible(type)
        roll = self.random.random()
        if not values or roll < 0.08:
            return self.used(self.fresh(type, bool(values)))
        fresh = self.unused(values)
        if fresh and roll < 0.45:
            return self.used(self.random.choice(fresh))
        return self.used(self.random.choice(values[-6:] if roll < 0.7 else values))

    def used(self, value: Value) -> Value:
        """The value, which is used by what is written next."""
        self.uses[value.name] += 1
        return value

    def names_of(self, *types: str) -> str:
        """Values of these types, as operands."""
        return ", ".join(self.pick(type).name for type in types)

    def fresh(self, type: str, constant: bool = True) -> Value:
        """A constant; or, if there is no value of this type, sometimes one made of another."""
        if not constant and type in ("index", *NUMBERS) and self.random.random() < 0.7:
            return self._of_another_integer(type)
        if type in FLOATS and not constant and self.random.random() < 0.7:
            source = self.random.choice(NUMBERS)
            return self.make(type, f"arith.sitofp {self.pick(source).name} : {source} to {type}")
        if lanes_of(type) > 1 and self.random.random() < 0.7:
            element = element_of(type)
            source = self.pick(element)
            return self.make(type, f"vector.broadcast {source.name} : {element} to {type}")
        return self.constant(type)

    def _of_another_integer(self, type: str) -> Value:
        others = [each for each in (*NUMBERS, "index") if each != type and self.visible(each)]
        if not others:
            return self.constant(type)
        source = self.pick(self.random.choice(others))
        if "index" in (type, source.type):
            return self.make(type, f"arith.index_cast {source.name} : {source.type} to {type}")
        wider = width_of(type) > width_of(source.type)
        name = self.random.choice(("extsi", "extui")) if wider else "trunci"
        return self.make(type, f"arith.{name} {source.name} : {source.type} to {type}")

    def constant(self, type: str, number: int | None = None) -> Value:
        """A constant of a type: a random one, or this integer, which others seldom use."""
        spelled = str(number) if number is not None else self.spelled(element_of(type))
        if lanes_of(type) > 1:
            words = [self.spelled(element_of(type)) for _ in range(lanes_of(type))]
            spelled = f"dense<[{', '.join(words)}]>"
            if number is not None or self.random.random() < 0.5:
                spelled = f"dense<{words[0] if number is None else number}>"
        text = f"arith.constant {spelled}" + ("" if type == "i1" else f" : {type}")
        made = self.make(type, text)
        if number is not None and self.random.random() < 0.8:
            self.scopes[-1].pop()
        return made

    def spelled(self, element: str) -> str:
        """A word as a constant says it."""
        chance = self.random
        if element in FLOATS:
            if chance.random() < 0.06:
                return chance.choice(FLOAT_BITS[element])
            return chance.choice(FLOAT_CONSTANTS[element])
        if element == "i1":
            return chance.choice(("true", "false"))
        top = 1 << (width_of(element) - 1)
        edges = (0, 1, 2, 3, 8, -1, -2, top - 1, -top, top >> 1, 1 - top)
        roll = chance.random()
        if roll < 0.5:
            return str(chance.choice(edges))
        if roll < 0.8:
            return str(chance.randint(max(-top, -5000), min(top - 1, 5000)))
        return str(chance.randint(-top, top - 1))
