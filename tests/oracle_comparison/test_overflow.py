"""A round that ends in a word that isn't finite is refused, and changes nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from oracle.learners import EXAMPLES, SIX
from oracle_comparison.running import (
    DTYPES,
    example_file,
    example_text,
    first_difference,
    interpret,
    interpreter,
    learner_file,
    with_samples,
)

from alpha.ir.refusals import Refusal

# The least squares of six samples diverge on samples that are a thousand times as large.
LARGER = (1e3 * np.array(SIX[0]), SIX[1])


def last_finite_round(name: str, dtype: Any) -> int:
    """The last version of whose words all are finite, by the oracle."""
    example = EXAMPLES[name]
    for rounds in range(1, 1000):
        with np.errstate(all="ignore"):
            state, _ = example.run(dtype, LARGER, example.order, rounds)
        if not all(np.isfinite(words).all() for words in state.values()):
            return rounds - 1
    raise AssertionError("the learner overflows")


@pytest.mark.parametrize("element", DTYPES)
def test_an_overflow_is_refused_in_its_round(element: str, tmp_path: Path) -> None:
    name, dtype = "least_squares_sgd", DTYPES[element]
    version = last_finite_round(name, dtype)
    assert version > 5
    running = interpreter(with_samples(example_file(name, element, tmp_path), LARGER))
    seen = [observation.total for _ in range(version) for observation in running.step()]
    for _ in range(2):
        with pytest.raises(Refusal) as refused:
            running.step()
        assert refused.value.code == "numeric-nonfinite"
        assert running.version == version
        with np.errstate(all="ignore"):
            wanted = EXAMPLES[name].run(dtype, LARGER, EXAMPLES[name].order, version)
        assert first_difference((running.state, seen), wanted) is None


def test_one_field_that_overflows_keeps_all_fields(tmp_path: Path) -> None:
    """The square of 1e160 is infinite, but Adam's new weights, divided by its root, are finite."""
    file = example_file("least_squares_adam", "f64", tmp_path)
    xs = np.full((6, 4), 1e160)
    running = interpreter(with_samples(file, (xs, np.ones(6))))
    before = {name: words.tobytes() for name, words in running.state.items()}
    with pytest.raises(Refusal) as refused:
        running.step()
    assert refused.value.code == "numeric-nonfinite"
    assert "@v" in refused.value.expected and "coordinate [0]" in refused.value.found
    assert running.version == 0
    assert {name: words.tobytes() for name, words in running.state.items()} == before


def test_a_loss_may_overflow_where_the_state_does_not(tmp_path: Path) -> None:
    """Observations are never fed back, so an infinite one refuses nothing."""
    text = example_text("partitioned_regression", "f64").replace("-7.0]", "-1.0e+200]")
    (state, losses) = interpret(learner_file(text, tmp_path), 1)
    assert np.isfinite(state["w"])
    assert losses == [np.inf]
