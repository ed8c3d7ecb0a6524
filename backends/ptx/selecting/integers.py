"""Integers and truths: an i1 is a predicate, and comparisons are values like others.

Entry: `integers`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from xdsl.dialects import arith
from xdsl.ir import Operation

from alpha.backends.core.selection.addresses import constant_of
from alpha.backends.core.selection.builder import Builder
from alpha.backends.core.selection.common_rules import same, words_of_constant
from alpha.backends.core.selection.comparing import INTEGER_PREDICATES
from alpha.backends.core.selection.integer_rules import one, shifted_product
from alpha.backends.core.selection.matching import Match, Matcher, Matching, Rule, rule
from alpha.ir.dialects.arith_vectors import CmpiOp

WIDTHS = (("i32", "w"), ("i64", "x"))
_BITS: Mapping[str, int] = MappingProxyType({"w": 32, "x": 64})

_ARITHMETIC = (
    ("arith.addi", "add"),
    ("arith.muli", "mul"),
    ("arith.andi", "and"),
    ("arith.ori", "or"),
    ("arith.xori", "xor"),
    ("arith.minui", "min"),
    ("arith.maxui", "max"),
)
_SHIFTS = (("arith.shli", "shl"), ("arith.shrui", "shr"), ("arith.shrsi", "sar"))
_CONDITIONS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        name: ("u" if name[0] == "u" else "s", name if len(name) == 2 else name[1:])
        for name in INTEGER_PREDICATES
    }
)
"""The sign and the condition of each predicate."""


def integers() -> Iterator[Rule]:
    """Rules for integers of 32 and 64 bits and for truths."""
    for key, view in WIDTHS:
        yield Rule("arith.constant", key, _constant(view))
        yield Rule("arith.muli", key, shifted_product(f"shl_imm_{view}"))
        for op, row in _ARITHMETIC:
            yield rule(op, key, f"{row}_imm_{view}", "a i:imm")
            yield rule(op, key, f"{row}_{view}", "a b")
        yield rule("arith.subi", key, f"sub_imm_{view}", "a i:imm")
        yield rule("arith.subi", key, f"sub_{view}", "a b")
        yield rule("arith.divui", key, f"div_{view}", "a b")
        yield rule("arith.remui", key, f"rem_{view}", "a b")
        for op, row in _SHIFTS:
            yield Rule(op, key, _shift(row, view))
        yield Rule("arith.cmpi", key, _compared(view))
        yield rule("arith.select", key, f"selp_{view}", "t a b")
    for op in ("arith.andi", "arith.ori", "arith.xori"):
        yield rule(op, "i1", f"{op[6:-1]}_p", "a b")
    yield Rule("arith.constant", "i1", _constant("p"))
    yield from _conversions()


def _conversions() -> Iterator[Rule]:
    yield rule("arith.extui", "i32->i64", "extend", "a")
    yield rule("arith.extsi", "i32->i64", "sign_extend", "a")
    yield rule("arith.trunci", "i64->i32", "cut", "a")
    for key, view in WIDTHS:
        yield rule("arith.extui", f"i1->{key}", f"truth_{view}", "t")
    yield rule("arith.index_cast", "i32->i64", "sign_extend", "a")
    yield rule("arith.index_cast", "i64->i32", "cut", "a")
    yield from same("arith.index_cast", "i64->i64")
    yield from same("arith.bitcast", "i64->i64 i32->i32 f64->f64 f32->f32")


def _constant(view: str) -> Matching:
    """A constant with its sign, as the text has it."""

    def match(matcher: Matcher, op: Operation) -> Match | None:
        assert isinstance(op, arith.ConstantOp)
        (word,) = words_of_constant(op)
        value = int.from_bytes(word, "little", signed=view != "p")

        def emit(builder: Builder) -> None:
            held = value & 1 if view == "p" else value
            builder.bind(op.result, builder.constant(f"const_{view}", extras=(held,)))

        return Match([], emit)

    return match


def _shift(row: str, view: str) -> Matching:
    """By a constant below the width, else by the low 32 bits of a register.

    What is shifted by the width or more isn't said by the source, so that the bits above don't
    matter.
    """

    def match(matcher: Matcher, op: Operation) -> Match | None:
        count = constant_of(op.operands[1])
        if count is not None and 0 <= count < _BITS[view]:
            return one(op, f"{row}_imm_{view}", [op.operands[0]], (count,))

        def emit(builder: Builder) -> None:
            value, steps = (builder.value(operand) for operand in op.operands)
            if view == "x":
                (steps,) = builder.emit("cut", steps)
            builder.bind(op.results[0], builder.emit(f"{row}_{view}", value, steps)[0])

        return Match(list(op.operands), emit)

    return match


def _compared(view: str) -> Matching:
    def match(matcher: Matcher, op: Operation) -> Match | None:
        assert isinstance(op, CmpiOp)
        sign, condition = _CONDITIONS[INTEGER_PREDICATES[op.predicate.value.data]]
        number = constant_of(op.rhs)
        row = matcher.target.rows[f"setp_{sign}_imm_{view}"]
        kind = row.slot("i").kind
        if number is not None and not isinstance(kind, str) and kind.holds(number):  # pyright: ignore
            return one(op, row.name, [op.lhs], (number, condition))
        return one(op, f"setp_{sign}_{view}", [op.lhs, op.rhs], (condition,))

    return match
