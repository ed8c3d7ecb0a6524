"""Rows of AArch64 with registers and immediates: what is assembled, executed and compared.

Entry: `Instance`, `instances_of`, `text_of`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from alpha.backends.aarch64.registers import CONVENTION, STACK_POINTER, VIEWS
from alpha.backends.aarch64.syntax import CONDITIONS, ZERO_CONDITIONS, spell_address
from alpha.backends.core.program import Address, Extra
from alpha.backends.core.registers import View
from alpha.backends.core.rows import Immediate, Memory, Row, Slot, Word

SYMBOL = "somewhere"
CALLED = "called"
FREE = {name: tuple(numbers) for name, numbers in CONVENTION.free.items()}
ALIASED = {"gpr": (0, 9, 20, 5, 29, 13), "vec": (1, 12, 30, 8, 0, 17)}
"""Few registers, so that operands often share one."""


@dataclass(frozen=True)
class Instance:
    """A row with its operands. `registers` has each register slot's; `places` an address's own."""

    row: Row
    registers: dict[str, int]
    extras: dict[str, Extra]
    places: tuple[int, ...] = ()

    @property
    def address(self) -> Address | None:
        """The address, if the row has one."""
        found = None if self.row.memory is None else self.extras[self.row.memory.name]
        assert found is None or isinstance(found, Address)
        return found


class _Register:
    def __init__(self, view: View, number: int) -> None:
        self._view, self._number = view, number

    def __format__(self, spec: str) -> str:
        return (VIEWS[spec] if spec else self._view).spelled[self._number]


class _Place:
    def __init__(self, address: Address, numbers: Sequence[int]) -> None:
        self._address = address
        self._names = [VIEWS["x"].spelled[number] for number in numbers]

    def __format__(self, spec: str) -> str:
        return spell_address(self._address, self._names, spec)


def text_of(instance: Instance, labels: dict[str, str] | None = None) -> str:
    """The lines of an instance."""
    operands: dict[str, object] = dict(labels or {})
    for slot in instance.row.slots:
        if isinstance(slot.kind, View):
            operands[slot.name] = _Register(slot.kind, instance.registers[slot.name])
        elif slot.name in instance.extras:
            extra = instance.extras[slot.name]
            shown = _Place(extra, instance.places) if isinstance(extra, Address) else extra
            operands[slot.name] = shown
    return instance.row.text.format_map(operands)


def instances_of(row: Row, count: int, seed: int) -> Iterator[Instance]:
    """So many instances, whose registers are shared in four ways, one after the other."""
    draw = random.Random(f"{row.name} {seed}")
    turn = draw.randrange(5)
    for number in range(count):
        registers = (_apart, _shared, _one_shared, _any)[number % 4](row, draw, turn + number // 4)
        extras: dict[str, Extra] = {}
        places: tuple[int, ...] = ()
        for slot in row.extras:
            if isinstance(slot.kind, Memory):
                literal = "{m:page}" in row.text
                extras[slot.name] = address = _address(draw, slot.kind.bytes, literal)
                places = _places(address, draw, FREE["gpr"])
            elif isinstance(slot.kind, Immediate):
                extras[slot.name] = _immediate(draw, slot.kind, number)
            elif slot.kind == Word("symbol"):
                extras[slot.name] = CALLED if row.role == "call" else SYMBOL
            else:
                zero = row.name.startswith("cb")
                extras[slot.name] = draw.choice(ZERO_CONDITIONS if zero else CONDITIONS)
        yield Instance(row, registers, extras, places)


Choice = Callable[[Slot, str, Sequence[int]], int]
"""The register of a slot of this class, if it can't be one of those that are taken."""


def _apart(row: Row, draw: random.Random, turn: int) -> dict[str, int]:
    """Every operand in a register of its own."""
    taken: list[int] = []

    def choose(slot: Slot, of: str, excluded: Sequence[int]) -> int:
        taken.append(draw.choice([n for n in FREE[of] if n not in (*taken, *excluded)]))
        return taken[-1]

    return _registers(row, choose)


def _shared(row: Row, draw: random.Random, turn: int) -> dict[str, int]:
    """As few registers as the row allows."""
    return _registers(row, lambda slot, of, out: next(n for n in ALIASED[of] if n not in out))


