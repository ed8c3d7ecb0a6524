"""The constants of the lists are what they are said to be, and as accurate."""

from __future__ import annotations

import pytest
from mathematics import fitting
from mathematics.fitting import Number, mp, mpf

from alpha.ir.mathematics import coefficients

POINTS = 200


def test_the_words_are_those_that_the_fit_gives() -> None:
    assert list(coefficients.EXPONENTIAL) == fitting.exponential_tail()
    assert list(coefficients.LOGARITHM) == fitting.logarithm_tail()
    assert fitting.parts_of_log_2() == (coefficients.LOG_2_HIGH, coefficients.LOG_2_LOW)
    with mp.workdps(fitting.DIGITS):
        assert float(1 / mp.log(2)) == coefficients.LOG_2_RECIPROCAL


def test_the_parts_of_log_2() -> None:
    high, low = coefficients.LOG_2_HIGH, coefficients.LOG_2_LOW
    scaled = high * 2.0**fitting.HIGH_BITS
    assert scaled == int(scaled)
    assert int(scaled).bit_length() <= 42
    with mp.workdps(fitting.DIGITS):
        assert abs(mpf(high) + mpf(low) - mp.log(2)) < mpf(2) ** -98


def _polynomial(words: tuple[float, ...], x: Number) -> Number:
    return sum((mpf(word) * x**power for power, word in enumerate(words)), mpf(0))


@pytest.mark.parametrize("step", range(-POINTS, POINTS + 1, 10))
def test_the_exponential_is_right_to_2_to_the_minus_59(step: int) -> None:
    with mp.workdps(fitting.DIGITS):
        for part in range(10):
            r = mp.log(2) / 2 * mpf(min(step + part, POINTS)) / POINTS
            found = 1 + r + r**2 / 2 + r**3 * _polynomial(coefficients.EXPONENTIAL, r)
            assert abs(found / mp.exp(r) - 1) < mpf(2) ** -59


@pytest.mark.parametrize("step", range(-POINTS, POINTS + 1, 10))
def test_the_logarithm_is_right_to_2_to_the_minus_60(step: int) -> None:
    with mp.workdps(fitting.DIGITS):
        for part in range(10):
            f = mpf(min(step + part, POINTS)) / POINTS / 3
            s = f / (2 + f)
            found = 2 * s + s**3 * _polynomial(coefficients.LOGARITHM, s**2)
            assert abs(found - mp.log(1 + f)) <= mpf(2) ** -60 * abs(mp.log(1 + f))
