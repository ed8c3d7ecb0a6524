"""Unrolls the loops that are marked `unroll`, whose bounds and steps are constants.

Integers that are known then are computed at once, so that indices become constants.

Before:

    scf.for %i = %c0 to %c2 step %c1 {
      %x = memref.load %m[%i] : memref<2xi32>
      ...
    } {unroll}

After: what is between the braces, twice, for 0 and for 1.

Preserves: what is computed, in which order.
Refuses: target-unsupported (a marked loop whose bounds aren't constants, or that runs too often).
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, func, scf
from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from alpha.ir.code_values import known_integer, number_in
from alpha.ir.refusals import Refusal

ITERATIONS_MAX = 4096
"""No loop is unrolled that runs more often: the program would no longer be small."""


@dataclass(frozen=True)
class UnrollLoopsPass(ModulePass):
    """Unrolls in every function, the outer loops first."""

    name = "unroll-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Unroll, and fold integers."""
        for part in list(op.walk()):
            if isinstance(part, func.FuncOp):
                _unroll_in(part)


def _unroll_in(function: Operation) -> None:
    """Unroll what is marked, then fold; loops inside of a loop that is unrolled come to light."""
    while True:
        marked = next((each for each in function.walk() if _ismarked(each)), None)
        if marked is None:
            return
        assert isinstance(marked, scf.ForOp)
        _unroll(marked)
        for each in list(function.walk()):
            _fold(each)


def _ismarked(op: Operation) -> bool:
    return isinstance(op, scf.ForOp) and "unroll" in op.attributes


def _unroll(op: scf.ForOp) -> None:
    low, high, step = (known_integer(value) for value in (op.lb, op.ub, op.step))
    if low is None or high is None or step is None or step < 1:
        raise Refusal(
            "target-unsupported", "constant bounds of a loop that is unrolled", "others", op
        )
    numbers = range(low, high, step)
    if len(numbers) > ITERATIONS_MAX:
        wanted = f"at most {ITERATIONS_MAX} iterations of a loop that is unrolled"
        raise Refusal("target-unsupported", wanted, str(len(numbers)), op)
    counter, *carried = op.body.block.args
    values: list[SSAValue] = list(op.iter_args)
    place = InsertPoint.before(op)
    for number in numbers:
        constant = arith.ConstantOp(IntegerAttr(number, counter.type))  # pyright: ignore
        Rewriter.insert_op(constant, place)
        mapped: dict[SSAValue, SSAValue] = dict(zip(carried, values, strict=True))
        mapped[counter] = constant.result
        for inner in op.body.block.ops:
            if isinstance(inner, scf.YieldOp):
                values = [mapped.get(value, value) for value in inner.operands]
            else:
                Rewriter.insert_op(inner.clone(mapped), place)
    for result, value in zip(op.results, values, strict=True):
        result.replace_all_uses_with(value)
    Rewriter.erase_op(op)


def _fold(op: Operation) -> None:
    """Replace an operation on known integers by what it gives."""
    if not isinstance(op, arith.SignlessIntegerBinaryOperation) or op.parent is None:
        return
    folded = op.fold()
    if folded is None:
        return
    (found,) = folded
    if isinstance(found, SSAValue):
        Rewriter.replace_op(op, [], [found])
    elif isinstance(found, IntegerAttr):
        type = op.results[0].type
        number = number_in(found.value.data, type)
        Rewriter.replace_op(op, arith.ConstantOp(IntegerAttr(number, type)))  # pyright: ignore
