"""The carrier: what the interpreter's words are, and what the elementwise operations do to them.

An array of words is a numpy array. Indexing, broadcasting, reshaping, moving axes and joining are
plain numpy on every carrier; a carrier says what a constant is and what an operation gives.

Invariant: an operation is one IEEE 754 operation in the element type, rounded to nearest even,
    never contracted, reassociated or approximated, or a function that is one list of such
    operations (`alpha.ir.mathematics`). All NaNs are one value: no operation tells two
    NaNs apart, so `math.copysign` reads a NaN as positive (processors disagree on the sign bit of
    a NaN that they make).
Why: one interpreter computes (`words`) and proves (`terms`); the orders of a reduction are written
    once, here, so that both mean the same.
Entry: `Carrier`, `OPERATIONS`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import Operation

from alpha.ir.mathematics.lists import FUNCTIONS
from alpha.ir.scalars import PREDICATES

Array = NDArray
Element = str  # "f64", "f32" or "i1"
FoldKind = str  # "add" or "max"
FoldOrder = str | tuple[str, int]  # "left", "pairs" or ("lanes", L)


@dataclass(frozen=True)
class Signature:
    """Operands and result of an operation: `f` a float of the one element type, `b` a truth."""

    operands: str
    result: str


def _signatures() -> dict[str, Signature]:
    table = {
        "arith.addf": Signature("ff", "f"),
        "arith.subf": Signature("ff", "f"),
        "arith.mulf": Signature("ff", "f"),
        "arith.divf": Signature("ff", "f"),
        "arith.negf": Signature("f", "f"),
        "arith.select": Signature("bff", "f"),
        "math.sqrt": Signature("f", "f"),
        "math.absf": Signature("f", "f"),
        "math.copysign": Signature("ff", "f"),
        "math.fma": Signature("fff", "f"),
        "pointwise.min": Signature("ff", "f"),
        "pointwise.max": Signature("ff", "f"),
    }
    table |= {function: Signature("f", "f") for function in FUNCTIONS}
    table |= {f"arith.cmpf.{predicate}": Signature("ff", "b") for predicate in PREDICATES}
    return table


OPERATIONS: Mapping[str, Signature] = _signatures()

STEP: Mapping[FoldKind, str] = {"add": "arith.addf", "max": "pointwise.max"}


_NOWHERE = nullcontext()


class Carrier(ABC):
    """Words and the operations on them; arrays broadcast as in numpy."""

    holds_words: ClassVar[bool]
    """Whether an array holds floating-point words, so that one can ask whether they are finite."""

    @abstractmethod
    def constant(self, value: float | bytes, element: Element) -> Array:
        """One word, as an array without axes: a value that is rounded, or little-endian bits.

        Raises ValueError if the bits aren't as long as the element.
        """

    @abstractmethod
    def literal(self, array: Array) -> Array:
        """Known float64, float32 or bool words, of any shape, as words of this carrier.

        Raises TypeError for another dtype.
        """

    @abstractmethod
    def apply(self, operation: str, *operands: Array) -> Array:
        """One operation of `OPERATIONS`, elementwise.

        Raises ValueError for an unknown operation or a wrong number of operands, TypeError if the
        elements of the operands aren't those of its signature.
        """

    @abstractmethod
    def element_of(self, array: Array) -> Element | None:
        """The element type of the words, or None if it can't be told (terms, no words)."""

    def origin(self, op: Operation) -> AbstractContextManager[None]:
        """What is computed inside is computed by this operation of the source.

        A carrier that can say where its words come from remembers the place; others don't.
        """
        del op
        return _NOWHERE

    def compare(self, predicate: str, a: Array, b: Array) -> Array:
        """`arith.cmpf` with one of `PREDICATES`; gives truths."""
        return self.apply(f"arith.cmpf.{predicate}", a, b)

    def accumulate_from(
        self, start: Array, array: Array, axis: int, kind: FoldKind = "add"
    ) -> Array:
        """Go on from `start` over `axis`, one element after another: acc = acc + x.

        `start` has, or broadcasts to, the shape of `array` without `axis`. With `max`, acc = acc >
        x ? acc : x. Summing in chunks, each from the result of the one before, gives the same bits
        as summing at once.
        """
        rows = np.moveaxis(array, axis, 0)
        total = np.array(np.broadcast_to(start, rows.shape[1:]))
        for index in range(len(rows)):
            total = self.apply(STEP[kind], total, rows[index, ...])
        return total

    def fold(
        self,
        kind: FoldKind,
        order: FoldOrder,
        array: Array,
        axis: int,
        element: Element | None = None,
    ) -> Array:
        """Reduce one axis in a declared order; the result has the other axes.

        `left`: acc = -0.0, then acc = acc + x over the axis. `pairs`: adjacent pairs, repeatedly,
        an odd last one carried up. `("lanes", L)`, L a power of two: element i goes to lane i mod
        L, every lane starts at -0.0, then lanes l and l + L/2 are added, halving. An empty axis
        gives -0.0, the identity of IEEE addition. `max`: the same with acc > x ? acc : x, where
        every accumulator starts at the first element.

        `element` is needed only to give the -0.0 of an empty axis on a carrier whose empty arrays
        don't know theirs. Raises ValueError for `max` over an empty axis, an L that isn't a power
        of two, and another kind or order.
        """
        if kind not in STEP:
            raise ValueError(f"no reduction {kind}")
        lanes = order[1] if isinstance(order, tuple) else 1
        if lanes < 1 or lanes & (lanes - 1):
            raise ValueError(f"the number of lanes is a power of two, not {lanes}")
        rows = np.moveaxis(array, axis, 0)
        if not len(rows):
            return self._fold_nothing(kind, rows, element)
        if order == "pairs":
            return self._fold_pairs(kind, rows)
        if order == "left":
            rest = rows[1:] if kind == "max" else rows
            return self.accumulate_from(self._start(kind, rows), rest, 0, kind)
        if isinstance(order, tuple) and order[0] == "lanes":
            return self._fold_lanes(kind, lanes, rows)
        raise ValueError(f"no order {order}")

    def _fold_nothing(self, kind: FoldKind, rows: Array, element: Element | None) -> Array:
        if kind == "max":
            raise ValueError("max over an empty axis has no value")
        element = element or self.element_of(rows)
        if element is None:
            raise ValueError("the element of a sum over an empty axis isn't known")
        return np.array(np.broadcast_to(self.constant(-0.0, element), rows.shape[1:]))

    def _start(self, kind: FoldKind, rows: Array) -> Array:
        """Where an accumulator starts; `rows` isn't empty, but may have no words."""
        if kind == "max":
            return rows[0, ...]
        element = self.element_of(rows)
        if element is None:
            return rows[0, ...]  # there are no words: only the shape counts
        return self.constant(-0.0, element)

    def _fold_pairs(self, kind: FoldKind, rows: Array) -> Array:
        while len(rows) > 1:
            even = len(rows) & ~1
            pairs = self.apply(STEP[kind], rows[0:even:2], rows[1:even:2])
            rows = np.concatenate([pairs, rows[even:]]) if even < len(rows) else pairs
        return np.array(rows[0, ...])

    def _fold_lanes(self, kind: FoldKind, lanes: int, rows: Array) -> Array:
        step, start, rest = STEP[kind], self._start(kind, rows), rows.shape[1:]
        # Lanes past the elements hold only the start, so a narrower array of lanes does the work of
        # the outer halvings: l + (-0.0) = l, and (l > s ? l : s) again changes nothing.
        width = min(lanes, 1 << (len(rows) - 1).bit_length())
        turns, tail = divmod(len(rows), width)
        full = rows[: turns * width].reshape(turns, width, *rest)
        total = np.array(np.broadcast_to(start, (width, *rest)))
        total = self.accumulate_from(total, full, 0, kind)
        if tail:
            reached = self.apply(step, total[:tail], rows[turns * width :])
            total = np.concatenate([reached, total[tail:]])
        if width < lanes and kind == "max":
            total = self.apply(step, total, start)
        while len(total) > 1:
            half = len(total) // 2
            total = self.apply(step, total[:half], total[half:])
        return total.reshape(rest)
