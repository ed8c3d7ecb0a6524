"""Integers of 64 and 32 bits, and narrower ones, which are computed in 32 bits and cut."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from alpha.backends.core.program import Value
from alpha.backends.core.selection.builder import Builder
from alpha.backends.core.selection.integer_rules import (
    WIDTHS,
    BitRows,
    Compute,
    WidthRows,
    bits,
    conversions,
    divisions,
    narrow,
    narrow_signed_shift,
    shifted_product,
)
from alpha.backends.core.selection.matching import Rule, rule

ROWS_OF_WIDTHS = WidthRows(
    cut={"i8": "movzx_8", "i16": "movzx_16", "i32": "movzx_32"},
    signs={
        "i1->i32": "neg_32",
        "i1->i64": "neg",
        "i8->i32": "movsx_8_32",
        "i16->i32": "movsx_16_32",
        "i8->i64": "movsx_8",
        "i16->i64": "movsx_16",
        "i32->i64": "movsx_32",
    },
    lowest="and_32_imm",
)

BINARY = (
    ("arith.addi", "add", True),
    ("arith.subi", "sub", False),
    ("arith.andi", "and", True),
    ("arith.ori", "or", True),
    ("arith.xori", "xor", True),
)
"""Operations with the same three forms of row, and whether their operands may change places."""

SHIFTS = (("arith.shli", "shl"), ("arith.shrui", "shr"), ("arith.shrsi", "sar"))

OF_TRUTHS = {
    "arith.addi": "xor_32",
    "arith.subi": "xor_32",
    "arith.muli": "and_32",
    "arith.andi": "and_32",
    "arith.ori": "or_32",
    "arith.xori": "xor_32",
}
"""Operations on truths, in one bit."""


def integers() -> Iterator[Rule]:
    """Rules for integer arithmetic and conversions."""
    for key, suffix in WIDTHS:
        rows = BitRows(f"rorx{suffix}", f"bswap{suffix}", f"not{suffix}", f"andn{suffix}", True)
        for op in ("arith.ori", "arith.xori", "arith.andi"):
            yield Rule(op, key, bits(rows))
        for op, row, commutes in BINARY:
            yield from _binary(op, key, row + suffix, commutes)
        yield from _products(key, suffix)
        for op, row in SHIFTS:
            yield rule(op, key, f"{row}{suffix}_imm", "a i:imm")
            yield rule(op, key, f"{row}x{suffix}", "a n")
    yield from _narrow()
    yield from divisions(
        {
            "arith.divui": _quotient("div", 0),
            "arith.remui": _quotient("div", 1),
            "arith.divsi": _quotient("idiv", 0),
            "arith.remsi": _quotient("idiv", 1),
        },
        ROWS_OF_WIDTHS,
    )
    for bits_of, key in ((8, "i8"), (16, "i16"), (32, "i32")):
        yield rule("arith.extsi", f"{key}->i64", f"load_s{bits_of}", "m:load")
    yield from conversions(ROWS_OF_WIDTHS)


def _binary(op: str, key: str, row: str, commutes: bool) -> Iterator[Rule]:
    yield rule(op, key, f"{row}_imm", "a i:imm")
    if commutes:
        yield rule(op, key, f"{row}_imm", "i:imm a")
    yield rule(op, key, f"{row}_mem", "a m:load")
    if commutes:
        yield rule(op, key, f"{row}_mem", "m:load a")
    yield rule(op, key, row, "a b")


def _products(key: str, suffix: str) -> Iterator[Rule]:
    yield Rule("arith.muli", key, shifted_product(f"shl{suffix}_imm"))
    yield rule("arith.muli", key, f"imul{suffix}_imm", "a i:imm")
    yield rule("arith.muli", key, f"imul{suffix}_imm", "i:imm a")
    yield rule("arith.muli", key, f"imul{suffix}_mem", "a m:load")
    yield rule("arith.muli", key, f"imul{suffix}_mem", "m:load a")
    yield rule("arith.muli", key, f"imul{suffix}", "a b")


def _narrow() -> Iterator[Rule]:
    for key in ("i8", "i16"):
        for op, row, _ in BINARY:
            patterns = {f"{row}_32_imm": "a i:imm", f"{row}_32": "a b"}
            yield from narrow(op, key, patterns, ROWS_OF_WIDTHS)
        yield from narrow("arith.muli", key, {"imul_32": "a b"}, ROWS_OF_WIDTHS)
        for row, op in (("shl", "arith.shli"), ("shr", "arith.shrui")):
            patterns = {f"{row}_32_imm": "a i:imm", f"{row}x_32": "a n"}
            yield from narrow(op, key, patterns, ROWS_OF_WIDTHS)
    yield from narrow_signed_shift("sarx_32", "sar_32_imm", ROWS_OF_WIDTHS)
    for op, row in OF_TRUTHS.items():
        yield rule(op, "i1", row, "a b")


def _quotient(row: str, result: int) -> Callable[[str], Compute]:
    """A division gives the quotient first, then the remainder."""

    def of_width(suffix: str) -> Compute:
        def compute(builder: Builder, a: Value, b: Value) -> Value:
            return builder.emit(row + suffix, a, b)[result]

        return compute

    return of_width
