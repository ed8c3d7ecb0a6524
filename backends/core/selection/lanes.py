"""What is known of vectors before anything runs: constant masks and words, lanes that are named.

Entry: `splat_of`, `mask_of`, `is_zero`, `lane_at`, `picked`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import SSAValue

from alpha.backends.core.selection.addresses import constant_of, defining
from alpha.backends.core.selection.keys import key_of, lanes_of


def _dense(value: SSAValue) -> DenseIntOrFPElementsAttr | None:
    op = defining(value)
    if isinstance(op, arith.ConstantOp) and isinstance(op.value, DenseIntOrFPElementsAttr):
        return op.value
    return None


def splat_of(value: SSAValue) -> int | None:
    """The integer that every lane of a constant is, be it one word that is broadcast."""
    op = defining(value)
    if isinstance(op, vector.BroadcastOp):
        return constant_of(op.source)
    held = _dense(value)
    values = set() if held is None else set(held.get_values())
    (single,) = values if len(values) == 1 else (None,)
    return single if isinstance(single, int) else None


def mask_of(value: SSAValue) -> list[bool] | None:
    """The truths of a constant mask, by lane."""
    held = _dense(value)
    lanes, element = lanes_of(key_of(value.type))
    if held is None or element != "i1":
        return None
    values = [bool(each) for each in held.get_values()]
    return values * lanes if len(values) == 1 else values


def is_zero(value: SSAValue) -> bool:
    """Whether a vector is a constant whose bits are all zeros."""
    held = _dense(value)
    return held is not None and not any(bytes(held.data.data))


def lane_at(op: vector.ExtractOp | vector.InsertOp) -> int | None:
    """The lane that is taken or replaced, if the operation says it and there is such a lane."""
    whole = op.vector if isinstance(op, vector.ExtractOp) else op.dest
    lanes, _ = lanes_of(key_of(whole.type, op))
    places = [int(place) for place in op.static_position.iter_values()]
    if len(places) != 1 or op.dynamic_position or not 0 <= places[0] < lanes:
        return None
    return places[0]


def picked(op: vector.ShuffleOp) -> Sequence[int] | None:
    """The lanes that a shuffle takes, those of its second vector behind the first's.

    None if one is of no vector.
    """
    room = sum(lanes_of(key_of(value.type, op))[0] for value in (op.v1, op.v2))
    lanes = [int(lane) for lane in op.mask.iter_values()]
    return lanes if all(0 <= lane < room for lane in lanes) else None
