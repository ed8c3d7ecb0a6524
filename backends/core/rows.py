"""Rows: everything about one machine instruction, in one place.

A row says which operands an instruction has and how they are constrained, how it is written, what
it clobbers and what it means. The dialect's operation, the printer, the constraints of the
allocator, the interpreter of machine code and the fuzzer are all read from it.

A signature reads as an assignment, `"d:r64/a = a:r64, b:r64"`: what is written, then what is read.
Each slot is `name:kind` and may be followed by
- `/a`: in the same register as the slot `a` that is read (a tied operand);
- `@rcx`: in that register and no other;
- `!`: written before everything is read, so in no register of a slot that is read;
- `?`: memory of which only the lanes that a mask names are touched. Read, bytes that aren't there
  are zeros; written, the meaning gives a `Partial`.
A kind is a view (`r64`), `memN` (N bytes at an address: on the left they are written, on the right
read; of `mem0` nothing is read, and its value is the address itself), `immS` and `immU` of so many
bits with an optional multiple, a kind that the instruction set names in `kinds`, `label`, `symbol`
or `cond`.

In the text, `{a}` is the operand, for a register in its own view; `{a:r8}` is a register in another
view of its class; `{{` and `}}` are braces. The text of a branch names its first label only: the
printer jumps to the other unless that block follows.

A row may stand for a few instructions that have to stay together (a comparison with its branch),
so no flag lives from one row to another and nothing that is put between two rows can harm one.

Invariant: rows stand in the manual's order.
Entry: `Row`, `row`, `Slot`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from alpha.backends.core.registers import Register, View

Meaning = Callable[..., Any]
"""Called with the carrier, then the value of each slot that is read, in order.

