"""Integers of 64 and 32 bits, and narrower ones, which are computed in 32 bits and cut.

A shift by a constant is done with what uses it, where an instruction shifts its second operand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from xdsl.dialects import arith
from xdsl.ir import Operation, SSAValue

from alpha.backends.core.program import Value
from alpha.backends.core.selection.addresses import constant_of, defining
from alpha.backends.core.selection.bit_patterns import moved_bits, rotation_right
from alpha.backends.core.selection.builder import Builder
from alpha.backends.core.selection.integer_rules import (
    WIDTHS,
    BitRows,
    Compute,
    WidthRows,
    bits,
    complemented,
    conversions,
    divisions,
    narrow,
    narrow_signed_shift,
    one,
    shifted_product,
)
from alpha.backends.core.selection.matching import Match, Matcher, Matching, Rule, rule

ROWS_OF_WIDTHS = WidthRows(
    cut={"i8": "uxtb", "i16": "uxth", "i32": "uxtw"},
    signs={
        "i1->i32": "neg_32",
        "i1->i64": "neg",
        "i8->i32": "sxtb_32",
        "i16->i32": "sxth_32",
        "i8->i64": "sxtb",
        "i16->i64": "sxth",
        "i32->i64": "sxtw",
    },
    lowest="and_imm_32",
)

ARITHMETIC = (("arith.addi", "add", True), ("arith.subi", "sub", False))
LOGIC = (("arith.andi", "and", "bic"), ("arith.ori", "orr", "orn"), ("arith.xori", "eor", "eon"))
"""Operations with their rows; those of logic with the row that turns its second operand's bits."""

SHIFTS = (("arith.shli", "lsl"), ("arith.shrui", "lsr"), ("arith.shrsi", "asr"))
HOW = dict(SHIFTS)

OF_TRUTHS = {
    "arith.addi": "eor_32",
    "arith.subi": "eor_32",
    "arith.muli": "and_32",
    "arith.andi": "and_32",
    "arith.ori": "orr_32",
    "arith.xori": "eor_32",
}
"""Operations on truths, in one bit."""


def integers() -> Iterator[Rule]:
    """Rules for integer arithmetic and conversions."""
    for key, suffix in WIDTHS:
        yield from _arithmetic(key, suffix)
        yield from _logic(key, suffix)
        yield Rule("arith.muli", key, shifted_product(f"lsl_imm{suffix}"))
        yield rule("arith.muli", key, f"mul{suffix}", "a b")
        for op, row in SHIFTS:
            yield rule(op, key, f"{row}_imm{suffix}", "a i:imm")
            yield rule(op, key, f"{row}{suffix}", "a b")
    yield from _narrow()
    yield from divisions(
        {
            "arith.divui": _quotient("udiv"),
            "arith.divsi": _quotient("sdiv"),
            "arith.remui": _remainder("udiv"),
            "arith.remsi": _remainder("sdiv"),
        },
        ROWS_OF_WIDTHS,
    )
    for bits_of, key in ((8, "i8"), (16, "i16"), (32, "i32")):
        yield rule("arith.extsi", f"{key}->i64", f"load_s{bits_of}", "m:load")
    yield from conversions(ROWS_OF_WIDTHS)


def _arithmetic(key: str, suffix: str) -> Iterator[Rule]:
    yield Rule("arith.addi", key, _with_product(f"madd{suffix}"))
    yield Rule("arith.subi", key, _with_product(f"msub{suffix}"))
    yield Rule("arith.subi", key, _negative(f"neg{suffix}"))
    for op, row, commutes in ARITHMETIC:
        for form in (f"{row}_imm{suffix}", f"{row}_imm_high{suffix}"):
            yield rule(op, key, form, "a i:imm")
            if commutes:
                yield rule(op, key, form, "i:imm a")
        yield Rule(op, key, _with_shift(row, suffix, commutes))
        yield rule(op, key, row + suffix, "a b")


def _logic(key: str, suffix: str) -> Iterator[Rule]:
    rows = BitRows(f"ror_imm{suffix}", f"rev{suffix}", f"mvn{suffix}", f"bic{suffix}", False)
    for op, row, turned in LOGIC:
        yield Rule(op, key, bits(rows))
        yield Rule(op, key, _with_complement(turned + suffix))
        yield rule(op, key, f"{row}_imm{suffix}", "a i:imm")
        yield rule(op, key, f"{row}_imm{suffix}", "i:imm a")
        yield Rule(op, key, _with_shift(row, suffix, True))
        yield rule(op, key, row + suffix, "a b")


