"""An allocator that keeps every value in the frame: a second one, plain enough to be right.

Before an instruction its operands are loaded, behind it its results are stored. A block's
parameters have two slots each: an edge fills the one, the block's beginning copies it to the other,
so that no edge can overwrite what it still reads.

Entry: `allocate_naively`.
"""

from __future__ import annotations

from collections.abc import Mapping

from alpha.backends.core.placed import Placed, PlacedBlock, PlacedFunction
from alpha.backends.core.program import Address, Edge, Function, Instruction, Slice, Value
from alpha.backends.core.registers import View
from alpha.backends.core.target import Target


def allocate_naively(
    function: Function, target: Target, limits: Mapping[str, int] | None = None
) -> PlacedFunction:
    """Place a function in at most so many registers of each class."""
    return _Naive(function, target, limits or {}).placed()


class _Naive:
    def __init__(self, function: Function, target: Target, limits: Mapping[str, int]) -> None:
        self._function, self._target = function, target
        self._free = {
            of: numbers[: limits.get(of, len(numbers))]
            for of, numbers in target.convention.free.items()
        }
        self._slots = list(function.slots)
        self._homes: dict[Value, int] = {}
        self._entries: dict[Value, int] = {}

    def placed(self) -> PlacedFunction:
        """The placed function."""
        function = self._function
        for block in function.blocks[1:]:
            for parameter in block.parameters:
                self._entries[parameter] = self._slot(parameter)
        blocks = [self._block(number) for number in range(len(function.blocks))]
        for number, block in enumerate(function.blocks):
            for edge in block.edges:
                blocks[number].targets.append(len(blocks))
                blocks.append(self._edge(edge))
        return PlacedFunction(
            function.name, blocks, self._slots, function.bytes_out, function.exported
        )

    def _slot(self, value: Value) -> int:
        bytes = self._function.views[value].bytes
        self._slots.append(Slice(bytes, min(bytes, 8)))
        return len(self._slots) - 1

    def _home(self, value: Value) -> int:
        if value not in self._homes:
            self._homes[value] = self._slot(value)
        return self._homes[value]

    def _load(self, view: View, register: int, slot: int) -> Placed:
        address = Address(based=False, area="slot", number=slot)
        row = self._target.moves.load[view.name]
        return Placed(Instruction(row, [0], [], (address,)), (register,), "load")

    def _store(self, view: View, register: int, slot: int) -> Placed:
        address = Address(based=False, area="slot", number=slot)
        row = self._target.moves.store[view.name]
        return Placed(Instruction(row, [], [0], (address,)), (register,), "store")

    def _copy(self, value: Value, of: int, to: int) -> list[Placed]:
        view = self._function.views[value]
        register = self._free[view.of.name][0]
        return [self._load(view, register, of), self._store(view, register, to)]

    def _block(self, number: int) -> PlacedBlock:
        function = self._function
        block = function.blocks[number]
        made = PlacedBlock(number)
        for at, parameter in enumerate(block.parameters):
            if number:
                made.instructions += self._copy(
                    parameter, self._entries[parameter], self._home(parameter)
                )
            else:
                register = function.arrivals[at].number
                view = function.views[parameter]
                made.instructions.append(self._store(view, register, self._home(parameter)))
        for instruction in block.instructions:
            made.instructions += self._instruction(instruction)
        return made

    def _edge(self, edge: Edge) -> PlacedBlock:
        made = PlacedBlock(None, targets=[edge.block])
        parameters = self._function.blocks[edge.block].parameters
        for parameter, argument in zip(parameters, edge.arguments, strict=True):
            to = self._entries[parameter]
            made.instructions += self._copy(argument, self._home(argument), to)
        jump = next(row for row in self._target.rows.values() if row.role == "jump")
        made.instructions.append(Placed(Instruction(jump, [], []), (), "jump"))
        return made

    def _instruction(self, instruction: Instruction) -> list[Placed]:
        defs, uses = self._fixed(instruction)
        lost = {tuple(each) for each in instruction.row.clobbers + instruction.clobbers}
        tied = dict(instruction.tied())
        for at, use in tied.items():
            uses[use] = defs[at] if uses[use] is None else uses[use]
        tied_uses = {use: at for at, use in tied.items()}
        early = [at for at, slot in enumerate(instruction.row.defs) if slot.early]
        taken = {self._key(instruction.uses[at], n) for at, n in enumerate(uses) if n is not None}
        for at, value in enumerate(instruction.uses):
            if uses[at] is None:
                uses[at] = self._pick(value, taken | (lost if at in tied_uses else set()))
            taken.add(self._key(value, uses[at]))
        written = {self._key(instruction.defs[at], n) for at, n in enumerate(defs) if n is not None}
        for at, use in tied.items():
            defs[at] = uses[use]
            written.add(self._key(instruction.defs[at], defs[at]))
        for at, value in enumerate(instruction.defs):
            if defs[at] is None:
                defs[at] = self._pick(value, written | lost | (taken if at in early else set()))
            written.add(self._key(value, defs[at]))
        views = self._function.views
        found = [
            self._load(views[value], number, self._home(value))
            for value, number in zip(instruction.uses, uses, strict=True)
            if number is not None
        ]
        registers = tuple(number for number in (*defs, *uses) if number is not None)
        found.append(Placed(instruction, registers))
        found += [
            self._store(views[value], number, self._home(value))
            for value, number in zip(instruction.defs, defs, strict=True)
            if number is not None
        ]
        return found

    def _fixed(self, instruction: Instruction) -> tuple[list[int | None], list[int | None]]:
        """The registers that are fixed, by the row or beside it."""
        defs: list[int | None] = [None] * len(instruction.defs)
        uses: list[int | None] = [None] * len(instruction.uses)
        for at, slot in enumerate(instruction.row.defs):
            if slot.fixed is not None and isinstance(slot.kind, View):
                defs[at] = slot.kind.number(slot.fixed)
        for slot, at, _ in instruction.read_slots():
            if slot.fixed is not None and isinstance(slot.kind, View):
                uses[at] = slot.kind.number(slot.fixed)
        for found, given in ((defs, instruction.fixed_defs), (uses, instruction.fixed_uses)):
            for at, number in enumerate(given):
                found[at] = number if found[at] is None else found[at]
        return defs, uses

    def _key(self, value: Value, number: int | None) -> tuple[str, int | None]:
        return self._function.views[value].of.name, number

    def _pick(self, value: Value, without: set) -> int:
        of = self._function.views[value].of.name
        return next(number for number in self._free[of] if (of, number) not in without)
