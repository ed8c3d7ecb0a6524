"""Roots and quotients by multiply-adds: what rows that compute them take, and what they mean.

A row computes with constants, and with what has been made of a divisor. With these and no others it
gives the correctly rounded result, as docs/exact.md proves; so its meaning is the exact operation,
and there is none for other operands. A mask of zeros makes a row use the plain instruction.

Entry: `ROOT_CONSTANTS`, `RANGE_BASE`, `IN_RANGE`, `ONE`, `DIVISOR_MIN`, `DIVISOR_MAX`, `root`,
    `quotient`, `helpers_of`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from alpha.backends.core.carriers import MachineCarrier, NotModelled, Vector

RANGE_BASE = 512 << 52
"""Added to the bits of a double from 2^-511 to 2^513 it sets `IN_RANGE`, and to no other's, but for
the bits of negative ones, which are those of their magnitude."""

IN_RANGE = 1 << 62
"""The bit that says so. As a double it is 2."""

ONE = 0x3FF0_0000_0000_0000
DIVISOR_MIN = (1023 - 400) << 52
DIVISOR_MAX = (1023 + 400) << 52
"""Bits of 1, 2^-400 and 2^400: a divisor between the last two fits every dividend in range."""


class RootConstants(NamedTuple):
    """The bits that every lane of a constant of the root has, in the order in which it takes them.

    `half` is 1/2; `magic` is 1.5 * 2^39, whose neighbours are 2^-13 away; `exponent` lowers an
    exponent by one; `ones` is -1.
    """

    half: int = 0x3FE0_0000_0000_0000
    magic: int = 0x4268_0000_0000_0000
    exponent: int = 0xFFF0_0000_0000_0000
    ones: int = 0xFFFF_FFFF_FFFF_FFFF
    base: int = RANGE_BASE
    mask: int = IN_RANGE


ROOT_CONSTANTS = RootConstants()


def root(c: MachineCarrier, x: Vector, *constants: Vector) -> Vector:
    """The square root of each lane, f64, of a row that takes `ROOT_CONSTANTS` behind x.

    Raises:
        NotModelled: other constants, unless the mask is zeros.
    """
    if _is_zero(c, constants[-1]):
        return c.apply("math.sqrt", "f64", x)
    for vector, wanted in zip(constants, ROOT_CONSTANTS, strict=True):
        _require(bool((c.integers(vector, 64) == wanted).all()), "a constant of a root")
    return c.apply("math.sqrt", "f64", x)


def quotient(
    c: MachineCarrier,
    x: Vector,
    divisor: Vector,
    high: Vector,
    low: Vector,
    mask: Vector,
    base: Vector,
) -> Vector:
    """The quotient of each lane, f64, by a divisor and what has been made of it.

    Raises:
        NotModelled: what is of another divisor, or another base, unless the mask is zeros.
    """
    if not _is_zero(c, mask):
        _require(bool((c.integers(base, 64) == RANGE_BASE).all()), "the base of a range")
        made = zip((high, low, mask), helpers_of(c, divisor), strict=True)
        _require(all(_same(one, other) for one, other in made), "a divisor's reciprocal")
    return c.apply("arith.divf", "f64", x, divisor)


def helpers_of(c: MachineCarrier, divisor: Vector) -> tuple[Vector, Vector, Vector]:
    """What a division takes of a divisor: 1 / divisor, its error times it, and a mask.

    The mask is `IN_RANGE` where the divisor is from 2^-400 to 2^400, else 0.
    """
    one, least, most = (_splat(c, bits, divisor.nbytes) for bits in (ONE, DIVISOR_MIN, DIVISOR_MAX))
    fits, zero = _splat(c, IN_RANGE, divisor.nbytes), _splat(c, 0, divisor.nbytes)
    high = c.apply("arith.divf", "f64", one, divisor)
    negative = c.apply("arith.negf", "f64", high)
    low = c.apply("arith.mulf", "f64", c.apply("math.fma", "f64", negative, divisor, one), high)
    lanes = c.lanes(divisor, "f64")
    enough = c.carrier.compare("ole", c.lanes(least, "f64"), lanes)
    not_more = c.carrier.compare("ole", lanes, c.lanes(most, "f64"))
    mask = c.select(not_more, c.select(enough, fits, zero, "f64"), zero, "f64")
    return high, low, mask


def _splat(c: MachineCarrier, bits: int, bytes: int) -> Vector:
    return c.of_integers(np.full(bytes // 8, bits, np.uint64))


def _is_zero(c: MachineCarrier, vector: Vector) -> bool:
    """Whether all bits are known to be zeros."""
    try:
        return not c.integers(vector, 64).any()
    except NotModelled:
        return False


def _same(one: Vector, other: Vector) -> bool:
    """Whether two vectors are known to have the same bits."""
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return one.tobytes() == other.tobytes()
    return one == other


def _require(fits: bool, what: str) -> None:
    if not fits:
        raise NotModelled(f"{what} that isn't one")
