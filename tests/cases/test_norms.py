"""Cases of state that one coordinate can't compute alone: norms, row means, matrix products.

What isn't separable is refused by every partitioning, and exact where each owner has all of it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from cases.optimizers import scaled
from cases.running import (
    EVERY_MODES,
    EVERY_TOPOLOGY,
    NODES_MAX,
    edited,
    everywhere,
    hexes,
    learner_run,
    passed,
    printed,
    proved,
    read,
    refusal,
    shard_run,
    spread,
    written,
)
from cases.texts import means

from alpha.interpreters.comparison import compare_learners

NOT_SEPARABLE = "pointwise-not-separable"


def norm(of: str) -> str:
    """The lines of a program that compute the norm of a vector as %OF_norm."""
    return f"""
    %{of}{of} = pointwise.fold add left along [i : SIZE] (%a = %{of}[i]) {{
      %aa = arith.mulf %a, %a : f64
      pointwise.yield %aa
    }} : f64
    %{of}_norm = math.sqrt %{of}{of} : f64"""


TRUST = f"""{norm("w")}{norm("g")}
    %s = arith.divf %w_norm, %g_norm : f64"""

TRUST_EACH = """
    %s = pointwise.map over [i : SIZE] (%wi = %w[i], %gi = %g[i]) {
      %a = math.absf %wi : f64
      %b = math.absf %gi : f64
      %si = arith.divf %a, %b : f64
      pointwise.yield %si
    } : tensor<SIZExf64>"""

CLIP = f"""{norm("g")}
    %one = arith.constant 1.0 : f64
    %ratio = arith.divf %one, %g_norm : f64
    %s = pointwise.min %ratio, %one : f64"""

CLIP_OMITTED = f"""{norm("g")}
    %one = arith.constant 1.0 : f64
    %ratio = arith.divf %one, %g_norm : f64
    %scale = pointwise.min %ratio, %one : f64
    %s = arith.constant 1.0 : f64"""

CLIP_EACH = """
    %s = pointwise.map over [i : SIZE] (%gi = %g[i]) {
      %one = arith.constant 1.0 : f64
      %size = math.absf %gi : f64
      %ratio = arith.divf %one, %size : f64
      %si = pointwise.min %ratio, %one : f64
      pointwise.yield %si
    } : tensor<SIZExf64>"""

ROW_MEANS = """
    %sums = pointwise.fold add left over [i : ROWS] along [j : COLUMNS]
        (%a = %g[i * COLUMNS + j]) {
      %aa = arith.mulf %a, %a : f64
      pointwise.yield %aa
    } : tensor<ROWSxf64>
    %s = pointwise.map over [k : SIZE] (%a = %sums[k floordiv COLUMNS]) {
      %columns = arith.constant COLUMNS.0 : f64
      %si = arith.divf %a, %columns : f64
      pointwise.yield %si
    } : tensor<SIZExf64>"""

PRODUCT = """
    %s = pointwise.fold add left over [k : SIZE] along [j : COLUMNS]
        (%a = %g[(k floordiv COLUMNS) * COLUMNS + j], %b = %w[j]) {
      %ab = arith.mulf %a, %b : f64
      pointwise.yield %ab
    } : tensor<SIZExf64>"""


def refused_by_every_partitioning(text: str) -> None:
    """See that each of the seven ways of partitioning refuses an update that isn't separable."""
    case = read(text)
    for modes in EVERY_MODES[1:]:
        caught = refusal(lambda modes=modes: passed(case, modes, owners=2))
        assert caught.code == NOT_SEPARABLE
        assert "from words of coordinate [" in caught.expected
        assert caught.expected.endswith("], shared words and constants")


def replicated_everywhere(text: str, splits: Sequence[Sequence[int]], wanted: object) -> None:
    """See that the steps have these bits where every owner has the whole state, and are proved."""
    case = read(text)
    for split in splits:
        for topology in EVERY_TOPOLOGY:
            who = {"owners": len(split), "topology": topology, "samples": split}
            distribution = spread(case, **who)
            assert hexes(shard_run(case, distribution)[0]["last"]) == hexes(wanted)
            assert proved(case, distribution)


