"""What rules write with: instructions of rows on values of the function that is being selected.

Entry: `Builder`.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from math import prod

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, MemRefType, NoneAttr
from xdsl.ir import Block as IRBlock
from xdsl.ir import Operation, SSAValue

from alpha.backends.core.frames import FRAME_BYTES_MAX
from alpha.backends.core.program import (
    Address,
    Block,
    Edge,
    Extra,
    Function,
    Instruction,
    Slice,
    Value,
)
from alpha.backends.core.registers import Register, View
from alpha.backends.core.rows import Row
from alpha.backends.core.selection.keys import bytes_of, key_of
from alpha.backends.core.target import Target
from alpha.ir.refusals import Refusal

STACK_ALIGNMENT = 16
"""No part of a frame is aligned to more bytes."""

Operand = Value | tuple[Address, Sequence[Value]]
"""A register's value, or an address with the values of its registers."""


def bytes_in_memory(type: MemRefType, at: Operation) -> int:
    """The bytes of a memref.

    Raises:
        Refusal: `target-unsupported`, for one whose extents or layout aren't known to be plain.
    """
    plain = isinstance(type.layout, NoneAttr) and isinstance(type.memory_space, NoneAttr)
    if DYNAMIC_INDEX in type.get_shape() or not plain:
        wanted = "an array of known extents, in row-major order, in the memory of the processor"
        raise Refusal("target-unsupported", wanted, str(type), at)
    return prod(type.get_shape()) * bytes_of(key_of(type.element_type, at))


def slice_of(alloca: Operation) -> Slice:
    """The part of the frame that a `memref.alloca` is.

    Raises:
        Refusal: `target-unsupported`, for one that no frame can hold.
    """
    type = alloca.results[0].type
    assert isinstance(type, MemRefType)
    width = bytes_of(key_of(type.element_type, alloca))
    alignment = alloca.properties.get("alignment")
    wanted = alignment.value.data if isinstance(alignment, IntegerAttr) else 1
    if wanted > STACK_ALIGNMENT:
        expected = f"an array of the frame that is aligned to at most {STACK_ALIGNMENT} bytes"
        raise Refusal("target-unsupported", expected, f"alignment {wanted}", alloca)
    aligned = min(STACK_ALIGNMENT, max(width, wanted))
    return Slice(_bytes_in_frame(type, alloca), aligned)


def _bytes_in_frame(type: MemRefType, alloca: Operation) -> int:
    bytes = bytes_in_memory(type, alloca)
    if bytes > FRAME_BYTES_MAX:
        wanted = f"at most {FRAME_BYTES_MAX} bytes in the frame of a function"
        raise Refusal("target-unsupported", wanted, f"{bytes} of {type}", alloca)
    return bytes


class Builder:
    """Appends instructions to the blocks of a function."""

    def __init__(self, function: Function, target: Target, blocks: Mapping[IRBlock, int]) -> None:
        self.function = function
        self.target = target
        self.origin = ""
        self._blocks = blocks
        self._slots: dict[Operation, int] = {}
        self._block = function.blocks[0]
        self._values: dict[SSAValue, Value] = {}
        self._constants: dict[Hashable, Value] = {}

    @property
    def is_wide(self) -> bool:
        """Whether the function has vectors of more than 16 bytes, as far as it is written."""
        views = set(self.function.views)
        return any(view.of.name == "vec" and view.bytes > STACK_ALIGNMENT for view in views)

    def enter(self, block: Block) -> None:
        """Append to this block from here on."""
        self._block = block

    def value(self, value: SSAValue) -> Value:
        """The register of a value of the source that a rule asked for."""
        return self._values[value]

    def bind(self, value: SSAValue, register: Value) -> None:
        """Say in which register a value of the source is."""
        self._values[value] = register

    def slot_of(self, alloca: Operation) -> int:
        """The number among the function's slots of what a `memref.alloca` is."""
        found = self._slots.get(alloca)
        if found is None:
            found = self._slots[alloca] = len(self.function.slots)
            self.function.slots.append(slice_of(alloca))
        return found

    def edge(self, block: IRBlock, arguments: Sequence[SSAValue]) -> Edge:
        """An edge of the source; its arguments have been asked for."""
        return Edge(self._blocks[block], [self.value(argument) for argument in arguments])

    def fresh(self, view: View) -> Value:
        """A new value."""
        return self.function.value(view)

    def emit(
        self,
        name: str,
        *operands: Operand,
        extras: Sequence[Extra] = (),
        edges: Sequence[Edge] = (),
    ) -> list[Value]:
        """A row by its name: its results.

        `operands` are what registers and addresses hold, in the order of the row's slots (an
        address that is written to comes first); `extras` are the other operands in their order.
        """
        return self.emit_row(self.target.rows[name], *operands, extras=extras, edges=edges)

    def constant(self, name: str, *operands: Operand, extras: Sequence[Extra] = ()) -> Value:
        """What a row of role `constant` gives: written once, where the function begins."""
        key = (name, operands, tuple(extras))
        found = self._constants.get(key)
        if found is None:
            here, self._block = self._block, Block([])
            (found,) = self.emit(name, *operands, extras=extras)
            made, self._block = self._block.instructions, here
            self.function.blocks[0].instructions[:0] = made
            self._constants[key] = found
        return found

    def emit_row(
        self,
        row: Row,
        *operands: Operand,
        extras: Sequence[Extra] = (),
        edges: Sequence[Edge] = (),
    ) -> list[Value]:
        """A row: its results. See `emit`."""
        uses: list[Value] = []
        given = iter(operands)
        others = iter(extras)
        found: list[Extra] = []
        for slot in row.slots:
            if slot.is_register:
                if slot in row.reads:
                    operand = next(given)
                    assert isinstance(operand, int)
                    uses.append(operand)
            elif slot is row.memory:
                operand = next(given)
                assert isinstance(operand, tuple)
                found.append(operand[0])
                uses += operand[1]
            elif slot in row.extras:
                found.append(next(others))
        assert next(given, None) is None and next(others, None) is None, row.name
        views = [slot.kind for slot in row.defs]
        defs = [self.fresh(view) for view in views if isinstance(view, View)]
        made = Instruction(row, defs, uses, tuple(found), tuple(edges), origin=self.origin)
        self.append(made)
        return defs

    def append(self, instruction: Instruction) -> None:
        """An instruction as it is."""
        self._block.instructions.append(instruction)

    def arrival(self, view: View, number: int) -> Value:
        """A parameter of the function, in this register."""
        value = self.fresh(view)
        self.function.blocks[0].parameters.append(value)
        self.function.arrivals.append(Register(view.of.name, number))
        return value
