"""All words that a learner starts from: its states, constants and samples as arrays.

Invariant: `resolve` gives the same words for inline values and for files that hold them.
Refuses: region-data-file, region-data-extent, numeric-nonfinite.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from xdsl.dialects.builtin import FloatAttr
from xdsl.ir import Attribute, Operation

from alpha.ir.attributes.literals import float_bytes, value_bytes
from alpha.ir.attributes.region import FileAttr
from alpha.ir.data_files import NUMPY_TYPES, load_words
from alpha.ir.initial_values import nonfinite
from alpha.ir.learners import Learner
from alpha.ir.shapes import element_name, element_of, shape_of


@dataclass(frozen=True)
class LearnerWords:
    """The words of a learner, by name; samples have one array a component.

    An array has the shape of its type; a component of samples has the shape (samples, *component).
    A splat is an array without strides, so it costs one word.
    """

    states: dict[str, np.ndarray]
    constants: dict[str, np.ndarray]
    samples: dict[str, list[np.ndarray]]


def inline_words(value: Attribute, type: Attribute) -> np.ndarray:
    """The words of an inline value; a splat isn't written out."""
    dtype = NUMPY_TYPES[element_name(type)]
    if isinstance(value, FloatAttr):
        word = np.frombuffer(float_bytes(value.value.data, element_of(type)), dtype)[0]
        return np.broadcast_to(word, shape_of(type))
    return np.frombuffer(value_bytes(value, type), dtype).reshape(shape_of(type))


def _words(value: Attribute, type: Attribute, folder: Path, at: Operation) -> np.ndarray:
    if isinstance(value, FileAttr):
        return load_words(value, type, folder, at)
    return inline_words(value, type)


def resolve(learner: Learner, folder: Path) -> LearnerWords:
    """Open what is in files, relative to `folder`, and give all words.

    Raises:
        Refusal: `region-data-file`, `region-data-extent`, or `numeric-nonfinite` for a state.
        OSError: a file can't be opened or read.
    """
    states: dict[str, np.ndarray] = {}
    for name, op in learner.states.items():
        states[name] = _words(op.initial, op.type, folder, op)
        require_finite(states[name], name, "at version 0", op)
    constants = {
        name: _words(op.initial, op.type, folder, op) for name, op in learner.constants.items()
    }
    samples = {
        name: [
            _words(value, type, folder, op)
            for value, type in zip(op.sources.data, op.whole_types(), strict=True)
        ]
        for name, op in learner.samples.items()
    }
    return LearnerWords(states, constants, samples)


def require_finite(words: np.ndarray, name: str, when: str, at: Operation) -> None:
    """Refuse a state with a word that isn't finite, naming the index of the first.

    Raises:
        Refusal: `numeric-nonfinite`.
    """
    if words.ndim and not any(words.strides):
        # A splat: one word stands for all of them.
        words = words[tuple(slice(0, 1) for _ in words.shape)]
    finite = np.isfinite(words)
    if finite.all():
        return
    first = np.unravel_index(int(np.argmin(finite)), words.shape) if words.ndim else ()
    raise nonfinite(float(words[first]), [int(i) for i in first], name, when, at)
