"""Floats, and what is done with their bits.

Entry: `floats`.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import arith
from xdsl.ir import Operation

from alpha.backends.core.selection.builder import Builder
from alpha.backends.core.selection.common_rules import words_of_constant
from alpha.backends.core.selection.integer_rules import one
from alpha.backends.core.selection.matching import Match, Matcher, Matching, Rule, rule
from alpha.backends.ptx.meanings import FLOAT_PREDICATES
from alpha.ir.dialects.arith_vectors import CmpfOp
from alpha.ir.scalars import PREDICATES

FLOATS = (("f32", "s", "w", 32), ("f64", "d", "x", 64))
"""Type, view, the view of its bits, and how many."""

_OPERATIONS = (
    ("arith.addf", "add", "a b"),
    ("arith.subf", "sub", "a b"),
    ("arith.mulf", "mul", "a b"),
    ("arith.divf", "div", "a b"),
    ("math.fma", "fma", "a b c"),
    ("math.sqrt", "sqrt", "a"),
    ("arith.negf", "neg", "a"),
    ("math.absf", "abs", "a"),
)
_CONDITIONS = {predicate: condition for condition, predicate in FLOAT_PREDICATES.items()}


def floats() -> Iterator[Rule]:
    """Rules for arithmetic, comparisons, choices and conversions of floats."""
    for key, view, integer, bits in FLOATS:
        yield Rule("arith.constant", key, _constant(view))
        for op, row, pattern in _OPERATIONS:
            yield rule(op, key, f"{row}_{view}", pattern)
        yield Rule("arith.cmpf", key, _compared(view))
        yield rule("arith.select", key, f"selp_{view}", "t a b")
        yield Rule("math.copysign", key, _copysign(view, integer, bits))
        yield rule("arith.bitcast", f"{key}->i{bits}", f"bits_of_{view}", "a")
        yield rule("arith.bitcast", f"i{bits}->{key}", f"of_bits_{view}", "a")
        yield rule("arith.sitofp", f"i64->{key}", f"float_s_{view}", "a")
        yield rule("arith.uitofp", f"i64->{key}", f"float_u_{view}", "a")
    yield rule("arith.extf", "f32->f64", "widen", "a")
    yield rule("arith.truncf", "f64->f32", "narrow", "a")
    yield rule("arith.fptosi", "f64->i64", "whole_d", "a")


def _constant(view: str) -> Matching:
    def match(matcher: Matcher, op: Operation) -> Match | None:
        assert isinstance(op, arith.ConstantOp)
        (word,) = words_of_constant(op)
        bits = int.from_bytes(word, "little")

        def emit(builder: Builder) -> None:
            builder.bind(op.result, builder.constant(f"const_{view}", extras=(bits,)))

        return Match([], emit)

    return match


def _compared(view: str) -> Matching:
    def match(matcher: Matcher, op: Operation) -> Match | None:
        assert isinstance(op, CmpfOp)
        predicate = PREDICATES[op.predicate.value.data]
        if predicate in ("true", "false"):
            held = int(predicate == "true")

            def emit(builder: Builder) -> None:
                builder.bind(op.results[0], builder.constant("const_p", extras=(held,)))

            return Match([], emit)
        return one(op, f"setp_{view}", [op.lhs, op.rhs], (_CONDITIONS[predicate],))

    return match


def _copysign(view: str, integer: str, bits: int) -> Matching:
    """All but the sign of the first, the sign of the second; a NaN counts as positive."""

    def match(matcher: Matcher, op: Operation) -> Match | None:
        def emit(builder: Builder) -> None:
            value, sign = (builder.value(operand) for operand in op.operands)
            (magnitude,) = builder.emit(f"abs_{view}", value)
            (magnitude,) = builder.emit(f"bits_of_{view}", magnitude)
            top = builder.constant(f"const_{integer}", extras=(-1 << bits - 1,))
            (held,) = builder.emit(f"bits_of_{view}", sign)
            (held,) = builder.emit(f"and_{integer}", held, top)
            (unordered,) = builder.emit(f"setp_{view}", sign, sign, extras=("nan",))
            zero = builder.constant(f"const_{integer}", extras=(0,))
            (held,) = builder.emit(f"selp_{integer}", zero, held, unordered)
            (made,) = builder.emit(f"or_{integer}", magnitude, held)
            (made,) = builder.emit(f"of_bits_{view}", made)
            builder.bind(op.results[0], made)

        return Match(list(op.operands), emit)

    return match
