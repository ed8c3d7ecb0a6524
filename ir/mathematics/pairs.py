"""Numbers of two words, high + low where high is the sum rounded; their quotient, and one word."""

from __future__ import annotations

from alpha.ir.mathematics.writing import Word, bits_of, fma, word_of

Pair = tuple[Word, Word]

_SIGN_SHIFT = 63


def pair(large: Word, small: Word | Pair) -> Pair:
    """large + small as a pair, exact if small is one word no larger than large, or large is 0.

    T. J. Dekker, "A floating-point technique for extending the available precision", Numerische
    Mathematik 18, 1971. The low word of a pair adds to what is lost, rounded.
    """
    high, low = small if isinstance(small, tuple) else (small, None)
    total = large + high
    lost = (large - total) + high
    return total, lost if low is None else lost + low


def rounded_to_odd(large: Word, small: Word) -> Word:
    """large + small, no larger than large, as a word whose last bit is 1: that more may follow.

    Rounded again, to fewer bits, it gives what the exact sum does, since it is never halfway
    between two such words and lies on the same side as the sum; only a sum that is halfway itself
    is taken away from zero.
    S. Boldo and G. Melquiond, "Emulation of a FMA and correctly rounded sums: proved algorithms
    using rounding to odd", IEEE Transactions on Computers 57, 2008.
    """
    total, lost = pair(large, small)
    too_large = bits_of(total * lost) >> _SIGN_SHIFT  # in magnitude: 1 or 0
    return word_of((bits_of(total) - too_large) | 1)


def quotient(numerator: Pair, denominator: Pair) -> Word:
    """The quotient of pairs, rounded once but for 2^-100 of it.

    The reciprocal gives a first quotient; its remainder, exact but for low words, corrects it.
    """
    reciprocal = 1.0 / denominator[0]
    minus = -(numerator[0] * reciprocal)
    remainder = fma(minus, denominator[0], numerator[0])
    remainder = fma(minus, denominator[1], remainder + numerator[1])
    return fma(remainder, reciprocal, -minus)
