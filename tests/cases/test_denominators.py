"""Cases of denominators: a mean is one sum over one count, however unequal the owners are.

The oracle is plain Python: exact fractions where every sum is exact, else the order written out.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from cases.plain_sums import ordered
from cases.running import (
    EVERY_MODES,
    EVERY_TOPOLOGY,
    edited,
    everywhere,
    hexes,
    learner_run,
    levels,
    mutant,
    printed,
    proved,
    read,
    refusal,
    shard_run,
    written,
)
from cases.texts import contract, means, replaced, squares, two_sets

Split = Sequence[int]

DTYPES: dict[str, Any] = {"f64": np.float64, "f32": np.float32}
OWNERS_1230 = "4, star, samples = [1, 2, 3, 0]"
BASE = means([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], owners=OWNERS_1230)

INPUTS: dict[str, tuple[Sequence[float], Split]] = {
    "D01": ([0.0, 4.0, 12.0, 200.0], (3, 1, 0)),
    "D02": ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], (1, 2, 3, 0)),
    "D08": ([3.0, -1.0, 4.0, 1.0, -5.0, 9.0, 2.0, 6.0, 53.0, 50.0, 58.0], (3, 0, 8)),
    "D10": ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 75.0], (5, 6, 0)),
    "D15": ([float(word) for word in range(12)], (8, 4, 0)),
    "D17": ([2.0, 2.0, 4.0], (2, 0, 1)),
}
"""The samples that the tests below average, with one of the splits."""


def mean(samples: Sequence[float]) -> float:
    """The mean, rounded once; the sums of all inputs are exact."""
    return float(Fraction(sum(map(Fraction, samples)), len(samples)))


def parts(samples: Sequence[float], split: Split) -> list[Sequence[float]]:
    """The samples of each owner."""
    ends = [sum(split[: owner + 1]) for owner in range(len(split))]
    return [samples[end - size : end] for end, size in zip(ends, split, strict=True)]


@pytest.mark.parametrize("element", DTYPES)
@pytest.mark.parametrize("split", [(4,), (3, 1), (0, 3, 1), (3, 0, 1, 0), (1, 0, 2, 0, 0, 1, 0)])
def test_D01_unequal_owners_weigh_samples_alike(split: Split, element: str) -> None:
    """pytorch #67253 and #37359: gradients of ranks with 3 and 1 samples were averaged as two.

    The mean gradient is 216 / 4 at every level, on every topology and in every partitioning.
    """
    text = squares([1.0, 2.0, 3.0, 10.0], [1.0, 1.0, 1.0, 0.0], element)
    wanted = {"g": 54.0, "w": 1.0}
    everywhere(text, [split], wanted, topologies=EVERY_TOPOLOGY, product=True)


def test_D01_the_mean_of_means_is_refused() -> None:
    """The mutant that averages the owners' means is refused, and would have given another word."""
    case = read(squares([1.0, 2.0, 3.0, 10.0], [1.0, 1.0, 1.0, 0.0], owners="2, pair"))
    for modes in EVERY_MODES:
        distribution, caught = mutant(case, "unweighted-mean", modes, samples=(3, 1))
        assert caught is not None and caught.code == "shard-sum-pending"
        wrong = shard_run(case, distribution)[0]["g"]
        assert hexes(wrong) == hexes((16 / 3 + 200) / 2) == hexes(102.66666666666667)
        assert not proved(case, distribution)


SPLITS_OF_SIX = [(1, 2, 3, 0), (0, 1, 2, 3), (1, 0, 2, 3), (0, 0, 6), (6, 0, 0), (2, 4), (6,)]


@pytest.mark.parametrize("split", SPLITS_OF_SIX)
@pytest.mark.parametrize("element", DTYPES)
def test_D02_an_owner_without_samples_adds_nothing(split: Split, element: str) -> None:
    """LBANN #97: nodes without data hang, or count as a mean of zero.

    21 / 6 wherever the empty owner stands.
    """
    text = means([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], element=element)
    everywhere(text, [split], {"mean": 3.5}, topologies=EVERY_TOPOLOGY)


@pytest.mark.parametrize("split", [(0, 2, 1), (2, 0, 1), (2, 1, 0), (0, 0, 0, 3)])
def test_D03_a_count_of_zero_is_no_division(split: Split) -> None:
    """OLMo-core PR #657: one rank's 0 / 0 spreads as NaN.

    An owner's count may be zero wherever it stands; the mean is of what the others have.
    """
    everywhere(means([-1.0, 3.0, 0.25]), [split], {"mean": mean([-1.0, 3.0, 0.25])})


@pytest.mark.parametrize("owners", ["", "3, star, samples = [0, 0, 0]", "2, pair"])
def test_D03_a_total_count_of_zero_is_refused(owners: str) -> None:
    """Only where nobody has a sample there is no mean; one sample is enough."""
    caught = refusal(lambda: read(means([], owners=owners)))
    assert caught.code == "shard-count-zero"
    assert caught.found == "0"
    everywhere(means([-2.5]), [(1,), (0, 1), (0, 0, 1)], {"mean": -2.5})


