"""sigmoid: 1 / (1 + e) or e / (1 + e) with e = exp(-|x|), so that no part is lost on either side.

Where x is far below zero the result is as small as e, and is scaled last, as exp is.
"""

from __future__ import annotations

from alpha.ir.mathematics.exponential import halves_of_power, reduced, reduced_short, tail
from alpha.ir.mathematics.pairs import pair, quotient
from alpha.ir.mathematics.writing import (
    Word,
    absolute,
    extended,
    select,
    smaller,
    truncated,
)

_F64_VANISHING = 746.0  # exp of minus it is below half of the smallest f64
_F32_VANISHING = 104.0
_CUBE_VANISHING = 2.0**-14
_LESS = 2.0**-27


def sigmoid_f64(x: Word) -> Word:
    """1 / (1 + exp(-x)) of an f64 word, within 0.81 units in the last place.

    A subnormal result is within 0.86 units.
    """
    bits, high, low = reduced(-smaller(_F64_VANISHING, absolute(x)))
    one = high.like(1.0)
    total, lost = pair(one, high)
    grown = pair(total, lost + tail(high, low))
    first, second = halves_of_power(bits)
    scale = first * second
    # Below 2^-1022 these are rounded or zero, far below what 1 + e can hold.
    denominator = pair(one, (grown[0] * scale, grown[1] * scale))
    negative = x < 0.0
    numerator = select(negative, grown[0], one), select(negative, grown[1], 0.0)
    ratio = quotient(numerator, denominator)
    return ratio * select(negative, first, 1.0) * select(negative, second, 1.0)


def sigmoid_f32(x: Word) -> Word:
    """1 / (1 + exp(-x)) of an f32 word, correctly rounded.

    Close to zero it is 1/2 + x/4 - x^3/48, where 1/2 + x/4 can lie halfway between two words and
    the rest is below the last place of f64. So such an x is made smaller by more than that, and by
    less than what moves any other x across a halfway point.
    """
    wide = extended(x)
    size = absolute(wide)
    inside = select(size < _CUBE_VANISHING, size * (1 - _LESS), smaller(_F32_VANISHING, size))
    scale, less_one = reduced_short(-inside)
    e = (1.0 + less_one) * scale
    return truncated(select(wide < 0.0, e, 1.0) / (1.0 + e))
