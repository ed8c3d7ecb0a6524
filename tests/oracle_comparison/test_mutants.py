"""The comparison with the oracle isn't vacuous: it notices mutants of either side.

Each mutant is a mistake that an implementation can make. It is made on one side only, and the
comparison, which finds no difference without it, has to find one on the example that is named.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from oracle import orders
from oracle.learners import EXAMPLES, Data, Example, Result, least_squares, momentum
from oracle.orders import Order, Word
from oracle_comparison.running import (
    DTYPES,
    example_file,
    first_difference,
    interpret,
    learner_file,
)
from oracle_comparison.texts import mean_keeper

from alpha.interpreters import sums
from alpha.interpreters import words as words_carrier
from alpha.interpreters.words import Words
from alpha.ir.contracts import Contract

ROUNDS = 5
Patch = pytest.MonkeyPatch
ZEROS = [-0.0, -0.0, -0.0]


def keeping(dtype: Any, data: Data, order: Order, rounds: int) -> Result:
    """The oracle of the learner that keeps the mean of its samples."""
    total = orders.total([dtype(sample) for sample in data[0]], order)
    kept = orders.mean(total, len(data[0]), dtype)
    return {"kept": kept}, [total] * rounds


def compare(name: str, element: str, folder: Path, example: Example | None = None) -> str | None:
    """The first difference of the interpreter and the oracle of an example or of @mean_keeper."""
    if name == "mean_keeper":
        found = interpret(learner_file(mean_keeper(ZEROS, element), folder), ROUNDS)
        example = Example(keeping, [ZEROS], Order((3,)))
    else:
        found = interpret(example_file(name, element, folder), ROUNDS)
        example = example or EXAMPLES[name]
    with np.errstate(all="ignore"):
        wanted = example.run(DTYPES[element], example.data, example.order, ROUNDS)
    return first_difference(found, wanted)


# Mutants of the oracle


def mean_by_reciprocal(patch: Patch) -> None:
    patch.setattr(orders, "mean", lambda total, count, dtype: total * (dtype(1) / dtype(count)))


def groups_start_at_plus_zero(patch: Patch) -> None:
    patch.setattr(orders, "nothing", np.zeros_like)


def groups_from_right_to_left(patch: Patch) -> None:
    patch.setattr(orders, "combined", lambda partials, fan: orders.left(partials[::-1]))


def last_sample_lost(patch: Patch) -> None:
    right = orders.total

    def total(rows: Sequence[Word], order: Order) -> Word:
        return right([*rows[:-1], orders.nothing(rows[-1])], order)

    patch.setattr(orders, "total", total)


def groups_shifted_by_one(patch: Patch) -> None:
    right = orders.total

    def total(rows: Sequence[Word], order: Order) -> Word:
        first, second, *rest = order.groups
        return right(rows, Order((first + 1, second - 1, *rest), order.fan))

    patch.setattr(orders, "total", total)


def tree_combined_left(patch: Patch) -> None:
    patch.setattr(orders, "combined", lambda partials, fan: orders.left(partials))


def product_rounded_before_the_sum(patch: Patch) -> None:
    patch.setattr(orders, "fused", lambda a, b, c: a * b + c)


def pairs_by_left(patch: Patch) -> None:
    patch.setattr(orders, "pairs", orders.left)


def neighbouring_lanes(width: int) -> orders.Fold:
    """Lanes 2l and 2l + 1 are added, instead of l and l + half."""
    return lambda terms: orders.pairs([orders.left(terms[lane::width]) for lane in range(width)])


def lanes_halved_by_neighbours(patch: Patch) -> None:
    patch.setattr(orders, "lanes", neighbouring_lanes)


def lanes_half_as_many(patch: Patch) -> None:
    right = orders.lanes
    patch.setattr(orders, "lanes", lambda width: right(width // 2))


# Mutants of the interpreter


def sum_by_numpy(patch: Patch) -> None:
    def accumulate_from(self: Words, start: Any, array: Any, axis: int, kind: str = "add") -> Any:
        rows = np.moveaxis(array, axis, -1)
        first = np.broadcast_to(start, rows.shape[:-1])[..., np.newaxis]
        return np.sum(np.ascontiguousarray(np.concatenate([first, rows], axis=-1)), axis=-1)

    patch.setattr(Words, "accumulate_from", accumulate_from)


def minus_zero_read_as_plus_zero(patch: Patch) -> None:
    right = Words.constant

    def constant(self: Words, value: float | bytes, element: str) -> Any:
        return right(self, 0.0 if value == 0.0 else value, element)

    patch.setattr(Words, "constant", constant)


def fma_as_two_operations(patch: Patch) -> None:
    patch.setitem(words_carrier._MEANINGS, "math.fma", lambda a, b, c: a * b + c)


def division_by_reciprocal(patch: Patch) -> None:
    patch.setitem(words_carrier._MEANINGS, "arith.divf", lambda a, b: a * (b.dtype.type(1) / b))


def product_off_by_one_place(patch: Patch) -> None:
    def multiply(a: Any, b: Any) -> Any:
        return np.nextafter(a * b, np.asarray(np.inf, a.dtype))

    patch.setitem(words_carrier._MEANINGS, "arith.mulf", multiply)


def sums_restarted_with_every_chunk(patch: Patch) -> None:
    patch.setattr(sums, "CHUNK_WORDS", 1)
    right = Words.accumulate_from

    def accumulate_from(self: Words, start: Any, array: Any, axis: int, kind: str = "add") -> Any:
        begin = self.constant(-0.0, "f64") if axis == 0 else start
        return right(self, np.broadcast_to(begin, np.shape(start)), array, axis)

    patch.setattr(Words, "accumulate_from", accumulate_from)


def schedule_backwards(patch: Patch) -> None:
    def schedule(self: Contract) -> list[tuple[int, int]]:
        return [(i, i + 1) for i in reversed(range(len(self.groups) - 1))]

    patch.setattr(Contract, "schedule", schedule)


MUTANTS: tuple[tuple[Callable[[Patch], None], str, str], ...] = (
    (mean_by_reciprocal, "least_squares_sgd", "f64"),
    (groups_start_at_plus_zero, "mean_keeper", "f32"),
    (groups_from_right_to_left, "least_squares_sgd", "f64"),
    (last_sample_lost, "partitioned_regression", "f32"),
    (groups_shifted_by_one, "least_squares_momentum", "f64"),
    (tree_combined_left, "digits_perceptron", "f64"),
    (product_rounded_before_the_sum, "linear_predictor", "f64"),
    (product_rounded_before_the_sum, "linear_predictor", "f32"),
    (pairs_by_left, "digits_perceptron", "f32"),
    (lanes_halved_by_neighbours, "digits_perceptron", "f64"),
    (lanes_half_as_many, "digits_perceptron", "f32"),
    (sum_by_numpy, "diabetes_sgd", "f64"),
    (minus_zero_read_as_plus_zero, "mean_keeper", "f64"),
    (fma_as_two_operations, "linear_predictor", "f64"),
    (division_by_reciprocal, "local_correlation", "f64"),
    (product_off_by_one_place, "local_correlation", "f32"),
    (sums_restarted_with_every_chunk, "diabetes_adam", "f64"),
    (schedule_backwards, "least_squares_adam", "f64"),
)


@pytest.mark.parametrize(
    ("mutant", "name", "element"), MUTANTS, ids=[f"{m.__name__}-{e}" for m, _, e in MUTANTS]
)
def test_a_mutant_is_noticed(
    mutant: Callable[[Patch], None],
    name: str,
    element: str,
    tmp_path: Path,
    monkeypatch: Patch,
) -> None:
    assert compare(name, element, tmp_path) is None
    with monkeypatch.context() as patch:
        mutant(patch)
        assert compare(name, element, tmp_path) is not None
    assert compare(name, element, tmp_path) is None


@pytest.mark.parametrize(
    "fold",
    [neighbouring_lanes(4), orders.left, orders.pairs],
    ids=["neighbours", "left", "pairs"],
)
def test_another_fold_is_noticed(fold: orders.Fold, tmp_path: Path) -> None:
    example = EXAMPLES["least_squares_momentum"]
    zeros = [0.0] * 4
    mutant = example._replace(run=least_squares(fold, momentum(0.05), w=zeros, u=zeros))
    assert compare("least_squares_momentum", "f64", tmp_path, mutant) is not None


def test_binary64_inside_is_noticed(tmp_path: Path) -> None:
    example = EXAMPLES["least_squares_adam"]

    def run(dtype: Any, data: Data, order: Order, rounds: int) -> Result:
        single = [np.asarray(part, dtype).astype(np.float64) for part in data]
        state, losses = example.run(np.float64, single, order, rounds)
        rounded = {name: words.astype(dtype) for name, words in state.items()}
        return rounded, [dtype(loss) for loss in losses]

    mutant = example._replace(run=run)
    assert compare("least_squares_adam", "f32", tmp_path, mutant) is not None
