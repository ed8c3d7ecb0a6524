"""Lanes of vectors: to and from scalars, and in another order.

Entry: `lanes`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from xdsl.dialects import vector
from xdsl.ir import Operation, SSAValue

from alpha.backends.aarch64.selecting.floats import INTEGER_VECTORS, VECTORS, Form
from alpha.backends.core.selection.builder import Builder
from alpha.backends.core.selection.integer_rules import one
from alpha.backends.core.selection.keys import key_of
from alpha.backends.core.selection.lanes import lane_at, picked
from alpha.backends.core.selection.matching import Match, Matcher, Matching, Rule, rule

PICKED: Mapping[tuple[int, ...], str] = MappingProxyType(
    {
        (0, 2): "zip1_2d",
        (1, 3): "zip2_2d",
        (0, 4, 1, 5): "zip1_4s",
        (2, 6, 3, 7): "zip2_4s",
        (0, 2, 4, 6): "uzp1_4s",
        (1, 3, 5, 7): "uzp2_4s",
        (0, 4, 2, 6): "trn1_4s",
        (1, 5, 3, 7): "trn2_4s",
    }
)
"""The rows that pick these lanes out of two vectors."""

HALF, WHOLE = "2xf32", "4xf32"
"""A vector of 8 bytes, which is only a half of one of 16, and that."""


def lanes() -> Iterator[Rule]:
    """Rules for broadcasts, extracts, inserts and shuffles."""
    for form in VECTORS + INTEGER_VECTORS:
        source = f"{form.element}->{form.key}"
        yield rule("vector.broadcast", source, f"load_dup_{form.suffix}", "m:load")
        dup = "dup_general" if form.of_integers else "dup"
        yield rule("vector.broadcast", source, f"{dup}_{form.suffix}", "a")
        yield Rule("vector.extract", f"{form.key}->{form.element}", _extracted(form))
        yield Rule("vector.insert", form.key, _inserted(form))
        yield Rule("vector.shuffle", f"{form.key}->{form.key}", _shuffled(form))
    yield Rule("vector.shuffle", f"{HALF}->{WHOLE}", _joined)
    yield Rule("vector.shuffle", f"{WHOLE}->{HALF}", _half)


def _extracted(form: Form) -> Matching:
    """One lane, at a place that is known, as a scalar."""
    row = f"{'umov' if form.of_integers else 'lane'}_{form.letter}"

    def match(matcher: Matcher, op: Operation) -> Match | None:
        assert isinstance(op, vector.ExtractOp)
        lane = lane_at(op)
        return None if lane is None else one(op, row, [op.vector], (lane,))

    return match


def _inserted(form: Form) -> Matching:
    """A scalar in the place of one lane that is known."""
    row = f"{'ins_general' if form.of_integers else 'ins'}_{form.letter}"

    def match(matcher: Matcher, op: Operation) -> Match | None:
        assert isinstance(op, vector.InsertOp)
        lane = lane_at(op)
        return None if lane is None else one(op, row, [op.dest, op.source], (lane,))

    return match


def _shuffled(form: Form) -> Matching:
    """Lanes of two vectors: by one row where there is one, else lane by lane."""

    def match(matcher: Matcher, op: Operation) -> Match | None:
        assert isinstance(op, vector.ShuffleOp)
        places = picked(op)
        if places is None or key_of(op.v2.type, op) != form.key:
            return None
        wanted = tuple(places)
        for source, first in ((op.v1, 0), (op.v2, form.lanes)):
            if wanted == tuple(range(first, first + form.lanes)):
                return _unchanged(op, source)
            if len(set(wanted)) == 1 and first <= wanted[0] < first + form.lanes:
                return one(op, f"dup_lane_{form.suffix}", [source], (wanted[0] - first,))
        if wanted in PICKED:
            return one(op, PICKED[wanted], [op.v1, op.v2])
        if wanted == tuple(range(wanted[0], wanted[0] + form.lanes)):
            return one(op, "ext_16b", [op.v1, op.v2], (wanted[0] * form.lane_bytes,))
        return _lane_by_lane(op, form, wanted)

    return match


def _unchanged(op: vector.ShuffleOp, source: SSAValue) -> Match:
    return Match([source], lambda builder: builder.bind(op.result, builder.value(source)))


def _lane_by_lane(op: vector.ShuffleOp, form: Form, wanted: Sequence[int]) -> Match:
    """Every lane that isn't already in its place is copied into the first vector's."""

    def emit(builder: Builder) -> None:
        sides = builder.value(op.v1), builder.value(op.v2)
        made = sides[0]
        for at, place in enumerate(wanted):
            side, lane = divmod(place, form.lanes)
            if (side, lane) != (0, at):
                (made,) = builder.emit(
                    f"ins_lane_{form.letter}", made, sides[side], extras=(at, lane)
                )
        builder.bind(op.result, made)

    return Match([op.v1, op.v2], emit)


def _joined(matcher: Matcher, op: Operation) -> Match | None:
    """Two halves as a vector, the first one below."""
    assert isinstance(op, vector.ShuffleOp)
    if list(picked(op) or ()) != [0, 1, 2, 3] or key_of(op.v2.type, op) != HALF:
        return None

    def emit(builder: Builder) -> None:
        (low,) = builder.emit("widen_d", builder.value(op.v1))
        (made,) = builder.emit("ins_d", low, builder.value(op.v2), extras=(1,))
        builder.bind(op.result, made)

    return Match([op.v1, op.v2], emit)


def _half(matcher: Matcher, op: Operation) -> Match | None:
    """The lower or the upper half of one of two vectors."""
    assert isinstance(op, vector.ShuffleOp)
    first, second = picked(op) or (1, 0)
    if first % 2 or second != first + 1 or key_of(op.v2.type, op) != WHOLE:
        return None
    source = op.v1 if first < 4 else op.v2
    return one(op, "lane_d", [source], (first % 4 // 2,))
