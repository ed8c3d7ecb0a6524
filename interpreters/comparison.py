"""Compares two learners by terms: does one round mean the same for every input?

Invariant: a field is reported equal only if the terms of all its words at version v+1 are
    identical, starting from the same symbols at version v; then, if the initial words are equal
    too, the two are equal in every round, for every input that neither refuses.
Entry: `compare_learners`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from alpha.interpreters.learner import LearnerInterpreter
from alpha.interpreters.terms.carrier import Terms
from alpha.interpreters.terms.difference import words_difference
from alpha.interpreters.terms.symbolic import symbolic_words
from alpha.ir.learner_words import LearnerWords
from alpha.ir.learners import Learner
from alpha.ir.shapes import type_text


@dataclass(frozen=True)
class FieldComparison:
    """One field of state in both learners; `difference` is None if it is equal."""

    name: str
    words: int
    difference: str | None


def compare_learners(
    left: tuple[Learner, LearnerWords],
    right: tuple[Learner, LearnerWords],
    labels: tuple[str, str],
    nodes_max: int,
) -> list[FieldComparison]:
    """Each field of either learner, in the order of names.

    Fields, samples and their types must be the same in both to be compared word by word; where
    they aren't, the difference says so.

    Raises:
        TermsTooLarge: a round has more than `nodes_max` terms.
    """
    mismatch = _mismatch(left[0], right[0])
    if mismatch is not None:
        names = sorted({*left[0].states, *right[0].states})
        return [FieldComparison(name, 0, mismatch) for name in names]
    carrier = Terms(nodes_max=nodes_max)
    states: list[dict[str, np.ndarray]] = []
    for learner, words in (left, right):
        symbols = symbolic_words(learner, words, carrier)
        interpreter = LearnerInterpreter(learner, symbols, carrier)
        interpreter.step()
        states.append(interpreter.state)
    return [
        FieldComparison(
            name,
            states[0][name].size,
            words_difference(carrier.store, name, states[0][name], states[1][name], labels),
        )
        for name in sorted(left[0].states)
    ]


def _mismatch(left: Learner, right: Learner) -> str | None:
    """Why the words of the two can't be compared one by one, or None if they can."""
    shapes = [_shapes(learner) for learner in (left, right)]
    for name in sorted({*shapes[0], *shapes[1]}):
        found = [shape.get(name, "nothing") for shape in shapes]
        if found[0] != found[1]:
            return f"@{name} is {found[0]} on the left and {found[1]} on the right"
    return None


def _shapes(learner: Learner) -> dict[str, str]:
    """What each field of state and each set of samples is, in words."""
    states = {name: type_text(op.type) for name, op in learner.states.items()}
    samples = {
        name: ", ".join(type_text(type) for type in op.whole_types())
        for name, op in learner.samples.items()
    }
    return {**states, **samples}
