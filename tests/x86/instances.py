"""Rows of x86-64 with registers, immediates and addresses: what is assembled, run and compared.

Entry: `Instance`, `instances_of`, `text_of`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from alpha.backends.core.program import Address, Extra
from alpha.backends.core.registers import View
from alpha.backends.core.rows import Immediate, Memory, Row, Slot, Word
from alpha.backends.core.target import Target
from alpha.backends.x86.meanings import CONDITIONS, FLOAT_CONDITIONS, MASK_CONDITIONS
from alpha.backends.x86.registers import VIEWS
from alpha.backends.x86.syntax import address as spelled_address

MEMORY = "operand_in_memory"
"""The symbol of the bytes that an address leads to."""

CALLED = "called"
"""A function that returns at once."""

FEW: Mapping[str, tuple[int, ...]] = {"gpr": (0, 3, 13), "vec": (0, 7, 15), "mask": (1, 2, 7)}
"""Few registers, so that operands often share one."""


@dataclass(frozen=True)
class Instance:
    """A row with its operands: the number of each register slot, and those of its address."""

    row: Row
    registers: dict[str, int]
    extras: dict[str, Extra] = field(default_factory=dict)
    places: tuple[int, ...] = ()

    @property
    def address(self) -> Address | None:
        """The address, if the row has one."""
        if self.row.memory is None:
            return None
        found = self.extras[self.row.memory.name]
        assert isinstance(found, Address)
        return found


_OF_F32 = re.compile(r"(ss|ps)(\d|_|$)|_s(_|$)|[2m]d_|vextractps|vinsertps")


def lane_bytes(row: Row) -> int:
    """The bytes of the floats that a row is about, as its name says."""
    return 4 if _OF_F32.search(row.name) else 8


class _Register:
    def __init__(self, view: View, number: int) -> None:
        self._view, self._number = view, number

    def __format__(self, spec: str) -> str:
        return (VIEWS[spec] if spec else self._view).spelled[self._number]


def text_of(instance: Instance, labels: Mapping[str, str] | None = None) -> str:
    """The lines of an instance; `labels` has what each label of the row is called."""
    operands: dict[str, object] = dict(labels or {})
    for slot in instance.row.slots:
        if isinstance(slot.kind, View):
            operands[slot.name] = _Register(slot.kind, instance.registers[slot.name])
        elif slot.name in instance.extras:
            operands[slot.name] = _shown(instance, instance.extras[slot.name])
    return instance.row.text.format_map(operands)


def _shown(instance: Instance, extra: Extra) -> object:
    if isinstance(extra, Address):
        names = [VIEWS["r64"].spelled[number] for number in instance.places]
        return spelled_address(extra, names, "")
    return extra


def instances_of(row: Row, target: Target, count: int, seed: int) -> Iterator[Instance]:
    """So many instances: registers by turns apart, few and often shared, and any."""
    draw = random.Random(f"{row.name} {row.feature} {len(target.rows)} {seed}")
    for number in range(count):
        yield _Drawing(row, target, draw, number).instance()


def _conditions(row: Row) -> Sequence[str]:
    if "ucomis" in row.name:
        return tuple(FLOAT_CONDITIONS)
    return MASK_CONDITIONS if "kortest" in row.name else CONDITIONS


class _Drawing:
    def __init__(self, row: Row, target: Target, draw: random.Random, number: int) -> None:
        self._row, self._draw, self._number = row, draw, number
        self._free = target.convention.free
        self._few = number % 3 == 1
        self._taken: dict[str, list[int]] = {of: [] for of in self._free}
        # A register that the row destroys on its way holds no operand that it still reads.
        for register in row.clobbers:
            self._taken.setdefault(register.of, []).append(register.number)
        self._found: dict[str, int] = {}

    def instance(self) -> Instance:
        """The row with operands that its slots allow."""
        extras: dict[str, Extra] = {}
        places: list[int] = []
        for slot in self._row.reads:
            if isinstance(slot.kind, View):
                self._found[slot.name] = self._read(slot, slot.kind)
        for slot in self._row.extras:
            extras[slot.name] = self._extra(slot)
            if isinstance(slot.kind, Memory):
                address = extras[slot.name]
                assert isinstance(address, Address)
                places = [self._any("gpr", []) for _ in range(address.registers)]
                if len(places) == 2 and places[0] == places[1]:
                    places[1] = self._any("gpr", places[:1])
        read = dict(self._found)
        for slot in self._row.defs:
            assert isinstance(slot.kind, View)
            self._found[slot.name] = self._written(slot, slot.kind, read, places)
        return Instance(self._row, self._found, extras, tuple(places))

    def _any(self, of: str, without: Sequence[int]) -> int:
        taken = [*without, *self._taken[of]]
        free = [number for number in self._free[of] if number not in taken]
        few = [number for number in FEW[of] if number in free]
        return self._draw.choice(few if self._few and few else free)

    def _read(self, slot: Slot, view: View) -> int:
        if slot.fixed is not None:
            return view.number(slot.fixed)
        early = [
            each.kind.number(each.fixed)
            for each in self._row.defs
            if each.early and each.fixed is not None and isinstance(each.kind, View)
        ]
        apart = self._number % 3 == 0 or self._row.role == "swap"
        same = [
            self._found[other.name]
            for other in self._row.reads
            if other.name in self._found and isinstance(other.kind, View)
            if other.kind.of == view.of
        ]
        return self._any(view.of.name, (same if apart else []) + early)

    def _written(self, slot: Slot, view: View, read: dict[str, int], places: Sequence[int]) -> int:
        if slot.tied is not None:
            return self._found[slot.tied]
        if slot.fixed is not None:
            return view.number(slot.fixed)
        others = [
            self._found[other.name]
            for other in self._row.slots
            if other.name in self._found and isinstance(other.kind, View)
            if other.kind.of == view.of and (slot.early or other.name not in read)
        ]
        # What is written later in this loop may be fixed.
        others += [view.number(each.fixed) for each in self._row.defs if each.fixed is not None]
        return self._any(view.of.name, others + [*places] * slot.early)

    def _extra(self, slot: Slot) -> Extra:
        row, draw = self._row, self._draw
        if isinstance(slot.kind, Memory):
            return self._address()
        if isinstance(slot.kind, Immediate):
            return self._immediate(slot.kind)
        if slot.kind == Word("symbol"):
            return CALLED if row.role == "call" else MEMORY
        return draw.choice(_conditions(row))

    def _immediate(self, kind: Immediate) -> int:
        """The least, the greatest, a small one, or any."""
        if self._row.name == "rsp_add":
            return 0  # no place to return to would be found elsewhere
        if self._number < 2:
            return (kind.low, kind.high)[self._number]
        low, high = (
            (max(kind.low, -256), min(kind.high, 256))
            if self._draw.random() < 0.4
            else (
                kind.low,
                kind.high,
            )
        )
        return self._draw.randrange(low, high + 1, kind.step)

    def _address(self) -> Address:
        """One of the shapes of an address."""
        draw = self._draw
        offset = draw.choice((0, 0, 8, -1, 64, 127, 128, -128, draw.randrange(-(1 << 31), 1 << 31)))
        scale = draw.choice((1, 2, 4, 8))
        aligned = "vmovnt" in self._row.name
        shapes = (
            Address(offset=offset),
            Address(True, True, scale, offset),
            Address(False, True, scale, offset & -8),
            Address(False, False, 1, 0 if aligned else draw.choice((0, 8)), "symbol", 0, MEMORY),
        )
        if self._row.name == "lea_area" or self._row.name.endswith("_pool"):
            return shapes[3]
        return draw.choice(shapes)
