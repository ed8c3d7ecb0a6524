"""Lets roots and divisions of vector loops be computed by multiply-adds while the divider works.

Before:
    %c8 = vector.broadcast %c : f64 to vector<8xf64>
    scf.for %i = %0 to %n step %16 {
      %q = arith.divf %x, %c8 : vector<8xf64>
      %s = math.sqrt %q : vector<8xf64>
      ...
      %q_1 = arith.divf %x_1, %c8 : vector<8xf64>
      %s_1 = math.sqrt %q_1 : vector<8xf64>
      %t_1 = arith.divf %y_1, %s_1 : vector<8xf64>
After:
    %h, %l, %m = exact.reciprocal %c8 : vector<8xf64>
    scf.for %i = %0 to %n step %16 {
      hint.prefetch %v[%ahead] : memref<?xf64>
      %q = exact.divide %x, %c8, %h, %l, %m : vector<8xf64>
      %s = math.sqrt %q : vector<8xf64>
      ...
      %q_1 = exact.divide %x_1, %c8, %h, %l, %m : vector<8xf64>
      %s_1 = exact.sqrt %q_1 : vector<8xf64>
      %t_1 = arith.divf %y_1, %s_1 : vector<8xf64>

A processor divides and takes roots on one unit, which nothing else uses, and multiplies and adds on
others. How long a body keeps each of them is estimated, and so many roots, and divisions by what
doesn't vary, are replaced that the longer time is the shortest. In a loop whose iterations may run
at once, the operations of its vectors are brought closer to one another then. What the vectors of
later iterations read is asked for ahead. A loop is left alone unless all that gains something.

Preserves: every word: the exact operations are what they replace. Only operations on vector<8xf64>
    in loops without loops inside are replaced.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from xdsl.context import Context
from xdsl.dialects import arith, math, scf
from xdsl.dialects.builtin import ModuleOp, f64
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from alpha.ir.code_values import vector_type
from alpha.ir.dialects.exact import DivideOp, ReciprocalOp, SqrtOp
from alpha.passes.loops.interleaving import interleave
from alpha.passes.loops.prefetching import prefetch
from alpha.passes.loops.rebuilding import is_marked

TYPE = vector_type(f64, 8)

DIVISION_BUSY, ROOT_BUSY = 8.0, 15.0
"""How long the divider is busy with a vector, in multiply-adds on a vector that fit in that time
(AMD Zen 5; on Zen 4 9 and 16)."""

SLOTS = {
    "arith.mulf": 1.0,
    "math.fma": 1.0,
    "vector.fma": 1.0,
    "arith.cmpf": 1.0,
    "arith.divf": 2.0,
    "math.sqrt": 3.0,
}
"""How many multiply-adds could be issued instead of an operation. Sums have units of their own."""

EXACT_DIVISION, EXACT_ROOT = 6.0, 11.0
"""The same of the exact operations: multiply-adds, and what finds out whether the lanes fit."""

GAIN_MIN = 0.05
"""The least part of its time that a loop must gain."""


@dataclass(frozen=True)
class BalanceDivisionsPass(ModulePass):
    """Balances every innermost loop on vectors of eight f64."""

    name = "balance-divisions"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite the loops of a module."""
        for part in list(op.walk()):
            if isinstance(part, scf.ForOp) and not _has_regions(part.body.block):
                _balance(part)


def _has_regions(block: Block) -> bool:
    return any(op.regions for op in block.ops)


def _balance(loop: scf.ForOp) -> None:
    """Replace as many operations of a loop's body as its estimated time asks for."""
    body = [op for op in loop.body.block.ops if _is_wide(op)]
    roots = [op for op in body if isinstance(op, math.SqrtOp)]
    divisions = [op for op in body if isinstance(op, arith.DivfOp)]
    invariant = [op for op in divisions if _is_outside(op.rhs, loop)]
    if not roots and not invariant:
        return
    slots = sum(SLOTS.get(op.name, 0.0) for op in body)
    busy = DIVISION_BUSY * len(divisions) + ROOT_BUSY * len(roots)

    def time(chosen: tuple[int, int]) -> tuple[float, float]:
        """The time if so many divisions and roots are exact, and that of the multiply-adds."""
        quotients, others = chosen
        left = busy - quotients * DIVISION_BUSY - others * ROOT_BUSY
        used = slots + quotients * (EXACT_DIVISION - SLOTS["arith.divf"])
        used += others * (EXACT_ROOT - SLOTS["math.sqrt"])
        return max(left, used), used

    best = min(product(range(len(invariant) + 1), range(len(roots) + 1)), key=time)
    if time(best)[0] > (1 - GAIN_MIN) * time((0, 0))[0]:
        return
    helpers: dict[SSAValue, Sequence[SSAValue]] = {}
    for op in _spread(invariant, best[0]):
        assert isinstance(op, arith.DivfOp)
        if op.rhs not in helpers:
            made = _like(op, ReciprocalOp(op.rhs))
            Rewriter.insert_op(made, InsertPoint.before(loop))
            helpers[op.rhs] = made.results
        Rewriter.replace_op(op, _like(op, DivideOp(op.lhs, op.rhs, helpers[op.rhs])))
    for op in _spread(roots, best[1]):
        Rewriter.replace_op(op, _like(op, SqrtOp(op.operands[0])))
    if is_marked(loop):
        interleave(loop)
    prefetch(loop, TYPE)


def _is_wide(op: Operation) -> bool:
    return any(value.type == TYPE for value in (*op.results, *op.operands))


def _is_outside(value: SSAValue, loop: scf.ForOp) -> bool:
    """Whether a value is made outside of a loop that has no loop inside."""
    owner = value.owner
    block = owner if isinstance(owner, Block) else owner.parent
    return block is not loop.body.block


def _spread(ops: Sequence[Operation], count: int) -> Iterable[Operation]:
    """So many of the operations, as far from one another as may be, the last one among them."""
    return [
        op
        for number, op in enumerate(ops)
        if (number + 1) * count // len(ops) > number * count // len(ops)
    ]


def _like(op: Operation, made: Operation) -> Operation:
    """An operation that comes from where another did."""
    made.attributes.update(op.attributes)
    return made
