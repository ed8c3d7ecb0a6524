"""What passes over functions ask of a value, and what they give to the values that they make.

Entry: `known_integer`, `marked`, `INDEX`, `index_attr`, `vector_type`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, TypeVar

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import IndexType, IntegerAttr, VectorType
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

Element = TypeVar("Element", bound=Attribute)
Made = TypeVar("Made", bound=Operation)

INDEX = IndexType()

KINDS_MAX = 1024
"""Attributes that are kept, since xDSL verifies one whenever it is made."""


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


@lru_cache(KINDS_MAX)
def index_attr(value: int) -> IntegerAttr[IndexType]:
    """An integer of type `index`."""
    return IntegerAttr(value, INDEX)


def vector_type(element: Element, lanes: int) -> VectorType[Element]:
    """The type of a vector of one dimension."""
    return _vector_type(element, lanes)


@lru_cache(KINDS_MAX)
def _vector_type(element: Any, lanes: int) -> VectorType[Any]:
    return VectorType(element, [lanes])
