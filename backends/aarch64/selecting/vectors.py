"""Vectors of integers: arithmetic and shifts, and what reads lanes as others."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Operation

from alpha.backends.aarch64.selecting.floats import INTEGER_VECTORS, VECTORS
from alpha.backends.core.rows import Immediate
from alpha.backends.core.selection.common_rules import same
from alpha.backends.core.selection.integer_rules import one
from alpha.backends.core.selection.lanes import splat_of
from alpha.backends.core.selection.matching import Match, Matcher, Matching, Rule, rule

ARITHMETIC = (("arith.addi", "add"), ("arith.subi", "sub"), ("arith.muli", "mul"))
LOGIC = (("arith.andi", "and"), ("arith.ori", "orr"), ("arith.xori", "eor"))
SHIFTS = (("arith.shli", "shl"), ("arith.shrui", "ushr"), ("arith.shrsi", "sshr"))


def vectors() -> Iterator[Rule]:
    """Rules for vectors of integers, and for lanes that are read as others."""
    for form in INTEGER_VECTORS:
        for op, row in ARITHMETIC:
            yield rule(op, form.key, f"{row}_{form.suffix}", "a b")
        for op, row in SHIFTS:
            yield Rule(op, form.key, _shifted(f"{row}_{form.suffix}"))
    for key in (*(form.key for form in INTEGER_VECTORS), "2xi1", "4xi1"):
        for op, row in LOGIC:
            yield rule(op, key, f"{row}_16b", "a b")
    for floats, lanes in zip(VECTORS, INTEGER_VECTORS, strict=True):
        yield from same("arith.bitcast", f"{floats.key}->{lanes.key} {lanes.key}->{floats.key}")


def _shifted(row: str) -> Matching:
    """By the same constant in every lane; by 0, nothing is done."""

    def match(matcher: Matcher, op: Operation) -> Match | None:
        count = splat_of(op.operands[1])
        if count is None:
            return None
        if count == 0:
            return same(op.name, "*")[0].match(matcher, op)
        kind = matcher.target.rows[row].slot("i").kind
        if not isinstance(kind, Immediate) or not kind.holds(count):
            return None
        return one(op, row, [op.operands[0]], (count,))

    return match
