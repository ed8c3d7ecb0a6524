"""The fused multiply-add of whole arrays: a * b + c with one rounding, exact to the bit.

Why: numpy has none, and Python's own came with 3.13.
Entry: `fused_multiply_add`.

Binary64 is emulated by error-free transformations and one rounding to odd: S. Boldo and
G. Melquiond, "Emulation of a FMA and correctly rounded sums: proved algorithms using rounding to
odd", IEEE Transactions on Computers 57(4), 2008, algorithm Fma. Their theorem asks for no underflow
and no overflow, so the mantissas are taken apart from the exponents, and results that are subnormal
go through exact integers. In binary32 the product is exact in binary64, so one sum rounded to odd
in 53 bits and then to 24 (the same paper, theorem 1) is enough.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

_SPLIT = float(2**27 + 1)  # Veltkamp: halves of 26 bits
_MIN_NORMAL_EXPONENT = -1021  # frexp's exponent of 2^-1022
_MIN_QUANTUM = -1074  # the exponent of the smallest subnormal
_APART_MAX = 200  # further apart than this, only the sign of the smaller addend counts


def fused_multiply_add(a: NDArray, b: NDArray, c: NDArray) -> NDArray:
    """a * b + c rounded once, elementwise with broadcasting; all float64, or all float32.

    Raises TypeError for other or mixed dtypes.
    """
    dtypes = {a.dtype, b.dtype, c.dtype}
    if len(dtypes) != 1 or not dtypes <= {np.dtype(np.float64), np.dtype(np.float32)}:
        raise TypeError(f"fma of {a.dtype}, {b.dtype} and {c.dtype}")
    with np.errstate(all="ignore"):
        if a.dtype == np.float32:
            product = a.astype(np.float64) * b.astype(np.float64)
            return np.asarray(_add_to_odd(product, c.astype(np.float64)).astype(np.float32))
        return _binary64(*np.broadcast_arrays(a, b, c))


def _binary64(a: NDArray, b: NDArray, c: NDArray) -> NDArray:
    factors_finite = np.isfinite(a) & np.isfinite(b)
    # A product with a zero, an infinity or a NaN is exact; a finite one mustn't overflow against an
    # infinite addend.
    result = np.array(np.where(factors_finite & np.isinf(c), c, a * b + c))
    rounded = factors_finite & np.isfinite(c) & (a != 0) & (b != 0)
    if rounded.any():
        result[rounded] = _binary64_finite(a[rounded], b[rounded], c[rounded])
    return result


def _binary64_finite(a: NDArray, b: NDArray, c: NDArray) -> NDArray:
    """Finite words, a and b not zero."""
    mantissa_a, exponent_a = np.frexp(a)
    mantissa_b, exponent_b = np.frexp(b)
    mantissa_c, exponent_c = np.frexp(c)
    scale = exponent_a + exponent_b
    apart = np.where(c == 0, 0, exponent_c - scale)
    scale = np.where(apart > _APART_MAX, exponent_c - _APART_MAX, scale)
    addend = np.ldexp(mantissa_c, np.clip(apart, -_APART_MAX, _APART_MAX))

    high, low = _two_product(mantissa_a, mantissa_b)
    sum_high, sum_low = _two_sum(addend, low)
    top, rest = _two_sum(high, sum_high)
    scaled = top + _add_to_odd(sum_low, rest)

    result = np.ldexp(scaled, scale)
    small = (scaled != 0) & (np.frexp(scaled)[1] + scale <= _MIN_NORMAL_EXPONENT)
    for index in np.flatnonzero(small):
        result[index] = _exact(float(a[index]), float(b[index]), float(c[index]))
    return result


def _two_sum(a: NDArray, b: NDArray) -> tuple[NDArray, NDArray]:
    """Knuth: s + e = a + b exactly, s rounded to nearest."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def _split(a: NDArray) -> tuple[NDArray, NDArray]:
    wide = _SPLIT * a
    high = wide - (wide - a)
    return high, a - high


def _two_product(a: NDArray, b: NDArray) -> tuple[NDArray, NDArray]:
    """Dekker: p + e = a * b exactly, p rounded to nearest; no underflow or overflow here."""
    product = a * b
    a_high, a_low = _split(a)
    b_high, b_low = _split(b)
    error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
    return product, error


def _add_to_odd(a: NDArray, b: NDArray) -> NDArray:
    """a + b in binary64, rounded to odd: if it isn't exact, the neighbour with an odd mantissa."""
    total, error = _two_sum(a, b)
    bits = np.asarray(total).view(np.int64)
    even_inexact = (error != 0) & np.isfinite(total) & (bits & 1 == 0)
    outward = (error > 0) == (total > 0)
    return np.asarray(bits + even_inexact * np.where(outward, 1, -1)).view(np.float64)


def _integer(value: float) -> tuple[int, int]:
    """n and e with value = n * 2^e."""
    mantissa, exponent = math.frexp(value)
    return int(math.ldexp(mantissa, 53)), exponent - 53


def _exact(a: float, b: float, c: float) -> float:
    """a * b + c for a result that isn't zero and not much above the subnormals."""
    (n_a, e_a), (n_b, e_b), (n_c, e_c) = _integer(a), _integer(b), _integer(c)
    exponent = min(e_a + e_b, e_c)
    total = (n_a * n_b << e_a + e_b - exponent) + (n_c << e_c - exponent)
    size = abs(total)
    quantum = max(size.bit_length() + exponent - 53, _MIN_QUANTUM)
    shift = quantum - exponent
    if shift <= 0:
        size <<= -shift
    else:
        half, kept = 1 << shift - 1, size >> shift
        lost = size - (kept << shift)
        size = kept + (lost > half or (lost == half and kept & 1 == 1))
    return math.copysign(math.ldexp(size, quantum), 1 if total > 0 else -1)
