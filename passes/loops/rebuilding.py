"""Writes a function again, operation by operation, with room to write some otherwise.

Invariant: without changes, the new function has the operations of the old one: those without
    effects as far outside as they may stand, all others where they stood, in their order.
Entry: `Rebuilder`, `is_rebuildable`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import func, scf
from xdsl.dialects.builtin import FunctionType, StringAttr, UnitAttr
from xdsl.ir import Block, Operation, SSAValue

from alpha.ir.code_values import INDEX, is_total
from alpha.ir.dialects.pointwise import SigmoidOp
from alpha.passes.loops.lanes import Lanes, named
from alpha.passes.loops.writer import ORIGIN, PARALLEL, LoopWriter, Writer

_PURE_VECTORS = frozenset(
    f"vector.{name}" for name in ("broadcast", "fma", "extract", "insert", "shuffle")
)


def is_elementwise(op: Operation) -> bool:
    """Whether an operation has one result, no effects, and works lane by lane on vectors."""
    named = op.name.startswith(("arith.", "math.")) or op.name == SigmoidOp.name
    return named and len(op.results) == 1 and not op.regions


def is_pure(op: Operation) -> bool:
    """Whether an operation of one result may stand wherever its operands are."""
    return (is_elementwise(op) and is_total(op)) or op.name in _PURE_VECTORS


def is_rebuildable(function: func.FuncOp) -> bool:
    """Whether a function has one block, and no regions but those of loops."""
    inner = (op for op in function.walk() if op is not function and op.regions)
    loops = all(isinstance(op, scf.ForOp) for op in inner)
    return len(function.body.blocks) == 1 and loops


class Rebuilder:
    """Writes the body of a function into a new block; `values` has what stands for each value."""

    def __init__(self, function: func.FuncOp) -> None:
        self.function = function
        old = function.body.block
        self.block = Block(arg_types=old.arg_types)
        self.writer = Writer(self.block)
        self.lanes = Lanes(self.writer)
        self.values: dict[SSAValue, SSAValue] = {}
        for before, after in zip(old.args, self.block.args, strict=True):
            self.values[before] = named(after, before)

    def run(self) -> None:
        """Put the new body in the place of the old one."""
        self.operations(self.function.body.block)
        types = FunctionType.from_lists(
            list(self.block.arg_types), list(self.function.function_type.outputs.data)
        )
        assert types == self.function.function_type, "a rebuilt function keeps its type"
        old = self.function.body
        old.detach_block(old.block).erase(safe_erase=False)
        old.add_block(self.block)

    def operations(self, block: Block) -> None:
        """Write what stands in a block, but for what ends a loop's."""
        for op in block.ops:
            if isinstance(op, scf.YieldOp):
                continue
            self.note(op)
            if isinstance(op, scf.ForOp):
                self.loop(op)
            else:
                self.operation(op)

    def note(self, op: Operation) -> None:
        """What is written from here on comes from where this operation comes from."""
        origin = op.attributes.get(ORIGIN)
        self.writer.origin = origin.data if isinstance(origin, StringAttr) else ""
        self.writer.location = op.location

    def operands(self, op: Operation) -> list[SSAValue]:
        """What stands for the operands."""
        return [self.values[operand] for operand in op.operands]

    def operation(self, op: Operation) -> None:
        """Write an operation without regions."""
        operands = self.operands(op)
        if is_pure(op):
            type = op.results[0].type
            results = (self.writer.pure(op.__class__, operands, type, op.properties),)
        else:
            results = self.writer.effect(op.__class__, operands, op.result_types, op.properties)
        self.bind(op, results)

    def bind(self, op: Operation, results: Sequence[SSAValue]) -> None:
        """Say what stands for the results of an operation."""
        for before, after in zip(op.results, results, strict=True):
            self.values[before] = named(after, before)

    def loop(self, op: scf.ForOp) -> None:
        """Write a loop."""
        self.loop_between(op, self.values[op.lb], self.values[op.ub], self.values[op.step])

    def loop_between(self, op: scf.ForOp, first: SSAValue, last: SSAValue, step: SSAValue) -> None:
        """Write a loop with other bounds."""
        initial = [self.values[value] for value in op.iter_args]
        opened = self.writer.open(first, last, step, initial)
        self.values.update(zip(op.body.block.args, opened.block.args, strict=True))
        for before, after in zip(op.body.block.args, opened.block.args, strict=True):
            named(after, before)
        self.operations(op.body.block)
        handed = [self.values[value] for value in yielded(op)]
        self.bind(op, self.close(op, opened, handed))

    def close(
        self, op: scf.ForOp, opened: LoopWriter, handed: Sequence[SSAValue]
    ) -> tuple[SSAValue, ...]:
        """End a loop that stands for `op`, with its marks."""
        self.note(op)
        return self.writer.close(opened, handed, PARALLEL in op.attributes)


def yielded(op: scf.ForOp) -> tuple[SSAValue, ...]:
    """What a loop carries on with."""
    last = op.body.block.last_op
    return tuple(last.operands) if isinstance(last, scf.YieldOp) else ()


def is_marked(op: scf.ForOp) -> bool:
    """Whether the iterations of a loop over an index may run at once."""
    return isinstance(op.attributes.get(PARALLEL), UnitAttr) and op.lb.type == INDEX