def _one_shared(row: Row, draw: random.Random, turn: int) -> dict[str, int]:
    """A result in the register of an operand, the next one with each turn, and others apart."""
    found = _apart(row, draw, turn)
    for slot in row.defs:
        alike = [each for each in row.reads if each.kind == slot.kind]
        free = slot.tied is None and slot.fixed is None and not slot.early
        if alike and free and row.role != "swap":
            found[slot.name] = found[alike[turn % len(alike)].name]
    return found


def _any(row: Row, draw: random.Random, turn: int) -> dict[str, int]:
    """Any of a few registers."""
    return _registers(
        row, lambda slot, of, out: draw.choice([n for n in ALIASED[of] if n not in out])
    )


def _registers(row: Row, choose: Choice) -> dict[str, int]:
    """A register for each slot, of which `choose` chooses those that the row leaves open."""
    found: dict[str, int] = {}

    def take(slot: Slot, excluded: Sequence[int]) -> None:
        assert isinstance(slot.kind, View)
        of = slot.kind.of.name
        if slot.tied is not None:
            found[slot.name] = found[slot.tied]
        elif slot.fixed is not None:
            found[slot.name] = slot.kind.number(slot.fixed)
        else:
            found[slot.name] = choose(slot, of, excluded)

    reads = [slot for slot in row.reads if isinstance(slot.kind, View)]
    for slot in reads:
        take(slot, [*found.values()] if row.role == "swap" else [])
    read = [*found.values()]
    for number, slot in enumerate(row.defs):
        other_results = [found[each.name] for each in row.defs[:number]]
        take(slot, [*other_results, *(read if slot.early else ())])
    return found


def _immediate(draw: random.Random, kind: Immediate, number: int) -> int:
    """The least, the greatest, or any other that is legal."""
    ends = [value for value in (kind.low, kind.high) if kind.holds(value)]
    if number < len(ends):
        return ends[number]
    if kind.legal is None:
        return draw.randrange(kind.low, kind.high + 1, kind.step)
    bits = 64 if kind.high >= 1 << 32 else 32
    while True:
        value = _legal_guess(draw, bits)
        if kind.holds(value):
            return value


def _legal_guess(draw: random.Random, bits: int) -> int:
    """A rotated run of ones that repeats, or 16 bits at a place, perhaps inverted; of any sign."""
    mask = (1 << bits) - 1
    if draw.random() < 0.3:
        value = draw.getrandbits(16) << draw.choice(range(0, bits, 16))
        return value ^ draw.choice((0, mask))
    size = draw.choice([each for each in (2, 4, 8, 16, 32, 64) if each <= bits])
    run, turn = draw.randrange(1, size), draw.randrange(size)
    element = (1 << run) - 1
    element = (element << turn | element >> (size - turn)) & ((1 << size) - 1)
    value = sum(element << at for at in range(0, bits, size))
    return value - (1 << bits) if value >> (bits - 1) and draw.random() < 0.5 else value


def _address(draw: random.Random, bytes: int, literal: bool) -> Address:
    """A shape of address, among which all that cost nothing and all that cost something."""
    if literal:
        offset = draw.choice((0, bytes, 64 * bytes))
        return Address(based=False, offset=offset, area="symbol", symbol=SYMBOL)
    width = max(bytes, 1)
    offset = draw.choice(
        (
            0,
            width * draw.randrange(4096),
            draw.randrange(-256, 256),
            draw.randrange(-4096, 65536),
            draw.randrange(-(1 << 24), 1 << 24),
            draw.randrange(-(1 << 31), 1 << 31),
        )
    )
    scale = draw.choice((1, 2, 4, 8, 16))
    match draw.randrange(8):
        case 0 | 1 | 2:
            return Address(offset=offset)
        case 3 | 4:
            return Address(True, True, draw.choice((1, width)), 0)
        case 5:
            return Address(draw.random() < 0.8, True, scale, offset)
        case 6:
            near = draw.randrange(-(1 << 20), 1 << 20)
            return Address(False, False, 1, near, "symbol", 0, SYMBOL)
        case _:
            near = draw.randrange(-(1 << 20), 1 << 20)
            indexed = draw.random() < 0.5
            return Address(not indexed, indexed, scale, near, "symbol", 0, SYMBOL)


def _places(address: Address, draw: random.Random, free: tuple[int, ...]) -> tuple[int, ...]:
    """The base may be the stack pointer, as for what lies in the frame; the index is another."""
    numbers = draw.sample(free, address.registers)
    near = abs(address.offset) < 1 << 24 and address.area == ""
    if address.based and near and draw.random() < 0.3:
        numbers[0] = STACK_POINTER
    return tuple(numbers)
