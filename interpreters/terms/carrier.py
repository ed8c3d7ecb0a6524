"""The carrier that proves: an array holds the numbers of terms over free symbols.

Invariant: put words for the symbols, and the terms evaluate to what the words carrier computes, bit
    for bit where the words aren't NaN. So where two programs give the same terms, they give the
    same words for every input.
Why: see `rules` for what counts as the same term, and `store` for why that is cheap.
Entry: `Terms`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import repeat

import numpy as np
from xdsl.ir import Operation

from alpha.interpreters.carriers import (
    OPERATIONS,
    STEP,
    Array,
    Carrier,
    Element,
    FoldKind,
)
from alpha.interpreters.terms.store import CODES, NODES_MAX, TermStore
from alpha.interpreters.words import Words
from alpha.ir.refusals import place_of


class Terms(Carrier):
    """Arrays of int64: numbers of terms of `store`.

    Every operation raises `TermsTooLarge` once the store has more terms than it may.
    """

    holds_words = False

    def __init__(self, store: TermStore | None = None, nodes_max: int = NODES_MAX) -> None:
        self.store = TermStore(nodes_max) if store is None else store
        self._words = Words()

    def symbol_array(self, name: str, shape: tuple[int, ...], element: Element) -> Array:
        """A free symbol for every word of a field; the same symbols at every call.

        Raises ValueError if the name is known with another shape or element.
        """
        return self.store.symbols(name, shape, element)

    def constant(self, value: float | bytes, element: Element) -> Array:
        return self.store.constants(self._words.constant(value, element))

    def literal(self, array: Array) -> Array:
        return self.store.constants(self._words.literal(array))

    def origin(self, op: Operation) -> AbstractContextManager[None]:
        place = place_of(op)
        return super().origin(op) if place is None else self.store.origin(str(place))

    def element_of(self, array: Array) -> Element | None:
        return self.store.element(int(array.flat[0])) if array.size else None

    def apply(self, operation: str, *operands: Array) -> Array:
        if operation not in OPERATIONS:
            raise ValueError(f"no operation {operation}")
        if len(operands) != len(OPERATIONS[operation].operands):
            raise ValueError(f"{operation} of {len(operands)} operands")
        shape = np.broadcast(*operands).shape
        columns = [np.broadcast_to(_checked(operand), shape).ravel() for operand in operands]
        ids = self._nodes(operation, [column.tolist() for column in columns])
        return np.array(ids, np.int64).reshape(shape)

    def _nodes(self, operation: str, columns: Sequence[Iterable[int]]) -> list[int]:
        find, insert = self.store.find, self.store.insert
        return [
            insert(key) if (found := find(key)) is None else found
            for key in zip(repeat(CODES[operation]), *columns)
        ]

    def accumulate_from(
        self, start: Array, array: Array, axis: int, kind: FoldKind = "add"
    ) -> Array:
        rows = np.moveaxis(_checked(array), axis, 0)
        total = np.broadcast_to(_checked(start), rows.shape[1:])
        sums = total.ravel().tolist()
        if rows.size and len(sums) < len(rows):
            columns = rows.reshape(len(rows), -1).T.tolist()
            code = CODES[STEP[kind]]
            sums = [self._chain(code, s, column) for s, column in zip(sums, columns, strict=True)]
        elif rows.size:
            for row in rows.reshape(len(rows), -1).tolist():
                sums = self._nodes(STEP[kind], (sums, row))
        return np.array(sums, np.int64).reshape(total.shape)

    def _chain(self, code: int, total: int, column: list[int]) -> int:
        find, insert = self.store.find, self.store.insert
        for term in column:
            key = (code, total, term)
            found = find(key)
            total = insert(key) if found is None else found
        return total

    def evaluate(self, ids: Array, environment: Mapping[str, Array]) -> Array:
        """The words of terms of one element type, given an array of words for every symbol's field.

        Raises KeyError if a field is missing, TypeError if the terms have several element types or
        there are none.
        """
        from alpha.interpreters.terms.evaluation import evaluate

        return evaluate(self.store, self._words, _checked(ids), environment)

    def describe(self, term: int | Array, depth: int = 3) -> str:
        """One term as a line of text, with `...` for what lies deeper."""
        from alpha.interpreters.terms.text import line

        return line(self.store, int(term), depth)


def _checked(array: Array) -> Array:
    """Refuse floating-point words that weren't lifted by `literal`."""
    if array.dtype != np.int64:
        raise TypeError(f"{array.dtype} words where numbers of terms are expected")
    return array
