"""Cases of sums by their bits: contracts, divisions and zeros of either sign.

Sums are written out as Python expressions, or added one by one by the oracle's plain functions.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from cases.plain_sums import ordered
from cases.running import (
    EVERY_TOPOLOGY,
    NODES_MAX,
    bits,
    everywhere,
    hexes,
    learner_run,
    read,
    refusal,
    totals,
)
from cases.texts import contract, folds, means, replaced
from oracle.orders import pairs

from alpha.interpreters.comparison import compare_learners
from alpha.ir.contracts import Contract, Left, Tree

HIDING = [1e16, 1.0, -1e16, 1.0]

SEVEN = [0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 0.6]
"""Left-deep sums differ from those of a tree; in ascending order they don't."""

HIDDEN = {
    "left": (Left(), ((1e16 + 1.0) + -1e16) + 1.0, 1.0),
    "tree<1>": (Tree(1), 1e16 + (1.0 + (-1e16 + 1.0)), 0.0),
    "tree<2>": (Tree(2), (1e16 + (1.0 + -1e16)) + 1.0, 1.0),
}
"""By contract the sum of four groups written out, and its value; tree<1> is right to left."""


def test_B08_orders_are_contracts_with_their_own_digests() -> None:
    """1e16, 1, -1e16, 1: left-deep it is 1, right to left 0, in adjacent pairs 0, exactly 2."""
    groups = (1, 1, 1, 1)
    digests = {Contract(groups, combine).digest() for combine, _, _ in HIDDEN.values()}
    assert len(digests) == len(HIDDEN)
    for name, (_, expression, value) in HIDDEN.items():
        assert bits(expression) == bits(value)
        text = means(HIDING, order=contract(groups, name))
        assert totals(text, [(1, 1, 1, 1), (1, 3), (2, 0, 2)], EVERY_TOPOLOGY) == {bits(value)}
        everywhere(text, [(3, 1)], {"mean": value / 4.0})
    for fold, value in (("left", 1.0), ("pairs", (1e16 + 1.0) + (-1e16 + 1.0))):
        assert totals(_fold_of(HIDING, fold), [(1,)]) == {bits(value)}
    assert bits((1e16 + 1.0) + (-1e16 + 1.0)) == bits(0.0)
    exact = refusal(lambda: read(means(HIDING, order=contract(groups, "exact"))))
    assert exact.code == "target-unsupported"


def test_B08_three_groups_that_only_a_tree_brings_together() -> None:
    """1, 1e16, -1e16, 1 gives 1 left-deep and 2 over tree<2>, which adds the middle two first."""
    assert bits(((1.0 + 1e16) + -1e16) + 1.0) == bits(1.0)
    assert bits((1.0 + (1e16 + -1e16)) + 1.0) == bits(2.0)
    for combine, value in (("left", 1.0), ("tree<2>", 2.0)):
        text = means([1.0, 1e16, -1e16, 1.0], order=contract([1] * 4, combine))
        assert totals(text, [(1, 1, 1, 1), (4, 0), (2, 2)], EVERY_TOPOLOGY) == {bits(value)}


@pytest.mark.parametrize(
    ("samples", "combine", "wanted"),
    [
        ([0.2, 0.4, 0.3, 0.1], "left", "0x3ff0000000000001"),
        ([0.2, 0.4, 0.3, 0.1], "tree<1>", "0x3ff0000000000000"),
        ([0.2, 0.4, 0.3, 0.1], "tree<2>", "0x3fefffffffffffff"),
        (SEVEN, "left", "0x4006666666666667"),
        (SEVEN, "tree<2>", "0x4006666666666666"),
    ],
)
def test_B09_orders_differ_on_common_decimals(
    samples: list[float], combine: str, wanted: str
) -> None:
    """Sums of tenths tell the orders apart by one bit, on every topology and partitioning."""
    count = len(samples)
    assert bits(ordered(samples, [1] * count, combine)) == wanted
    text = means(samples, order=contract([1] * count, combine))
    assert totals(text, [(2, count - 2), (1, 0, count - 1)], EVERY_TOPOLOGY) == {wanted}


