"""The symbols that a learner's words become on the terms carrier.

Invariant: every word of state and of samples is a free symbol, so what is proved of one round holds
    for every input; constants are what they are, since they belong to the learner. No two words
    share a symbol, whatever the names of fields and samples are.
Entry: `symbolic_words`, `environment`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

import numpy as np

from alpha.interpreters.terms.carrier import Terms
from alpha.ir.learner_words import LearnerWords
from alpha.ir.learners import Learner
from alpha.ir.shapes import element_name, shape_of


def field_name(state: str) -> str:
    """The name under which the symbols of a state are known.

    It is the state's own, in quotes if it holds a point: a component of samples holds one and ends
    in a digit, so none has the name of a state.
    """
    return json.dumps(state) if "." in state else state


def component_name(samples: str, component: int) -> str:
    """The name under which the symbols of one component of samples are known."""
    return f"{samples}.{component}"


def symbolic_words(learner: Learner, words: LearnerWords, carrier: Terms) -> LearnerWords:
    """Arrays of terms in the shapes of the learner's words.

    A state's symbols have its `field_name`, those of a component of samples `component_name`.

    Raises:
        TermsTooLarge: there are more words than the carrier's store holds terms.
    """
    states = {
        name: carrier.symbol_array(field_name(name), shape_of(op.type), element_name(op.type))
        for name, op in learner.states.items()
    }
    constants = {name: carrier.literal(array) for name, array in words.constants.items()}
    samples = {
        name: [
            carrier.symbol_array(component_name(name, number), shape_of(type), element_name(type))
            for number, type in enumerate(op.whole_types())
        ]
        for name, op in learner.samples.items()
    }
    return LearnerWords(states, constants, samples)


def environment(state: Mapping[str, np.ndarray], words: LearnerWords) -> dict[str, np.ndarray]:
    """What the symbols stand for, to evaluate terms with these words."""
    return {
        **{field_name(name): array for name, array in state.items()},
        **{
            component_name(name, number): array
            for name, arrays in words.samples.items()
            for number, array in enumerate(arrays)
        },
    }