def test_D05_sum_and_count_are_of_the_same_samples() -> None:
    """verl #5625: sums scaled by a ratio of samples were divided by a count of tokens.

    A count says what it counts, and divides no sum over anything else.
    """
    text = two_sets([1.0, 2.0, 6.0], [8.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0])
    everywhere(text, [], {"one": 3.0, "other": 2.0})
    mixed = replaced(text, ("pointwise.mean %s1, %n1", "pointwise.mean %s1, %n2"))
    caught = refusal(lambda: read(mixed))
    assert caught.code == "pointwise-type"
    assert (caught.expected, caught.found) == ("the count of @first", "the count of @second")


def test_D05_a_part_of_one_sum_is_no_part_of_another() -> None:
    """In a distribution the same: a contribution over other samples is refused."""
    text = printed(two_sets([1.0, 2.0, 6.0], [8.0, 1.0, 1.0, 1.0]), owners=2)
    case, distribution = written(text)
    assert proved(case, distribution)
    kind = "!shard.contribution<f64, @first, +0>"
    other = "!shard.contribution<f64, @second, +0>"
    caught = refusal(edited(text, (kind, other)))
    assert caught.code == "pointwise-type"
    assert (caught.expected, caught.found) == ("contributions over @first", other)


EIGHTEEN = [float(word * word) for word in range(18)]


@pytest.mark.parametrize("split", [(8, 10), (10, 0, 8), (1, 17)])
def test_D06_a_sum_is_no_mean(split: Split) -> None:
    """miles PR #3231: raw token sums went through an averaging reduce, 9 times too large.

    18 words over unequal owners have the mean of the 18.
    """
    everywhere(means(EIGHTEEN), [split], {"mean": mean(EIGHTEEN)})


def test_D06_a_sum_where_a_mean_is_wanted_is_refused() -> None:
    """An update takes means and words of state, never a sum; no combine averages."""
    caught = refusal(lambda: read(replaced(BASE, ("(%w, %mean, %g) : f", "(%w, %mean, %sum) : f"))))
    assert caught.code == "pointwise-type" and "!region.sum<f64, @data>" in caught.found
    text = printed(BASE)
    written(text)
    caught = refusal(edited(text, ("@keep(%w, %mean, %g)", "@keep(%w, %mean, %sum)")))
    assert caught.code == "pointwise-type" and "!shard.total<f64, @data, all, +0>" in caught.found
    averaging = edited(text, ("%sum = shard.combine sum", "%sum = shard.combine mean"))
    caught = refusal(averaging)
    assert caught.code == "source-syntax" and caught.found == "'mean'"


def test_D07_a_mean_is_taken_once() -> None:
    """Automodel #3846 and PR #3830: a local mean times the number of ranks, 8 and 32 times off.

    A mean of what is a mean already is refused, wherever the first one was taken.
    """
    text = printed(BASE)
    mean_of_all = "%g = shard.mean %sum : !shard.replica<f64, +0>"
    twice = f"{mean_of_all.replace('%g', '%h')}\n{mean_of_all.replace('%sum', '%h')}"
    caught = refusal(edited(text, (mean_of_all, twice)))
    assert caught.code == "pointwise-type"
    assert caught.found == "!shard.replica<f64, +0>"
    sum_of_parts = "%sum = shard.combine sum %0"
    local = "%h = shard.mean %0 : !shard.contribution<f64, @data, +0>\n%sum = shard.combine sum %h"
    caught = refusal(edited(text, (sum_of_parts, local)))
    assert caught.code == "shard-sum-pending"
    assert caught.found == "!shard.contribution<f64, @data, +0>"


@pytest.mark.parametrize("topology", EVERY_TOPOLOGY)
def test_D07_neither_owners_nor_steps_are_a_factor(topology: str) -> None:
    """Four owners with two groups each have as many parts as were wrong, and the right mean."""
    samples = [float(3**word) for word in range(11)]
    text = means(samples, order=contract([1, 2, 0, 3, 1, 0, 3, 1]))
    wanted = {"mean": mean(samples)}
    everywhere(text, [(3, 3, 1, 4), (11,), (1, 2, 0, 3, 1, 0, 3, 1)], wanted, topologies=[topology])


D08_GROUPS = (1, 2, 0, 1, 1, 3, 0, 2, 1)


@pytest.mark.parametrize("split", [(3, 2, 6), (11,), (1, 2, 0, 1, 7), (3, 0, 8), (0, 4, 4, 3)])
def test_D08_three_levels_have_one_mean(split: Split) -> None:
    """transformers #34242 and #34191, torchtitan #1842: nested means with unequal counts.

    Devices, accumulation steps and micro-batches are groups of one sum, divided once.
    """
    samples = INPUTS["D08"][0]
    text = means(samples, order=contract(D08_GROUPS, "tree<2>"))
    everywhere(text, [split], {"mean": mean(samples)})


