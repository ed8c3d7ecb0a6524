"""Declared groups: every contract has the oracle's bits, and another order has others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from oracle import orders
from oracle.learners import EXAMPLES, SIX, Data
from oracle.orders import Order
from oracle_comparison.running import (
    DTYPES,
    example_file,
    example_text,
    first_difference,
    interpret,
    learner_file,
    with_contract,
    with_samples,
)
from oracle_comparison.texts import mean_keeper, squared_error

SUMMING = [name for name, example in EXAMPLES.items() if example.order.groups]
LARGE = [name for name in SUMMING if sum(EXAMPLES[name].order.groups) > 10]
GROUPINGS = ("flat", "1-2-3-0", "eight with empties", "one sample each", "all in the last")
FANS = (0, 1, 2, 3)
RANDOM_SETS = 50


def groups_of(grouping: str, samples: int) -> tuple[int, ...]:
    """How a kind of grouping splits so many samples; where they aren't six, 3 is the rest."""
    return {
        "flat": (samples,),
        "1-2-3-0": (1, 2, samples - 3, 0),
        "eight with empties": (0, 1, 0, 0, samples - 2, 0, 1, 0),
        "one sample each": (1,) * samples,
        "all in the last": (0, 0, 0, samples),
    }[grouping]


def cases() -> Iterator[tuple[str, str]]:
    """Every learner that sums with each element type; the large ones in binary64 alone."""
    for name in SUMMING:
        for element in DTYPES:
            if name not in LARGE or element == "f64":
                yield name, element


@pytest.mark.parametrize("grouping", GROUPINGS)
@pytest.mark.parametrize(("name", "element"), list(cases()))
def test_a_declared_contract_equals_the_oracle(
    name: str, element: str, grouping: str, tmp_path: Path
) -> None:
    example = EXAMPLES[name]
    rounds = 1 if name in LARGE else 4
    for fan in FANS:
        order = Order(groups_of(grouping, sum(example.order.groups)), fan)
        found = interpret(example_file(name, element, tmp_path, order), rounds)
        wanted = example.run(DTYPES[element], example.data, order, rounds)
        assert first_difference(found, wanted) is None, order


OWNERS = re.compile(r"attributes \{owners = .*\} \{")
DECLARED = (
    ("", Order((6,))),
    ("<4, star>", Order((2, 2, 1, 1))),
    ("<2, pair>", Order((3, 3))),
    ("<2, pair, samples = [0, 6]>", Order((0, 6))),
    ("<8, tree<3>>", Order((1, 1, 1, 1, 1, 1, 0, 0), 3)),
    ("<4, tree<2>, samples = [1, 2, 3, 0]>", Order((1, 2, 3, 0), 2)),
    ("<3, tree<1>, samples = [3, 0, 3]>", Order((3, 0, 3), 1)),
)


@pytest.mark.parametrize(("owners", "order"), DECLARED)
def test_declared_owners_set_the_contract(owners: str, order: Order, tmp_path: Path) -> None:
    declared = f"attributes {{owners = #shard.owners{owners}}} {{" if owners else "{"
    text, count = OWNERS.subn(declared, example_text("least_squares_adam", "f64"))
    assert count == 1
    example = EXAMPLES["least_squares_adam"]
    wanted = example.run(np.float64, SIX, order, 20)
    assert first_difference(interpret(learner_file(text, tmp_path), 20), wanted) is None
    # A contract that is written at the sum counts, and not the owners.
    own = Order((2, 0, 4), 1)
    wanted = example.run(np.float64, SIX, own, 20)
    found = interpret(learner_file(with_contract(text, own), tmp_path), 20)
    assert first_difference(found, wanted) is None


def random_data(seed: int) -> Data:
    """Six samples of four coordinates of unequal size."""
    random = np.random.default_rng(seed)
    scale = 2.0 ** random.integers(-6, 7, (6, 1))
    return random.standard_normal((6, 4)) * scale, random.standard_normal(6) * scale[:, 0]


@pytest.mark.parametrize("element", DTYPES)
@pytest.mark.parametrize("name", ["least_squares_sgd", "least_squares_adam"])
def test_flat_and_grouped_orders_differ_on_most_data(
    name: str, element: str, tmp_path: Path
) -> None:
    flat, grouped = Order((6,)), Order((1, 2, 3, 0))
    files = {order: example_file(name, element, tmp_path, order) for order in (flat, grouped)}
    differing = 0
    for seed in range(RANDOM_SETS):
        data, results = random_data(seed), {}
        for order, file in files.items():
            results[order] = interpret(with_samples(file, data), 3)
            wanted = EXAMPLES[name].run(DTYPES[element], data, order, 3)
            assert first_difference(results[order], wanted) is None, (seed, order)
        differing += first_difference(results[flat], results[grouped]) is not None
    assert differing > RANDOM_SETS * 0.8


def kept(samples: list[float], order: Order, folder: Path, element: str = "f64") -> np.ndarray:
    """What the mean keeper keeps after one round; the oracle says the same."""
    dtype = DTYPES[element]
    file = learner_file(with_contract(mean_keeper(samples, element), order), folder)
    total = orders.total([dtype(sample) for sample in samples], order)
    wanted = {"kept": orders.mean(total, len(samples), dtype)}, [total]
    found = interpret(file, 1)
    assert first_difference(found, wanted) is None
    return np.asarray(found[0]["kept"])


@pytest.mark.parametrize("element", DTYPES)
@pytest.mark.parametrize("fan", FANS)
@pytest.mark.parametrize("groups", [(3,), (1, 2, 0), (0, 3), (0, 0, 1, 1, 0, 1)])
def test_minus_zeros_stay_minus_zero(
    groups: tuple[int, ...], fan: int, element: str, tmp_path: Path
) -> None:
    word = kept([-0.0, -0.0, -0.0], Order(groups, fan), tmp_path, element)
    assert word == 0.0 and np.signbit(word)
    word = kept([-0.0, 0.0, -0.0], Order(groups, fan), tmp_path, element)
    assert word == 0.0 and not np.signbit(word)


@pytest.mark.parametrize(
    ("fan", "total"), [(0, 1.0), (1, 1.0), (2, 2.0), (3, 1.0)], ids=["left", "1", "2", "3"]
)
def test_left_and_tree_combine_in_their_own_order(fan: int, total: float, tmp_path: Path) -> None:
    # Only tree<2> has a node that holds 1e16 and -1e16 alone: (1 + (1e16 - 1e16)) + 1.
    word = kept([1.0, 1e16, -1e16, 1.0], Order((1, 1, 1, 1), fan), tmp_path)
    assert word * 4.0 == total


def test_a_mean_is_not_the_mean_of_the_owners_means(tmp_path: Path) -> None:
    groups = Order((1, 2, 3, 0))
    assert kept([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], groups, tmp_path) == 3.5


def test_the_mean_gradient_of_unequal_owners(tmp_path: Path) -> None:
    text = squared_error([1.0, 2.0, 3.0, 10.0], [1.0, 1.0, 1.0, 0.0])
    for order in (Order((4,)), Order((3, 1)), Order((1, 2, 1, 0), 2)):
        (state, losses) = interpret(learner_file(with_contract(text, order), tmp_path), 1)
        assert state["g"] == 54.0
        assert losses == [105.0]
