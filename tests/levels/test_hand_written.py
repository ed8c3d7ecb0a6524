"""Distributions that are written by hand end in the same bits at every level."""

from __future__ import annotations

from pathlib import Path

import pytest
from levels.endings import at_shard_level, difference, lowered, over_sockets, projected
from levels.product import BUFFERS, examine_module, some_seeds
from oracle_comparison.running import example_text, learner_file

from alpha.ir.sharding.distribution import find_distribution
from alpha.tools.learner_file import LearnerFile

FOLDER = Path(__file__).resolve().parents[2] / "examples"
WRITTEN = (
    "perceptron_pipeline",
    "perceptron_tensor_parallel",
    "perceptron_mixed",
    "local_correlation_distributed",
)
ROUNDS = 50


def test_all_examples_with_a_distribution_are_here() -> None:
    texts = {path.stem: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.mlir")}
    assert sorted(WRITTEN) == sorted(name for name in texts if "shard.learner" in texts[name])


@pytest.mark.parametrize("element", ["f64", "f32"])
@pytest.mark.parametrize("name", WRITTEN)
def test_an_example_ends_in_the_same_bits(name: str, element: str, tmp_path: Path) -> None:
    file = learner_file(example_text(name, element), tmp_path)
    seeds = some_seeds(2 * WRITTEN.index(name) + (element == "f32"))
    found = examine_module(file.context, file.module, file.words, seeds=seeds)
    assert found.wrong == ()
    assert found.protocols == found.sockets * len(seeds) * len(BUFFERS)
    assert found.sockets + found.refused == 2


@pytest.mark.parametrize("name", WRITTEN)
def test_many_rounds_over_sockets(name: str) -> None:
    file = LearnerFile.read(str(FOLDER / f"{name}.mlir"))
    distribution = find_distribution(file.module)
    assert distribution is not None
    protocol = lowered(file.context, file.module, "gather", ROUNDS)
    assert protocol is not None
    found = over_sockets(projected(file.context, protocol), file.words)
    assert difference(found, at_shard_level(distribution, file.words, ROUNDS)) is None
    assert found.version == ROUNDS
