"""Random learners on random distributions: the learner's terms and bits, with what costs say."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from sharding.level_agreement import agrees, agrees_in_bits, agrees_in_costs
from sharding.product import SUBSETS, read
from sharding.random_learners import random_distribution, random_learner

from alpha.ir.dialects.pointwise_round import ApplyOp
from alpha.ir.dialects.shard_work import UpdateOp
from alpha.ir.learners import Learner
from alpha.ir.refusals import Refusal
from alpha.ir.shapes import shape_of, words_of
from alpha.ir.sharding.distribution import Distribution, find_distribution
from alpha.ir.sharding.verification import verify_shards
from alpha.tools.distributing import run_pass
from alpha.tools.learner_file import LearnerFile

SEEDS = range(48)
ROOT = Path(__file__).resolve().parents[2]
FILES = sorted([*(ROOT / "tests/learners").glob("*.mlir"), *(ROOT / "examples").glob("*.mlir")])
WRITTEN = [path for path in FILES if "region.learner" in path.read_text()]
NORMS = ("adafactor", "clip_by_norm", "lamb", "lars", "learned_rate", "matrix_step")
NOT_SEPARABLE = frozenset([*NORMS, "neighbour", "neighbour_slices"])


def features(distribution: Distribution) -> set[str]:
    """What is special about a learner and its distribution."""
    learner: Learner = distribution.learner
    states, sums = learner.states, learner.sums()
    advanced = distribution.advance().names()
    applied = [op for op in learner.round.body.block.ops if isinstance(op, ApplyOp)]
    owned = [name for name in states if distribution.map_of(name)]
    contracts = [learner.contract_of(op) for op in sums]
    found = {
        "several sums": len(sums) > 1,
        "several sets of samples": len(learner.samples) > 1,
        "one sample": any(sum(contract.groups) == 1 for contract in contracts),
        "fewer groups than owners": any(
            len(contract.groups) < distribution.owners for contract in contracts
        ),
        "more groups than owners": any(
            len(contract.groups) > distribution.owners for contract in contracts
        ),
        "a group without samples": any(0 in contract.groups for contract in contracts),
        "shared words": any(op.shared is not None for op in states.values()),
        "a state that isn't advanced": len(states) > len(advanced),
        "an owned state that isn't advanced": bool({*owned} - {*advanced}),
        "an owned matrix": any(len(shape_of(states[name].type)) > 1 for name in owned),
        "an owned scalar": any(not shape_of(states[name].type) for name in owned),
        "an owned state without words": any(not words_of(states[name].type) for name in owned),
        "fewer coordinates than owners": any(
            0 < words_of(states[name].type) < distribution.owners for name in owned
        ),
        "updates that follow one another": any(
            isinstance(value.owner, ApplyOp) for op in applied for value in op.arguments
        ),
        "copies beside owned words": len(
            {type(value.type) for op in distribution.ops(UpdateOp) for value in op.outputs}
        )
        > 1,
        "observations": any(learner.observation_labels(op) for op in sums),
    }
    return {name for name, holds in found.items() if holds}


def made(seed: int) -> list[tuple[LearnerFile, Distribution]]:
    """A random learner with two of its distributions."""
    random = Random(seed)
    file = random_learner(random)
    return [(file, random_distribution(random, file)) for _ in range(2)]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_distribution_is_its_learner(seed: int) -> None:
    for file, distribution in made(seed):
        agrees(file, distribution)


def test_the_random_distributions_have_everything() -> None:
    seen = Counter(name for seed in SEEDS[:24] for _, each in made(seed) for name in features(each))
    assert len(seen) == 16, seen


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.stem)
def test_a_written_learner_is_equal_or_not_separable(path: Path) -> None:
    """Those of other tests and the examples; large ones by bits alone and with fewer modes."""
    file = LearnerFile.read(str(path))
    large = path.stem.startswith(("diabetes", "digits"))
    written = find_distribution(file.module)
    if written is not None:
        agrees(file, written)
        return
    refused = set()
    for modes in SUBSETS[:: 7 if large else 1]:
        module = file.module.clone()
        try:
            run_pass(file.context, module, "distribute", owners=3, topology="tree<2>")
            for mode in modes:
                run_pass(file.context, module, f"partition_{mode}", map="block")
        except Refusal as refusal:
            assert refusal.code == "pointwise-not-separable"
            refused.add(modes)
            continue
        distribution = find_distribution(module)
        assert distribution is not None
        if large:
            verify_shards(distribution)
            agrees_in_costs(distribution, agrees_in_bits(file, distribution, 2), 2)
        else:
            agrees(file, distribution)
    assert bool(refused) == (path.stem in NOT_SEPARABLE)
    assert () not in refused


CONSTANT = """
region.learner @filling {
  region.state @w : tensor<4xf64> = dense<1.0>
  region.state @e : tensor<0xf64> = dense<[]>
  region.constant @rate : f64 = 0.5
  pointwise.update @fill(%e : tensor<0xf64>, %rate : f64) -> (tensor<4xf64>, tensor<0xf64>) {
    %w1 = pointwise.map over [i : 4] (%r = %rate) {
      pointwise.yield %r
    } : tensor<4xf64>
    pointwise.return %w1, %e
  }
  region.round {
    %e, %rate = region.read @e, @rate : tensor<0xf64>, f64
    %w1, %e1 = pointwise.apply @fill(%e, %rate) : tensor<4xf64>, tensor<0xf64>
    region.advance @w = %w1, @e = %e1
  }
}
"""


@pytest.mark.parametrize("map", ["cyclic", "block"])
def test_new_words_of_no_coordinate_have_owners_too(map: str) -> None:
    """A state that takes a constant, and one without words; every owner can compute them."""
    for modes in SUBSETS:
        file = read(CONSTANT)
        run_pass(file.context, file.module, "distribute", owners=3, topology="star")
        for mode in modes:
            run_pass(file.context, file.module, f"partition_{mode}", map=map)
        distribution = find_distribution(file.module)
        assert distribution is not None
        owned = distribution.map_of("w") is not None
        assert owned == ("optimizer" in modes)
        agrees(file, distribution)
