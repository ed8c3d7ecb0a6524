"""From a machine dialect's function to the plain form that is allocated, checked and printed.

Invariant: rows are those of the function's own target: an operation has its row in the form that it
    has with every feature, and a function that asks for none of them has it in another.
Entry: `read_function`, `read_placed`, `read_data`.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Block as IRBlock
from xdsl.ir import SSAValue

from alpha.backends.core.dialect.attributes import RegisterTypeBase
from alpha.backends.core.dialect.functions import DataOpBase, FuncOpBase
from alpha.backends.core.dialect.machine_dialect import MachineDialect
from alpha.backends.core.dialect.operations import MachineOp
from alpha.backends.core.placed import Placed, PlacedBlock, PlacedFunction
from alpha.backends.core.printing import Data
from alpha.backends.core.program import Block, Edge, Function, Instruction
from alpha.backends.core.registers import Register, View
from alpha.backends.core.rows import Row


class _Reader:
    def __init__(
        self,
        dialect: MachineDialect,
        rows: Mapping[str, Row],
        lost_in_calls: tuple[Register, ...],
    ) -> None:
        self._dialect, self._rows = dialect, rows
        self._lost_in_calls = lost_in_calls
        self._numbers: dict[SSAValue, int] = {}
        self.views: list[View] = []

    def value(self, value: SSAValue) -> int:
        """The number of a value."""
        found = self._numbers.get(value)
        if found is None:
            assert isinstance(value.type, RegisterTypeBase)
            found = self._numbers[value] = len(self.views)
            self.views.append(self._dialect.views[value.type.data])
        return found

    def instruction(self, op: MachineOp, blocks: dict[IRBlock, int]) -> Instruction:
        """One instruction."""
        row = self._rows[op.row.name]
        edges = tuple(
            Edge(blocks[block], [self.value(value) for value in arguments])
            for block, arguments in zip(op.successors, op.edge_operands(), strict=True)
        )
        return Instruction(
            row,
            [self.value(value) for value in op.results],
            [self.value(value) for value in op.uses()],
            op.extras,
            edges,
            _registers(op.numbers("defs_in")),
            _registers(op.numbers("uses_in")),
            self._lost_in_calls if row.role == "call" else (),
            origin_of(op),
        )


def _registers(said: tuple[int, ...] | None) -> tuple[int | None, ...]:
    """The registers that are said of an instruction's operands."""
    return () if said is None else tuple(None if number < 0 else number for number in said)


def origin_of(op: MachineOp) -> str:
    """What source operation an instruction comes from, if known."""
    held = op.attributes.get("origin")
    return held.data if isinstance(held, StringAttr) else ""


def read_function(
    op: FuncOpBase, dialect: MachineDialect, lost_in_calls: tuple[Register, ...]
) -> Function:
    """A function on values; a call changes `lost_in_calls` beside what its row says."""
    reader = _Reader(dialect, op.target.rows, lost_in_calls)
    numbers = {block: number for number, block in enumerate(op.body.blocks)}
    blocks: list[Block] = []
    for block in op.body.blocks:
        made = Block([reader.value(value) for value in block.args])
        for part in block.ops:
            assert isinstance(part, MachineOp)
            made.instructions.append(reader.instruction(part, numbers))
        blocks.append(made)
    arrivals = [
        Register(reader.views[value].of.name, number)
        for value, number in zip(blocks[0].parameters, op.arrivals, strict=True)
    ]
    return Function(op.symbol, blocks, reader.views, arrivals, op.slots, op.bytes_out, op.exported)


def read_placed(op: FuncOpBase) -> PlacedFunction:
    """A function in registers."""
    rows = op.target.rows
    numbers = {block: number for number, block in enumerate(op.body.blocks)}
    blocks: list[PlacedBlock] = []
    for block in op.body.blocks:
        made = PlacedBlock(None)
        for part in block.ops:
            assert isinstance(part, MachineOp)
            written, read = part.numbers("written") or (), part.numbers("read") or ()
            instruction = Instruction(
                rows[part.row.name],
                list(range(len(written))),
                list(range(len(read))),
                part.extras,
                origin=origin_of(part),
            )
            placed = Placed(instruction, written + read, part.kind or "original")
            made.instructions.append(placed)
            made.targets = [numbers[successor] for successor in part.successors]
        blocks.append(made)
    return PlacedFunction(op.symbol, blocks, op.slots, op.bytes_out, op.exported)


def read_data(op: DataOpBase) -> Data:
    """Data of a module."""
    return Data(op.symbol, op.alignment, op.content, op.size, op.exported, op.writable)
