"""log: the exponent times ln 2, and the mantissa's logarithm by a polynomial in f / (2 + f).

x = 2^k (1 + f) with 1 + f from 2/3 to 4/3. With s = f / (2 + f), z = s^2 and h = f^2 / 2,
log(1 + f) = f - h + s (h + z R(z)), as in fdlibm's e_log.c (Sun Microsystems, 1993), whose form
keeps the large terms exact.
"""

from __future__ import annotations

from alpha.ir.mathematics.coefficients import LOG_2_HIGH, LOG_2_LOW, LOGARITHM
from alpha.ir.mathematics.pairs import pair, rounded_to_odd
from alpha.ir.mathematics.polynomials import polynomial
from alpha.ir.mathematics.writing import (
    Word,
    bits_of,
    extended,
    fma,
    select,
    truncated,
    word_of,
)

_SMALLEST_NORMAL = 2.0**-1022
_RAISED_BITS = 54  # a subnormal word times 2^54 is normal

_MANTISSA_BITS = 52
_MANTISSA_MASK = (1 << _MANTISSA_BITS) - 1
_ONE_BITS = 0x3FF << _MANTISSA_BITS
_TWO_THIRDS_BITS = 0x3FE5555555555555
_WHOLE_BITS = 0x433 << _MANTISSA_BITS  # of 2^52, in whose last place a whole number is written
_WHOLE_ZERO = 2.0**52 + 1023.0  # where the exponent is 0

_INFINITY = float("inf")


def _parts(x: Word, zero: Word | float) -> tuple[Word, Word]:
    """k and f of a positive normal word; `zero` is what an exponent of 0 is written as."""
    shifted = bits_of(x) + (_ONE_BITS - _TWO_THIRDS_BITS)
    k = word_of((shifted >> _MANTISSA_BITS) | _WHOLE_BITS) - zero
    return k, word_of((shifted & _MANTISSA_MASK) + _TWO_THIRDS_BITS) - 1.0


def _where_defined(x: Word, result: Word) -> Word:
    """The result; at infinity that, at zero minus infinity, below zero and at a NaN a NaN."""
    infinity = x.like(_INFINITY)
    outside = select(x.equals(0.0), x.like(-_INFINITY), infinity - infinity)
    return select(x > 0.0, select(x < infinity, result, x), outside)


def log_f64(x: Word) -> Word:
    """log of an f64 word, within 0.91 units in the last place."""
    tiny = x < _SMALLEST_NORMAL
    raised = select(tiny, x * 2.0**_RAISED_BITS, x)
    zero = select(tiny, x.like(_WHOLE_ZERO + _RAISED_BITS), _WHOLE_ZERO)
    k, f = _parts(raised, zero)
    s = f / (f + 2.0)
    z = s * s
    half_square = f * 0.5 * f
    multiple = k * LOG_2_HIGH
    total, lost = pair(multiple, f)
    curved = fma(z, polynomial(z, z * z, LOGARITHM), half_square)
    rest = fma(s, curved, fma(k, LOG_2_LOW, lost)) - half_square
    return _where_defined(x, total + rest)


def log_f32(x: Word) -> Word:
    """log of an f32 word, correctly rounded."""
    wide = extended(x)
    k, f = _parts(wide, _WHOLE_ZERO)
    s = f / (f + 2.0)
    z = s * s
    half_square = f * 0.5 * f
    curved = fma(z, polynomial(z, z * z, LOGARITHM), half_square)
    multiple = k * LOG_2_HIGH
    total, lost = pair(multiple, f)
    rest = fma(s, curved, fma(k, LOG_2_LOW, lost)) - half_square
    return truncated(_where_defined(wide, rounded_to_odd(total, rest)))
