"""Random programs on both carriers: the terms evaluate to the words, bit for bit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from alpha.interpreters.carriers import OPERATIONS
from alpha.interpreters.terms.carrier import Terms
from alpha.interpreters.words import Words

MixedWords = Callable[[np.random.Generator, str, tuple[int, ...]], NDArray]
Pair = tuple[NDArray, NDArray]
SameWords = Callable[[NDArray, NDArray], bool]

WORDS = Words()
SHAPES = ((), (3,), (3, 1), (3, 3), (1,))
ORDERS = ("left", "pairs", ("lanes", 2), ("lanes", 8))
CONSTANTS = (0.0, -0.0, 1.0, -1.0, 0.1, 3.0, float("inf"), float("nan"))
STEPS = 25


class Program:
    """One random program, run on both carriers at once; a value is a pair (words, terms)."""

    def __init__(self, seed: int, element: str, mixed_words: MixedWords) -> None:
        self.random = np.random.default_rng(seed)
        self.element = element
        self.terms = Terms()
        self.environment: dict[str, NDArray] = {}
        self.floats: list[Pair] = []
        self.truths: list[Pair] = []
        for number, shape in enumerate(SHAPES):
            words = mixed_words(self.random, element, shape)
            name = f"s{number}"
            self.environment[name] = words
            self.floats.append((words, self.terms.symbol_array(name, shape, element)))
        for value in self.random.choice(CONSTANTS, 3):
            constant = float(value)
            words = WORDS.constant(constant, element)
            self.floats.append((words, self.terms.constant(constant, element)))
        known = mixed_words(self.random, element, (3, 3))
        self.floats.append((WORDS.literal(known), self.terms.literal(known)))

    def pick(self, pool: list[Pair]) -> Pair:
        return pool[self.random.integers(len(pool))]

    def step(self) -> None:
        kind = self.random.random()
        if kind < 0.15:
            self.fold()
        elif kind < 0.25:
            self.move()
        else:
            self.apply()

    def apply(self) -> None:
        names = [name for name in OPERATIONS if self.truths or "b" not in OPERATIONS[name].operands]
        comparison = self.random.random() < 0.2
        names = [name for name in names if name.startswith("arith.cmpf") == comparison]
        name = names[self.random.integers(len(names))]
        signature = OPERATIONS[name]
        operands = [self.pick(self.truths if k == "b" else self.floats) for k in signature.operands]
        words = WORDS.apply(name, *(words for words, _ in operands))
        terms = self.terms.apply(name, *(terms for _, terms in operands))
        (self.truths if signature.result == "b" else self.floats).append((words, terms))

    def fold(self) -> None:
        words, terms = self.pick([pair for pair in self.floats if pair[0].ndim])
        axis = int(self.random.integers(words.ndim))
        kind = ("add", "max")[self.random.integers(2)]
        order = ORDERS[self.random.integers(len(ORDERS))]
        words = WORDS.fold(kind, order, words, axis)
        terms = self.terms.fold(kind, order, terms, axis, self.element)
        self.floats.append((np.expand_dims(words, axis), np.expand_dims(terms, axis)))

    def move(self) -> None:
        words, terms = self.pick(self.floats)
        self.floats.append((np.flip(words).T, np.flip(terms).T))

    def disagreements(self, same_words: SameWords) -> list[str]:
        """The values on which the carriers differ, as text."""
        found: list[str] = []
        for pool in filter(None, (self.floats, self.truths)):
            ids = np.concatenate([terms.ravel() for _, terms in pool])
            evaluated = self.terms.evaluate(ids, self.environment)
            parts = np.split(evaluated, np.cumsum([words.size for words, _ in pool])[:-1])
            found += [
                self.terms.describe(terms.flat[0])
                for (words, terms), part in zip(pool, parts, strict=True)
                if not same_words(part.reshape(terms.shape), words)
            ]
        return found


@pytest.mark.parametrize("element", ["f64", "f32"])
@pytest.mark.parametrize("block", range(4))
def test_terms_evaluate_to_what_the_words_compute(
    block: int, element: str, mixed_words: MixedWords, same_words: SameWords
) -> None:
    for seed in range(30 * block, 30 * block + 30):
        program = Program(seed, element, mixed_words)
        for _ in range(STEPS):
            program.step()
        assert program.disagreements(same_words) == [], seed


def test_a_wrong_operation_would_be_noticed(
    monkeypatch: pytest.MonkeyPatch, mixed_words: MixedWords, same_words: SameWords
) -> None:
    """A terms carrier that confuses two operations disagrees with the words in most programs."""
    right = Terms._nodes

    def wrong(self: Terms, operation: str, columns: Sequence[Iterable[int]]) -> list[int]:
        exchanged = {"pointwise.min": "pointwise.max", "arith.subf": "arith.addf"}
        return right(self, exchanged.get(operation, operation), columns)

    monkeypatch.setattr(Terms, "_nodes", wrong)
    noticed = 0
    for seed in range(30):
        program = Program(seed, "f64", mixed_words)
        for _ in range(STEPS):
            program.step()
        noticed += bool(program.disagreements(same_words))
    assert noticed > 15
