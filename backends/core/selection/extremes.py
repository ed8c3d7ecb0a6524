"""The lesser and the greater of two integers, and floats as integers of few bits: by comparisons.

A float is made an integer of more bits, rounded towards zero, and that is brought into the range.

Entry: `chosen`, `extremes`, `clamped`.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Operation

from alpha.backends.core.program import Value
from alpha.backends.core.selection.builder import Builder
from alpha.backends.core.selection.common_rules import MakeInteger
from alpha.backends.core.selection.comparing import Tests
from alpha.backends.core.selection.matching import Match, Matcher, Matching, Rule

OPERATIONS = {
    "arith.minsi": "slt",
    "arith.maxsi": "sgt",
    "arith.minui": "ult",
    "arith.maxui": "ugt",
}
"""Each operation is its first operand where this holds, else the second."""

KEYS = ("i8", "i16", "i32", "i64")


def chosen(builder: Builder, tests: Tests, key: str, predicate: str, a: Value, b: Value) -> Value:
    """`a` where the comparison of integers of this type holds, else `b`."""
    row = tests.integers[key][0].format(use=tests.uses["select_i"])
    compared = [a, b]
    extended = tests.extended.get(key, "") if predicate.startswith("s") else ""
    if extended:
        compared = [builder.emit(extended, each)[0] for each in compared]
    return builder.emit(row, *compared, a, b, extras=(tests.conditions[predicate],))[0]


def extremes(tests: Tests) -> Iterator[Rule]:
    """Rules for the least and the greatest of two integers."""
    for op, predicate in OPERATIONS.items():
        for key in KEYS:
            yield Rule(op, key, _extreme(tests, key, predicate))


def _extreme(tests: Tests, key: str, predicate: str) -> Matching:
    def match(matcher: Matcher, op: Operation) -> Match | None:
        def emit(builder: Builder) -> None:
            a, b = (builder.value(value) for value in op.operands)
            builder.bind(op.results[0], chosen(builder, tests, key, predicate, a, b))

        return Match(list(op.operands), emit)

    return match


def clamped(
    row: str, of: str, to: str, tests: Tests, integer: MakeInteger, signs: bool
) -> Matching:
    """A float as an integer of type `to`, by a row that gives a signed one of type `of`."""
    bits, wide = int(to[1:]), int(of[1:])
    least, most = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signs else (0, (1 << bits) - 1)

    def match(matcher: Matcher, op: Operation) -> Match | None:
        def emit(builder: Builder) -> None:
            (value,) = builder.emit(row, builder.value(op.operands[0]))
            for limit, predicate in ((least, "sgt"), (most, "slt")):
                end = integer(builder, limit & ((1 << wide) - 1))
                value = chosen(builder, tests, of, predicate, value, end)
            if least < 0:
                mask = integer(builder, (1 << bits) - 1)
                (value,) = builder.emit("and_32", value, mask)
            builder.bind(op.results[0], value)

        return Match([op.operands[0]], emit)

    return match
