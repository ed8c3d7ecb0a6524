"""Digests of a learner and of its state, over a canonical encoding.

Invariant: the learner digest covers programs, initial state, constants and samples; it doesn't
    depend on owners, topology or contract, on names of values, on places, or on whether words are
    inline or in a file. Nothing is hashed that xDSL prints.
Why: run identities, checkpoints and comparisons across owners all name these digests.
Entry: `learner_digest`, `learner_parts`, `state_digest`, `streamed_digest`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping

import numpy as np
from xdsl.ir import Attribute

from alpha.ir.canonical import digest
from alpha.ir.learner_words import LearnerWords
from alpha.ir.learners import Learner
from alpha.ir.program_structures import (
    Structure,
    contribution_structure,
    round_structure,
    update_structure,
)
from alpha.ir.shapes import type_text

WINDOW_WORDS = 1 << 17
"""So many words are copied at a time to be hashed."""


def state_digest(types: Mapping[str, Attribute], words: Mapping[str, np.ndarray]) -> str:
    """SHA-256 of the logical state, in hexadecimal.

    Per field in UTF-8 order of names: name, NUL, type text, NUL, words in row-major order,
    little-endian. Equal states have equal digests, whoever holds the words.
    """
    return streamed_digest(types, lambda name: _windows(words[name]))


def _windows(words: np.ndarray) -> Iterable[np.ndarray]:
    """An array in parts of its words in row-major order; one that doesn't lie so is one part."""
    if not words.flags.c_contiguous:
        return (words,)
    flat = words.reshape(-1)
    return (flat[at : at + WINDOW_WORDS] for at in range(0, flat.size, WINDOW_WORDS))


def streamed_digest(
    types: Mapping[str, Attribute], parts: Callable[[str], Iterable[np.ndarray]]
) -> str:
    """The same, where the words of a state come in parts, one behind the other."""
    hash = hashlib.sha256()
    for name in sorted(types, key=lambda name: name.encode()):
        hash.update(name.encode() + b"\0" + type_text(types[name]).encode() + b"\0")
        for part in parts(name):
            hash.update(words_bytes(part))
    return hash.hexdigest()


def words_bytes(words: np.ndarray) -> bytes:
    """Words in row-major order, little-endian."""
    return np.ascontiguousarray(words, dtype=words.dtype.newbyteorder("<")).tobytes()


def words_structure(words: np.ndarray) -> Structure:
    """What stands for an array in a digest: one word if all are alike, else their hash."""
    if words.size and not any(words.strides):
        return ("splat", words_bytes(words[tuple(slice(0, 1) for _ in words.shape)]))
    data = words_bytes(words)
    size = words.dtype.itemsize
    if data and data == data[:size] * words.size:
        return ("splat", data[:size])
    return ("words", hashlib.sha256(data).digest())


def learner_parts(learner: Learner, words: LearnerWords) -> dict[str, str]:
    """The digest of each part of the learner, by kind and name, such as `state w`.

    A difference between two learners can so be named.
    """
    parts: dict[str, str] = {}
    for name, op in learner.states.items():
        shared = op.shared is not None
        value = (type_text(op.type), shared, words_structure(words.states[name]))
        parts[f"state {name}"] = digest(("state", name, value))
    for name, op in learner.constants.items():
        value = (type_text(op.type), words_structure(words.constants[name]))
        parts[f"constant {name}"] = digest(("constant", name, value))
    for name, op in learner.samples.items():
        types = tuple(type_text(type) for type in op.types.data)
        arrays = tuple(words_structure(array) for array in words.samples[name])
        value = (op.count.value.data, types, arrays)
        parts[f"samples {name}"] = digest(("samples", name, value))
    for name, op in learner.contributions.items():
        parts[f"contribution {name}"] = digest(contribution_structure(op))
    for name, op in learner.updates.items():
        parts[f"update {name}"] = digest(update_structure(op))
    parts["round"] = digest(round_structure(learner))
    return parts


def learner_digest(parts: Mapping[str, str]) -> str:
    """The digest of the whole learner, from those of its parts; hexadecimal."""
    return digest(("learner", dict(parts)))
