"""What the functions are, by mpmath with many digits, and how far a word is from that.

Invariant: nothing of the lists is used. Values of mpmath stand for the exact ones: they are wrong
    by less than 2^-150 of themselves, and no comparison here asks for more than 2^-80, except where
    a word is decided, which is done again with more digits until the two neighbours are apart.
Entry: `exact`, `error_units`, `rounded_f32`.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Mapping
from typing import Any

import mpmath

from alpha.ir.mathematics.lists import FUNCTIONS

mp: Any = mpmath.mp
Number = Any  # of mpmath, which has no types
PRECISION_BITS = 160
PRECISION_BITS_MAX = 1 << 12
_GUARD_BITS = 20

_SMALLEST_EXPONENT = -1074
_F64_DIGITS = 53
_F64_TOP = 1024

_FUNCTIONS: Mapping[str, Callable[[Number], Number]] = {
    "math.exp": mp.exp,
    "math.log": mp.log,
    "math.tanh": mp.tanh,
    "pointwise.sigmoid": lambda x: 1 / (1 + mp.exp(-x)),
}
assert set(_FUNCTIONS) == set(FUNCTIONS)

EXACT: Mapping[tuple[str, float], float] = {
    ("math.exp", 0.0): 1.0,
    ("math.log", 1.0): 0.0,
    ("math.tanh", 0.0): 0.0,
    ("pointwise.sigmoid", 0.0): 0.5,
}
"""The only finite results that are words; of every other word the result is transcendental."""


def exact(operation: str, x: float, precision: int = PRECISION_BITS) -> Number:
    """The function of a finite word where it is defined, to 2^-`precision` of itself."""
    with mp.workprec(precision + _GUARD_BITS):
        return _FUNCTIONS[operation](mp.mpf(x))


def error_units(operation: str, x: float, found: float) -> float:
    """How many units in the last place a finite or infinite f64 word is off.

    A unit is the distance of words in the binade of the exact value, and 2^-1074 below the normal
    ones; 2^1024 stands for infinity, as it does in rounding.
    """
    value = exact(operation, x)
    if value == 0:
        return 0.0 if found == 0 else math.inf
    exponent = mp.frexp(value)[1] - _F64_DIGITS
    unit = mp.ldexp(1, max(min(exponent, _F64_TOP - _F64_DIGITS), _SMALLEST_EXPONENT))
    if math.isnan(found):
        return math.inf
    with mp.workprec(PRECISION_BITS):
        word = (
            mp.ldexp(1, _F64_TOP) * math.copysign(1, found) if math.isinf(found) else mp.mpf(found)
        )
        value = min(value, mp.ldexp(1, _F64_TOP)) if math.isinf(found) else value
        return float(abs(word - value) / unit)


def _f32(value: Number) -> float:
    """A value rounded to nearest even as binary32: its nearest multiple of the last place."""
    if value == 0:
        return 0.0
    exponent = max(mp.frexp(value)[1] - 24, -149)
    if exponent > 128:  # far above the largest word
        return math.copysign(math.inf, value)
    whole = int(mp.nint(mp.ldexp(value, -exponent)))
    return (
        math.inf * whole
        if abs(whole) << (exponent + 149) >= 1 << (128 + 149)
        else math.ldexp(whole, exponent)
    )


def rounded_f32(operation: str, x: float) -> float:
    """The correctly rounded f32 result of a finite f32 word where the function is defined.

    The precision is raised until everything within the error rounds to the same word.
    """
    if (operation, abs(x)) in EXACT:
        return math.copysign(EXACT[operation, abs(x)], x if operation == "math.tanh" else 1.0)
    precision = PRECISION_BITS
    while precision <= PRECISION_BITS_MAX:
        value = exact(operation, x, precision)
        with mp.workprec(2 * precision):
            slack = abs(value) * mp.ldexp(1, -precision)
            low, high = _f32(value - slack), _f32(value + slack)
        if low == high:
            return low
        precision *= 2
    raise AssertionError(f"{operation} of {x.hex()} isn't decided in {PRECISION_BITS_MAX} bits")


def f32_bits(value: float) -> int:
    """The bits of an f32 value."""
    return struct.unpack("<I", struct.pack("<f", value))[0]