def _only_use(value: SSAValue) -> Operation | None:
    """The operation that makes a value that is used once."""
    return defining(value) if len(list(value.uses)) == 1 else None


def _with_product(row: str) -> Matching:
    """A product that is added to something, or taken from it, and not used otherwise."""

    def match(matcher: Matcher, op: Operation) -> Match | None:
        left, right = op.operands
        orders = [(right, left)] if isinstance(op, arith.SubiOp) else [(right, left), (left, right)]
        for product, rest in orders:
            inner = _only_use(product)
            if isinstance(inner, arith.MuliOp) and not _is_shift(inner):
                return one(op, row, [inner.lhs, inner.rhs, rest])
        return None

    return match


def _is_shift(op: arith.MuliOp) -> bool:
    """Whether a product is one by a power of two."""
    factors = [constant_of(value) for value in op.operands]
    return any(factor and factor > 0 and factor & (factor - 1) == 0 for factor in factors)


def _negative(row: str) -> Matching:
    def match(matcher: Matcher, op: Operation) -> Match | None:
        return one(op, row, [op.operands[1]]) if constant_of(op.operands[0]) == 0 else None

    return match


def _with_complement(row: str) -> Matching:
    """An operation with the complement of a value."""

    def match(matcher: Matcher, op: Operation) -> Match | None:
        for left, right in (op.operands, op.operands[::-1]):
            value = complemented(defining(right))
            if value is not None:
                return one(op, row, [left, value])
        return None

    return match


def _with_shift(row: str, suffix: str, commutes: bool) -> Matching:
    """An operation whose second operand is shifted by a constant there, and used nowhere else."""
    width = 32 if suffix else 64

    def match(matcher: Matcher, op: Operation) -> Match | None:
        left, right = op.operands
        for first, second in ((left, right), (right, left)) if commutes else ((left, right),):
            inner = _only_use(second)
            if inner is None:
                continue
            found = _shift_of(inner, width, rotates=row not in ("add", "sub"))
            if found is not None:
                how, value, count = found
                return one(op, f"{row}_{how}{suffix}", [first, value], (count,))
        return None

    return match


def _shift_of(op: Operation, width: int, rotates: bool) -> tuple[str, SSAValue, int] | None:
    """How an operation shifts what by how much, if it does that by a constant."""
    if op.name in HOW:
        count = constant_of(op.operands[1])
        if count is not None and 0 < count < width:
            return HOW[op.name], op.operands[0], count
    if isinstance(op, arith.MuliOp):
        for value, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
            factor = constant_of(other)
            if factor is not None and factor > 1 and factor & (factor - 1) == 0:
                return "lsl", value, factor.bit_length() - 1
    if rotates and isinstance(op, arith.OrIOp) and (moved := moved_bits(op.result)) is not None:
        count = rotation_right(moved[1])
        if count is not None:
            return "ror", moved[0], count
    return None


def _narrow() -> Iterator[Rule]:
    for key in ("i8", "i16"):
        for op, row, *_ in (*ARITHMETIC, *LOGIC):
            patterns = {f"{row}_imm_32": "a i:imm", f"{row}_32": "a b"}
            yield from narrow(op, key, patterns, ROWS_OF_WIDTHS)
        yield from narrow("arith.muli", key, {"mul_32": "a b"}, ROWS_OF_WIDTHS)
        for op, row in SHIFTS[:2]:
            patterns = {f"{row}_imm_32": "a i:imm", f"{row}_32": "a b"}
            yield from narrow(op, key, patterns, ROWS_OF_WIDTHS)
    yield from narrow_signed_shift("asr_32", "asr_imm_32", ROWS_OF_WIDTHS)
    for op, row in OF_TRUTHS.items():
        yield rule(op, "i1", row, "a b")


def _quotient(row: str) -> Callable[[str], Compute]:
    def of_width(suffix: str) -> Compute:
        return lambda builder, a, b: builder.emit(row + suffix, a, b)[0]

    return of_width


def _remainder(row: str) -> Callable[[str], Compute]:
    """What is left once the quotient times the divisor is taken away."""

    def of_width(suffix: str) -> Compute:
        def compute(builder: Builder, a: Value, b: Value) -> Value:
            (quotient,) = builder.emit(row + suffix, a, b)
            return builder.emit(f"msub{suffix}", quotient, b, a)[0]

        return compute

    return of_width
