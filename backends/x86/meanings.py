"""Meanings that only x86-64 has: flags, conditions, predicates by number, shuffling immediates.

Invariant: flags are computed inside a meaning and never leave it, as in the rows.
Entry: `flagged`, `float_condition`, `holds`; `INTEGER_CONDITIONS`, `FLOAT_CONDITIONS` and
    `PREDICATES`, by which the predicates of `arith` are found; `Places`; one function for each
    instruction that nothing else is like.
Sources: Intel 64 and IA-32 Architectures Software Developer's Manual: volume 1, appendix B
    (conditions); volume 2, CMPPD (predicates), UCOMISD, PSHUFB, SHA256RNDS2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import index
from typing import Any, NamedTuple

import numpy as np

from alpha.backends.core.carriers import MachineCarrier, Trap, Vector
from alpha.backends.core.meanings import (
    low,
    on_words,
    rotated,
    signed,
    words,
)
from alpha.backends.core.rows import Meaning
from alpha.interpreters.carriers import Array, Element

# Integers in general registers and in memory.


def divided(bits: int, with_sign: bool) -> Meaning:
    """Quotient and remainder, rounded toward zero.

    The processor traps if the divisor is zero, and if the quotient isn't a number of these bits.
    """

    def meaning(c: MachineCarrier, a: int, b: int) -> tuple[int, int]:
        del c
        mask = low(bits)
        a, b = a & mask, b & mask
        if with_sign:
            a, b = signed(a, bits), signed(b, bits)
        if b == 0:
            raise Trap("a division by zero")
        quotient = abs(a) // abs(b) * (-1 if (a < 0) != (b < 0) else 1)
        if with_sign and quotient >> (bits - 1) not in (0, -1):
            raise Trap("a quotient that is too large")
        return quotient & mask, (a - quotient * b) & mask

    return meaning


# Flags and conditions.


class Flags(NamedTuple):
    """What a comparison leaves for the instruction that follows it."""

    zero: bool
    carry: bool
    sign: bool
    overflow: bool


_TRUE: Mapping[str, Callable[[Flags], bool]] = {
    "o": lambda f: f.overflow,
    "b": lambda f: f.carry,
    "e": lambda f: f.zero,
    "be": lambda f: f.carry or f.zero,
    "s": lambda f: f.sign,
    "l": lambda f: f.sign != f.overflow,
    "le": lambda f: f.zero or f.sign != f.overflow,
}
_FALSE = {"no": "o", "ae": "b", "ne": "e", "a": "be", "ns": "s", "ge": "l", "g": "le"}

CONDITIONS = (*_TRUE, *_FALSE)
"""The conditions that an integer comparison may be followed by."""

INTEGER_CONDITIONS: Mapping[str, str] = {
    "eq": "e",
    "ne": "ne",
    "slt": "l",
    "sle": "le",
    "sgt": "g",
    "sge": "ge",
    "ult": "b",
    "ule": "be",
    "ugt": "a",
    "uge": "ae",
}
"""The condition for each predicate of `arith.cmpi`."""


def holds(condition: str, flags: Flags) -> bool:
    """Whether a condition holds. Raises KeyError for one that integers don't have."""
    if condition in _FALSE:
        return not _TRUE[_FALSE[condition]](flags)
    return _TRUE[condition](flags)


def _cmp(a: int, b: int, bits: int) -> Flags:
    difference = (a - b) & low(bits)
    exact = signed(a, bits) - signed(b, bits)
    return Flags(a == b, a < b, bool(difference >> (bits - 1)), exact != signed(difference, bits))


def _test(a: int, b: int, bits: int) -> Flags:
    both = a & b
    return Flags(both == 0, False, bool(both >> (bits - 1)), False)


_COMPARISONS = {"cmp": _cmp, "test": _test}


def compare(comparison: str, bits: int, a: int, b: int, condition: str) -> bool:
    """Whether a condition holds after `cmp` or `test` of the low bits of two integers."""
    mask = low(bits)
    return holds(condition, _COMPARISONS[comparison](a & mask, b & mask, bits))


def flagged(comparison: str, bits: int, use: str) -> Meaning:
    """A comparison and what uses it: `branch`, `set` or `cmov` of two more operands."""

    def branch(c: MachineCarrier, a: int, b: int, condition: str) -> int:
        return 0 if compare(comparison, bits, a, b, condition) else 1

    def set_(c: MachineCarrier, a: int, b: int, condition: str) -> int:
        return int(compare(comparison, bits, a, b, condition))

    def cmov(c: MachineCarrier, a: int, b: int, x: int, y: int, condition: str) -> int:
        return x if compare(comparison, bits, a, b, condition) else y

    return {"branch": branch, "set": set_, "cmov": cmov}[use]


