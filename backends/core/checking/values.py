"""The values of a function before allocation: their names, their widths, and that they fit.

Entry: `Values`.
"""

from __future__ import annotations

from collections.abc import Iterator

from alpha.backends.core.checking.errors import AllocationError, Place
from alpha.backends.core.checking.steps import Name
from alpha.backends.core.program import Extra, Function, Instruction, Value
from alpha.backends.core.registers import View

ConstantKey = tuple[str, tuple[Extra, ...]]
"""What tells one constant from another: the name of its row, and its extras."""


def constant_key(instruction: Instruction) -> ConstantKey | None:
    """Which constant an instruction makes; None if it makes none."""
    row = instruction.row
    if row.role != "constant" or len(instruction.defs) != 1 or instruction.uses:
        return None
    return row.name, instruction.extras


class Values:
    """`names` and `bytes` of the values of a function, and the name of each of its constants.

    Raises AllocationError unless W5 and W6 hold.
    """

    def __init__(self, function: Function) -> None:
        self.names: list[Name] = list(range(len(function.views)))
        self.bytes: list[int] = [view.bytes for view in function.views]
        self.constants: dict[ConstantKey, Name] = {}
        self._function = function
        self._defined = bytearray(len(function.views))
        for number, block in enumerate(function.blocks):
            for value in block.parameters:
                self._define(value, Place(function.name, number))
            for at, instruction in enumerate(block.instructions):
                place = Place(function.name, number, at, instruction.row.name)
                self._instruction(instruction, place)
        for number, block in enumerate(function.blocks):
            self._edges(block.edges, Place(function.name, number))
        self._arrivals(Place(function.name, 0))

    def _instruction(self, instruction: Instruction, place: Place) -> None:
        for value, view in zip(instruction.defs, _written(instruction), strict=False):
            self._define(value, place)
            own = self._function.views[value]
            if view.of != own.of or view.bytes > own.bytes:
                raise AllocationError(place, f"%{value}", f"a view within {own.name}", view.name)
        for value in instruction.defs[len(instruction.row.defs) :]:
            self._define(value, place)
        key = constant_key(instruction)
        if key is not None:
            value = instruction.defs[0]
            self.names[value] = self.constants.setdefault(key, value)

    def _define(self, value: Value, place: Place) -> None:
        if self._defined[value]:
            raise AllocationError(place, f"%{value}", "one definition", "a second one")
        self._defined[value] = True

    def _edges(self, edges: tuple, place: Place) -> None:
        views = self._function.views
        for edge in edges:
            parameters = self._function.blocks[edge.block].parameters
            if len(parameters) != len(edge.arguments):
                counts = f"{len(parameters)} arguments", str(len(edge.arguments))
                raise AllocationError(place, f"edge to block {edge.block}", *counts)
            for parameter, argument in zip(parameters, edge.arguments, strict=True):
                own, given = views[parameter], views[argument]
                if own.of != given.of or given.bytes > own.bytes:
                    fits = f"a value within {own.name}"
                    raise AllocationError(
                        place, f"%{parameter}", fits, f"%{argument}: {given.name}"
                    )

    def _arrivals(self, place: Place) -> None:
        parameters, arrivals = self._function.blocks[0].parameters, self._function.arrivals
        if len(parameters) != len(arrivals):
            counts = f"{len(parameters)} registers", str(len(arrivals))
            raise AllocationError(place, "arrivals", *counts)
        for value, register in zip(parameters, arrivals, strict=True):
            own = self._function.views[value]
            if own.of.name != register.of:
                raise AllocationError(place, f"%{value}", own.of.name, register.of)


def _written(instruction: Instruction) -> Iterator[View]:
    """The view by which each def with a slot is written."""
    for slot in instruction.row.defs:
        assert isinstance(slot.kind, View)
        yield slot.kind
