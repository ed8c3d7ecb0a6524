"""exp: the nearest multiple of ln 2 is taken off, a polynomial does the rest, and bits scale it.

x = k ln 2 + r with |r| up to half of ln 2, and exp(x) = 2^k (1 + r + r^2 / 2 + r^3 Q(r)).

Invariant: a NaN comes out as a NaN, whatever bits a target gives it on the way: bits that are read
    from it end in factors of a NaN.
Entry: `exp_f64`, `exp_f32`; `Reduced`, `reduced`, `tail` and `power_of_two` for other functions.
"""

from __future__ import annotations

from typing import NamedTuple

from alpha.ir.mathematics.coefficients import (
    EXPONENTIAL,
    LOG_2_HIGH,
    LOG_2_LOW,
    LOG_2_RECIPROCAL,
)
from alpha.ir.mathematics.pairs import pair
from alpha.ir.mathematics.polynomials import polynomial
from alpha.ir.mathematics.writing import (
    Word,
    bits_of,
    extended,
    fma,
    larger,
    smaller,
    truncated,
    word_of,
)

_ROUNDER = float(3 << 51)
"""Added to a word below 2^51 in magnitude, it leaves the nearest whole number in the low bits."""

_ONE_BITS = 0x3FF << 52
_MANTISSA_BITS = 52

_F64_OVERFLOWING = 710.0  # exp of it is above the largest f64
_F64_VANISHING = -746.0  # exp of it is below half of the smallest f64
_F32_OVERFLOWING = 89.0
_F32_VANISHING = -104.0


class Reduced(NamedTuple):
    """x = k ln 2 + high + low, |low| up to half a unit in the last place of high.

    `bits` is an i64 whose low 12 bits are those of k.
    """

    bits: Word
    high: Word
    low: Word


def reduced(x: Word) -> Reduced:
    """Take the nearest multiple of ln 2 off an f64 word below 2^10 in magnitude."""
    bits, k, near = _nearest_multiple(x)
    high = fma(k, -LOG_2_LOW, near)
    return Reduced(bits, high, fma(k, -LOG_2_LOW, near - high))


def _nearest_multiple(x: Word) -> tuple[Word, Word, Word]:
    """The bits of k and k itself, and x - k * LOG_2_HIGH, which is exact."""
    shifted = fma(x, LOG_2_RECIPROCAL, _ROUNDER)
    k = shifted - _ROUNDER
    return bits_of(shifted), k, fma(k, -LOG_2_HIGH, x)


def tail(high: Word, low: Word) -> Word:
    """exp(high + low) - 1 - high."""
    square = high * high
    cubic = fma(square * high, polynomial(high, square, EXPONENTIAL), low)
    return fma(square, 0.5, cubic)


def power_of_two(bits: Word) -> Word:
    """2^k as f64, for k from -1022 to 1023 in the low 12 bits."""
    return word_of((bits << _MANTISSA_BITS) + _ONE_BITS)


def halves_of_power(bits: Word) -> tuple[Word, Word]:
    """Two words whose product is 2^k, for k from -2044 to 2046 in the low 12 bits."""
    half = bits >> 1
    return power_of_two(half), power_of_two(bits - half)


def exp_f64(x: Word) -> Word:
    """exp of an f64 word, within 0.71 units in the last place (0.86 of a subnormal result)."""
    inside = larger(_F64_VANISHING, smaller(_F64_OVERFLOWING, x))
    bits, high, low = reduced(inside)
    rest = tail(high, low)
    total, lost = pair(high.like(1.0), high)
    first, second = halves_of_power(bits)
    return (total + (lost + rest)) * first * second


def reduced_short(x: Word) -> tuple[Word, Word]:
    """2^k and exp(r) - 1 in f64 for x below 2^9 in magnitude, without tails."""
    bits, k, near = _nearest_multiple(x)
    r = fma(k, -LOG_2_LOW, near)
    square = r * r
    cubic = square * r * polynomial(r, square, EXPONENTIAL)
    return power_of_two(bits), r + fma(square, 0.5, cubic)


def exp_f32(x: Word) -> Word:
    """exp of an f32 word, correctly rounded."""
    inside = larger(_F32_VANISHING, smaller(_F32_OVERFLOWING, extended(x)))
    scale, less_one = reduced_short(inside)
    return truncated((1.0 + less_one) * scale)