MASK_CONDITIONS = ("e", "ne", "b", "ae")
"""The conditions that `kortest` sets flags for."""


def either_mask(bits: int) -> Meaning:
    """`kortest` of masks of so many lanes, and the branch by one of `MASK_CONDITIONS`."""

    def branch(c: MachineCarrier, a: Any, b: Any, condition: str) -> int:
        lanes = as_integer((a | b) & low(bits))
        held = holds(condition, Flags(lanes == 0, lanes == low(bits), False, False))
        return 0 if held else 1

    return branch


FLOAT_CONDITIONS: Mapping[str, str] = {
    "a": "ogt",
    "ae": "oge",
    "b": "ult",
    "be": "ule",
    "e": "ueq",
    "ne": "one",
    "p": "uno",
    "np": "ord",
}
"""What a condition says after `ucomisd a, b`: of unordered operands, CF, ZF and PF are set. `olt`
is `ogt` of the operands in the other order, and so on; `oeq` and `une` look at two flags and have
rows of their own."""

PREDICATES: Mapping[str, int] = {
    "oeq": 0x00,
    "uno": 0x03,
    "une": 0x04,
    "ord": 0x07,
    "ueq": 0x08,
    "false": 0x0B,
    "one": 0x0C,
    "true": 0x0F,
    "olt": 0x11,
    "ole": 0x12,
    "uge": 0x15,
    "ugt": 0x16,
    "ult": 0x19,
    "ule": 0x1A,
    "oge": 0x1D,
    "ogt": 0x1E,
}
"""The immediate of `vcmppd` for each predicate of `arith.cmpf`: those that are quiet of NaNs."""

# Each number's twin differs by 16 and by whether a quiet NaN raises the flag of an exception.
_OF_NUMBER = {number ^ twin: name for name, number in PREDICATES.items() for twin in (0, 16)}


def compare_numbered(
    c: MachineCarrier, a: Vector, b: Vector, predicate: int, element: Element
) -> Array:
    """The truths of a comparison by its immediate."""
    lanes = c.lanes(a, element), c.lanes(b, element)
    return c.carrier.compare(_OF_NUMBER[predicate], *lanes)


def known(c: MachineCarrier, truths: Array) -> bool:
    """One truth that is known. Raises NotModelled if it depends on symbols."""
    return bool(c.bits(truths))


def as_integer(bits: Any) -> int:
    """The bits of a mask as an integer. Raises NotModelled if they depend on symbols."""
    return index(bits)


def float_condition(element: Element, use: str, predicate: str = "") -> Meaning:
    """`ucomisd` and what uses it, by a condition, or by a predicate that the row has fixed."""

    def truth(c: MachineCarrier, a: Vector, b: Vector, condition: Sequence[str]) -> bool:
        held = predicate or FLOAT_CONDITIONS[condition[0]]
        return known(c, c.carrier.compare(held, c.lanes(a, element), c.lanes(b, element)))

    def branch(c: MachineCarrier, a: Vector, b: Vector, *condition: str) -> int:
        return 0 if truth(c, a, b, condition) else 1

    def set_(c: MachineCarrier, a: Vector, b: Vector, *condition: str) -> int:
        return int(truth(c, a, b, condition))

    def cmov(c: MachineCarrier, a: Vector, b: Vector, x: int, y: int, *condition: str) -> int:
        return x if truth(c, a, b, condition) else y

    return {"branch": branch, "set": set_, "cmov": cmov}[use]


# Floats.

_ROUNDINGS = (np.rint, np.floor, np.ceil, np.trunc)


def rounded(element: Element) -> Meaning:
    """To an integer: nearest even, down, up, toward zero by bits 0 and 1; nearest even by bit 2."""
    return on_words(lambda a, mode: _ROUNDINGS[0 if mode & 4 else mode & 3](a), element)


def fused(signs: tuple[int, int], element: Element) -> Meaning:
    """± a * b ± c, rounded once."""

    def meaning(c: MachineCarrier, a: Vector, b: Vector, added: Vector) -> Vector:
        if signs[0] < 0:
            a = c.apply("arith.negf", element, a)
        if signs[1] < 0:
            added = c.apply("arith.negf", element, added)
        return c.apply("math.fma", element, a, b, added)

    return meaning


def selected(element: Element) -> Meaning:
    """x where a comparison by its immediate holds, else y."""

    def meaning(
        c: MachineCarrier, a: Vector, b: Vector, x: Vector, y: Vector, predicate: int
    ) -> Vector:
        return c.select(compare_numbered(c, a, b, predicate, element), x, y, element)

    return meaning


