"""What passes over functions ask of a value or an operation, and what they give to new ones.

Invariant: `index` is an integer of 64 bits, and a known one is read in two's complement.
Entry: `known_integer`, `split_index`, `number_in`, `is_total`, `marked`, `INDEX`, `index_attr`,
    `vector_type`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, TypeVar

from xdsl.dialects.arith import AddiOp, ConstantOp
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    VectorType,
)
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

Element = TypeVar("Element", bound=Attribute)
Made = TypeVar("Made", bound=Operation)

INDEX = IndexType()
INDEX_BITS = 64

KINDS_MAX = 1024
"""Attributes that are kept, since xDSL verifies one whenever it is made."""


DIVISIONS = frozenset(
    f"arith.{name}"
    for name in ("divui", "divsi", "remui", "remsi", "ceildivui", "ceildivsi", "floordivsi")
)
SHIFTS = frozenset({"arith.shli", "arith.shrui", "arith.shrsi"})


def known_integer(value: SSAValue) -> int | None:
    """The integer that a value is, if a constant defines it."""
    if isinstance(value, OpResult) and isinstance(value.op, ConstantOp):
        held = value.op.value
        return number_in(held.value.data, value.type) if isinstance(held, IntegerAttr) else None
    return None


def split_index(index: SSAValue) -> tuple[SSAValue | None, int]:
    """An index as something that varies (None if nothing does) and a constant."""
    constant = known_integer(index)
    if constant is not None:
        return None, constant
    if isinstance(index, OpResult) and isinstance(index.op, AddiOp):
        for left, right in ((index.op.lhs, index.op.rhs), (index.op.rhs, index.op.lhs)):
            added = known_integer(right)
            if added is not None:
                varying, more = split_index(left)
                return varying, more + added
    return index, 0


def number_in(number: int, type: Attribute) -> int:
    """The number that the lowest bits of one are in a type of integers."""
    bits = _bits(type)
    low = number & ((1 << bits) - 1)
    return low - (1 << bits) if low >> (bits - 1) else low


def _bits(type: Attribute) -> int:
    return type.width.data if isinstance(type, IntegerType) else INDEX_BITS


def is_total(op: Operation) -> bool:
    """Whether an operation of `arith` gives a result whatever its operands are.

    A division does by a constant but 0 and -1, a shift by a constant below the width. What isn't
    total stands where the program has it, since it may be what the program avoids.
    """
    if op.name in DIVISIONS:
        return not {None, 0, -1} & {*_known_numbers(op.operands[1])}
    if op.name in SHIFTS:
        type = op.operands[1].type
        bits = _bits(type.element_type if isinstance(type, VectorType) else type)
        counts = _known_numbers(op.operands[1])
        return all(count is not None and 0 <= count < bits for count in counts)
    return True


def _known_numbers(value: SSAValue) -> list[int | None]:
    """The integers that the lanes of a value are, [None] if no constant says them."""
    op = value.owner
    if isinstance(op, ConstantOp) and isinstance(op.value, DenseIntOrFPElementsAttr):
        lanes = op.value.get_attrs()
        return [each.value.data for each in lanes if isinstance(each, IntegerAttr)]
    return [known_integer(value)]


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
