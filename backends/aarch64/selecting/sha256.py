"""Steps of SHA-256, for targets with feature `sha2`.

Two instructions do four rounds, one for each half of the state, which they have in its own order.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Operation

from alpha.backends.core.selection.builder import Builder
from alpha.backends.core.selection.matching import Match, Matcher, Rule, rule

KEY = "4xi32"
NEEDED = "sha256h"
"""The row that there is if the processor has the instructions."""


def sha256() -> Iterator[Rule]:
    """Rules for the steps of SHA-256."""
    yield rule("sha256.words", KEY, "rev32_16b", "a")
    yield rule("sha256.add", KEY, "add_4s", "a b")
    yield Rule("sha256.schedule", KEY, _scheduled)
    yield Rule("sha256.pack", KEY, _unchanged)
    yield Rule("sha256.rounds", KEY, _rounds)
    yield Rule("sha256.unpack", KEY, _unchanged)


def _scheduled(matcher: Matcher, op: Operation) -> Match | None:
    if NEEDED not in matcher.target.rows:
        return None

    def emit(builder: Builder) -> None:
        first, second, third, fourth = (builder.value(operand) for operand in op.operands)
        (begun,) = builder.emit("sha256su0", first, second)
        (made,) = builder.emit("sha256su1", begun, third, fourth)
        builder.bind(op.results[0], made)

    return Match(list(op.operands), emit)


def _rounds(matcher: Matcher, op: Operation) -> Match | None:
    if NEEDED not in matcher.target.rows:
        return None

    def emit(builder: Builder) -> None:
        abcd, efgh, added = (builder.value(operand) for operand in op.operands)
        (first,) = builder.emit("sha256h", abcd, efgh, added)
        (second,) = builder.emit("sha256h2", efgh, abcd, added)
        builder.bind(op.results[0], first)
        builder.bind(op.results[1], second)

    return Match(list(op.operands), emit)


def _unchanged(matcher: Matcher, op: Operation) -> Match | None:
    if NEEDED not in matcher.target.rows:
        return None

    def emit(builder: Builder) -> None:
        for result, operand in zip(op.results, op.operands, strict=True):
            builder.bind(result, builder.value(operand))

    return Match(list(op.operands), emit)
