"""Constants: what a few moves or one instruction makes, the rest from the literal pool."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import arith
from xdsl.ir import Operation

from alpha.backends.aarch64.rows.integers import constant
from alpha.backends.aarch64.selecting.floats import FORMS, Form
from alpha.backends.core.program import Value
from alpha.backends.core.selection.builder import Builder
from alpha.backends.core.selection.common_rules import integer_constant, literal, words_of_constant
from alpha.backends.core.selection.matching import Match, Matcher, Matching, Rule

INTEGERS = ("i1", "i8", "i16", "i32", "i64")
TOP_BITS = 16
"""`high_*` makes a word that has nothing below so many bits."""

TRUTHS = {"2xi1": 8, "4xi1": 4}
"""The bytes of the lanes of ones and zeros that a vector of truths is."""


def constants() -> Iterator[Rule]:
    """Rules for `arith.constant`."""
    for key in INTEGERS:
        yield Rule("arith.constant", key, integer_constant(integer))
    for form in FORMS:
        yield Rule("arith.constant", form.key, _words(form))
    for key, lane_bytes in TRUTHS.items():
        yield Rule("arith.constant", key, _truths(lane_bytes))


def integer(builder: Builder, value: int) -> Value:
    """An unsigned integer of 64 bits in a register, by the shortest sequence."""
    row, immediates = constant(value)
    return builder.emit(row, extras=immediates)[0]


def _words(form: Form) -> Matching:
    """A float, or a vector of any words."""

    def match(matcher: Matcher, op: Operation) -> Match | None:
        assert isinstance(op, arith.ConstantOp)
        words = words_of_constant(op)
        content = b"".join(words if len(words) > 1 else words * form.lanes)

        def emit(builder: Builder) -> None:
            builder.bind(op.result, pooled(builder, content, form))

        return Match([], emit)

    return match


def pooled(builder: Builder, content: bytes, form: Form) -> Value:
    """The bytes of a register of a form."""
    words = {content[at : at + form.lane_bytes] for at in range(0, len(content), form.lane_bytes)}
    if not any(content):
        return builder.emit(f"zero_{form.view}")[0]
    if form.view == "q" and set(content) == {0xFF}:
        return builder.emit("ones_q")[0]
    if len(words) == 1:
        value = int.from_bytes(content[: form.lane_bytes], "little")
        below = 8 * form.lane_bytes - TOP_BITS
        if value == 1 << (below + TOP_BITS - 1):
            return builder.emit(f"negative_zero_{form.suffix}")[0]
        if value >> below << below == value:
            return builder.emit(f"high_{form.suffix}", extras=(value >> below,))[0]
    return builder.emit(f"literal_{form.view}", literal(content))[0]


def _truths(lane_bytes: int) -> Matching:
    """Lanes of ones and zeros."""
    lanes = 16 // lane_bytes
    form = next(each for each in FORMS if each.lanes == lanes)

    def match(matcher: Matcher, op: Operation) -> Match | None:
        assert isinstance(op, arith.ConstantOp)
        words = words_of_constant(op)
        truths = [bool(word[0] & 1) for word in words]
        if len(truths) == 1:
            truths *= lanes
        content = b"".join((b"\xff" if truth else b"\0") * lane_bytes for truth in truths)

        def emit(builder: Builder) -> None:
            builder.bind(op.result, pooled(builder, content, form))

        return Match([], emit)

    return match
