"""The inequalities of docs/exact.md, by exact arithmetic on the steps as they are written there."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import numpy as np
from exact.points import HIGH, LOW, near_midpoints

U = Fraction(1, 1 << 53)


def nearest(value: Fraction) -> Fraction:
    """RN: Python's division of integers is correctly rounded."""
    return Fraction(value.numerator / value.denominator)


def floor(value: Fraction) -> Fraction:
    """RD of a positive number."""
    rounded = nearest(value)
    return rounded if rounded <= value else Fraction(math.nextafter(float(rounded), 0.0))


def root_of(x: Fraction, y: Fraction) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """Steps 3 to 13 for an estimate: r, g1 + e h1, S, and the result."""
    h, g = y / 2, nearest(x * y)
    r = nearest(Fraction(1, 2) - g * h)
    g1, h1 = nearest(g + g * r), nearest(h + h * r)
    e = nearest(x - g1 * g1)
    t = g1 + e * h1
    low = floor(t)
    high = Fraction(math.nextafter(float(low), math.inf))
    return r, t, low, high if nearest(low * high - x) < 0 else low


def estimates(x: Fraction, rng: random.Random) -> list[Fraction]:
    """What is about 2^-14 beside the reciprocal of the root, closer to it, and the closest."""
    exact = 1 / math.sqrt(x)
    beside = [sign * 2.0**-14 * (1 - 2.0**-step) for sign in (1, -1) for step in (3, 14, 15, 20)]
    beside += [0.0, 2.0**-40, -(2.0**-30), rng.uniform(-1, 1) * 2.0**-14]
    return [Fraction(exact * (1 + each)) for each in beside]


def test_the_sum_is_within_its_bounds_and_the_result_is_the_root():
    rng = random.Random(1)
    hard, rounded = near_midpoints(range(-60, 62, 2))
    pairs = zip(hard.tolist(), rounded.tolist(), strict=True)
    words = [(Fraction(x), Fraction(root)) for x, root in pairs]
    for x in (rng.uniform(1, 4) for _ in range(300)):
        words.append((Fraction(x), Fraction(math.sqrt(x))))
    for x in (1.0, math.nextafter(1, 2), math.nextafter(2, 1), math.nextafter(4, 1)):
        words.append((Fraction(x), Fraction(math.sqrt(x))))
    passed = 0
    for x, wanted in words:
        for y in estimates(x, rng):
            r, t, low, result = root_of(x, y)
            if abs(r) > Fraction(1, 1 << 14):
                continue
            passed += 1
            assert low <= t and result == wanted
            # 1 - t / s lies between the bounds of (1), or its square with x does.
            least, most = 1 - Fraction(845, 1000) / (1 << 54), 1 + Fraction(1, 1 << 78)
            assert least * least * x < t * t < most * most * x
    assert passed > 4000


def test_the_remainder_of_a_quotient_is_a_double_and_the_quotient_right():
    rng = random.Random(2)
    for _ in range(3000):
        c, x = (Fraction(rng.choice((rng.randrange(LOW, HIGH), HIGH - 1, LOW + 1))) for _ in "cx")
        h = nearest(1 / c)
        low = nearest(nearest(1 - h * c) * h)
        first = nearest(x * h + nearest(x * low))
        quotient, unit = x / c, Fraction(math.ulp(x / c))
        assert abs(first - quotient) <= (Fraction(1, 2) + Fraction(1, 1 << 49)) * unit
        rest = x - first * c
        assert nearest(rest) == rest
        assert nearest(first + rest * h) == nearest(quotient)


def test_the_last_inequality_holds_at_the_largest_divisors():
    for j in [*range(1, 1000), 1 << 40, (1 << 52) - 1, 1 << 52]:
        c = 2 - Fraction(j, 1 << 52)
        assert c * c < 4 - c / (1 << 52)


def test_the_products_of_root_bounds_are_as_they_are_said_to_be():
    most = 2.0**-14 * (1 + 2.0**-50)
    with np.errstate(all="raise"):
        for r in np.linspace(-most, most, 2001).tolist():
            exact = Fraction(r)
            square = (1 - 2 * exact) * (1 + exact) ** 2
            bound = 1 - Fraction(15001, 10000) / (1 << 28)
            assert bound * bound <= square <= 1
    d = Fraction(15001, 10000) / (1 << 28) + 2 * U
    assert Fraction(3, 2) * d * d < Fraction(33756, 10000) / (1 << 56)
    assert Fraction(33756, 10000) / 4 + Fraction(1, 1 << 26) < Fraction(845, 1000)
    assert 3 * d * U + Fraction(1, 1 << 83) + Fraction(1, 1 << 80) < Fraction(1, 1 << 78)
