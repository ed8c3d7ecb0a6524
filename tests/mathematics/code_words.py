"""A small interpreter of straight-line functions on scalars and vectors, in Python alone.

Invariant: nothing of the project's interpreters or lists is used. Sums and products are Python's;
    fused multiply-adds go through fractions, which Python rounds correctly; bits go through struct.
    A vector is a list of its lanes.
Entry: `run`.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    VectorType,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue

_MASK = (1 << 64) - 1


def _rounded(value: Fraction) -> float:
    try:
        return value.numerator / value.denominator
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _fma(a: float, b: float, c: float) -> float:
    if not (math.isfinite(a) and math.isfinite(b)):
        return a * b + c
    if not math.isfinite(c):
        return c
    total = Fraction(a) * Fraction(b) + Fraction(c)
    if total == 0:
        return a * b + c if a == 0 or b == 0 else 0.0
    return _rounded(total)


def _divide(a: float, b: float) -> float:
    if b == 0:
        sign = math.copysign(1, a) * math.copysign(1, b)
        return math.nan if a == 0 or math.isnan(a) else sign * math.inf
    return a / b


def _to_f32(a: float) -> float:
    try:
        return struct.unpack("<f", struct.pack("<f", a))[0]
    except OverflowError:
        return math.copysign(math.inf, a)


def _bitcast(a: float | int) -> float | int:
    if isinstance(a, float):
        return struct.unpack("<Q", struct.pack("<d", a))[0]
    return struct.unpack("<d", struct.pack("<Q", a))[0]


_COMPARISONS: Mapping[int, Callable[[float, float], bool]] = {
    1: lambda a, b: a == b,
    2: lambda a, b: a > b,
    4: lambda a, b: a < b,
}

_MEANINGS: Mapping[str, Callable[..., Any]] = {
    "arith.addf": lambda a, b: a + b,
    "arith.subf": lambda a, b: a - b,
    "arith.mulf": lambda a, b: a * b,
    "arith.divf": _divide,
    "arith.negf": lambda a: -a,
    "arith.select": lambda c, a, b: a if c else b,
    "arith.bitcast": _bitcast,
    "arith.addi": lambda a, b: (a + b) & _MASK,
    "arith.subi": lambda a, b: (a - b) & _MASK,
    "arith.andi": lambda a, b: a & b,
    "arith.ori": lambda a, b: a | b,
    "arith.shli": lambda a, b: (a << b) & _MASK,
    "arith.shrui": lambda a, b: a >> b,
    "arith.extf": lambda a: a,
    "arith.truncf": _to_f32,
    "math.absf": abs,
    "math.copysign": lambda a, b: math.copysign(a, 0.0 if math.isnan(b) else b),
    "math.fma": _fma,
}


def _constant(op: Operation) -> Any:
    value = op.properties["value"]
    if isinstance(value, DenseIntOrFPElementsAttr):
        return [word & _MASK if isinstance(word, int) else word for word in value.get_values()]
    assert isinstance(value, IntegerAttr | FloatAttr)
    return value.value.data & _MASK if isinstance(value, IntegerAttr) else value.value.data


def run(function: FuncOp, *arguments: Any) -> list[Any]:
    """What the function returns of these scalars, and lists of lanes."""
    block = function.body.block
    values: dict[SSAValue, Any] = dict(zip(block.args, arguments, strict=True))
    for op in block.ops:
        operands = [values[operand] for operand in op.operands]
        if isinstance(op, ReturnOp):
            return operands
        if op.name == "arith.constant":
            values[op.results[0]] = _constant(op)
            continue
        meaning = _MEANINGS.get(op.name)
        if op.name == "arith.cmpf":
            predicate = op.properties["predicate"]
            assert isinstance(predicate, IntegerAttr)
            meaning = _COMPARISONS[predicate.value.data]
        assert meaning is not None, op.name
        if isinstance(op.results[0].type, VectorType):
            values[op.results[0]] = [meaning(*lanes) for lanes in zip(*operands, strict=True)]
        else:
            values[op.results[0]] = meaning(*operands)
    raise AssertionError("the function doesn't return")
