"""What a list of operations is: steps in order, each on the results of earlier ones.

Invariant: every step is one exact operation of `OPERATIONS`: an IEEE 754 operation rounded to
    nearest even, or an operation on bits. There are no branches, loops, tables or calls, so a list
    means the same bits on a scalar, in each lane of a vector and on an array, on every target.
Why: a function of a mathematics library differs in its last bits from one library to another.
Entry: `Step`, `OperationList`, `OPERATIONS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

OPERAND = "operand"
"""The step that stands for the operand of the function; it is the first of a list."""

CONSTANT = "arith.constant"

COMPARISONS = ("arith.cmpf.oeq", "arith.cmpf.ogt", "arith.cmpf.olt")

OPERATIONS: Mapping[str, int] = {
    OPERAND: 0,
    CONSTANT: 0,
    "arith.addf": 2,
    "arith.subf": 2,
    "arith.mulf": 2,
    "arith.divf": 2,
    "arith.negf": 1,
    **dict.fromkeys(COMPARISONS, 2),
    "arith.select": 3,
    "arith.bitcast": 1,
    "arith.addi": 2,
    "arith.subi": 2,
    "arith.andi": 2,
    "arith.ori": 2,
    "arith.shli": 2,
    "arith.shrui": 2,
    "arith.extf": 1,
    "arith.truncf": 1,
    "math.absf": 1,
    "math.copysign": 2,
    "math.fma": 3,
}
"""Each operation's number of operands. Integers wrap around; shifts are by constants below 64."""

TYPES = ("f64", "f32", "i64", "i1")


@dataclass(frozen=True)
class Step:
    """One operation: the numbers of the steps it reads, the type of its result, and its constant.

    `value` is the number of a constant, an int of i64 as its 64 bits without a sign.
    """

    operation: str
    operands: tuple[int, ...]
    type: str
    value: float | int | None = None


@dataclass(frozen=True)
class OperationList:
    """A function of one scalar: the last step is its result.

    `operation` is what the list stands for, such as `math.exp`; `element` is `f64` or `f32`.
    """

    operation: str
    element: str
    steps: tuple[Step, ...]
