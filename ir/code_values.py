"""What passes over functions ask of a value, and what they keep of an operation that they replace.

Entry: `known_integer`, `marked`.
"""

from __future__ import annotations

from typing import TypeVar

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation, OpResult, SSAValue

Made = TypeVar("Made", bound=Operation)


def known_integer(value: SSAValue) -> int | None:
    """The integer that a value is, if a constant defines it."""
    if isinstance(value, OpResult) and isinstance(value.op, ConstantOp):
        held = value.op.value
        return held.value.data if isinstance(held, IntegerAttr) else None
    return None


def marked(made: Made, op: Operation) -> Made:
    """An operation that says the same origin as the one it is for."""
    if "origin" in op.attributes:
        made.attributes["origin"] = op.attributes["origin"]
    return made
