"""Replaces exp, log, tanh and sigmoid in functions by their lists of exact operations.

Before:
    func.func @f(%x: f64) -> f64 {
      %0 = math.exp %x : f64
      func.return %0 : f64
    }
After:
    func.func @f(%x: f64) -> f64 {
      %0 = arith.constant 710.0 : f64
      %1 = arith.cmpf olt, %0, %x : f64
      %2 = arith.select %1, %0, %x : f64
      ...
      func.return %61 : f64
    }

A list is one of `alpha.ir.mathematics`. On a vector each step is an operation on vectors and each
constant a splat, so that a lane has the bits that a scalar has; f32 words are computed with in f64,
in vectors of as many lanes. Other functions of the math dialect stay.

Preserves: every word, to the bit: the interpreter evaluates the same lists. What isn't in a
    `func.func` isn't changed.
Refuses: target-unsupported (words that are neither f32 nor f64, and tensors of them).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    Float32Type,
    Float64Type,
    FloatAttr,
    IntegerAttr,
    ModuleOp,
    VectorType,
    f32,
    f64,
    i1,
    i64,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from alpha.ir.dialects.arith_vectors import CmpfOp, SelectOp
from alpha.ir.mathematics.lists import FUNCTIONS, operation_list
from alpha.ir.mathematics.steps import CONSTANT, OPERAND, OperationList, Step
from alpha.ir.refusals import Refusal
from alpha.ir.shapes import element_name, is_float

_ELEMENTS: Mapping[str, Attribute] = {"f64": f64, "f32": f32, "i64": i64, "i1": i1}

_SAME_TYPE: Mapping[str, Callable[..., Operation]] = {
    op.name: op
    for op in (
        arith.AddfOp,
        arith.SubfOp,
        arith.MulfOp,
        arith.DivfOp,
        arith.NegfOp,
        arith.AddiOp,
        arith.SubiOp,
        arith.AndIOp,
        arith.OrIOp,
        arith.ShLIOp,
        arith.ShRUIOp,
        math.AbsFOp,
        math.CopySignOp,
        math.FmaOp,
        SelectOp,
    )
}
_CONVERSIONS: Mapping[str, Callable[..., Operation]] = {
    op.name: op for op in (arith.BitcastOp, arith.ExtFOp, arith.TruncFOp)
}


@dataclass(frozen=True)
class ExpandMathPass(ModulePass):
    """Expands each function on scalars and vectors of f32 and f64."""

    name = "expand-math"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Expand the functions in every `func.func`."""
        for function in [part for part in op.walk() if isinstance(part, FuncOp)]:
            for part in [part for part in function.walk() if part.name in FUNCTIONS]:
                _expand(part)


def _expand(op: Operation) -> None:
    type = op.results[0].type
    element = type.element_type if isinstance(type, VectorType) else type
    if not is_float(element):
        wanted = f"f32 or f64 words, or vectors of them, in {op.name}"
        raise Refusal("target-unsupported", wanted, str(type), op)
    steps = _operations(operation_list(op.name, element_name(element)), op.operands[0])
    for step in steps:
        step.location = op.location
    Rewriter.insert_op(steps, InsertPoint.before(op))
    op.results[0].replace_all_uses_with(steps[-1].results[0])
    Rewriter.erase_op(op)


def _operations(listing: OperationList, operand: SSAValue) -> list[Operation]:
    """The operations of a list on a scalar or vector."""
    values: list[SSAValue] = []
    operations: list[Operation] = []
    for step in listing.steps:
        if step.operation == OPERAND:
            values.append(operand)
            continue
        type = _type(step.type, operand.type)
        new = _operation(step, [values[number] for number in step.operands], type)
        operations.append(new)
        values.append(new.results[0])
    return operations


def _type(element: str, like: Attribute) -> Attribute:
    if isinstance(like, VectorType):
        return VectorType(_ELEMENTS[element], like.shape, like.scalable_dims)
    return _ELEMENTS[element]


def _operation(step: Step, operands: list[SSAValue], type: Attribute) -> Operation:
    if step.operation == CONSTANT:
        return arith.ConstantOp(_constant(step, type))
    if step.operation.startswith("arith.cmpf."):
        left, right = operands
        return CmpfOp(left, right, step.operation.rpartition(".")[2])
    if step.operation in _CONVERSIONS:
        return _CONVERSIONS[step.operation](operands[0], type)
    return _SAME_TYPE[step.operation](*operands)


def _constant(step: Step, type: Attribute) -> FloatAttr | IntegerAttr | DenseIntOrFPElementsAttr:
    value = step.value
    assert value is not None
    if isinstance(value, int) and value >= 1 << 63:
        value -= 1 << 64
    if isinstance(type, VectorType):
        return DenseIntOrFPElementsAttr.from_list(type, [value])
    if isinstance(value, int):
        return IntegerAttr(value, i64)
    assert isinstance(type, Float32Type | Float64Type)
    return FloatAttr(value, type)
