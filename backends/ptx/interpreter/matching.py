"""Which row an instruction is: the text of each row, turned round into a pattern.

Invariant: an instruction is what some row prints, up to white space, or it isn't known. Registers
    have the view that the row asks for, immediates are those that the row holds.
Entry: `matched`, `normal`, `Names`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from string import Formatter
from types import MappingProxyType
from typing import Protocol

from alpha.backends.core.registers import View
from alpha.backends.core.rows import Immediate, Memory, Row, Slot, Word
from alpha.backends.ptx.interpreter.programs import Held, Operand, Place
from alpha.backends.ptx.meanings import FLOAT_PREDICATES, INTEGER_CONDITIONS
from alpha.backends.ptx.rows.table import ALL

NAME = r"[A-Za-z_$][A-Za-z0-9_$]*"
_REGISTER = r"%[A-Za-z0-9_$]+"
_INTEGER = r"-?(?:0[xX][0-9a-fA-F]+|0|[1-9][0-9]*)"
_ADDRESS = re.compile(rf"({_REGISTER}|{NAME})(?:\+({_INTEGER}))?")
_TIGHT = re.compile(r" ?([,\]}+;]) ?|([\[{]) ")
_MNEMONIC = re.compile(r"(?:@(!?)%[A-Za-z0-9_$]+ )?([a-z][a-z0-9_.]*)")
_FIRST_PRIVATE = 0xE000


class Unfit(Exception):
    """An operand that isn't one of this row's."""


class Names(Protocol):
    """What an instruction may name. Each raises `Unfit` for what isn't there."""

    def register(self, name: str, view: str) -> int:
        """The number of a register of this view."""
        ...

    def symbol(self, name: str, space: str) -> str:
        """The name of a variable in this space, or in any if `space` is empty."""
        ...

    def label_place(self, name: str) -> int:
        """The number of the instruction that stands behind this label."""
        ...


@dataclass(frozen=True)
class Pattern:
    """How one row is written; `condition` is that of a comparison."""

    row: Row
    shape: re.Pattern[str]
    condition: str
    fields: tuple[tuple[Slot, str], ...]


@dataclass(frozen=True)
class Found:
    """A row and its operands in the order of its slots; labels apart."""

    row: Row
    writes: tuple[Operand, ...]
    reads: tuple[Operand, ...]
    target: int | None


def normal(text: str) -> str:
    """The text with as little white space as it needs."""
    return _TIGHT.sub(r"\1\2", " ".join(text.split()))


def matched(text: str, names: Names) -> Found:
    """The row that prints this text, which is `normal` and ends in a semicolon.

    Raises Unfit with the reason if there is none.
    """
    head = _MNEMONIC.match(text)
    reason = "no such instruction"
    for pattern in _patterns().get(f"{head[1] or ''}{head[2]}" if head else "", ()):
        found = pattern.shape.fullmatch(text)
        if found is None:
            continue
        try:
            return _found(pattern, found, names)
        except Unfit as unfit:
            reason = str(unfit)
    raise Unfit(reason)


@cache
def _patterns() -> Mapping[str, tuple[Pattern, ...]]:
    """All rows by their mnemonic, behind a `!` where only a false predicate jumps."""
    table: dict[str, list[Pattern]] = {}
    for row in ALL:
        for condition in _conditions(row):
            key, pattern = _pattern(row, condition)
            table.setdefault(key, []).append(pattern)
    return MappingProxyType({key: tuple(patterns) for key, patterns in table.items()})


def _conditions(row: Row) -> Iterator[str]:
    if all(slot.kind != Word("cond") for slot in row.reads):
        yield ""
        return
    floats = any(isinstance(slot.kind, View) and slot.kind.name in "sd" for slot in row.reads)
    yield from FLOAT_PREDICATES if floats else INTEGER_CONDITIONS


def _pattern(row: Row, condition: str) -> tuple[str, Pattern]:
    text, groups, fields = "", [], []
    for literal, name, spec, _ in Formatter().parse(row.text):
        text += literal
        if name is None:
            continue
        slot = row.slot(name)
        if slot.kind == Word("cond"):
            text += condition
            continue
        text += chr(_FIRST_PRIVATE + len(groups))
        groups.append(f"({_group(slot, spec or '')})")
        fields.append((slot, spec or ""))
    escaped = re.escape(normal(text)).replace(r"\ ", " ")
    for number, group in enumerate(groups):
        escaped = escaped.replace(chr(_FIRST_PRIVATE + number), group)
    bare = re.sub(r"^@(!?)\S+ ", r"\1", text)
    return bare.split()[0].rstrip(";"), Pattern(row, re.compile(escaped), condition, tuple(fields))


def _group(slot: Slot, spec: str) -> str:
    """What an operand looks like."""
    kind = slot.kind
    if isinstance(kind, View):
        return _REGISTER
    if isinstance(kind, Memory):
        return NAME if spec == "name" else r"\[[^\[\]]*\]"
    if isinstance(kind, Immediate):
        if spec:
            return f"[0-9A-Fa-f]{{{int(spec[:-1])}}}"
        return _INTEGER
    return NAME


def _found(pattern: Pattern, found: re.Match[str], names: Names) -> Found:
    row, operands, target = pattern.row, {}, None
    for (slot, spec), text in zip(pattern.fields, found.groups(), strict=True):
        if slot.kind == Word("label"):
            target = names.label_place(text)
        else:
            operands[slot.name] = _operand(row, slot, spec, text, names)
    for slot in row.reads:
        if slot.kind == Word("cond"):
            operands[slot.name] = pattern.condition
    return Found(
        row,
        tuple(operands[slot.name] for slot in row.writes),
        tuple(operands[slot.name] for slot in row.reads if slot.kind != Word("label")),
        target,
    )


def _operand(row: Row, slot: Slot, spec: str, text: str, names: Names) -> Operand:
    kind = slot.kind
    if isinstance(kind, View):
        return Held(names.register(text, kind.name))
    if isinstance(kind, Immediate):
        value = int(text, 16 if spec else 0)
        if not kind.holds(value):
            raise Unfit(f"{value} is no immediate of this instruction")
        return value
    if isinstance(kind, Memory):
        return _place(text, "" if spec == "name" else row.text.split(".")[1], names)
    raise Unfit(f"no operand {text}")


def _place(text: str, space: str, names: Names) -> Place:
    found = _ADDRESS.fullmatch(text.strip("[]"))
    if found is None:
        raise Unfit(f"{text} is no address")
    start, offset = found[1], int(found[2] or "0", 0)
    if not -(1 << 31) <= offset < 1 << 31:
        raise Unfit(f"an offset of {offset} bytes")
    if not start.startswith("%"):
        return Place(None, names.symbol(start, space), offset)
    if space == "param":
        raise Unfit("a parameter is read by its name")
    return Place(names.register(start, "x"), "", offset)