def test_D08_nested_means_would_be_other_numbers() -> None:
    """The three nested means of the report are other numbers on this data."""
    samples = INPUTS["D08"][0]
    by_group = [mean(part) for part in parts(samples, D08_GROUPS) if part]
    by_owner = [mean(part) for part in parts(samples, (3, 2, 6))]
    nested = [mean(by_group[:2]), mean(by_group[2:4]), mean(by_group[4:])]
    assert len({mean(samples), mean(by_group), mean(by_owner), mean(nested)}) == 4


@pytest.mark.parametrize("split", [(5, 6), (6, 5), (5, 0, 6)])
def test_D10_an_owner_with_fewer_inputs_joins(split: Split) -> None:
    """The Join tutorial of PyTorch: with 5 and 6 inputs the user picks the divisor of the sixth.

    The count that travels with the sum divides it; a sixth round of one owner alone has count 1.
    """
    samples = INPUTS["D10"][0]
    everywhere(means(samples), [split], {"mean": mean(samples)})
    everywhere(means(samples[-1:]), [(0, 1), (1, 0), (0, 1, 0)], {"mean": samples[-1]})


@pytest.mark.parametrize(
    ("work", "sample"), [("[1, 2, 2, 0]", 5), ("[0, 0, 0, 0]", 0), ("[1, 2, 0, 0]", 3)]
)
def test_D10_a_missing_contribution_is_refused(work: str, sample: int) -> None:
    """A round in which an owner leaves out what it has is refused by the first such sample."""
    text = printed(BASE)
    caught = refusal(edited(text, ("over @data by [1, 2, 3, 0]", f"over @data by {work}")))
    assert caught.code == "shard-contribution-missing"
    assert caught.message == (
        f"expected each of 6 samples of @data once, found none for sample {sample}"
    )


def test_D12_a_mean_of_a_mean_is_no_program() -> None:
    """fairseq #494, singa PR #65, marian-dev #201, HydraGNN PR #116: averaged twice or undone.

    A learner can't take the mean of a mean, nor divide by a sum; one mean is accepted.
    """
    case = read(BASE)
    assert hexes(learner_run(case)[0]["mean"]) == hexes(3.5)
    once = "%g = pointwise.mean %sum, %count"
    twice = f"{once.replace('%g', '%h')}\n    %g = pointwise.mean %h, %count"
    for wrong in (twice, "%g = pointwise.mean %sum, %sum", "%g = pointwise.mean %count, %sum"):
        caught = refusal(lambda wrong=wrong: read(replaced(BASE, (once, wrong))))
        assert caught.code == "pointwise-type" and caught.expected == "a sum and its count"


def test_D12_the_number_of_owners_is_no_factor_to_undo() -> None:
    """With fixed groups, no number of owners changes a bit of a sum that isn't exact."""
    samples = [0.1 * word for word in range(1, 12)]
    order = contract([2, 0, 4, 5])
    total = ordered(samples, (2, 0, 4, 5), "left")
    splits = [(11,), (2, 9), (6, 5), (2, 4, 5), (2, 0, 4, 5, 0)]
    everywhere(means(samples, order=order), splits, {"mean": total / 11})


@pytest.mark.parametrize(
    ("words", "splits"), [(12, [(8, 4), (4, 8, 0), (0, 12)]), (4, [(4, 0), (0, 4), (0, 0, 4)])]
)
def test_D15_uneven_rows_have_the_mean_of_all(words: int, splits: list[Split]) -> None:
    """pytorch #162692: rows of 3x4 over two owners gave 6.5 in place of 5.5, and NaN for 1x4."""
    samples = [float(word) for word in range(words)]
    everywhere(means(samples), splits, {"mean": mean(samples)})
    rows = means(samples, [4])
    columns = [mean(samples[column::4]) for column in range(4)]
    everywhere(rows, [[each // 4 for each in split] for split in splits], {"mean": columns})


@pytest.mark.parametrize("split", [(2, 1), (2, 0, 1), (0, 3)])
def test_D17_a_short_last_batch_counts_its_samples(split: Split) -> None:
    """transformers #24839, #41898, accelerate #956, ParlAI PR #623: batches [2, 2] and [4] gave 3.

    An observation is total / count with both reported: 8 / 3.
    """
    case = read(means([2.0, 2.0, 4.0]))
    runs = [learner_run(case)]
    runs += [shard_run(case, each) for _, each in levels(case, [split])]
    for _, (seen,) in runs:
        assert (seen.name, float(seen.total), seen.count, seen.version) == ("value", 8.0, 3, 0)
        assert hexes(seen.mean) == hexes(8 / 3)


def test_D18_the_inputs_tell_means_apart() -> None:
    """VeOmni PR #1077: a test passed with the wrong reduction, since both ranks had one loss.

    On every input here the mean, the mean of all owners' means and that of owners with samples
    are three numbers, or two where no owner is empty.
    """
    for name, (samples, split) in INPUTS.items():
        owned = [mean(part) if part else 0.0 for part in parts(samples, split)]
        filled = [mean(part) for part in parts(samples, split) if part]
        assert len({mean(samples), mean(owned), mean(filled)}) == 3, name
    assert mean(INPUTS["D01"][0]) == 54.0
    assert mean(INPUTS["D02"][0]) == 3.5
