"""Exact roots and quotients: on eight f64 with AVX-512 by multiply-adds, else as they are.

Elsewhere no quotient is computed with a reciprocal, so there are no rows for it.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Operation

from alpha.backends.core.exact import (
    DIVISOR_MAX,
    DIVISOR_MIN,
    IN_RANGE,
    ONE,
    RANGE_BASE,
    ROOT_CONSTANTS,
)
from alpha.backends.core.program import Value
from alpha.backends.core.selection.builder import Builder
from alpha.backends.core.selection.common_rules import literal
from alpha.backends.core.selection.exact_rules import nothing_made
from alpha.backends.core.selection.matching import Match, Matcher, Rule, rule
from alpha.backends.x86.selecting.comparisons import IMMEDIATES
from alpha.backends.x86.selecting.floats import FORMS

ROOT, QUOTIENT, KEY = "exact_sqrt_pd_z", "exact_divide_pd_z", "8xf64"


def exact() -> Iterator[Rule]:
    """Rules for the exact operations."""
    yield Rule("exact.sqrt", KEY, _root)
    yield Rule("exact.divide", KEY, _quotient)
    yield Rule("exact.reciprocal", KEY, _reciprocal)
    for form in FORMS:
        yield rule("exact.sqrt", form.key, form.named("vsqrt"), "a")
        yield rule("exact.divide", form.key, form.named("vdiv"), "a b _ _ _")
        yield Rule("exact.reciprocal", form.key, nothing_made)


def _splat(builder: Builder, bits: int) -> Value:
    """A constant in every lane, once in a function."""
    if not bits:
        return builder.constant("vxorps_zero_z")
    if bits == (1 << 64) - 1:
        return builder.constant("vpcmpeqd_ones_z")
    return builder.constant("vbroadcastsd_z_pool", literal(bits.to_bytes(8, "little")))


def _root(matcher: Matcher, op: Operation) -> Match | None:
    if ROOT not in matcher.target.rows:
        return None

    def emit(builder: Builder) -> None:
        constants = [_splat(builder, bits) for bits in ROOT_CONSTANTS]
        (made,) = builder.emit(ROOT, builder.value(op.operands[0]), *constants)
        builder.bind(op.results[0], made)

    return Match([op.operands[0]], emit)


def _quotient(matcher: Matcher, op: Operation) -> Match | None:
    if QUOTIENT not in matcher.target.rows:
        return None

    def emit(builder: Builder) -> None:
        operands = [builder.value(value) for value in op.operands]
        (made,) = builder.emit(QUOTIENT, *operands, _splat(builder, RANGE_BASE))
        builder.bind(op.results[0], made)

    return Match(list(op.operands), emit)


def _reciprocal(matcher: Matcher, op: Operation) -> Match | None:
    if QUOTIENT not in matcher.target.rows:
        return None

    def emit(builder: Builder) -> None:
        divisor = builder.value(op.operands[0])
        one, zero, fits = (_splat(builder, bits) for bits in (ONE, 0, IN_RANGE))
        least, most = _splat(builder, DIVISOR_MIN), _splat(builder, DIVISOR_MAX)
        (high,) = builder.emit("vdivpd_z", one, divisor)
        (error,) = builder.emit("vfnmadd231pd_z", high, divisor, one)
        (low,) = builder.emit("vmulpd_z", error, high)
        less = (IMMEDIATES["ole"],)
        (enough,) = builder.emit("vcmppd_z_select", least, divisor, fits, zero, extras=less)
        (mask,) = builder.emit("vcmppd_z_select", divisor, most, enough, zero, extras=less)
        for result, register in zip(op.results, (high, low, mask), strict=True):
            builder.bind(result, register)

    return Match([op.operands[0]], emit)
