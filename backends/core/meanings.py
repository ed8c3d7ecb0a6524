"""Meanings that rows of both instruction sets share, as functions for their tables.

Entry: `lanewise`, `blended`, `compared`, `bitwise`, `wrapped`, `signed`; `sized`, `in_memory`,
    `loaded`, `stored` for integers; `words`, `on_words`, `on_integers`, `shuffled`, `part`,
    `placed`, `broadcast` for lanes; `unmodelled`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from alpha.backends.core.carriers import BYTES, MachineCarrier, NotModelled, Vector
from alpha.backends.core.rows import Meaning
from alpha.interpreters.carriers import Element

UNSIGNED: Mapping[int, Any] = MappingProxyType(
    {8: np.uint8, 16: np.uint16, 32: np.uint32, 64: np.uint64}
)
FLOATS: Mapping[Element, Any] = MappingProxyType({"f64": np.float64, "f32": np.float32})


def signed(value: int, bits: int) -> int:
    """An unsigned integer of so many bits, read as two's complement."""
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


def wrapped(compute: Callable[..., int], bits: int) -> Meaning:
    """Integers of so many bits: the low bits of what `compute` gives."""
    mask = (1 << bits) - 1
    return lambda c, *operands: compute(*operands) & mask


def lanewise(operation: str, element: Element, *order: int) -> Meaning:
    """An operation of the carrier on each lane; `order` says which operand comes where."""

    def meaning(c: MachineCarrier, *vectors: Vector) -> Vector:
        picked = [vectors[at] for at in order] if order else vectors
        return c.apply(operation, element, *picked)

    return meaning


def bitwise(operation: str) -> Meaning:
    """`and`, `or`, `xor` or `andnot` of whole vectors."""
    return lambda c, a, b: c.bitwise(operation, a, b)


def compared(predicate: str, element: Element) -> Meaning:
    """A comparison of lanes, as lanes of ones and zeros."""

    def meaning(c: MachineCarrier, a: Vector, b: Vector) -> Vector:
        truths = c.carrier.compare(predicate, c.lanes(a, element), c.lanes(b, element))
        return c.mask(truths, element)

    return meaning


def blended(element: Element) -> Meaning:
    """b where the highest bit of the mask's lane is set, else a."""
    return lambda c, a, b, mask: c.select(c.truths(mask, element), b, a, element)


# Integers of general registers, and in memory.


def low(bits: int) -> int:
    """So many ones."""
    return (1 << bits) - 1


def number(c: MachineCarrier, memory: Vector, bits: int) -> int:
    """The integer in memory."""
    return int(c.integers(memory, bits)[0])


def sized(compute: Callable[..., int], bits: int) -> Meaning:
    """An operation on integers of so many bits: on the low bits of the operands, zeros above."""
    mask = low(bits)
    return lambda c, *operands: compute(*(operand & mask for operand in operands)) & mask


def in_memory(meaning: Meaning, bits: int, at: int = -1) -> Meaning:
    """The same with one operand in memory: the last, or that with number `at`."""

    def read(c: MachineCarrier, *operands: Any) -> Any:
        held = list(operands)
        held[at] = number(c, held[at], bits)
        return meaning(c, *held)

    return read


def loaded(bits: int, sign_to: int = 0) -> Meaning:
    """An integer from memory, with zeros above, or its sign up to so many bits."""
    if sign_to:
        return lambda c, memory: signed(number(c, memory, bits), bits) & low(sign_to)
    return lambda c, memory: number(c, memory, bits)


def stored(bits: int) -> Meaning:
    """The low bits of a register or immediate, as memory."""
    return lambda c, value: c.of_integers(np.array([value & low(bits)], UNSIGNED[bits]))


def rotated(value: int, count: int, bits: int) -> int:
    """A rotation to the left; to the right by a negative count."""
    count %= bits
    return value << count | value >> (bits - count)


# Lanes that terms have no operations for, and their ways from one place to another.


def words(c: MachineCarrier, vector: Vector, element: Element) -> np.ndarray:
    """Lanes as numpy floats, for what terms have no operation for. Raises NotModelled of terms."""
    return c.integers(vector, 8 * BYTES[element]).view(FLOATS[element])


def of_words(c: MachineCarrier, lanes: np.ndarray) -> Vector:
    """A vector of numpy floats or integers."""
    return c.of_integers(lanes.view(UNSIGNED[8 * lanes.dtype.itemsize]))


def on_words(compute: Callable[..., np.ndarray], *elements: Element) -> Meaning:
    """A function of numpy arrays, one for each vector; immediates follow."""

    def meaning(c: MachineCarrier, *operands: Any) -> Vector:
        arrays = [
            words(c, each, element) for each, element in zip(operands, elements, strict=False)
        ]
        with np.errstate(all="ignore"):
            return of_words(c, compute(*arrays, *operands[len(elements) :]))

    return meaning


def on_integers(compute: Callable[..., np.ndarray], bits: int, vectors: int = 2) -> Meaning:
    """A function of lanes as unsigned integers, one array for each vector; immediates follow."""

    def meaning(c: MachineCarrier, *operands: Any) -> Vector:
        arrays = [c.integers(each, bits) for each in operands[:vectors]]
        return c.of_integers(compute(*arrays, *operands[vectors:]).astype(UNSIGNED[bits]))

    return meaning


def shuffled(bytes: int, places: Callable[..., Sequence[int]], vectors: int = 1) -> Meaning:
    """Lanes from their places in the vectors, one behind the other; `places` gets immediates."""

    def meaning(c: MachineCarrier, *operands: Any) -> Vector:
        joined = c.join(*operands[:vectors]) if vectors > 1 else operands[0]
        return c.shuffle(joined, bytes, places(*operands[vectors:]))

    return meaning


def part(bytes: int) -> Meaning:
    """The part of so many bytes that an immediate names, counted from the lowest."""

    def meaning(c: MachineCarrier, a: Vector, at: int) -> Vector:
        units = bytes // 8
        return c.shuffle(a, 8, range(at * units, (at + 1) * units))

    return meaning


def placed(bytes: int, total: int) -> Meaning:
    """a, of `total` bytes, with b in the place of the part that an immediate names."""
    units, count = bytes // 8, total // 8

    def meaning(c: MachineCarrier, a: Vector, b: Vector, at: int) -> Vector:
        places = [*range(at * units), *range(count, count + units), *range((at + 1) * units, count)]
        return c.shuffle(c.join(a, b), 8, places)

    return meaning


def broadcast(meaning: Meaning, bytes: int, size: int, at: int) -> Meaning:
    """The same with the operand `at` one lane in memory, which stands in all of its vector."""

    def read(c: MachineCarrier, *operands: Any) -> Any:
        held = list(operands)
        held[at] = c.shuffle(held[at], size, [0] * (bytes // size))
        return meaning(c, *held)

    return read


def unmodelled(reason: str) -> Meaning:
    """No meaning: why there is none."""

    def meaning(c: MachineCarrier, *operands: Any) -> None:
        raise NotModelled(reason)

    return meaning
