"""What instructions of AArch64 compute, as functions for the tables, and the immediates they hold.

Source: Arm ARM (DDI 0487), C6 and C7, and the pseudocode of J1 for what is shared.

Invariant: an integer row of 32 bits reads the low halves of its registers and leaves zeros above.
Entry: `KINDS`, `holds`, `FLOAT_PREDICATES`, and a function for each form of meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from alpha.backends.core.carriers import MachineCarrier, Vector
from alpha.backends.core.meanings import UNSIGNED, low, signed
from alpha.backends.core.rows import Immediate, Meaning
from alpha.interpreters.carriers import Element


def bitmask(bits: int) -> Callable[[int], bool]:
    """Whether a value can be the immediate of a logical instruction of 64 or 32 bits.

    It is a run of ones, rotated, in an element of 2, 4, ... bits that repeats (DecodeBitMasks).
    What differs from its own rotation by one bit in exactly two places is such a run.
    """

    def legal(value: int) -> bool:
        value &= low(bits)
        if value in (0, low(bits)):
            return False
        size = bits
        while size > 2 and value >> size // 2 & low(size // 2) == value & low(size // 2):
            size //= 2
        element = value & low(size)
        turned = element >> 1 | (element & 1) << (size - 1)
        return (element ^ turned).bit_count() == 2

    return legal


def one_move(bits: int) -> Callable[[int], bool]:
    """Whether one instruction makes a constant: `movz`, `movn`, or `orr` of the zero register."""
    pattern = bitmask(bits)

    def halves(value: int) -> int:
        return sum(value >> at & 0xFFFF != 0 for at in range(0, bits, 16))

    def legal(value: int) -> bool:
        value &= low(bits)
        return halves(value) < 2 or halves(value ^ low(bits)) < 2 or pattern(value)

    return legal


KINDS: Mapping[str, Immediate] = MappingProxyType(
    {
        "immA": Immediate(-4095, 4095),
        "immAx4096": Immediate(-4095 << 12, 4095 << 12, 1 << 12),
        "immB64": Immediate(-1 << 63, low(64), legal=bitmask(64)),
        "immB32": Immediate(-1 << 31, low(32), legal=bitmask(32)),
        "immM64": Immediate(-1 << 63, low(64), legal=one_move(64)),
        "shift16": Immediate(0, 48, 16),
        "right64": Immediate(1, 64),
        "right32": Immediate(1, 32),
    }
)
"""Immediates of this instruction set: of `add` and `sub`, which assemblers write for one another
where the integer is negative, of logic, of one move, of shifts. Bits may be said as either sign."""


def shifted(value: int, by: int, how: str, bits: int) -> int:
    """A value of so many bits, shifted or rotated by less than that many."""
    match how:
        case "lsl":
            return value << by & low(bits)
        case "lsr":
            return value >> by
        case "asr":
            return signed(value, bits) >> by & low(bits)
        case "ror":
            return (value >> by | value << (bits - by)) & low(bits)
    raise ValueError(f"no shift {how}")


def holds(condition: str, n: bool, z: bool, c: bool, v: bool) -> bool:
    """Whether a condition holds of the flags (Arm ARM, ConditionHolds)."""
    base = {
        "eq": z,
        "hs": c,
        "mi": n,
        "vs": v,
        "hi": c and not z,
        "ge": n == v,
        "gt": n == v and not z,
    }
    inverses = {
        "ne": "eq",
        "lo": "hs",
        "pl": "mi",
        "vc": "vs",
        "ls": "hi",
        "lt": "ge",
        "le": "gt",
    }
    if condition in base:
        return base[condition]
    return not base[inverses[condition]]


def flags_of_difference(a: int, b: int, bits: int) -> tuple[bool, bool, bool, bool]:
    """N, Z, C and V behind `cmp a, b`."""
    difference = (a - b) & low(bits)
    exact = signed(a, bits) - signed(b, bits)
    negative = bool(difference >> (bits - 1))
    return negative, difference == 0, a >= b, signed(difference, bits) != exact


def flags_of_and(a: int, b: int, bits: int) -> tuple[bool, bool, bool, bool]:
    """N, Z, C and V behind `tst a, b`."""
    both = a & b
    return bool(both >> (bits - 1)), both == 0, False, False


FLOAT_PREDICATES: Mapping[str, str] = MappingProxyType(
    {
        "eq": "oeq",
        "ne": "une",
        "hs": "uge",
        "lo": "olt",
        "mi": "olt",
        "pl": "uge",
        "vs": "uno",
        "vc": "ord",
        "hi": "ugt",
        "ls": "ole",
        "ge": "oge",
        "lt": "ult",
        "gt": "ogt",
        "le": "ule",
    }
)
"""Which comparison a condition is behind `fcmp`: unordered sets C and V, less N, equal Z and C,
greater C (Arm ARM, FPCompare). `one` and `ueq` take two conditions."""


def zeros(c: MachineCarrier, bytes: int) -> Vector:
    """A vector of zeros."""
    return c.of_integers(np.zeros(bytes, UNSIGNED[8]))


def vector_of(c: MachineCarrier, values: Sequence[int], bits: int) -> Vector:
    """A vector of these integers; higher bits are dropped."""
    return c.of_integers(np.array([value & low(bits) for value in values], UNSIGNED[bits]))


def lane_by_lane(compute: Callable[..., int], bits: int) -> Meaning:
    """Lanes of integers of so many bits, each from those at its place and from immediates."""

    def meaning(c: MachineCarrier, *operands: Any) -> Vector:
        lanes = [
            None if isinstance(each, int) else c.integers(each, bits).tolist() for each in operands
        ]
        count = next(len(each) for each in lanes if each is not None)
        columns = [
            [operand] * count if values is None else values
            for operand, values in zip(operands, lanes, strict=True)
        ]
        return vector_of(c, [compute(*row) for row in zip(*columns, strict=True)], bits)

    return meaning


def fused(element: Element, added_sign: int, sign: int, order: Sequence[int]) -> Meaning:
    """sign * one * other + added_sign * added, rounded once; `order` says where the three are."""

    def meaning(c: MachineCarrier, *vectors: Vector) -> Vector:
        one, other, added = (vectors[at] for at in order)
        if sign < 0:
            one = c.apply("arith.negf", element, one)
        if added_sign < 0:
            added = c.apply("arith.negf", element, added)
        return c.apply("math.fma", element, one, other, added)

    return meaning
