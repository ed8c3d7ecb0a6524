"""Divides in loops of kernels by multiply-adds, where the divisor doesn't vary and that is exact.

Before:

    scf.for %i = %a to %b step %s {
      %q = arith.divf %x, %c : f64

After:

    %h = arith.divf %one, %c : f64
    %t = math.fma %h, %n, %one : f64
    %l = arith.mulf %t, %h : f64
    %m = arith.cmpi ult, ...
    scf.for %i = %a to %b step %s {
      %f = arith.andi %m, ... : i1
      %q = scf.if %f -> (f64) {
        %p = arith.mulf %x, %l : f64
        %q1 = math.fma %x, %h, %p : f64
        %r = math.fma %q1, %n, %x : f64
        %q2 = math.fma %r, %h, %q1 : f64
        scf.yield %q2 : f64
      } else {
        %d = arith.divf %x, %c : f64
        scf.yield %d : f64
      }

where %n is -%c, %m says that %c is from 2^-400 to 2^400, and %f that %x is from 2^-511 to below
2^513 as well, whatever its sign.

Preserves: every word: within these bounds the quotient is the correctly rounded one, which
    docs/exact.md proves; beyond them it is the division. Only `f64` is divided so, and only in
    kernels, whose devices have few units for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, func, math, scf
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, ModuleOp, f64, i1, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from alpha.ir.code_values import marked, number_in
from alpha.ir.dialects.arith_vectors import CmpiOp
from alpha.passes.kernels.kernel import KERNEL

_BIAS = 1023
_FRACTION_BITS = 52
_BELOW = 6
"""The number of the predicate `ult`."""

DIVISOR = (-400, 400)
DIVIDEND = (-511, 513)
"""Powers of two between which a divisor lies, both included, and a dividend, the last left out."""


@dataclass(frozen=True)
class ShareReciprocalsPass(ModulePass):
    """Rewrites divisions of f64 in the loops of every kernel."""

    name = "share-reciprocals"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite each kernel of the module."""
        for part in op.body.block.ops:
            if isinstance(part, func.FuncOp) and KERNEL in part.attributes:
                for each in list(part.walk()):
                    if isinstance(each, arith.DivfOp) and each.result.type == f64:
                        _rewrite(each)


def _rewrite(op: arith.DivfOp) -> None:
    """Rewrite a division if its divisor is known before the loop that it stands in."""
    loop = _outermost(op, op.rhs)
    if loop is None:
        return
    before = _Writer(InsertPoint.before(loop), op)
    one, c = before.float(1.0), op.rhs
    negative = before.make(arith.NegfOp, (c,), f64)
    h = before.make(arith.DivfOp, (one, c), f64)
    rest = before.make(math.FmaOp, (h, negative, one), f64)
    low = before.make(arith.MulfOp, (rest, h), f64)
    fits_divisor = before.within(before.bits(c), DIVISOR[0], DIVISOR[1], included=True)
    here = _Writer(InsertPoint.before(op), op)
    magnitude = here.make(arith.AndIOp, (here.bits(op.lhs), here.integer((1 << 63) - 1)), i64)
    fits = here.within(magnitude, DIVIDEND[0], DIVIDEND[1], included=False)
    both = here.make(arith.AndIOp, (fits_divisor, fits), i1)
    quick, plain = Block(), Block()
    inside = _Writer(InsertPoint.at_end(quick), op)
    p = inside.make(arith.MulfOp, (op.lhs, low), f64)
    first = inside.make(math.FmaOp, (op.lhs, h, p), f64)
    missing = inside.make(math.FmaOp, (first, negative, op.lhs), f64)
    quick.add_op(scf.YieldOp(inside.make(math.FmaOp, (missing, h, first), f64)))
    divided = _Writer(InsertPoint.at_end(plain), op).make(arith.DivfOp, (op.lhs, c), f64)
    plain.add_op(scf.YieldOp(divided))
    made = marked(scf.IfOp(both, [f64], Region(quick), Region(plain)), op)
    made.results[0].name_hint = op.result.name_hint
    Rewriter.replace_op(op, made)


def _outermost(op: Operation, value: SSAValue) -> scf.ForOp | None:
    """The outermost loop around an operation in which a value isn't made."""
    found: scf.ForOp | None = None
    around = op.parent_op()
    while around is not None and not isinstance(around, func.FuncOp):
        if any(value in _values_of(block) for region in around.regions for block in region.blocks):
            return found
        if isinstance(around, scf.ForOp):
            found = around
        around = around.parent_op()
    return found


def _values_of(block: Block) -> set[SSAValue]:
    """What a block gives, the blocks inside it left out."""
    return {*block.args, *(result for op in block.ops for result in op.results)}


class _Writer:
    """Writes operations at a place, marked as those of a division."""

    def __init__(self, at: InsertPoint, of: Operation) -> None:
        self._builder = Builder(at)
        self._of = of

    def make(
        self, kind: type[Operation], operands: Sequence[SSAValue], type: Attribute
    ) -> SSAValue:
        """An operation with the properties that it has by default."""
        properties: dict[str, Attribute] = {}
        if kind in (arith.DivfOp, arith.MulfOp, arith.NegfOp, math.FmaOp):
            properties["fastmath"] = arith.FastMathFlagsAttr("none")
        if kind is arith.SubiOp:
            properties["overflowFlags"] = arith.IntegerOverflowAttr("none")
        return self._add(kind.create(operands=operands, result_types=[type], properties=properties))

    def _add(self, op: Operation) -> SSAValue:
        return self._builder.insert(marked(op, self._of)).results[0]

    def float(self, value: float) -> SSAValue:
        """A word that is known."""
        return self._add(arith.ConstantOp(FloatAttr(value, f64)))

    def integer(self, value: int) -> SSAValue:
        """A number of 64 bits."""
        return self._add(arith.ConstantOp(IntegerAttr(number_in(value, i64), i64)))

    def bits(self, word: SSAValue) -> SSAValue:
        """The bits of a word."""
        return self._add(arith.BitcastOp.create(operands=[word], result_types=[i64]))

    def within(self, bits: SSAValue, low: int, high: int, included: bool) -> SSAValue:
        """Whether bits are those of a word between two powers of two."""
        first = self.integer((low + _BIAS) << _FRACTION_BITS)
        count = self.integer(((high - low) << _FRACTION_BITS) + included)
        above = self.make(arith.SubiOp, (bits, first), i64)
        predicate = IntegerAttr(_BELOW, 64)
        compared = CmpiOp.create(
            operands=[above, count], result_types=[i1], properties={"predicate": predicate}
        )
        return self._add(compared)
