"""The rules by which terms are rewritten: each is exact in IEEE 754 arithmetic for every input.

Invariant: both sides of a rule are the same word for all words put for its variables, where all
    NaNs are one word; round to nearest even. A test tries every rule over all special values, and
    tries near misses of each rule, which it must find wrong.
Why: a rule that isn't exact would make `alpha verify` prove what is false. Hence no x + 0.0 = x
    (wrong for -0.0), no x - x = 0.0 (infinities), no x * 0.0 = 0.0, and no reassociation.
Entry: `RULES`.

A pattern is a variable (its name), a constant (a float, in the element type of the term), or an
operation on patterns. A rule whose right side is its left side with two operands
exchanged says that the operation commutes; it is used to bring the operands into one order.
Operations on constants alone are evaluated by the words carrier; that isn't a row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Application:
    """An operation on patterns."""

    operation: str
    operands: tuple[Pattern, ...]


Pattern: TypeAlias = "str | float | Application"


@dataclass(frozen=True)
class Rule:
    """`left` may be replaced by `right`; every variable of `right` occurs in `left`."""

    name: str
    left: Application
    right: Pattern


def _op(operation: str, *operands: Pattern) -> Application:
    return Application(operation, operands)


RULES: tuple[Rule, ...] = (
    Rule("x + y = y + x", _op("arith.addf", "x", "y"), _op("arith.addf", "y", "x")),
    Rule("x * y = y * x", _op("arith.mulf", "x", "y"), _op("arith.mulf", "y", "x")),
    Rule("fma(x,y,z) = fma(y,x,z)", _op("math.fma", "x", "y", "z"), _op("math.fma", "y", "x", "z")),
    Rule("x + (-0.0) = x", _op("arith.addf", "x", -0.0), "x"),
    Rule("(-0.0) + x = x", _op("arith.addf", -0.0, "x"), "x"),
    Rule("x - (+0.0) = x", _op("arith.subf", "x", 0.0), "x"),
    Rule("x * 1.0 = x", _op("arith.mulf", "x", 1.0), "x"),
    Rule("1.0 * x = x", _op("arith.mulf", 1.0, "x"), "x"),
    Rule("x / 1.0 = x", _op("arith.divf", "x", 1.0), "x"),
    Rule("-(-x) = x", _op("arith.negf", _op("arith.negf", "x")), "x"),
    Rule("min(x,x) = x", _op("pointwise.min", "x", "x"), "x"),
    Rule("max(x,x) = x", _op("pointwise.max", "x", "x"), "x"),
    Rule("select(c,x,x) = x", _op("arith.select", "c", "x", "x"), "x"),
    Rule(
        "select(x<y,x,y) = min(x,y)",
        _op("arith.select", _op("arith.cmpf.olt", "x", "y"), "x", "y"),
        _op("pointwise.min", "x", "y"),
    ),
    Rule(
        "select(x>y,x,y) = max(x,y)",
        _op("arith.select", _op("arith.cmpf.ogt", "x", "y"), "x", "y"),
        _op("pointwise.max", "x", "y"),
    ),
)
