"""IEEE 754 arithmetic by exact fractions: what a float instruction has to give.

Entry: `Format`, `SINGLE`, `DOUBLE`, `rounded`, `added`, `multiplied`, `divided`, `fused`, `rooted`,
    `narrowed`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Format:
    """`digits` bits of precision; `lowest` is the exponent of the smallest subnormal."""

    digits: int
    lowest: int
    highest: int


SINGLE = Format(24, -149, 128)
DOUBLE = Format(53, -1074, 1024)


def rounded(value: Fraction, form: Format) -> float:
    """To nearest, ties to even; the sign of a zero is that of the value, which isn't zero."""
    sign = -1.0 if value < 0 else 1.0
    value = abs(value)
    exponent = value.numerator.bit_length() - value.denominator.bit_length()
    while value >= Fraction(2) ** (exponent + 1):
        exponent += 1
    while value < Fraction(2) ** exponent:
        exponent -= 1
    quantum = Fraction(2) ** max(exponent - form.digits + 1, form.lowest)
    whole = round(value / quantum)  # Python rounds a fraction's ties to even
    made = whole * quantum
    if made >= Fraction(2) ** form.highest:
        return sign * math.inf
    return sign * (made.numerator / made.denominator)


def added(a: float, b: float, form: Format) -> float:
    return fused(a, 1.0, b, form)


def multiplied(a: float, b: float, form: Format) -> float:
    if not (math.isfinite(a) and math.isfinite(b)) or a == 0 or b == 0:
        return a * b
    return rounded(Fraction(a) * Fraction(b), form)


def divided(a: float, b: float, form: Format) -> float:
    if math.isnan(a) or math.isnan(b) or (a == 0 and b == 0):
        return math.nan
    if math.isinf(a) and math.isinf(b):
        return math.nan
    sign = math.copysign(1.0, a) * math.copysign(1.0, b)
    if math.isinf(a) or b == 0:
        return sign * math.inf
    if math.isinf(b) or a == 0:
        return sign * 0.0
    return rounded(Fraction(a) / Fraction(b), form)


def fused(a: float, b: float, c: float, form: Format) -> float:
    if not (math.isfinite(a) and math.isfinite(b)):
        return a * b + c
    if not math.isfinite(c):
        return c
    if a == 0 or b == 0:
        return a * b + c
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    return rounded(exact, form) if exact else 0.0


def rooted(a: float, form: Format) -> float:
    if math.isnan(a) or a < 0:
        return math.nan
    if a == 0 or math.isinf(a):
        return a
    exact = Fraction(a)
    # So many digits that what is left behind them only says that there is more.
    shift = 2 * (2 * form.digits + 600)
    scaled = exact * Fraction(4) ** shift
    floor = math.isqrt(scaled.numerator // scaled.denominator)
    more = Fraction(floor) ** 2 != scaled
    return rounded(Fraction(2 * floor + more, 2) / Fraction(2) ** shift, form)


def narrowed(a: float) -> float:
    if not math.isfinite(a) or a == 0:
        return a
    return rounded(Fraction(a), SINGLE)
