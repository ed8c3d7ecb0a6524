"""Learners of one update, made from a list of fields: what the separability tests are run on.

Entry: `Field`, `build`, `words_of`, `influences`.

A field of kind `mean` is the mean of one sample, so its words are those of the sample.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from alpha.interpreters.learner import LearnerInterpreter
from alpha.interpreters.words import Words
from alpha.ir.builder import LearnerBuilder, Program, Round, Value, tensor
from alpha.ir.learner_words import LearnerWords
from alpha.ir.learners import Learner, find_learner

Word = tuple[str, tuple[int, ...]]
"""A field and one of its coordinates."""


@dataclass(frozen=True)
class Field:
    """A named field; `kind` is state, shared, constant, mean or samples."""

    name: str
    kind: str
    shape: tuple[int, ...]

    @property
    def advances(self) -> bool:
        """Whether the update writes it."""
        return self.kind in ("state", "shared")

    def coordinates(self) -> Iterator[tuple[int, ...]]:
        """All coordinates, in row-major order."""
        return product(*(range(extent) for extent in self.shape))


Rule = Callable[..., Value | tuple[Value, ...]]


def build(fields: Sequence[Field], *rules: Rule) -> Learner:
    """A learner whose updates read all fields and write all states, one after another.

    Each rule is called with the program and the values of the fields, in their order. A later
    update reads the states as an earlier one has written them.
    """
    learner = LearnerBuilder("one_round")
    written = [field for field in fields if field.advances]
    for field in fields:
        _define(learner, field)
    types = [tensor(*field.shape) for field in fields]
    for number, rule in enumerate(rules):
        learner.update(types, name=f"rule{number}")(_as_program(rule))

    @learner.round
    def rounds(r: Round) -> None:
        values = {field.name: _value(r, field) for field in fields}
        for number in range(len(rules)):
            results = r.apply(f"rule{number}", list(values.values()))
            new = results if isinstance(results, tuple) else (results,)
            values.update(zip((field.name for field in written), new, strict=True))
        r.advance(**{field.name: values[field.name] for field in written})

    return find_learner(learner.module(), "one_round")


def _as_program(rule: Rule) -> Rule:
    def program(p: Program, *values: Value) -> Value | tuple[Value, ...]:
        return rule(p, *values)

    return program


def _define(learner: LearnerBuilder, field: Field) -> None:
    match field.kind:
        case "state" | "shared":
            learner.state(field.name, tensor(*field.shape), 0.0, shared=field.kind == "shared")
        case "constant":
            learner.constant(field.name, tensor(*field.shape), 0.0)
        case "mean":
            learner.samples(field.name, 1, [tensor(*field.shape)], [0.0])
            sample = [tensor(*field.shape)]
            learner.contribution([], sample, name=f"{field.name}_word")(lambda p, x: x)
        case _:
            count, *shape = field.shape
            learner.samples(field.name, count, [tensor(*shape)], [0.0])


def _value(r: Round, field: Field) -> Value:
    if field.kind != "mean":
        return r.read(field.name)
    return r.mean(*r.sum(f"{field.name}_word", [], field.name))


def words_of(fields: Sequence[Field], generator: np.random.Generator) -> LearnerWords:
    """Random whole numbers from 1 to 9 for all fields."""
    words = {field.name: _random(field.shape, generator) for field in fields}

    def of(*kinds: str) -> dict[str, np.ndarray]:
        return {field.name: words[field.name] for field in fields if field.kind in kinds}

    means = {name: [array[np.newaxis]] for name, array in of("mean").items()}
    samples = {name: [array] for name, array in of("samples").items()}
    return LearnerWords(of("state", "shared"), of("constant"), {**means, **samples})


def _random(shape: tuple[int, ...], generator: np.random.Generator) -> np.ndarray:
    return generator.integers(1, 10, shape).astype(np.float64).reshape(shape)


def _array(field: Field, words: LearnerWords) -> np.ndarray:
    match field.kind:
        case "state" | "shared":
            return words.states[field.name]
        case "constant":
            return words.constants[field.name]
        case "mean":
            return words.samples[field.name][0][0, ...]
        case _:
            return words.samples[field.name][0]


def influences(
    learner: Learner, fields: Sequence[Field], words: LearnerWords, change: float
) -> set[tuple[Word, Word]]:
    """Which new words change, in bits, if one word is changed: pairs (new word, changed word).

    This is found by running the round, once for each word; nothing is analysed.
    """
    interpreter = LearnerInterpreter(learner, words, Words())

    def advanced() -> dict[str, np.ndarray]:
        interpreter.state = {name: array.copy() for name, array in words.states.items()}
        interpreter.step()
        return {name: np.asarray(array) for name, array in interpreter.state.items()}

    found: set[tuple[Word, Word]] = set()
    before = advanced()
    for field in fields:
        array = _array(field, words)
        for index in field.coordinates():
            word = float(array[index])
            array[index] = word + change
            after = advanced()
            array[index] = word
            for target in fields:
                if target.advances:
                    bits = before[target.name].view(np.int64) != after[target.name].view(np.int64)
                    found |= {
                        ((target.name, at), (field.name, index))
                        for at in target.coordinates()
                        if bits[at]
                    }
    return found
