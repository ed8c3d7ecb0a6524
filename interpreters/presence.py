"""The carrier that asks: has an owner the words that it computes with?

Invariant: an array holds truths; a result is present exactly if all words that it is computed from
    are. What an operation would select or multiply away counts as read.
Why: run beside words or terms, the same interpreter shows by running that every owner's work is
    local; a word that is absent there is one that another owner has.
Entry: `Presence`.
"""

from __future__ import annotations

from functools import reduce

import numpy as np

from alpha.interpreters.carriers import Array, Carrier, Element, FoldKind


class Presence(Carrier):
    """Arrays of bool: whether each word is there."""

    holds_words = False

    def constant(self, value: float | bytes, element: Element) -> Array:
        return np.array(True)

    def literal(self, array: Array) -> Array:
        return np.ones(array.shape, bool)

    def apply(self, operation: str, *operands: Array) -> Array:
        return reduce(np.logical_and, operands)

    def element_of(self, array: Array) -> Element | None:
        return "i1"

    def accumulate_from(
        self, start: Array, array: Array, axis: int, kind: FoldKind = "add"
    ) -> Array:
        return np.logical_and(start, np.all(np.moveaxis(array, axis, 0), axis=0))
