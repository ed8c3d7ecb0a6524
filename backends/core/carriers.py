"""What vector registers and memory hold while machine code is interpreted, on either carrier.

With words, a vector is a numpy array of the right number of bytes, of any dtype. With terms, its
lanes are terms, so that code on floats is followed symbolically, while addresses, counters and
masks known beforehand stay integers. General registers are unsigned Python integers on both.

Invariant: what isn't modelled raises `NotModelled`; nothing is guessed.
Entry: `MachineCarrier`, `MachineWords`, `NotModelled`, `Trap`, `Partial`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from alpha.interpreters.carriers import Array, Carrier, Element
from alpha.interpreters.words import Words

Vector = Any
"""The contents of a vector register or of memory: what `MachineCarrier` makes and takes apart."""

BYTES = {"f64": 8, "f32": 4}
"""The bytes of a lane."""

_UNSIGNED = {8: np.dtype("<u1"), 16: np.dtype("<u2"), 32: np.dtype("<u4"), 64: np.dtype("<u8")}
_FLOATS = {"f64": np.dtype("<f8"), "f32": np.dtype("<f4")}


class NotModelled(Exception):
    """An instruction looks at symbolic words in a way that terms can't say."""


class Trap(Exception):
    """An instruction that can't go on, such as a division by zero: it ends the program."""


@dataclass(frozen=True)
class Partial:
    """What a masked store writes: the lanes of `vector` for which there is a truth, no others."""

    vector: Vector
    truths: Array
    bits: int
    """The bits of a lane."""


class MachineCarrier(ABC):
    """Vectors as lanes of floats, of integers and of truths. Lane 0 has the lowest bytes."""

    symbolic: ClassVar[bool]
    """Whether lanes may be terms."""

    carrier: Carrier
    """What computes on lanes of floats."""

    @abstractmethod
    def lanes(self, vector: Vector, element: Element) -> Array:
        """The lanes as floats of `carrier`."""

    @abstractmethod
    def vector(self, lanes: Array, element: Element) -> Vector:
        """A vector of these floats."""

    @abstractmethod
    def integers(self, vector: Vector, bits: int) -> np.ndarray:
        """The lanes as unsigned integers of 8, 16, 32 or 64 bits."""

    @abstractmethod
    def of_integers(self, lanes: np.ndarray) -> Vector:
        """A vector of these integers, whose dtype says how wide a lane is."""

    @abstractmethod
    def bitwise(self, operation: str, a: Vector, b: Vector) -> Vector:
        """`and`, `or`, `xor` or `andnot` (not a, and b) of all bits."""

    def bitselect(self, mask: Vector, one: Vector, other: Vector) -> Vector:
        """Each bit of `one` where the mask's is set, of `other` elsewhere."""
        chosen = self.bitwise("and", mask, one)
        return self.bitwise("or", chosen, self.bitwise("andnot", mask, other))

    @abstractmethod
    def unknown(self, bytes: int) -> Vector:
        """So many bytes of junk, of which nothing is known."""

    @abstractmethod
    def resized(self, vector: Vector, bytes: int) -> Vector:
        """The low bytes, or all of them with zeros above."""

    @abstractmethod
    def shuffle(self, vector: Vector, bytes: int, places: Sequence[int]) -> Vector:
        """Lanes of so many bytes, each from its place in `vector`; as many as there are places."""

    @abstractmethod
    def join(self, *vectors: Vector) -> Vector:
        """One vector, the first operand in its lowest bytes."""

    @abstractmethod
    def mask(self, truths: Array, element: Element) -> Vector:
        """Lanes of ones where true, of zeros where false."""

    @abstractmethod
    def truths(self, vector: Vector, element: Element) -> Array:
        """The highest bit of each lane, as truths of `carrier`."""

    @abstractmethod
    def bits(self, truths: Array) -> Any:
        """Truths as the bits of a mask register, lane 0 the lowest."""

    @abstractmethod
    def truths_of(self, bits: Any, lanes: int) -> Array:
        """The lowest bits of a mask register as truths."""

    def apply(self, operation: str, element: Element, *vectors: Vector) -> Vector:
        """An operation of the carrier on lanes of floats: one IEEE operation a lane."""
        lanes = [self.lanes(each, element) for each in vectors]
        return self.vector(self.carrier.apply(operation, *lanes), element)

    def select(self, truths: Array, a: Vector, b: Vector, element: Element) -> Vector:
        """a's lane where true, else b's."""
        chosen = self.carrier.apply(
            "arith.select", truths, self.lanes(a, element), self.lanes(b, element)
        )
        return self.vector(chosen, element)


class MachineWords(MachineCarrier):
    """Vectors that hold their bytes."""

    symbolic = False

    def __init__(self) -> None:
        self.carrier = Words()

    def lanes(self, vector: Vector, element: Element) -> Array:
        return vector.view(_FLOATS[element])

    def vector(self, lanes: Array, element: Element) -> Vector:
        return np.ascontiguousarray(lanes)

    def integers(self, vector: Vector, bits: int) -> np.ndarray:
        return vector.view(_UNSIGNED[bits])

    def of_integers(self, lanes: np.ndarray) -> Vector:
        return np.ascontiguousarray(lanes)

    def bitwise(self, operation: str, a: Vector, b: Vector) -> Vector:
        left, right = a.view(np.uint32), b.view(np.uint32)
        match operation:
            case "and":
                return left & right
            case "or":
                return left | right
            case "xor":
                return left ^ right
            case "andnot":
                return ~left & right
        raise ValueError(f"no bitwise operation {operation}")

    def unknown(self, bytes: int) -> Vector:
        return np.full(bytes, 0xA5, np.uint8)

    def resized(self, vector: Vector, bytes: int) -> Vector:
        held = vector.view(np.uint8)
        if len(held) >= bytes:
            return held[:bytes]
        return np.concatenate([held, np.zeros(bytes - len(held), np.uint8)])

    def shuffle(self, vector: Vector, bytes: int, places: Sequence[int]) -> Vector:
        return vector.view(_UNSIGNED[8 * bytes])[list(places)]

    def join(self, *vectors: Vector) -> Vector:
        return np.concatenate([vector.view(np.uint8) for vector in vectors])

    def mask(self, truths: Array, element: Element) -> Vector:
        dtype = _UNSIGNED[8 * BYTES[element]]
        return np.where(truths, dtype.type(-1 & ((1 << 8 * dtype.itemsize) - 1)), dtype.type(0))

    def truths(self, vector: Vector, element: Element) -> Array:
        bits = 8 * BYTES[element]
        return (self.integers(vector, bits) >> (bits - 1)).astype(np.bool_)

    def bits(self, truths: Array) -> Any:
        return sum(1 << lane for lane, truth in enumerate(truths.tolist()) if truth)

    def truths_of(self, bits: Any, lanes: int) -> Array:
        return np.array([bool(bits >> lane & 1) for lane in range(lanes)])