Registers of a general class are unsigned integers of the view's width; vector registers and memory
are what the carrier makes of them; an immediate is an integer, a symbol its address, a condition
its name. Labels give nothing. Returns the value of the slot that is written, a tuple of them where
there are several, None where there is none; a branch returns the number of the label that it takes.
"""


@dataclass(frozen=True)
class Immediate:
    """An integer in the text: from `low` to `high`, a multiple of `step`.

    `legal` says more about it where the encoding has a rule of its own.
    """

    low: int
    high: int
    step: int = 1
    legal: Callable[[int], bool] | None = None

    def holds(self, value: int) -> bool:
        """Whether an instruction can hold this value."""
        if not self.low <= value <= self.high or value % self.step:
            return False
        return self.legal is None or self.legal(value)


@dataclass(frozen=True)
class Memory:
    """So many bytes at an address."""

    bytes: int


@dataclass(frozen=True)
class Word:
    """A word of the text that is no register: a `label`, a `symbol` or a condition (`cond`)."""

    role: str


Kind = View | Immediate | Memory | Word


@dataclass(frozen=True)
class Slot:
    """One operand of a row, on the left (written) or on the right (read)."""

    name: str
    kind: Kind
    tied: str | None = None
    fixed: str | None = None
    early: bool = False
    partial: bool = False

    @property
    def is_register(self) -> bool:
        """Whether the operand is a register by itself; an address may name up to two more."""
        return isinstance(self.kind, View)


@dataclass(frozen=True)
class Row:
    """One instruction, or a few that stay together."""

    name: str
    writes: tuple[Slot, ...]
    reads: tuple[Slot, ...]
    text: str
    meaning: Meaning
    feature: str
    clobbers: tuple[Register, ...]
    role: str
    commutes: tuple[str, str] | None

    @cached_property
    def defs(self) -> tuple[Slot, ...]:
        """The registers that are written."""
        return tuple(slot for slot in self.writes if slot.is_register)

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """All operands in the order of the signature."""
        return self.writes + self.reads

    @cached_property
    def memory(self) -> Slot | None:
        """The operand in memory: an instruction has at most one."""
        return next((slot for slot in self.slots if isinstance(slot.kind, Memory)), None)

    @cached_property
    def extras(self) -> tuple[Slot, ...]:
        """The operands that are no registers by themselves, labels left out."""
        return tuple(
            slot for slot in self.slots if not slot.is_register and slot.kind != Word("label")
        )

    @cached_property
    def labels(self) -> int:
        """How many blocks it may go on to."""
        return sum(slot.kind == Word("label") for slot in self.reads)

    def slot(self, name: str) -> Slot:
        """The operand of this name. Raises KeyError if there is none."""
        for slot in self.slots:
            if slot.name == name:
                return slot
        raise KeyError(f"{self.name} has no operand {name}")


ROLES = frozenset({"plain", "move", "swap", "constant", "jump", "branch", "call", "return", "stop"})
"""What the core has to know of a row: `constant` reads no register and can be done again anywhere,
`jump` and `branch` end a block, `return` and `stop` (which never goes on) end a function."""

_SLOT = re.compile(r"(\w+):(\w+)(?:/(\w+))?(?:@(\w+))?(!)?(\?)?$")
_NUMBERED = re.compile(r"(mem|immS|immU)(\d+)(?:x(\d+))?$")


_NO_KINDS: Mapping[str, Immediate] = {}


def row(
    views: Mapping[str, View],
    name: str,
    signature: str,
    text: str,
    meaning: Meaning,
    *,
    feature: str = "",
    clobbers: Iterable[str] = (),
    role: str = "plain",
    commutes: str = "",
    kinds: Mapping[str, Immediate] = _NO_KINDS,
) -> Row:
    """Read a row; see the module for the signature. `commutes` names two slots, as `"a b"`; `kinds`
    are immediates of this instruction set alone, by name.

    Raises ValueError for a signature, role, register or slot that doesn't exist, and for a text
    that leaves an operand out.
    """
    left, found, right = signature.partition("=")
    if not found:
        raise ValueError(f"{name}: a signature is `written = read`, not {signature!r}")
    known: dict[str, Kind] = {**views, **kinds}
    writes, reads = _slots(known, name, left), _slots(known, name, right)
    if role not in ROLES:
        raise ValueError(f"{name}: no role {role}")
    made = Row(
        name,
        writes,
        reads,
        text,
        meaning,
        feature,
        tuple(register(views, each) for each in clobbers),
        role,
        _pair(name, commutes, reads),
    )
    _check(made)
    return made


def register(views: Mapping[str, View], name: str) -> Register:
    """The register of this name, by any of its views. Raises ValueError if there is none."""
    for view in views.values():
        if name in view.spelled:
            return Register(view.of.name, view.number(name))
    raise ValueError(f"no register {name}")


def _pair(name: str, commutes: str, reads: tuple[Slot, ...]) -> tuple[str, str] | None:
    if not commutes:
        return None
    first, second = commutes.split()
    if not {first, second} <= {slot.name for slot in reads}:
        raise ValueError(f"{name}: {commutes} are no operands that are read")
    return first, second


def _slots(known: Mapping[str, Kind], row_name: str, text: str) -> tuple[Slot, ...]:
    parts = [part.strip() for part in text.split(",")]
    return tuple(_slot(known, row_name, part) for part in parts if part)


def _slot(known: Mapping[str, Kind], row_name: str, text: str) -> Slot:
    match = _SLOT.fullmatch(text)
    if match is None:
        raise ValueError(f"{row_name}: {text!r} is no slot")
    name, kind, tied, fixed, early, partial = match.groups()
    made = _kind(known, row_name, kind)
    return Slot(name, made, tied, fixed, early is not None, partial is not None)


def _kind(known: Mapping[str, Kind], row_name: str, text: str) -> Kind:
    if text in known:
        return known[text]
    if text in ("label", "symbol", "cond"):
        return Word(text)
    match = _NUMBERED.fullmatch(text)
    if match is None:
        raise ValueError(f"{row_name}: no kind {text}")
    family, number, step = match[1], int(match[2]), int(match[3] or 1)
    if family == "mem":
        return Memory(number)
    if family == "immS":
        return Immediate(-(1 << (number - 1)) * step, ((1 << (number - 1)) - 1) * step, step)
    return Immediate(0, ((1 << number) - 1) * step, step)


def _check(made: Row) -> None:
    """Refuse a row whose parts don't fit together: a bug in a table, found when it is read."""
    names = [slot.name for slot in made.slots]
    if len(set(names)) != len(names):
        raise ValueError(f"{made.name}: two operands of one name")
    for slot in made.writes:
        if slot.tied is not None:
            other = made.slot(slot.tied)
            if other not in made.reads or not (slot.is_register and other.is_register):
                raise ValueError(f"{made.name}: {slot.name} can't be tied to {slot.tied}")
    for slot in made.reads:
        if slot.tied is not None or slot.early:
            raise ValueError(f"{made.name}: {slot.name} is read and so neither tied nor early")
    for slot in made.slots:
        if slot.partial and not isinstance(slot.kind, Memory):
            raise ValueError(f"{made.name}: {slot.name} is no memory and so not partial")
    if sum(isinstance(slot.kind, Memory) for slot in made.slots) > 1:
        raise ValueError(f"{made.name}: more than one operand in memory")
    for slot in made.slots:
        implied = slot.fixed is not None or any(other.tied == slot.name for other in made.writes)
        if f"{{{slot.name}" not in made.text and not implied and slot.kind != Word("label"):
            raise ValueError(f"{made.name}: the text leaves {slot.name} out")
