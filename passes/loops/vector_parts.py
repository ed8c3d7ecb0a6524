"""The parts that vectors are made of, so that each part is a vector of the target or a word.

Invariant: parts are a vector's lanes in order, each as many as a power of two. A part begins at a
    multiple of its lanes, so that of parts of two vectors with as many lanes, one lies in another.
Why: a vector may have any number of lanes, and what reads or writes a lane more than there are
    touches memory that isn't its own.
Refuses: target-unsupported (vectors that don't have one axis).
Entry: `Parts`, `Widths`, `widths_of`, `refined`, `spans`, `has_other_vectors`, `is_whole`,
    `is_truth`, `lanes_of`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise

from xdsl.dialects import func, vector
from xdsl.dialects.builtin import FixedBitwidthType, IntegerType, VectorType
from xdsl.ir import Attribute, Operation, SSAValue

from alpha.ir.code_values import INDEX_BITS
from alpha.ir.refusals import Refusal
from alpha.passes.loops.lanes import is_vector
from alpha.passes.loops.vector_plans import VECTOR_BITS_MIN

WORD = 1

Widths = tuple[int, ...]
"""The lanes of each part, in order; a word has one."""


@dataclass(frozen=True)
class Parts:
    """A vector in parts of so many lanes each; a part of one lane is a word."""

    widths: Widths
    parts: tuple[SSAValue, ...]

    @cached_property
    def _ends(self) -> tuple[int, ...]:
        return tuple(accumulate(self.widths))

    def place(self, lane: int) -> tuple[SSAValue, int]:
        """The part that has a lane of the whole, and the lane of the part that it is."""
        number = bisect_right(self._ends, lane)
        return self.parts[number], lane - self._ends[number] + self.widths[number]


def spans(widths: Widths) -> Iterable[tuple[int, int]]:
    """The first lane of each part, and the one behind it."""
    return pairwise((0, *accumulate(widths)))


def widths_of(type: Attribute, bits: int) -> Widths:
    """The parts of a vector type where vectors have so many bits at most.

    As wide as they may be from the first lane on; what is left of less than 128 bits is words, and
    so are all truths that no comparison gives.

    Raises:
        Refusal: `target-unsupported` for a vector that doesn't have one axis of known extent.
    """
    left = lanes_in(type)
    assert isinstance(type, VectorType)
    element = type.element_type
    word = element.bitwidth if isinstance(element, FixedBitwidthType) else INDEX_BITS
    most = WORD if is_truth(type) or bits < VECTOR_BITS_MIN else max(bits // word, WORD)
    widths: list[int] = []
    while left:
        width = 1 << (min(left, most).bit_length() - 1)
        if width * word < VECTOR_BITS_MIN:
            break
        widths.append(width)
        left -= width
    return (*widths, *(WORD,) * left)


def refined(each: Sequence[Widths]) -> Widths:
    """The widest parts that lie in those of every one of these."""
    ends = sorted({end for widths in each for end in accumulate(widths)})
    return tuple(end - start for start, end in pairwise((0, *ends)))


def is_whole(type: Attribute, bits: int) -> bool:
    """Whether the target has a vector type as it is."""
    lanes = lanes_in(type)
    return lanes > WORD and widths_of(type, bits) == (lanes,)


def has_other_vectors(function: func.FuncOp, bits: int) -> bool:
    """Whether a function has vectors that a target with vectors of so many bits doesn't have.

    Truths are as wide as what was compared, unless they are moved as other words are.

    Raises:
        Refusal: `target-unsupported` for a vector that doesn't have one axis of known extent.
    """
    arguments = [value for value in function.body.block.args if is_vector(value)]
    if any(not is_whole(value.type, bits) for value in arguments):
        return True
    for op in function.walk():
        moved = _moved(op)
        vectors = [value for value in (*op.results, *moved) if is_vector(value)]
        others = [value for value in vectors if value in moved or not is_truth(value.type)]
        for value in others:
            lanes_in(value.type, op)
        if any(not is_whole(value.type, bits) for value in others):
            return True
    return False


def _moved(op: Operation) -> list[SSAValue]:
    """What an operation of `vector` moves: all but the truths that say which lanes."""
    if not op.name.startswith("vector."):
        return []
    masks = [op.mask] if isinstance(op, vector.MaskedLoadOp | vector.MaskedStoreOp) else []
    return [value for value in (*op.operands, *op.results) if value not in masks]


def is_truth(type: Attribute) -> bool:
    """Whether a value of this type is a truth, or one a lane."""
    element = type.element_type if isinstance(type, VectorType) else type
    return isinstance(element, IntegerType) and element.width.data == 1


def lanes_in(type: Attribute, op: Operation | None = None) -> int:
    """The lanes of a vector type, which `op` has.

    Raises:
        Refusal: `target-unsupported` for a vector that doesn't have one axis of known extent.
    """
    assert isinstance(type, VectorType)
    shape = type.get_shape()
    if len(shape) != 1 or any(bool(each) for each in type.scalable_dims):
        wanted = "vectors with one axis of known extent"
        raise Refusal("target-unsupported", wanted, str(type), op)
    return shape[0]


def lanes_of(value: SSAValue) -> int:
    """The lanes of a vector. Raises as `lanes_in` does."""
    return lanes_in(value.type)
