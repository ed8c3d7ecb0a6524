"""Floats of one width as those of another, floats as integers and back, and their bits."""

from __future__ import annotations

from collections.abc import Iterator

from alpha.backends.aarch64.selecting.comparisons import TESTS
from alpha.backends.aarch64.selecting.constants import integer
from alpha.backends.aarch64.selecting.floats import SCALARS
from alpha.backends.aarch64.selecting.integers import ROWS_OF_WIDTHS
from alpha.backends.core.selection.common_rules import through
from alpha.backends.core.selection.extremes import clamped
from alpha.backends.core.selection.integer_rules import NARROW, WIDTHS
from alpha.backends.core.selection.matching import Rule, rule


def conversions() -> Iterator[Rule]:
    """Rules for conversions of scalars, and of floats in lanes."""
    yield rule("arith.extf", "f32->f64", "fcvt_d_s", "a")
    yield rule("arith.truncf", "f64->f32", "fcvt_s_d", "a")
    yield rule("arith.extf", "2xf32->2xf64", "fcvtl", "a")
    yield rule("arith.truncf", "2xf64->2xf32", "fcvtn", "a")
    for form in SCALARS:
        for width, suffix in WIDTHS:
            for to, back, name in (("sitofp", "fptosi", "scvtf"), ("uitofp", "fptoui", "ucvtf")):
                row = f"{name}_{form.view}{suffix}"
                yield rule(f"arith.{to}", f"{width}->{form.key}", row, "a")
                row = f"fcvtz{name[0]}_{form.view}{suffix}"
                yield rule(f"arith.{back}", f"{form.key}->{width}", row, "a")
        for narrow in ("i1", *NARROW):
            sign = ROWS_OF_WIDTHS.signs[f"{narrow}->i32"]
            signed = through(sign, f"scvtf_{form.view}_32")
            yield Rule("arith.sitofp", f"{narrow}->{form.key}", signed)
            yield rule("arith.uitofp", f"{narrow}->{form.key}", f"ucvtf_{form.view}_32", "a")
        for narrow in NARROW:
            for op, signs in (("arith.fptosi", True), ("arith.fptoui", False)):
                row = f"fcvtzs_{form.view}_32"
                matching = clamped(row, "i32", narrow, TESTS, integer, signs)
                yield Rule(op, f"{form.key}->{narrow}", matching)
    for key, width, view, general in (("f64", "i64", "d", "x"), ("f32", "i32", "s", "w")):
        yield rule("arith.bitcast", f"{key}->{width}", f"fmov_{general}_{view}", "a")
        yield rule("arith.bitcast", f"{width}->{key}", f"fmov_{view}_{general}", "a")
