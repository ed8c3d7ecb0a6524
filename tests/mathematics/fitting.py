"""The coefficients of `alpha.ir.mathematics.coefficients`, computed: where they come from.

Invariant: everything here is arithmetic of mpmath with many more digits than the results have, so
    that every run gives the same words.
Entry: `python -m mathematics.fitting` with tests/ on the path prints what the module contains;
    `exponential_tail`, `logarithm_tail` and `parts_of_log_2` are what a test compares it with.

A polynomial interpolates its function at the Chebyshev nodes of the interval, which comes within a
small factor of the least error that a polynomial of the degree can have. Then its coefficients are
rounded to binary64.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath

mp: Any = mpmath.mp
mpf = mp.mpf
Number = Any  # of mpmath, which has no types

DIGITS = 60
TAYLOR_TERMS = 40

EXPONENTIAL_COEFFICIENTS = 10
LOGARITHM_COEFFICIENTS = 8
HIGH_BITS = 42  # of ln 2: times a whole number below 2^11 it has at most 53


def _power_series(first: Callable[[int], Number], variable: Number) -> Number:
    return sum((first(n) * variable**n for n in range(TAYLOR_TERMS)), mpf(0))


def _interpolated(
    function: Callable[[Number], Number], low: Number, high: Number, count: int
) -> list[float]:
    """The coefficients, from the constant one on, of the interpolation at `count` nodes."""
    middle, half = (low + high) / 2, (high - low) / 2
    nodes = [middle + half * mp.cos(mp.pi * (2 * n + 1) / (2 * count)) for n in range(count)]
    rows = mp.matrix([[node**power for power in range(count)] for node in nodes])
    values = mp.matrix([function(node) for node in nodes])
    return [float(coefficient) for coefficient in mp.lu_solve(rows, values)]


def exponential_tail() -> list[float]:
    """Q with exp(r) = 1 + r + r^2/2 + r^3 Q(r) for |r| up to half of ln 2."""
    with mp.workdps(DIGITS):
        bound = mp.log(2) / 2 * (1 + mpf(2) ** -20)
        return _interpolated(
            lambda r: _power_series(lambda n: 1 / mp.factorial(n + 3), r),
            -bound,
            bound,
            EXPONENTIAL_COEFFICIENTS,
        )


def logarithm_tail() -> list[float]:
    """R with log((1 + s) / (1 - s)) = 2 s + s z R(z), z = s^2, for 1 + f from 2/3 to 4/3.

    s = f / (2 + f) is from -1/5 to 1/7.
    """
    with mp.workdps(DIGITS):
        bound = mpf(1) / 25 * (1 + mpf(2) ** -20)
        return _interpolated(
            lambda z: _power_series(lambda n: mpf(2) / (2 * n + 3), z),
            mpf(0),
            bound,
            LOGARITHM_COEFFICIENTS,
        )


def parts_of_log_2() -> tuple[float, float]:
    """ln 2 as a word of few bits, and the word nearest to the rest."""
    with mp.workdps(DIGITS):
        scale = mpf(2) ** HIGH_BITS
        high = mp.floor(mp.log(2) * scale) / scale
        return float(high), float(mp.log(2) - high)


def main() -> None:
    """Print the words in hexadecimal."""
    for name, words in (
        ("exponential", exponential_tail()),
        ("logarithm", logarithm_tail()),
        ("log 2", parts_of_log_2()),
        ("1 / log 2", [float(1 / mp.log(2))]),
    ):
        print(name, *(f"    {word.hex()}," for word in words), sep="\n")


if __name__ == "__main__":
    main()
