"""Vectors of integers: arithmetic and shifts; what reads lanes as others, and converts them."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Operation

from alpha.backends.core.selection.builder import Builder
from alpha.backends.core.selection.common_rules import same
from alpha.backends.core.selection.lanes import splat_of
from alpha.backends.core.selection.matching import Match, Matcher, Matching, Rule, rule
from alpha.backends.x86.selecting.floats import INTEGER_VECTORS, VECTORS

ARITHMETIC = (("arith.addi", "vpadd"), ("arith.subi", "vpsub"))
LOGIC = (("arith.andi", "vpand"), ("arith.ori", "vpor"), ("arith.xori", "vpxor"))
SHIFTS = (("arith.shli", "vpsll"), ("arith.shrui", "vpsrl"), ("arith.shrsi", "vpsra"))


def vectors() -> Iterator[Rule]:
    """Rules for vectors of integers, and between them and vectors of floats."""
    yield from _integers()
    yield from _conversions()


def _integers() -> Iterator[Rule]:
    for form in INTEGER_VECTORS:
        letter, view, key = form.letter, form.view, form.key
        for op, row in ARITHMETIC:
            yield rule(op, key, f"{row}{letter}_{view}", "a b")
        for op, row in LOGIC:
            yield rule(op, key, f"{row}_{view}", "a b")
        for op, row in SHIFTS:
            yield Rule(op, key, _shifted(f"{row}{letter}_{view}"))
        if letter == "q":
            yield Rule("arith.shrsi", key, _shifted(f"sraq_{view}"))
        else:
            yield rule("arith.muli", key, f"vpmulld_{view}", "a b")


def _conversions() -> Iterator[Rule]:
    for floats, lanes in zip(VECTORS, INTEGER_VECTORS, strict=True):
        yield from same("arith.bitcast", f"{floats.key}->{lanes.key} {lanes.key}->{floats.key}")
    for lanes, view in ((4, "y"), (8, "z")):
        yield rule("arith.extf", f"{lanes}xf32->{lanes}xf64", f"vcvtps2pd_{view}", "a")
        yield rule("arith.truncf", f"{lanes}xf64->{lanes}xf32", f"vcvtpd2ps_{view}", "a")


def _shifted(row: str) -> Matching:
    """By the same constant in every lane."""

    def match(matcher: Matcher, op: Operation) -> Match | None:
        made = matcher.target.rows.get(row)
        count = splat_of(op.operands[1])
        if made is None or count is None:
            return None

        def emit(builder: Builder) -> None:
            results = builder.emit_row(made, builder.value(op.operands[0]), extras=(count,))
            builder.bind(op.results[0], results[0])

        return Match([op.operands[0]], emit)

    return match
