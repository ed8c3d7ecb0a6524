"""Floats: scalars, vectors of 2 and 4 lanes, and what converts them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from xdsl.dialects import arith, vector
from xdsl.ir import Operation, SSAValue

from alpha.backends.core.selection.addresses import defining
from alpha.backends.core.selection.builder import Builder
from alpha.backends.core.selection.integer_rules import one
from alpha.backends.core.selection.lanes import lane_at
from alpha.backends.core.selection.matching import Match, Matcher, Matching, Rule, rule


class Form(NamedTuple):
    """A type of the code level and how its rows are named: `fadd_d`, `fadd_2d`."""

    key: str
    element: str
    view: str
    suffix: str
    lanes: int

    @property
    def lane_bytes(self) -> int:
        """The bytes of a lane."""
        return 8 if self.suffix[-1] == "d" else 4

    @property
    def letter(self) -> str:
        """How a lane is called: that of its scalar's view, too."""
        return self.suffix[-1]

    @property
    def of_integers(self) -> bool:
        """Whether its lanes are integers."""
        return self.element[0] == "i"


SCALARS = (Form("f64", "f64", "d", "d", 1), Form("f32", "f32", "s", "s", 1))
VECTORS = (Form("2xf64", "f64", "q", "2d", 2), Form("4xf32", "f32", "q", "4s", 4))
INTEGER_VECTORS = (Form("2xi64", "i64", "q", "2d", 2), Form("4xi32", "i32", "q", "4s", 4))

FLOATS = SCALARS + VECTORS
FORMS = FLOATS + INTEGER_VECTORS

OPERATIONS = (
    ("arith.addf", "fadd", "a b"),
    ("arith.subf", "fsub", "a b"),
    ("arith.mulf", "fmul", "a b"),
    ("arith.divf", "fdiv", "a b"),
    ("math.sqrt", "fsqrt", "a"),
    ("arith.negf", "fneg", "a"),
    ("math.absf", "fabs", "a"),
)
"""Operations, mnemonics, and the slots of the rows."""


def floats() -> Iterator[Rule]:
    """Rules for arithmetic on floats."""
    for form in SCALARS:
        yield Rule("arith.addf", form.key, _neighbours(form))
    for form in FLOATS:
        for op, mnemonic, pattern in OPERATIONS:
            yield rule(op, form.key, f"{mnemonic}_{form.suffix}", pattern)
        for op in ("math.fma", "vector.fma"):
            yield Rule(op, form.key, _fused_negative(form))
            yield rule(
                op, form.key, f"{'fmadd' if form.lanes == 1 else 'fmla'}_{form.suffix}", "a b c"
            )
        yield Rule("math.copysign", form.key, _copysign(form))


def _neighbours(form: Form) -> Matching:
    """The sum of the two lowest lanes of a vector."""

    def match(matcher: Matcher, op: Operation) -> Match | None:
        left, right = (defining(value) for value in op.operands)
        if not isinstance(left, vector.ExtractOp) or not isinstance(right, vector.ExtractOp):
            return None
        if left.vector is not right.vector or {lane_at(left), lane_at(right)} != {0, 1}:
            return None
        return one(op, f"faddp_scalar_{form.view}", [left.vector])

    return match


def _fused_negative(form: Form) -> Matching:
    """A fused operation whose product is negative: its sign is exact."""
    row = f"{'fmsub' if form.lanes == 1 else 'fmls'}_{form.suffix}"

    def match(matcher: Matcher, op: Operation) -> Match | None:
        a, b, c = op.operands
        for left, right in ((a, b), (b, a)):
            inner = _negated(left)
            if inner is not None:
                return _ordered(op, row, [inner, right, c])
        return None

    return match


def _negated(value: SSAValue) -> SSAValue | None:
    op = defining(value)
    return op.operand if isinstance(op, arith.NegfOp) else None


def _ordered(op: Operation, row: str, needs: list[SSAValue]) -> Match:
    """A match of a fused row: what is added stands first where its register is overwritten."""
    return one(op, row, needs if not row.startswith("fml") else [needs[2], needs[0], needs[1]])


def _copysign(form: Form) -> Matching:
    """All but the sign of the first, the sign of the second; a NaN counts as positive."""

    def match(matcher: Matcher, op: Operation) -> Match | None:
        def emit(builder: Builder) -> None:
            mask = builder.constant(f"negative_zero_{form.suffix}")
            operands = [builder.value(value) for value in op.operands]
            (made,) = builder.emit(f"copysign_{form.suffix}", *operands, mask)
            builder.bind(op.results[0], made)

        return Match(list(op.operands), emit)

    return match
