"""What rows of PTX mean, on one lane a thread: arrays with a word for each thread.

A register is an array of its view: truths for `p`, unsigned integers for `w` and `x`, floats for
`s` and `d`. An immediate is an integer. So a meaning computes for all threads of a launch at once.

Invariant: integers wrap, as unsigned ones of numpy do.
Entry: `SIGNED`, `integer`, `signed_integer`, `divided`, `compared_integers`, `compared`, `shifted`,
    `converted`, `reinterpreted`, `rounded_to_integer`, `chosen`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from alpha.backends.core.carriers import MachineCarrier
from alpha.backends.core.rows import Meaning
from alpha.interpreters.carriers import Element

Lanes = np.ndarray

UNSIGNED: Mapping[int, Any] = MappingProxyType({32: np.uint32, 64: np.uint64})
SIGNED: Mapping[int, Any] = MappingProxyType({32: np.int32, 64: np.int64})

INTEGER_CONDITIONS: Mapping[str, Callable[[Lanes, Lanes], Lanes]] = MappingProxyType(
    {
        "eq": np.equal,
        "ne": np.not_equal,
        "lt": np.less,
        "le": np.less_equal,
        "gt": np.greater,
        "ge": np.greater_equal,
    }
)

FLOAT_PREDICATES: Mapping[str, str] = MappingProxyType(
    {
        "eq": "oeq",
        "ne": "one",
        "lt": "olt",
        "le": "ole",
        "gt": "ogt",
        "ge": "oge",
        "equ": "ueq",
        "neu": "une",
        "ltu": "ult",
        "leu": "ule",
        "gtu": "ugt",
        "geu": "uge",
        "num": "ord",
        "nan": "uno",
    }
)
"""The conditions of floats, as predicates of `arith.cmpf`: those with `u` hold of NaNs, too."""


def _word(value: Any, bits: int) -> Any:
    """An operand as unsigned integers: an immediate has its sign."""
    if isinstance(value, int):
        return UNSIGNED[bits](value & ((1 << bits) - 1))
    return value


def integer(compute: Callable[..., Any], bits: int) -> Meaning:
    """What numpy computes of unsigned integers of so many bits, and wraps."""

    def meaning(c: MachineCarrier, *operands: Any) -> Lanes:
        with np.errstate(all="ignore"):
            return np.asarray(compute(*(_word(each, bits) for each in operands)), UNSIGNED[bits])

    return meaning


def signed_integer(compute: Callable[..., Any], bits: int) -> Meaning:
    """The same of integers in two's complement."""

    def signed(*operands: Any) -> Lanes:
        held = (np.asarray(each).view(SIGNED[bits]) for each in operands)
        return np.asarray(compute(*held), SIGNED[bits]).view(UNSIGNED[bits])

    return integer(signed, bits)


def divided(remainder: bool, bits: int) -> Meaning:
    """A quotient or remainder of unsigned integers; of a division by 0 nothing is said, and here
    the quotient is all ones and the remainder the dividend, as machines of SM86 give them."""

    def compute(a: Lanes, b: Lanes) -> Lanes:
        zero = b == 0
        safe = np.where(zero, UNSIGNED[bits](1), b)
        if remainder:
            return np.where(zero, a, a % safe)
        return np.where(zero, UNSIGNED[bits]((1 << bits) - 1), a // safe)

    return integer(compute, bits)


def shifted(right: bool, signed: bool, bits: int) -> Meaning:
    """A shift by a register of 32 bits or an immediate; by the width or more, nothing is left but
    the sign."""

    def meaning(c: MachineCarrier, a: Lanes, count: Any) -> Lanes:
        held = np.asarray(_word(count, 32), np.uint64)
        over = held >= bits
        kind = SIGNED[bits] if signed else UNSIGNED[bits]
        value = a.view(kind)
        steps = np.where(over, np.uint64(bits - 1), held).astype(kind)
        moved = value >> steps if right else value << steps
        if not signed:
            moved = np.where(over, kind(0), moved)
        return np.asarray(moved, kind).view(UNSIGNED[bits])

    return meaning


def compared_integers(signed: bool, bits: int) -> Meaning:
    """A comparison by the condition that the row names last."""
    kind = SIGNED[bits] if signed else UNSIGNED[bits]

    def meaning(c: MachineCarrier, a: Lanes, b: Any, condition: str) -> Lanes:
        other = np.asarray(_word(b, bits)).view(kind)
        return INTEGER_CONDITIONS[condition](a.view(kind), other)

    return meaning


def compared(element: Element) -> Meaning:
    """A comparison of floats by the condition that the row names last."""

    def meaning(c: MachineCarrier, a: Lanes, b: Lanes, condition: str) -> Lanes:
        return c.carrier.compare(FLOAT_PREDICATES[condition], a, b)

    return meaning


def chosen(c: MachineCarrier, a: Any, b: Any, truth: Lanes) -> Lanes:
    """a where true, else b."""
    return np.where(truth, a, b)


def converted(kind: Any, signed: bool = False) -> Meaning:
    """To another width of integers or floats, rounded to nearest even where it must be."""

    def meaning(c: MachineCarrier, a: Lanes) -> Lanes:
        held = a.view(SIGNED[8 * a.dtype.itemsize]) if signed else a
        with np.errstate(all="ignore"):
            made = held.astype(kind)
        return made.view(UNSIGNED[8 * made.dtype.itemsize]) if made.dtype.kind == "i" else made

    return meaning


def reinterpreted(kind: Any) -> Meaning:
    """The same bits, read otherwise."""
    return lambda c, a: a.view(kind)


def rounded_to_integer(c: MachineCarrier, a: Lanes) -> Lanes:
    """Towards zero, to the range of 64 bits with a sign; 0 for a NaN."""
    limit = 2.0**63
    inside = np.abs(a) < limit
    whole = np.where(inside, a, 0.0).astype(np.int64)
    most = np.where(a >= limit, np.iinfo(np.int64).max, whole)
    return np.where(a <= -limit, np.iinfo(np.int64).min, most).view(np.uint64)
