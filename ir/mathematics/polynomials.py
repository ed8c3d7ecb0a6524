"""Polynomials in a list: two chains of fused multiply-adds, of the even and of the odd powers.

Why: each chain is half as long as Horner's, at the price of one operation.
"""

from __future__ import annotations

from collections.abc import Sequence

from alpha.ir.mathematics.writing import Word, fma


def polynomial(x: Word, square: Word, coefficients: Sequence[float]) -> Word:
    """The sum of coefficients[n] * x^n, of at least four; `square` is x^2."""
    return fma(_chain(square, coefficients[1::2]), x, _chain(square, coefficients[0::2]))


def _chain(x: Word, coefficients: Sequence[float]) -> Word:
    *rest, next_to_last, last = coefficients
    total = fma(x, last, next_to_last)
    for coefficient in reversed(rest):
        total = fma(total, x, coefficient)
    return total