LAMB_SAMPLES = [0.0, 4.0, 1.0, 3.0, 2.0, -1.0]
"""Three samples of two words, whose mean is (1, 2)."""


def test_O06_a_trust_ratio_is_of_all_coordinates() -> None:
    """DeepSpeed #1285, #966, #1945, #1488, #757: LAMB went another way in every stage of ZeRO.

    With w = (3, 4) and u = (1, 2) the ratio is 5 / sqrt(5); the shards of one word have 3 and 2.
    """
    text = scaled(LAMB_SAMPLES, [3.0, 4.0], TRUST)
    refused_by_every_partitioning(text)
    ratio = 5.0 / math.sqrt(5.0)
    assert hexes(ratio) == hexes(2.23606797749979)
    replicated_everywhere(text, [(1, 2), (0, 3, 0)], [ratio, ratio * 2.0])


def test_O06_a_ratio_for_each_coordinate_is_another_learner() -> None:
    """The ratios 3 and 2 of each coordinate alone are separable, and equal only to themselves."""
    each = scaled(LAMB_SAMPLES, [3.0, 4.0], TRUST_EACH)
    everywhere(each, [(1, 2), (0, 3, 0)], {"last": [3.0 * 1.0, 2.0 * 2.0]})
    sides = [read(text) for text in (scaled(LAMB_SAMPLES, [3.0, 4.0], TRUST), each)]
    pairs = [(side.learner, side.words) for side in sides]
    fields = compare_learners(pairs[0], pairs[1], ("all", "each"), NODES_MAX)
    assert {field.name: field.difference is None for field in fields} == {"last": False, "w": False}


def matrix(text: str, rows: int, columns: int) -> str:
    """The lines of a program for a matrix that lies flat."""
    return text.replace("ROWS", str(rows)).replace("COLUMNS", str(columns))


MATRIX = [0.5, -2.0, 4.0, 1.0, 3.0, -0.25]
GRADIENT_SAMPLES = [*MATRIX, *[3.0 * word for word in MATRIX]]


