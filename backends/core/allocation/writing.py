"""Writes what stands between the original instructions: moves, swaps, loads, stores, constants.

Entry: `Writer`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from alpha.backends.core.allocation.banks import Banks
from alpha.backends.core.allocation.faults import NoPlacement
from alpha.backends.core.allocation.flow import Flow
from alpha.backends.core.allocation.slots import slice_for
from alpha.backends.core.placed import Placed
from alpha.backends.core.program import Address, Instruction, Slice, Value
from alpha.backends.core.rows import Row
from alpha.backends.core.target import Target


class Writer:
    """Appends to `out`; registers are those of `Banks`, slots those of the frame."""

    def __init__(self, flow: Flow, target: Target, banks: Banks, slots: list[Slice]) -> None:
        self._views, self._kinds, self._constants = flow.views, flow.kinds, flow.constants
        self._target, self._banks, self._slots = target, banks, slots
        self._spare: dict[tuple[int, int], int] = {}
        self.out: list[Placed] = []

    def original(self, instruction: Instruction, registers: Sequence[tuple[int, int]]) -> None:
        """An instruction of the function, with a class and register for each def and use."""
        numbers = self._banks.numbers
        self.out.append(Placed(instruction, tuple(numbers[kind][at] for kind, at in registers)))

    def move(self, value: Value, before: Value, to: int, source: int) -> None:
        """Copy a register; the value may have another name before."""
        row = self._row(self._target.moves.move, value, "move")
        self._append(Instruction(row, [value], [before]), value, (to, source), "move")

    def swap(self, first: Value, second: Value, at_first: int, at_second: int) -> None:
        """Change over two values, given where each is before."""
        wider = max(first, second, key=lambda value: self._views[value].bytes)
        row = self._row(self._target.moves.swap, wider, "swap")
        made = Instruction(row, [second, first], [first, second])
        self._append(made, first, (at_first, at_second, at_first, at_second), "swap")

    def store(self, value: Value, source: int, slot: int) -> None:
        """Write a register to a slot."""
        row = self._row(self._target.moves.store, value, "store")
        self._append(Instruction(row, [], [value], (_address(slot),)), value, (source,), "store")

    def load(self, value: Value, to: int, slot: int) -> None:
        """Read a slot."""
        row = self._row(self._target.moves.load, value, "load")
        self._append(Instruction(row, [value], [], (_address(slot),)), value, (to,), "load")

    def again(self, value: Value, to: int) -> None:
        """Make a constant once more."""
        self._append(self._constants[value], value, (to,), "again")

    def jump(self) -> None:
        """End a block on an edge."""
        row = next(row for row in self._target.rows.values() if row.role == "jump")
        self.out.append(Placed(Instruction(row, [], []), (), "jump"))

    def spare(self, value: Value, nth: int) -> int:
        """A slot that is used inside one parallel move only, as wide as a value."""
        bytes = self._views[value].bytes
        key = bytes, nth
        if key not in self._spare:
            self._spare[key] = len(self._slots)
            self._slots.append(slice_for(bytes))
        return self._spare[key]

    def _row(self, rows: Mapping[str, Row], value: Value, what: str) -> Row:
        name = self._views[value].name
        if name not in rows:
            raise NoPlacement(f"{self._target.name} has no instruction to {what} {name}")
        return rows[name]

    def _append(self, made: Instruction, value: Value, places: Sequence[int], kind: str) -> None:
        numbers = self._banks.numbers[self._kinds[value]]
        self.out.append(Placed(made, tuple(numbers[place] for place in places), kind))


def _address(slot: int) -> Address:
    return Address(based=False, area="slot", number=slot)
