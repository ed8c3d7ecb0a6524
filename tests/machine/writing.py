"""Functions and placed functions by hand, on the toy target of four registers.

Entry: `Writer`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from machine.toy import toy

from alpha.backends.core.placed import Placed, PlacedBlock, PlacedFunction
from alpha.backends.core.program import Address, Block, Edge, Extra, Function, Instruction, Slice
from alpha.backends.core.registers import Register


class Writer:
    """Makes instructions by the names of rows."""

    def __init__(self, registers: int = 4) -> None:
        self.target = toy(registers)

    def line(
        self,
        row: str,
        defs: Sequence[int] = (),
        uses: Sequence[int] = (),
        *extras: Extra,
        edges: Sequence[tuple[int, Sequence[int]]] = (),
        **more: Any,
    ) -> Instruction:
        """An instruction on values."""
        ways = tuple(Edge(block, list(arguments)) for block, arguments in edges)
        return Instruction(self.target.rows[row], list(defs), list(uses), extras, ways, **more)

    def function(
        self,
        views: str,
        *blocks: tuple[Sequence[int], Sequence[Instruction]],
        arrivals: str = "",
        slots: Sequence[int] = (),
        bytes_out: int = 0,
    ) -> Function:
        """A function whose values have the views that the letters say, in order."""
        return Function(
            "f",
            [Block(list(parameters), list(lines)) for parameters, lines in blocks],
            [self.target.views[letter] for letter in views],
            [self.register(name) for name in arrivals.split()],
            [Slice(bytes, 8) for bytes in slots],
            bytes_out,
        )

    def straight(self, views: str, arrivals: str, *lines: Instruction) -> Function:
        """A function of one block whose first values arrive in registers."""
        parameters = range(len(arrivals.split()))
        return self.function(views, (list(parameters), lines), arrivals=arrivals)

    def register(self, name: str) -> Register:
        """The register of this name."""
        view = self.target.views[name[0]]
        return Register(view.of.name, view.number(name))

    def placed(
        self, *blocks: tuple[int | None, Sequence[Placed], Sequence[int]], slots: Sequence[int] = ()
    ) -> PlacedFunction:
        """A placed function: source, instructions and targets of each block."""
        made = [PlacedBlock(source, list(steps), list(ways)) for source, steps, ways in blocks]
        return PlacedFunction("f", made, [Slice(bytes, 8) for bytes in slots], 0, True)

    def move(self, view: str, to: int, of: int) -> Placed:
        """A move between two registers."""
        return Placed(Instruction(self.target.moves.move[view], [0], [0]), (to, of), "move")

    def swap(self, view: str, *registers: int) -> Placed:
        """A swap: its defs, then its uses."""
        return Placed(Instruction(self.target.moves.swap[view], [0, 1], [0, 1]), registers, "swap")

    def store(self, view: str, slot: int, register: int, **address: Any) -> Placed:
        """A store to a slot of the frame."""
        where = Address(based=False, area="slot", number=slot)._replace(**address)
        row = self.target.moves.store[view]
        return Placed(Instruction(row, [], [0], (where,)), (register,), "store")

    def load(self, view: str, register: int, slot: int, **address: Any) -> Placed:
        """A load from a slot of the frame."""
        where = Address(based=False, area="slot", number=slot)._replace(**address)
        row = self.target.moves.load[view]
        return Placed(Instruction(row, [0], [], (where,)), (register,), "load")

    def again(self, row: str, register: int, *extras: Extra) -> Placed:
        """A constant that is made once more."""
        return Placed(Instruction(self.target.rows[row], [0], [], extras), (register,), "again")

    def jump(self) -> Placed:
        """The jump at the end of an inserted block."""
        return Placed(Instruction(self.target.rows["jump"], [], []), (), "jump")