def merged(meaning: Meaning, element: Element) -> Meaning:
    """The same in the lanes that the mask k names, in the others what w was. Reads k, w, ..."""

    def masked(c: MachineCarrier, k: Any, w: Vector, *operands: Any) -> Vector:
        lanes = len(c.lanes(w, element))
        return c.select(c.truths_of(k, lanes), meaning(c, *operands), w, element)

    return masked


def truncated(bits: int, element: Element, saturating: bool) -> Meaning:
    """The lowest lane as an integer, toward zero.

    What doesn't fit gives -2^(bits-1); where it saturates, the nearest integer, and 0 for a NaN.
    """
    lowest, highest = -1 << (bits - 1), low(bits - 1)

    def meaning(c: MachineCarrier, a: Vector) -> int:
        value = float(words(c, a, element)[0])
        if lowest - 1 < value < highest + 1:
            return int(value) & low(bits)
        if not saturating:
            return lowest & low(bits)
        return 0 if value != value else (highest if value > 0 else lowest) & low(bits)

    return meaning


# Places of lanes, for `shuffled`.


class Places(NamedTuple):
    """Vectors of `lanes` lanes whose instructions work inside groups of `inner` lanes, 16 bytes."""

    lanes: int
    inner: int

    def interleaved(self, high: bool) -> Sequence[int]:
        """Lanes of two vectors by turns, from the lower or the higher half of each group."""
        half = self.inner // 2
        start = half if high else 0
        groups = range(0, self.lanes, self.inner)
        return [g + start + at + of for g in groups for at in range(half) for of in (0, self.lanes)]

    def _digit(self, immediate: int, lane: int) -> int:
        """The place in its group that an immediate says: a bit a lane, or two for all groups."""
        if self.inner == 2:
            return immediate >> lane & 1
        return immediate >> 2 * (lane % self.inner) & 3

    def permuted(self, immediate: int) -> Sequence[int]:
        """Lanes of one vector."""
        every = range(self.lanes)
        return [lane - lane % self.inner + self._digit(immediate, lane) for lane in every]

    def shuffled(self, immediate: int) -> Sequence[int]:
        """The lower half of each group from the first vector, the higher from the second."""
        found = self.permuted(immediate)
        half = self.inner // 2
        return [
            place + (self.lanes if lane % self.inner >= half else 0)
            for lane, place in enumerate(found)
        ]


# SHA-256, as the manual's pseudocode has it.


def _choose(e: int, f: int, g: int) -> int:
    return (e & f) ^ (~e & g)


def _majority(a: int, b: int, c: int) -> int:
    return (a & b) ^ (a & c) ^ (b & c)


def _mixed(value: int, *counts: int) -> int:
    turned = 0
    for count in counts:
        turned ^= rotated(value, -count, 32) & low(32)
    return turned


def _scheduled(value: int, one: int, two: int, shift: int) -> int:
    return _mixed(value, one, two) ^ value >> shift


def sha256_rounds(c: MachineCarrier, a: Vector, b: Vector, w: Vector) -> Vector:
    """Two rounds. `a` holds C, D, G, H and `b` A, B, E, F, each from its highest lane downwards."""
    h, g, d, cc = (int(each) for each in c.integers(a, 32))
    f, e, bb, aa = (int(each) for each in c.integers(b, 32))
    for added in c.integers(w, 32)[:2]:
        t1 = _choose(e, f, g) + _mixed(e, 6, 11, 25) + int(added) + h
        t2 = _majority(aa, bb, cc) + _mixed(aa, 2, 13, 22)
        h, g, f, e = g, f, e, (d + t1) & low(32)
        d, cc, bb, aa = cc, bb, aa, (t1 + t2) & low(32)
    return c.of_integers(np.array([f, e, bb, aa], np.uint32))


def sha256_message1(c: MachineCarrier, a: Vector, b: Vector) -> Vector:
    """W[t-16] + sigma0(W[t-15]) of four words."""
    held = [int(each) for each in (*c.integers(a, 32), c.integers(b, 32)[0])]
    made = [held[at] + _scheduled(held[at + 1], 7, 18, 3) & low(32) for at in range(4)]
    return c.of_integers(np.array(made, np.uint32))


def sha256_message2(c: MachineCarrier, a: Vector, b: Vector) -> Vector:
    """The words of `a` with sigma1(W[t-2]) added; the last two of these are among the results."""
    made = [int(each) for each in c.integers(b, 32)[2:]]
    for word in c.integers(a, 32):
        made.append(int(word) + _scheduled(made[-2], 17, 19, 10) & low(32))
    return c.of_integers(np.array(made[2:], np.uint32))
