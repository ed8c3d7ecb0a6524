"""Distributions among 200,000 owners cost what those among 2,000 do: nobody walks over the owners.

Why: time in seconds says little on a shared machine, so calls are counted; their number is the same
    for every number of owners above that of the samples, but for a digit or two.
"""

from __future__ import annotations

import tracemalloc

import pytest
from counted_calls import calls_of
from sharding.product import Choice, partitioned, read

from alpha.ir.refusals import Refusal
from alpha.ir.sharding.costs import costs_of
from alpha.ir.sharding.verification import verify_shards
from alpha.tools.distributing import run_pass
from alpha.tools.learner_file import LearnerFile

MODES = ("optimizer", "parameters", "gradients")
FEW, MANY = 2_000, 200_000
BYTES_MAX = 4_000_000


def text_of(owners: str, contract: str = "") -> str:
    """Six samples of one word; the sum of them is kept."""
    return f"""
region.learner @sums attributes {{owners = #shard.owners<{owners}>}} {{
  region.state @w : tensor<4xf64> = dense<1.0>
  region.state @m : tensor<4xf64> = dense<0.0>
  region.samples @data[6] : (tensor<4xf64>) = dense<2.0>
  pointwise.contribution @gradient(%w : tensor<4xf64>) sample(%x : tensor<4xf64>)
      -> (tensor<4xf64>, observed "loss" : f64) {{
    %g = pointwise.map over [i : 4] (%a = %w[i], %b = %x[i]) {{
      %p = arith.mulf %a, %b : f64
      pointwise.yield %p
    }} : tensor<4xf64>
    %l = arith.constant 1.0 : f64
    pointwise.return %g, %l
  }}
  pointwise.update @step(%w : tensor<4xf64>, %m : tensor<4xf64>, %g : tensor<4xf64>)
      -> (tensor<4xf64>, tensor<4xf64>) {{
    %w1, %m1 = pointwise.map over [i : 4] (%a = %w[i], %b = %m[i], %d = %g[i]) {{
      %n = arith.addf %b, %d : f64
      %s = arith.subf %a, %n : f64
      pointwise.yield %s, %n
    }} : tensor<4xf64>, tensor<4xf64>
    pointwise.return %w1, %m1
  }}
  region.round {{
    %w, %m = region.read @w, @m : tensor<4xf64>, tensor<4xf64>
    %s, %n = pointwise.sum @gradient(%w) over @data {contract} : tensor<4xf64>
    %g = pointwise.mean %s, %n
    %w1, %m1 = pointwise.apply @step(%w, %m, %g) : tensor<4xf64>, tensor<4xf64>
    region.advance @w = %w1, @m = %m1
  }}
}}
"""


def worked(text: str, map: str) -> LearnerFile:
    """Everything from a text to a verified distribution, its text, and that read again."""
    file = read(text)
    run_pass(file.context, file.module, "distribute")
    distribution = partitioned(file, Choice(map, MODES))
    again = read(str(distribution.op.parent_op()))
    verify_shards(partitioned(again, Choice(map, ())))
    return again


WAYS = {
    "even": ("{}, tree<64>", ""),
    "star": ("{}, star", ""),
    "declared": ("{}, tree<64>, samples = [1, 2, 3, repeat({rest}, 0)]", ""),
    "other groups": (
        "{}, tree<64>",
        "contract #region.contract<groups = [1, 2, 3, 0], combine = left>",
    ),
    "many groups": (
        "{}, tree<3>",
        "contract #region.contract<groups = [repeat(6, 1), repeat(100000, 0)], combine = tree<2>>",
    ),
}


def text_for(way: str, owners: int) -> str:
    """The text of one of the ways for so many owners."""
    declared, contract = WAYS[way]
    return text_of(declared.format(owners, rest=owners - 3), contract)


@pytest.mark.parametrize("map", ["cyclic", "rows<2, block>"])
@pytest.mark.parametrize("way", WAYS)
def test_nobody_walks_over_the_owners(way: str, map: str) -> None:
    worked(text_for(way, FEW), map)  # what is computed once for all is computed here
    few, many = (calls_of(lambda n=n: worked(text_for(way, n), map)) for n in (FEW, MANY))
    assert abs(many - few) < 0.02 * few


@pytest.mark.parametrize("way", WAYS)
def test_the_text_and_the_memory_stay_small(way: str) -> None:
    worked(text_for(way, FEW), "cyclic")
    tracemalloc.start()
    file = worked(text_for(way, MANY), "cyclic")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < BYTES_MAX
    assert len(str(file.module)) < 6_000


def test_the_costs_of_a_few_roles() -> None:
    """Those of roles that are asked for; what a role's children send isn't added one by one."""

    def asked(owners: int) -> None:
        distribution = partitioned(files[owners], Choice("cyclic", MODES))
        costs = costs_of(distribution)
        found = [(cost.words_kept, cost.sent, cost.received) for cost in (costs[0], costs[-1])]
        seen.add((*found[0][:1], *found[1]))
        # A sum of four words and a loss, each with its count, come from each of the others.
        assert found[0][2] >= (owners - 1) * (4 * 8 + 8 + 8 + 8)

    files, seen = {}, set()
    for owners in (FEW, MANY):
        files[owners] = read(text_for("star", owners))
        run_pass(files[owners].context, files[owners].module, "distribute")
    asked(FEW)
    few, many = (calls_of(lambda n=n: asked(n)) for n in (FEW, MANY))
    assert len(seen) == 1 and many < 1.5 * few + 10


def test_what_is_wrong_is_found_among_as_many() -> None:
    """A group that owners would share, far from the first one."""
    text = text_of(f"{MANY}, tree<64>, samples = [repeat({MANY - 2}, 0), 1, 5]")
    worked(text, "cyclic")
    contract = "contract #region.contract<groups = [repeat(100000, 0), 2, 4], combine = left>"
    file = read(text_of(f"{MANY}, tree<64>, samples = [repeat({MANY - 2}, 0), 1, 5]", contract))
    with pytest.raises(Refusal, match=f"owner {MANY - 2} ends at sample 1, inside") as caught:
        run_pass(file.context, file.module, "distribute")
    assert caught.value.code == "region-contract-groups"


def test_a_written_distribution_is_looked_at() -> None:
    """Blocks of samples that aren't those of the owners' declaration, or that cut a group."""
    file = read(text_of(f"{MANY}, star, samples = [1, 2, 3, repeat({MANY - 3}, 0)]"))
    run_pass(file.context, file.module, "distribute")
    text = str(file.module)
    sizes = f"[1, 2, 3, repeat({MANY - 3}, 0)]"
    assert f"over @data by {sizes}" in text
    other = text.replace(f"@data by {sizes}", f"@data by [1, 2, 2, repeat({MANY - 4}, 0), 1]")
    with pytest.raises(Refusal) as caught:
        partitioned(read(other), Choice("cyclic", ()))
    assert caught.value.found == "2" and "3 samples of @data for owner 2" in caught.value.expected


def test_a_written_distribution_cuts_a_group() -> None:
    file = read(text_for("other groups", MANY))
    run_pass(file.context, file.module, "distribute")
    text = str(file.module)
    sizes, others = (f"[{first}, 3, repeat({MANY - 3}, 0)]" for first in ("1, 2", "2, 1"))
    assert text.count(sizes) == 2
    with pytest.raises(Refusal) as caught:
        partitioned(read(text.replace(sizes, others)), Choice("cyclic", ()))
    assert caught.value.code == "region-contract-groups"
    assert caught.value.message == (
        "expected one owner for all 2 samples of group 1, found owner 0 has 1 of them"
    )
