"""Evaluates terms by the words carrier, given words for their symbols.

Why: it ties the two carriers together: a test evaluates the terms of a program and compares them
    with what the words carrier computes.
Entry: `evaluate`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import numpy as np

from alpha.interpreters.carriers import OPERATIONS, Array
from alpha.interpreters.terms.store import ELEMENTS, TermStore
from alpha.interpreters.words import DTYPES, Words


def evaluate(store: TermStore, words: Words, ids: Array, environment: Mapping[str, Array]) -> Array:
    """The words of `ids`, in their shape; `environment` has the words of each symbol's field.

    Terms of equal depth and operation are computed together. Raises KeyError if a field is missing,
    TypeError unless the terms have exactly one element type.
    """
    elements = {store.element(term) for term in np.unique(ids).tolist()}
    if len(elements) != 1:
        raise TypeError(f"terms of {len(elements)} element types: {', '.join(sorted(elements))}")
    reached = reachable(store, ids.ravel().tolist())
    place = {term: i for i, term in enumerate(reached)}
    values = {element: np.zeros(len(reached), DTYPES[element]) for element in ELEMENTS}
    depth: list[int] = []
    layers: dict[tuple[int, str, str], list[int]] = defaultdict(list)
    fields = {name: np.ascontiguousarray(field).ravel() for name, field in environment.items()}
    for i, term in enumerate(reached):
        operands = store.operands(term)
        depth.append(1 + max((depth[place[operand]] for operand in operands), default=-1))
        if operands:
            layers[depth[i], store.operation(term), store.element(operands[-1])].append(i)
        elif store.constant_bits(term) is not None:
            values[store.element(term)][i] = store.constant_word(term)
        else:
            name, offset = store.symbol_place(term)
            values[store.element(term)][i] = fields[name][offset]
    for (_, operation, element), members in sorted(layers.items()):
        signature = OPERATIONS[operation]
        columns = np.array([[place[o] for o in store.operands(reached[i])] for i in members]).T
        inputs = [
            values["i1" if kind == "b" else element][column]
            for kind, column in zip(signature.operands, columns, strict=True)
        ]
        result = "i1" if signature.result == "b" else element
        values[result][members] = words.apply(operation, *inputs)
    picked = [place[term] for term in ids.ravel().tolist()]
    return values[elements.pop()][picked].reshape(ids.shape)


def reachable(store: TermStore, roots: list[int]) -> list[int]:
    """All terms that the roots are made of, operands first."""
    seen = set(roots)
    pending = list(seen)
    while pending:
        for operand in store.operands(pending.pop()):
            if operand not in seen:
                seen.add(operand)
                pending.append(operand)
    return sorted(seen)
