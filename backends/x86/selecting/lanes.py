"""Lanes of vectors: to and from scalars, in another order, in parts.

Entry: `lanes`, `lane_of`, `with_lane`, `spread`, `has`.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import vector
from xdsl.ir import Operation

from alpha.backends.core.program import Value
from alpha.backends.core.selection.builder import Builder
from alpha.backends.core.selection.keys import key_of
from alpha.backends.core.selection.lanes import lane_at, picked
from alpha.backends.core.selection.matching import Match, Matcher, Matching, Rule, rule
from alpha.backends.x86.selecting.floats import INTEGER_VECTORS, VECTORS, Form

ALL = VECTORS + INTEGER_VECTORS
PART_BYTES = 16
"""What instructions that move lanes work on."""

PARTS = {("y", "x"): "vextractf128_x_y", ("z", "x"): "vextractf64x2_x_z",
         ("z", "y"): "vextractf64x4_y_z"}  # fmt: skip
"""The rows that take a part out of a wider vector; the part's number is the immediate."""

PLACED = {"y": "vinsertf128_y_x", "z": "vinsertf64x2_z_x"}
"""The rows that put 16 bytes in the place of others."""


def lanes() -> Iterator[Rule]:
    """Rules for broadcasts, extracts, inserts and shuffles."""
    for form in ALL:
        yield from _broadcasts(form)
        yield Rule("vector.extract", f"{form.key}->{form.element}", _extracted(form))
        yield Rule("vector.insert", form.key, _inserted(form))
        for part in ALL:
            if form.element == part.element:
                key = f"{form.key}->{part.key}"
                if form.lanes >= part.lanes:
                    yield Rule("vector.shuffle", key, _part(form, part))
                yield Rule("vector.shuffle", key, _gathered(form, part))


def _broadcasts(form: Form) -> Iterator[Rule]:
    key, scalar = f"{form.element}->{form.key}", "d" if form.lane_bytes == 8 else "s"
    name = f"vbroadcasts{scalar}_{form.view}"
    yield rule("vector.broadcast", key, f"{name}_mem", "m:load")
    if not form.of_integers:
        yield rule("vector.broadcast", key, name, "a")
        return
    yield rule("vector.broadcast", key, f"vpbroadcast{form.letter}_{form.view}_r64", "a")
    yield Rule("vector.broadcast", key, _broadcast_integer(form))


def _broadcast_integer(form: Form) -> Matching:
    def match(matcher: Matcher, op: Operation) -> Match | None:
        if not has(matcher, form):
            return None

        def emit(builder: Builder) -> None:
            builder.bind(op.results[0], spread(builder, builder.value(op.operands[0]), form))

        return Match([op.operands[0]], emit)

    return match


def spread(builder: Builder, integer: Value, form: Form) -> Value:
    """The low bits of a general register in every lane."""
    scalar = "d" if form.lane_bytes == 8 else "s"
    (moved,) = builder.emit(f"vmov{form.letter}_from_r64", integer)
    return builder.emit(f"vbroadcasts{scalar}_{form.view}", moved)[0]


def has(matcher: Matcher, form: Form) -> bool:
    """Whether the target has registers of a form."""
    return f"vmovups_{form.view}_load" in matcher.target.rows


def _extracted(form: Form) -> Matching:
    """One lane, at a place that is known, as a scalar."""

    def match(matcher: Matcher, op: Operation) -> Match | None:
        assert isinstance(op, vector.ExtractOp)
        lane = lane_at(op)
        if lane is None or not has(matcher, form):
            return None

        def emit(builder: Builder) -> None:
            builder.bind(op.result, lane_of(builder, builder.value(op.vector), form, lane))

        return Match([op.vector], emit)

    return match


def _part_of(builder: Builder, value: Value, form: Form, part: int) -> Value:
    """16 bytes of a vector."""
    if form.view == "x":
        return value
    if part:
        return builder.emit(PARTS[form.view, "x"], value, extras=(part,))[0]
    return builder.emit(f"vmovaps_x_{form.view}", value)[0]


