"""What rows and instructions ask of registers: class, width, which one, tied, early, commuting.

Entry: `Operands`, `Operand`, `Form`.
"""

from __future__ import annotations

from typing import NamedTuple

from alpha.backends.core.checking.steps import Location, Locations
from alpha.backends.core.program import Address, Function, Instruction, Value
from alpha.backends.core.registers import View
from alpha.backends.core.rows import Slot
from alpha.backends.core.target import Target


class Operand(NamedTuple):
    """What is asked of a register: its class, so many bytes of it, which one if it is fixed.

    `zeroes` if what is above those bytes becomes zero when they are written.
    """

    of: str
    bytes: int
    fixed: int | None
    zeroes: bool


class Form(NamedTuple):
    """What the row says of an instruction whose addresses have so many registers.

    `tied` has positions of a def and a use, `early` of defs, `commuting` of two uses.
    """

    defs: tuple[Operand, ...]
    uses: tuple[Operand, ...]
    tied: tuple[tuple[int, int], ...]
    early: tuple[int, ...]
    commuting: tuple[int, int] | None


class Operands:
    """Reads what is asked; each form once."""

    def __init__(self, function: Function, target: Target) -> None:
        self.locations = Locations(target)
        self.views = target.views
        self._views = function.views
        self._forms: dict[tuple[int, ...], Form] = {}
        general = target.convention.stack_pointer.of
        width = max(view.bytes for view in target.views.values() if view.of.name == general)
        self._general = general
        self._of_address = Operand(general, width, None, True)

    def form(self, instruction: Instruction) -> Form:
        """What its row asks."""
        counts = [each.registers for each in instruction.extras if isinstance(each, Address)]
        key = (id(instruction.row), *counts)
        form = self._forms.get(key)
        if form is None:
            form = self._forms[key] = self._form(instruction)
        return form

    def written(self, instruction: Instruction) -> list[Operand]:
        """What is asked of each def."""
        slots = self.form(instruction).defs
        return self._beside(slots, instruction.defs, instruction.fixed_defs)

    def read(self, instruction: Instruction) -> list[Operand]:
        """What is asked of each use."""
        slots = self.form(instruction).uses
        return self._beside(slots, instruction.uses, instruction.fixed_uses)

    def clobbers(self, instruction: Instruction) -> tuple[Location, ...]:
        """The registers that are lost."""
        at = self.locations.register
        return tuple([at(*each) for each in instruction.row.clobbers + instruction.clobbers])

    def fixed(self, instruction: Instruction) -> set[Location]:
        """The registers that it fixes."""
        at = self.locations.register
        return {
            at(of, number)
            for operands in (self.written(instruction), self.read(instruction))
            for of, _, number, _ in operands
            if number is not None
        }

    def _beside(
        self, slots: tuple[Operand, ...], values: list[Value], fixed: tuple[int | None, ...]
    ) -> list[Operand]:
        """The operands of the slots, then those of further values; with what else is fixed."""
        found = list(slots)
        for value in values[len(slots) :]:
            view = self._views[value]
            found.append(Operand(view.of.name, view.bytes, None, False))
        for at, number in enumerate(fixed):
            if number is not None and found[at].fixed is None:
                found[at] = found[at]._replace(fixed=number)
        return found

    def _form(self, instruction: Instruction) -> Form:
        row = instruction.row
        uses: list[Operand] = []
        places: dict[str, int] = {}
        for slot, at, number in instruction.read_slots():
            places[slot.name] = at
            uses += [self._operand(slot)] if slot.is_register else [self._of_address] * number
        commuting = None
        if row.commutes is not None and all(row.slot(name).is_register for name in row.commutes):
            commuting = places[row.commutes[0]], places[row.commutes[1]]
        return Form(
            tuple(self._operand(slot) for slot in row.defs),
            tuple(uses),
            tuple(instruction.tied()),
            tuple(at for at, slot in enumerate(row.defs) if slot.early),
            commuting,
        )

    def _operand(self, slot: Slot) -> Operand:
        view = slot.kind
        assert isinstance(view, View)
        fixed = None if slot.fixed is None else view.number(slot.fixed)
        return Operand(view.of.name, view.bytes, fixed, self.zeroes(view))

    def zeroes(self, view: View) -> bool:
        """Whether what is above a view becomes zero when it is written."""
        return view.of.name == self._general or view.bytes > self._of_address.bytes
