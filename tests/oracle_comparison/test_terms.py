"""The learner level on terms: one symbolic round says what the words will be, for all words."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from oracle.learners import EXAMPLES
from oracle.orders import Order
from oracle_comparison.running import (
    DTYPES,
    example_file,
    example_text,
    first_difference,
    interpreter,
    learner_file,
    with_samples,
)

from alpha.interpreters.learner import LearnerInterpreter
from alpha.interpreters.terms import symbolic
from alpha.interpreters.terms.carrier import Terms
from alpha.interpreters.terms.store import TermStore
from alpha.interpreters.terms.symbolic import symbolic_words
from alpha.tools.learner_file import LearnerFile

SMALL = [name for name in EXAMPLES if not name.startswith(("diabetes", "digits"))]
Fields = Mapping[str, np.ndarray]


def symbolic_round(file: LearnerFile, store: TermStore) -> tuple[Fields, list]:
    """The terms of the next state and of the observations, over symbols for all words."""
    terms = Terms(store)
    words = symbolic_words(file.learner, file.words, terms)
    running = LearnerInterpreter(file.learner, words, terms)
    observations = running.step()
    return running.state, [observation.total for observation in observations]


@pytest.mark.parametrize("element", DTYPES)
@pytest.mark.parametrize("name", SMALL)
def test_terms_evaluate_to_the_next_words(name: str, element: str, tmp_path: Path) -> None:
    file, store = example_file(name, element, tmp_path), TermStore()
    terms, losses = symbolic_round(file, store)
    running, carrier = interpreter(file), Terms(store)
    for _ in range(4):
        environment = symbolic.environment(running.state, file.words)
        state = {field: carrier.evaluate(ids, environment) for field, ids in terms.items()}
        seen = [carrier.evaluate(ids, environment) for ids in losses]
        totals = [observation.total for observation in running.step()]
        assert first_difference((state, seen), (running.state, totals)) is None
    assert all(ids.dtype == np.int64 for ids in terms.values())


def test_terms_of_one_data_set_evaluate_on_another(tmp_path: Path) -> None:
    file, store = example_file("least_squares_adam", "f64", tmp_path), TermStore()
    terms, _ = symbolic_round(file, store)
    random = np.random.default_rng(0)
    other = with_samples(file, (random.standard_normal((6, 4)), random.standard_normal(6)))
    running = interpreter(other)
    environment = symbolic.environment(running.state, other.words)
    running.step()
    state = {name: Terms(store).evaluate(ids, environment) for name, ids in terms.items()}
    assert first_difference((state, []), (running.state, [])) is None


def _terms_by(order: Order, store: TermStore, folder: Path) -> dict[str, bytes]:
    file = example_file("least_squares_momentum", "f64", folder, order)
    state, losses = symbolic_round(file, store)
    found = {name: ids.tobytes() for name, ids in state.items()}
    return {**found, "loss": losses[0].tobytes()}


ORDERS = (Order((6,)), Order((1, 2, 3, 0)), Order((1, 2, 3, 0), 2), Order((3, 2, 1)))


def test_another_contract_has_other_terms(tmp_path: Path) -> None:
    store = TermStore()
    found = [_terms_by(order, store, tmp_path) for order in ORDERS]
    for field in found[0]:
        assert len({terms[field] for terms in found}) == len(ORDERS), field


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Order((1, 2, 3, 0)), Order((1, 2, 3))),
        (Order((1, 2, 3, 0)), Order((0, 1, 0, 2, 3))),
        (Order((1, 1, 1, 1, 1, 1)), Order((6,))),
        (Order((0, 0, 6, 0), 2), Order((6,))),
        (Order((1, 2, 3, 0)), Order((1, 2, 3), 2)),
    ],
)
def test_contracts_of_one_meaning_have_the_same_terms(
    one: Order, other: Order, tmp_path: Path
) -> None:
    store = TermStore()
    assert _terms_by(one, store, tmp_path) == _terms_by(other, store, tmp_path)


def test_a_state_never_shares_symbols_with_samples(tmp_path: Path) -> None:
    """A state may bear the name by which a component of the samples is known."""
    text = example_text("partitioned_regression", "f64").replace("@w ", '@"data.0" ')
    file = learner_file(text.replace("@w,", '@"data.0",'), tmp_path)
    words = symbolic_words(file.learner, file.words, Terms())
    symbols = [words.states["data.0"], *words.samples["data"]]
    numbers = np.concatenate([array.ravel() for array in symbols])
    assert len(set(numbers.tolist())) == 1 + 3 + 3