def lane_of(builder: Builder, value: Value, form: Form, lane: int) -> Value:
    """A lane as a scalar: first the 16 bytes that it lies in, then the place in these."""
    part, within = divmod(lane, PART_BYTES // form.lane_bytes)
    if form.of_integers:
        held = _part_of(builder, value, form, part)
        return builder.emit(f"vpextr{form.letter}", held, extras=(within,))[0]
    scalar = "d" if form.lane_bytes == 8 else "s"
    if not lane:
        return builder.emit(f"vmovaps_{scalar}_{form.view}", value)[0]
    held = _part_of(builder, value, form, part)
    if not within:
        return builder.emit(f"vmovaps_{scalar}_x", held)[0]
    return builder.emit(f"vpermilp{form.ending[-1]}_lane", held, extras=(within,))[0]


def with_lane(builder: Builder, whole: Value, scalar: Value, form: Form, lane: int) -> Value:
    """A vector with a scalar in a lane."""
    part, within = divmod(lane, PART_BYTES // form.lane_bytes)
    held = _part_of(builder, whole, form, part)
    if form.of_integers:
        row, extras = f"vpinsr{form.letter}", (within,)
    elif form.lane_bytes == 4:
        row, extras = "vinsertps", (16 * within,)
    else:
        row, extras = ("vmovlhps_d" if within else "vmovsd_d"), ()
    (held,) = builder.emit(row, held, scalar, extras=extras)
    if form.view == "x":
        return held
    return builder.emit(PLACED[form.view], whole, held, extras=(part,))[0]


def _inserted(form: Form) -> Matching:
    """A scalar in the place of one lane that is known."""

    def match(matcher: Matcher, op: Operation) -> Match | None:
        assert isinstance(op, vector.InsertOp)
        lane = lane_at(op)
        if lane is None or not has(matcher, form):
            return None

        def emit(builder: Builder) -> None:
            scalar, whole = builder.value(op.source), builder.value(op.dest)
            builder.bind(op.result, with_lane(builder, whole, scalar, form, lane))

        return Match([op.source, op.dest], emit)

    return match


def _part(wide: Form, part: Form) -> Matching:
    """Lanes that lie side by side from a multiple of their number on, out of one vector."""

    def match(matcher: Matcher, op: Operation) -> Match | None:
        assert isinstance(op, vector.ShuffleOp)
        lanes = picked(op)
        if lanes is None or key_of(op.v2.type, op) != wide.key:
            return None
        source = op.v1
        if lanes[0] >= wide.lanes:
            source, lanes = op.v2, [lane - wide.lanes for lane in lanes]
        first = lanes[0]
        if lanes != list(range(first, first + part.lanes)) or first % part.lanes:
            return None
        if wide.lanes == part.lanes:
            return Match([source], lambda builder: builder.bind(op.result, builder.value(source)))
        row = PARTS[wide.view, part.view]
        if not first:
            row = f"vmovaps_{part.view}_{wide.view}"
        if row not in matcher.target.rows:
            return None
        extras = (first // part.lanes,) if first else ()

        def emit(builder: Builder) -> None:
            (made,) = builder.emit(row, builder.value(source), extras=extras)
            builder.bind(op.result, made)

        return Match([source], emit)

    return match


def _gathered(source: Form, made: Form) -> Matching:
    """Any lanes of two vectors, one by one."""

    def match(matcher: Matcher, op: Operation) -> Match | None:
        assert isinstance(op, vector.ShuffleOp)
        lanes = picked(op)
        if lanes is None or key_of(op.v2.type, op) != source.key:
            return None
        if not (has(matcher, source) and has(matcher, made)):
            return None

        def emit(builder: Builder) -> None:
            sides = builder.value(op.v1), builder.value(op.v2)
            (whole,) = builder.emit(f"vxorps_zero_{made.view}")
            for at, lane in enumerate(lanes):
                side, place = divmod(lane, source.lanes)
                scalar = lane_of(builder, sides[side], source, place)
                whole = with_lane(builder, whole, scalar, made, at)
            builder.bind(op.result, whole)

        return Match([op.v1, op.v2], emit)

    return match
