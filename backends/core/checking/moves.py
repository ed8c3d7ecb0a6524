"""What an inserted step must be like, and what it moves: M1 to M4, S2 to S6 of `checker`.

Entry: `Moving`.
"""

from __future__ import annotations

from alpha.backends.core.checking.errors import AllocationError, Place
from alpha.backends.core.checking.operands import Operands
from alpha.backends.core.checking.steps import ALL, Copy, Location, Made, Step
from alpha.backends.core.checking.values import Values, constant_key
from alpha.backends.core.placed import Placed
from alpha.backends.core.program import Address, Slice
from alpha.backends.core.registers import View
from alpha.backends.core.rows import Memory, Row, Slot
from alpha.backends.core.target import Moves


class Moving:
    """Makes a step of each instruction that only moves values.

    `movable` are the registers that it may name, `slots` those of the placed function, of which
    the function itself has the first `own`.
    """

    def __init__(
        self,
        moves: Moves,
        values: Values,
        operands: Operands,
        movable: set[Location],
        slots: list[Slice],
        own: int,
    ) -> None:
        self._values, self._operands, self._movable = values, operands, movable
        self._slots, self._own = slots, own
        self._at, self._text = operands.locations.register, operands.locations.text
        tables = {"move": moves.move, "swap": moves.swap, "store": moves.store, "load": moves.load}
        self._rows = {kind: {id(row) for row in table.values()} for kind, table in tables.items()}

    def step(self, got: Placed, place: Place) -> Step:
        """The step of an inserted instruction. Raises AllocationError."""
        if got.kind == "again":
            return self._again(got, place)
        instruction, row = got.instruction, got.instruction.row
        rows = self._rows.get(got.kind)
        if rows is None:
            raise AllocationError(place, "step", "one that only moves values", got.kind)
        if id(row) not in rows:
            raise AllocationError(place, got.kind, "a row of the target's moves", row.name)
        if instruction.edges or row.clobbers or instruction.clobbers:
            raise AllocationError(place, got.kind, "nothing but a move", "edges or clobbers")
        match got.kind:
            case "move":
                return self._move(row, got, place)
            case "swap":
                return self._swap(row, got, place)
            case "store":
                return self._store(row, got, place)
        return self._load(row, got, place)

    def _move(self, row: Row, got: Placed, place: Place) -> Step:
        to, of = self._registers((*row.defs, *row.reads), got, place)
        view = _view(row.defs[0])
        width = min(view.bytes, _view(row.reads[0]).bytes)
        copy = Copy(to, of, width, self._operands.zeroes(view))
        return Step(place.instruction, copies=(copy,))

    def _swap(self, row: Row, got: Placed, place: Place) -> Step:
        """M2."""
        c, d, a, b = self._registers((*row.defs, *row.reads), got, place)
        if (c, d) != (a, b):
            expected, found = (f"{self._text(x)}, {self._text(y)}" for x, y in ((a, b), (c, d)))
            raise AllocationError(place, "defs of a swap", expected, found)
        if a == b:
            raise AllocationError(place, "swap", "two registers", self._text(a))
        view = _view(row.defs[0])
        width, zeroes = view.bytes, self._operands.zeroes(view)
        copies = Copy(a, b, width, zeroes), Copy(b, a, width, zeroes)
        return Step(place.instruction, copies=copies)

    def _store(self, row: Row, got: Placed, place: Place) -> Step:
        slot = next(each for each in row.reads if each.is_register)
        (of,) = self._registers((slot,), got, place)
        to, width = self._slot(row, got, place)
        width = min(width, _view(slot).bytes)
        return Step(place.instruction, copies=(Copy(to, of, width, False),))

    def _load(self, row: Row, got: Placed, place: Place) -> Step:
        (to,) = self._registers(row.defs, got, place)
        of, width = self._slot(row, got, place)
        view = _view(row.defs[0])
        width, zeroes = min(width, view.bytes), self._operands.zeroes(view)
        return Step(place.instruction, copies=(Copy(to, of, width, zeroes),))

    def _slot(self, row: Row, got: Placed, place: Place) -> tuple[Location, int]:
        """M3: the spill slot that is stored to or loaded from, and how many bytes."""
        addresses = [each for each in got.instruction.extras if isinstance(each, Address)]
        expected = Address(based=False, area="slot", number=addresses[0].number if addresses else 0)
        if got.instruction.extras != (expected,):
            found = str(got.instruction.extras)
            raise AllocationError(place, got.kind, "a slot of the frame by its number", found)
        number = expected.number
        if not self._own <= number < len(self._slots):
            span = f"a spill slot, {self._own} to {len(self._slots) - 1}"
            raise AllocationError(place, got.kind, span, f"slot {number}")
        memory = row.memory
        assert memory is not None and isinstance(memory.kind, Memory)
        if memory.kind.bytes > self._slots[number].bytes:
            expected_bytes = f"at most {self._slots[number].bytes} bytes"
            raise AllocationError(place, f"slot {number}", expected_bytes, str(memory.kind.bytes))
        return self._operands.locations.slot(number), memory.kind.bytes

    def _again(self, got: Placed, place: Place) -> Step:
        """M4."""
        instruction = got.instruction
        key = constant_key(instruction)
        name = None if key is None else self._values.constants.get(key)
        if name is None:
            row = instruction.row.name
            raise AllocationError(place, "again", "a constant of the function", row)
        (to,) = self._registers(instruction.row.defs, got, place)
        lost = self._operands.clobbers(instruction)
        if to in lost:
            raise AllocationError(place, self._text(to), "no clobber of what is written", "one")
        view = _view(instruction.row.defs[0])
        known = ALL if self._operands.zeroes(view) else view.bytes
        return Step(place.instruction, lost=lost, made=(Made(to, name, known),))

    def _registers(self, slots: tuple[Slot, ...], got: Placed, place: Place) -> list[Location]:
        """M1."""
        if len(slots) != len(got.registers):
            expected = f"{len(slots)} registers"
            raise AllocationError(place, got.kind, expected, str(len(got.registers)))
        found: list[Location] = []
        for slot, number in zip(slots, got.registers, strict=True):
            view = _view(slot)
            location = self._at(view.of.name, number)
            if location not in self._movable:
                text = self._text(location)
                raise AllocationError(place, got.kind, "a register that may be written", text)
            found.append(location)
        return found


def _view(slot: Slot) -> View:
    view = slot.kind
    assert isinstance(view, View)
    return view
