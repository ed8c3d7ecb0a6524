"""From a function in plain form to the operations of a machine dialect.

Entry: `write_function`, `write_placed`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, Block, SSAValue

from alpha.backends.core.dialect.functions import FuncOpBase
from alpha.backends.core.dialect.machine_dialect import MachineDialect
from alpha.backends.core.dialect.operations import MachineOp, properties_of
from alpha.backends.core.placed import PlacedFunction
from alpha.backends.core.program import Function, Instruction


def write_function(function: Function, dialect: MachineDialect) -> FuncOpBase:
    """A function on values, as operations; each block stands behind one that dominates it."""
    register = dialect.attributes.register
    types = {name: register(name) for name in dialect.views}  # pyright: ignore[reportCallIssue]
    values: dict[int, SSAValue] = {}
    blocks: list[Block] = []
    for block in function.blocks:
        made = Block(arg_types=[types[function.views[each].name] for each in block.parameters])
        values.update(zip(block.parameters, made.args, strict=True))
        blocks.append(made)
    for block, made in zip(function.blocks, blocks, strict=True):
        for instruction in block.instructions:
            operands = [values[each] for each in instruction.uses]
            for edge in instruction.edges:
                operands += [values[each] for each in edge.arguments]
            op = dialect.operations[instruction.row.name].create(
                operands=operands,
                result_types=[types[function.views[each].name] for each in instruction.defs],
                properties=properties_of(
                    dialect.attributes,
                    instruction.extras,
                    [len(edge.arguments) for edge in instruction.edges],
                    _beyond(instruction, "fixed_uses"),
                    _beyond(instruction, "fixed_defs"),
                ),
                attributes=_origin(instruction),
                successors=[blocks[edge.block] for edge in instruction.edges],
            )
            values.update(zip(instruction.defs, op.results, strict=True))
            made.add_op(op)
    arrivals = tuple(each.number for each in function.arrivals)
    return dialect.func.of(
        function.name, arrivals, function.slots, function.bytes_out, function.exported, blocks
    )


def _beyond(instruction: Instruction, name: str) -> Sequence[int]:
    """The registers of calls and returns, which their row doesn't say; else nothing."""
    if instruction.row.role not in ("call", "return"):
        return ()
    fixed: tuple[int | None, ...] = getattr(instruction, name)
    return [-1 if number is None else number for number in fixed]


def _origin(instruction: Instruction) -> dict[str, Attribute]:
    return {"origin": StringAttr(instruction.origin)} if instruction.origin else {}


def write_placed(function: PlacedFunction, dialect: MachineDialect) -> FuncOpBase:
    """A function in registers, as operations."""
    blocks = [Block() for _ in function.blocks]
    for block, made in zip(function.blocks, blocks, strict=True):
        last = len(block.instructions) - 1
        for position, placed in enumerate(block.instructions):
            instruction = placed.instruction
            op: MachineOp = dialect.operations[instruction.row.name].create(
                properties=properties_of(
                    dialect.attributes,
                    instruction.extras,
                    placed=(placed.written, placed.read),
                    kind="" if placed.original else placed.kind,
                ),
                attributes=_origin(instruction),
                successors=[blocks[t] for t in block.targets] if position == last else [],
            )
            made.add_op(op)
    return dialect.func.of(
        function.name, (), function.slots, function.bytes_out, function.exported, blocks
    )
