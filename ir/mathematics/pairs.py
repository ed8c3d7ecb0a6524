"""Numbers of two words, high + low where high is the sum rounded, and their quotient."""

from __future__ import annotations

from alpha.ir.mathematics.writing import Word, fma

Pair = tuple[Word, Word]


def pair(large: Word, small: Word | Pair) -> Pair:
    """large + small as a pair, exact if small is one word no larger than large, or large is 0.

    T. J. Dekker, "A floating-point technique for extending the available precision", Numerische
    Mathematik 18, 1971. The low word of a pair adds to what is lost, rounded.
    """
    high, low = small if isinstance(small, tuple) else (small, None)
    total = large + high
    lost = (large - total) + high
    return total, lost if low is None else lost + low


def quotient(numerator: Pair, denominator: Pair) -> Word:
    """The quotient of pairs, rounded once but for 2^-100 of it.

    The reciprocal gives a first quotient; its remainder, exact but for low words, corrects it.
    """
    reciprocal = 1.0 / denominator[0]
    minus = -(numerator[0] * reciprocal)
    remainder = fma(minus, denominator[0], numerator[0])
    remainder = fma(minus, denominator[1], remainder + numerator[1])
    return fma(remainder, reciprocal, -minus)
