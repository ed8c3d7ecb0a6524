"""Floats of one width as those of another, floats as integers and back, and their bits."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from xdsl.ir import Operation

from alpha.backends.core.selection.builder import Builder
from alpha.backends.core.selection.common_rules import literal, through
from alpha.backends.core.selection.extremes import chosen, clamped
from alpha.backends.core.selection.integer_rules import NARROW
from alpha.backends.core.selection.matching import Match, Matcher, Matching, Rule, rule
from alpha.backends.x86.selecting.comparisons import MNEMONICS, TESTS
from alpha.backends.x86.selecting.constants import SCALARS as POOLED
from alpha.backends.x86.selecting.constants import integer
from alpha.backends.x86.selecting.floats import SCALARS, Form
from alpha.backends.x86.selecting.integers import ROWS_OF_WIDTHS

TOP = 1 << 63


def conversions() -> Iterator[Rule]:
    """Rules for conversions of scalars."""
    for form in SCALARS:
        yield from _to_integers(form)
    yield rule("arith.extf", "f32->f64", "vcvtss2sd", "a")
    yield rule("arith.truncf", "f64->f32", "vcvtsd2ss", "a")
    for key, ending in (("f64", "sd"), ("f32", "ss")):
        for width, suffix in (("i64", ""), ("i32", "_32")):
            yield rule("arith.sitofp", f"{width}->{key}", f"vcvtsi2{ending}{suffix}", "a")
            yield rule("arith.fptosi", f"{key}->{width}", f"vcvtt{ending}2si_sat{suffix}", "a")
        # What has zeros above is the same number with a sign.
        yield rule("arith.uitofp", f"i32->{key}", f"vcvtsi2{ending}", "a")
        for narrow in ("i1", *NARROW):
            sign = ROWS_OF_WIDTHS.signs[f"{narrow}->i32"]
            signed = through(sign, f"vcvtsi2{ending}_32")
            yield Rule("arith.sitofp", f"{narrow}->{key}", signed)
            yield rule("arith.uitofp", f"{narrow}->{key}", f"vcvtsi2{ending}_32", "a")
    yield rule("arith.bitcast", "f64->i64", "vmovq_to_r64", "a")
    yield rule("arith.bitcast", "i64->f64", "vmovq_from_r64", "a")
    yield rule("arith.bitcast", "f32->i32", "vmovd_to_r64", "a")
    yield rule("arith.bitcast", "i32->f32", "vmovd_from_r64", "a")


def _to_integers(form: Form) -> Iterator[Rule]:
    """Floats as integers that the processor doesn't convert to."""
    name = f"vcvtt{form.ending}2si_sat"
    for key in NARROW:
        signed = clamped(f"{name}_32", "i32", key, TESTS, integer, True)
        yield Rule("arith.fptosi", f"{form.key}->{key}", signed)
    for key in (*NARROW, "i32"):
        unsigned = clamped(name, "i64", key, TESTS, integer, False)
        yield Rule("arith.fptoui", f"{form.key}->{key}", unsigned)
    yield Rule("arith.fptoui", f"{form.key}->i64", _to_unsigned(form))
    yield Rule("arith.uitofp", f"i64->{form.key}", _from_unsigned(form))


def _to_unsigned(form: Form) -> Matching:
    """From 2 to 63 on, what is above it is converted, and the highest bit set; below 0 gives 0."""
    name = f"vcvtt{form.ending}2si_sat"
    word = struct.pack("<d" if form.element == "f64" else "<f", float(TOP))

    def match(matcher: Matcher, op: Operation) -> Match | None:
        def emit(builder: Builder) -> None:
            value = builder.value(op.operands[0])
            top = builder.constant(POOLED[form.key][0], literal(word))
            (low,) = builder.emit(name, value)
            low = chosen(builder, TESTS, "i64", "sgt", low, integer(builder, 0))
            (above,) = builder.emit(name, builder.emit(form.named("vsub"), value, top)[0])
            (high,) = builder.emit("xor", above, integer(builder, TOP))
            row = f"{MNEMONICS[form.key]}_cmov"
            (made,) = builder.emit(row, value, top, high, low, extras=("ae",))
            builder.bind(op.results[0], made)

        return Match([op.operands[0]], emit)

    return match


def _from_unsigned(form: Form) -> Matching:
    """With the highest bit set, half of it is converted, its lowest bit kept, and doubled.

    So it is rounded once: the bit that is kept says whether anything follows.
    """
    convert = f"vcvtsi2{form.ending}"

    def match(matcher: Matcher, op: Operation) -> Match | None:
        def emit(builder: Builder) -> None:
            value = builder.value(op.operands[0])
            (half,) = builder.emit("shr_imm", value, extras=(1,))
            (lowest,) = builder.emit("and_imm", value, extras=(1,))
            (odd,) = builder.emit("or", half, lowest)
            (plain,) = builder.emit(convert, value)
            (halved,) = builder.emit(convert, odd)
            (doubled,) = builder.emit(form.named("vadd"), halved, halved)
            (top,) = builder.emit("shr_imm", value, extras=(63,))
            (made,) = builder.emit(f"select_{form.ending}", top, doubled, plain)
            builder.bind(op.results[0], made)

        return Match([op.operands[0]], emit)

    return match
