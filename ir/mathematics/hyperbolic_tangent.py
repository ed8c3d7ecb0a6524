"""tanh: -m / (2 + m) with m = exp(-2 |x|) - 1, and the sign of x.

m = (2^k - 1) + 2^k (r + tail) is a sum whose parts don't cancel, so that it is right relative to
itself near zero too. In f64 numerator and denominator have two words each.
"""

from __future__ import annotations

from alpha.ir.mathematics.exponential import power_of_two, reduced, reduced_short, tail
from alpha.ir.mathematics.pairs import pair, quotient
from alpha.ir.mathematics.writing import (
    Word,
    absolute,
    copysign,
    extended,
    fma,
    smaller,
    truncated,
)

_F64_ONE = 20.0  # tanh of it rounds to 1
_F32_ONE = 10.0


def tanh_f64(x: Word) -> Word:
    """tanh of an f64 word, within 0.83 units in the last place."""
    bits, high, low = reduced(smaller(_F64_ONE, absolute(x)) * -2.0)
    scale = power_of_two(bits)
    growth = pair(high, tail(high, low))
    part = growth[0] * scale, growth[1] * scale
    whole, lost = pair(scale.like(-1.0), scale)
    less_one = pair(whole, (part[0], part[1] + lost))
    size = quotient(less_one, pair(scale.like(2.0), less_one))
    return copysign(size, x)


def tanh_f32(x: Word) -> Word:
    """tanh of an f32 word, correctly rounded."""
    wide = extended(x)
    scale, less_one = reduced_short(smaller(_F32_ONE, absolute(wide)) * -2.0)
    m = fma(scale, less_one, scale - 1.0)
    return truncated(copysign(m / (m + 2.0), wide))
