"""What operations on vectors demand beyond xDSL's own rules: lanes that are there, and agree.

Invariant: after it, a static position lies in its vector, and what works lane by lane has the same
    lanes on all sides.
Why: xDSL checks the lanes that a shuffle picks, but not those that `vector.extract` and
    `vector.insert` name, nor that masks and conversions have as many lanes as their words.
Refuses: source-structure.
Entry: `check_vectors`.
"""

from __future__ import annotations

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, VectorType
from xdsl.ir import Attribute, Operation, SSAValue

from alpha.ir.refusals import Refusal, name_of

WHOLES = {"vector.extract": 0, "vector.insert": 1}
"""Which operand the position is in."""

RESIZED = frozenset(("arith.extf", "arith.truncf"))
"""The conversions that xDSL has for vectors, but for `arith.bitcast`, whose lanes it compares."""


def check_vectors(op: Operation) -> None:
    """Check the lanes that an operation names, and those that it works on.

    Raises:
        Refusal: `source-structure` at the operation.
    """
    if op.name in WHOLES:
        _check_position(op, op.operands[WHOLES[op.name]].type)
    elif op.name in RESIZED:
        _check_lanes(op, op.operands[0], op.results[0])
    elif op.name == "vector.maskedload":
        mask, passed = op.operands[-2:]
        _check_lanes(op, passed, op.results[0])
        _check_lanes(op, mask, op.results[0])
    elif op.name == "vector.maskedstore":
        _check_lanes(op, *op.operands[-2:])


def _check_position(op: Operation, whole: Attribute) -> None:
    """Each place that is known lies in its axis."""
    position = op.properties["static_position"]
    assert isinstance(whole, VectorType) and isinstance(position, DenseArrayBase)
    places = [int(place) for place in position.get_values()]
    for axis, (place, extent) in enumerate(zip(places, whole.get_shape(), strict=False)):
        if place != DYNAMIC_INDEX and not 0 <= place < extent:
            wanted = f"a position from 0 to {extent - 1} in axis {axis} of {whole}"
            raise Refusal("source-structure", wanted, str(place), op)


def _check_lanes(op: Operation, value: SSAValue, beside: SSAValue) -> None:
    """Both are vectors of one shape, or neither is a vector."""
    shapes = [
        each.type.get_shape() if isinstance(each.type, VectorType) else None
        for each in (value, beside)
    ]
    if shapes[0] != shapes[1]:
        wanted = f"as many lanes as {beside.type} has in '{name_of(op)}'"
        raise Refusal("source-structure", wanted, str(value.type), op)