@pytest.mark.parametrize(("rows", "columns"), [(2, 3), (3, 2), (1, 6)])
def test_O07_a_row_mean_needs_the_row(rows: int, columns: int) -> None:
    """pytorch #109581: Adafactor's row means on a flat shard were of other words."""
    text = scaled(GRADIENT_SAMPLES, MATRIX, matrix(ROW_MEANS, rows, columns))
    refused_by_every_partitioning(text)
    mean = [2.0 * word for word in MATRIX]
    by_row = [
        sum(g * g for g in mean[row * columns : (row + 1) * columns]) / columns
        for row in range(rows)
    ]
    wanted = [by_row[at // columns] * g for at, g in enumerate(mean)]
    replicated_everywhere(text, [(1, 1), (0, 2, 0)], wanted)


def test_O07_rows_of_one_word_are_separable() -> None:
    """Where a row is one word, its mean is that coordinate's own and is accepted."""
    text = scaled(GRADIENT_SAMPLES, MATRIX, matrix(ROW_MEANS, 6, 1))
    mean = [2.0 * word for word in MATRIX]
    everywhere(text, [(1, 1), (2, 0, 0)], {"last": [g * g * g for g in mean]})


@pytest.mark.parametrize(("rows", "columns"), [(2, 3), (3, 2)])
def test_O07_a_product_needs_the_matrix(rows: int, columns: int) -> None:
    """Muon #45 and Moonlight #27: a matrix step on a flat shard is silent and wrong."""
    text = scaled(GRADIENT_SAMPLES, MATRIX, matrix(PRODUCT, rows, columns))
    refused_by_every_partitioning(text)
    mean = [2.0 * word for word in MATRIX]
    products = [
        sum(mean[at // columns * columns + j] * MATRIX[j] for j in range(columns))
        for at in range(6)
    ]
    wanted = [product * g for product, g in zip(products, mean, strict=True)]
    replicated_everywhere(text, [(1, 1)], wanted)


def test_O09_a_part_is_not_observed_as_the_total() -> None:
    """miles_diffusion PR #35: the logged norm was that of one shard, short by the root of n.

    An observation is of a total with role 0; a part, or a total with another role, is refused.
    """
    text = printed(means([9.0, 16.0, 25.0, 0.0, 50.0], owners="3, tree<2>, samples = [1, 0, 4]"))
    case, distribution = written(text)
    (seen,) = shard_run(case, distribution)[1]
    assert (hexes(seen.total), seen.count) == (hexes(100.0), 5)
    assert math.sqrt(float(seen.total)) == 10.0
    observed = 'shard.observe "value" %2 over @data'
    caught = refusal(edited(text, (observed, observed.replace("%2", "%1"))))
    assert caught.code == "pointwise-type"
    assert caught.expected.startswith("a total delivered to role 0")
    assert caught.found == "!shard.contribution<f64, @data, +0>"
    there = "deliver role 0 : !shard.total<f64, @data, role 0, +0>"
    caught = refusal(edited(text, (there, there.replace("role 0", "role 2"))))
    assert caught.code == "pointwise-type" and "role 2" in caught.found


def test_O09_a_mean_is_not_observed_as_the_total() -> None:
    """An observation of the mean, which would be divided once more, isn't proved."""
    text = printed(means([9.0, 16.0, 25.0, 0.0, 50.0], owners="3, tree<2>, samples = [1, 0, 4]"))
    observed = 'shard.observe "value" %2 over @data'
    late = edited(text, (observed, ""), ("shard.agree", f"{observed}\nshard.agree"))
    assert proved(*written(late))
    case, distribution = written(late.replace(observed, observed.replace("%2", "%g")))
    (seen,) = shard_run(case, distribution)[1]
    assert hexes(seen.mean) == hexes(20.0 / 5.0)
    assert not proved(case, distribution)


def test_O10_a_clip_that_scales_nothing_is_seen() -> None:
    """transformers PR #46113: the norm was computed and the gradients stayed as they were.

    Clipped steps have the bits of the rule; those of the mutant have others, and its terms differ.
    """
    gradients, start = [3.0, -4.0, 12.0], [0.5, 0.25, -1.0]
    clipped, omitted = (scaled(gradients, start, each) for each in (CLIP, CLIP_OMITTED))
    scale = 1.0 / math.sqrt(9.0 + 16.0 + 144.0)
    wanted = [scale * g for g in gradients]
    replicated_everywhere(clipped, [(1,), (0, 1)], wanted)
    refused_by_every_partitioning(clipped)
    sides = [read(text) for text in (clipped, omitted)]
    assert hexes(learner_run(sides[1])[0]["last"]) == hexes(gradients) != hexes(wanted)
    pairs = [(side.learner, side.words) for side in sides]
    found = compare_learners(pairs[0], pairs[1], ("clipped", "omitted"), NODES_MAX)
    assert all(field.difference is not None for field in found)


def test_O10_data_below_the_limit_tells_nothing() -> None:
    """Where the norm is below the limit both give the same bits: only the terms tell them apart."""
    gradients, start = [0.25, -0.5, 0.125], [0.5, 0.25, -1.0]
    sides = [read(scaled(gradients, start, each)) for each in (CLIP, CLIP_OMITTED)]
    assert hexes(learner_run(sides[0])[0]["w"]) == hexes(learner_run(sides[1])[0]["w"])
    pairs = [(side.learner, side.words) for side in sides]
    found = compare_learners(pairs[0], pairs[1], ("clipped", "omitted"), NODES_MAX)
    assert {field.name for field in found if field.difference} == {"last", "w"}


def test_O10_words_clipped_one_by_one_are_separable() -> None:
    """The same limit on each word alone is partitioned in every way."""
    gradients = [3.0, -4.0, 0.5]
    text = scaled(gradients, [0.5, 0.25, -1.0], CLIP_EACH)
    wanted = [min(1.0 / abs(g), 1.0) * g for g in gradients]
    everywhere(text, [(1, 0), (0, 0, 1)], {"last": np.array(wanted)})