def test_B09_adjacent_pairs_are_a_fold() -> None:
    """The order of adjacent pairs is that of `pointwise.fold add pairs`; ascending they hide it."""
    for samples, left, paired in (
        ([0.2, 0.4, 0.3, 0.1], "0x3ff0000000000001", "0x3ff0000000000000"),
        (SEVEN, "0x4006666666666667", "0x4006666666666666"),
        (sorted(SEVEN), "0x4006666666666666", "0x4006666666666666"),
    ):
        assert bits(float(pairs([np.float64(each) for each in samples]))) == paired
        for order, wanted in (("left", left), ("pairs", paired)):
            assert totals(_fold_of(samples, order), [(1,), (0, 1)]) == {wanted}


def _fold_of(words: Sequence[float], order: str) -> str:
    """A learner of one sample, whose words are folded in this order and observed."""
    return folds(words, [1.0] * len(words), order, contract([1]))


@pytest.mark.parametrize(
    ("samples", "quotient", "product"),
    [
        ([5.0, -2.0, 2.0], 5 / 3, 5 * (1 / 3)),
        ([1.0, 2.0, *[0.0] * 8], 3 / 10, 3 * (1 / 10)),
        ([7.0, 0.0, 0.0, 0.0, 0.0, 0.0], 7 / 6, 7 * (1 / 6)),
    ],
)
def test_B11_a_mean_is_one_division(samples: list[float], quotient: float, product: float) -> None:
    """5 / 3 and 5 times (1 / 3) are two numbers, so a reciprocal is no rewrite of a division."""
    assert bits(quotient) != bits(product)
    count = len(samples)
    splits = [(count,), (1, count - 1), (0, count - 2, 2)]
    everywhere(means(samples), splits, {"mean": quotient}, topologies=EVERY_TOPOLOGY)


def test_B11_a_reciprocal_in_its_place_is_another_learner() -> None:
    """A learner that multiplies by 1/n isn't proved equal, not even where n is a power of two."""
    for count, sum_, same_bits in ((3, 5.0, False), (4, 5.0, True), (10, 3.0, False)):
        sides = [read(_scaled(sum_, count, operation)) for operation in ("divf", "mulf")]
        words = [hexes(learner_run(side)[0]["mean"]) for side in sides]
        assert (words[0] == words[1]) == same_bits
        sides_of = [(side.learner, side.words) for side in sides]
        fields = compare_learners(sides_of[0], sides_of[1], ("divided", "multiplied"), NODES_MAX)
        differing = {field.name for field in fields if field.difference is not None}
        assert differing == {"mean"}


def _scaled(sample: float, count: int, operation: str) -> str:
    """A learner that divides its one sample by a count, or multiplies it with the reciprocal."""
    factor = float(count) if operation == "divf" else 1.0 / count
    kept = "pointwise.return %w, %g"
    lines = f"%n = arith.constant {factor:.17e} : f64\n    %q = arith.{operation} %g, %n : f64"
    text = means([sample])
    return replaced(text, (kept, f"{lines}\n    {kept.replace('%g', '%q')}"))


@pytest.mark.parametrize("element", ["f64", "f32"])
@pytest.mark.parametrize("combine", ["left", "tree<1>", "tree<2>"])
@pytest.mark.parametrize("split", [(0, 1, 2), (1, 0, 2), (2, 1, 0), (0, 0, 0, 3)])
def test_B13_an_empty_owner_adds_the_identity(
    split: Sequence[int], combine: str, element: str
) -> None:
    """All contributions -0.0 and one owner without samples: the sum is -0.0, as undistributed.

    An empty owner's part is -0.0, the identity of addition; +0.0 would change the sign.
    """
    text = means([-0.0] * 3, element=element, order=contract(split, combine))
    everywhere(text, [split], {"mean": -0.0})
    one = means([-0.0, 0.0, -0.0], element=element, order=contract(split, combine))
    everywhere(one, [split], {"mean": 0.0}, topologies=["star"])
    assert bits(-0.0 + -0.0) == bits(-0.0) != bits(-0.0 + 0.0)


def test_B13_no_level_makes_a_zero_of_its_own() -> None:
    """On each level the observed total is -0.0 as well, also where most owners are empty."""
    text = means([-0.0], order=contract([0, 0, 1, 0, 0]))
    assert totals(text, [(0, 0, 1, 0, 0), (1, 0), (0, 1)], EVERY_TOPOLOGY) == {bits(-0.0)}
