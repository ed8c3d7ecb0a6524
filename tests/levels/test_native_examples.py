"""The examples end natively in the bits of the shard level, on both instruction sets."""

from __future__ import annotations

from pathlib import Path

import pytest
from levels.endings import at_shard_level, difference, lowered, projected
from levels.natively import MACHINES, natively
from oracle_comparison.running import example_file

from alpha.ir.sharding.distribution import find_distribution
from alpha.tools.distributing import run_pass

WRITTEN = {
    "perceptron_pipeline": 3,
    "perceptron_tensor_parallel": 3,
    "perceptron_mixed": 3,
    "local_correlation_distributed": 3,
}
"""Those whose distribution is in the file, and how many rounds are run."""

DISTRIBUTED = {
    "diabetes_adam": ({"owners": 4}, ("optimizer", "gradients"), 20),
    "diabetes_momentum": ({"owners": 3, "topology": "tree<2>"}, ("parameters",), 20),
    "digits_perceptron": ({"owners": 3}, ("parameters", "gradients"), 2),
    "linear_predictor": ({"owners": 2, "topology": "pair"}, ("optimizer",), 20),
    "local_correlation": ({"owners": 3}, (), 20),
}
"""Others, with how they are distributed and partitioned."""


def check(name: str, element: str, folder: Path) -> None:
    file = example_file(name, element, folder)
    if name in WRITTEN:
        rounds = WRITTEN[name]
    else:
        options, modes, rounds = DISTRIBUTED[name]
        run_pass(file.context, file.module, "distribute", **options)
        for mode in modes:
            run_pass(file.context, file.module, f"partition_{mode}")
    distribution = find_distribution(file.module)
    assert distribution is not None
    wanted = at_shard_level(distribution, file.words, rounds)
    protocol = lowered(file.context, file.module, "gather", rounds)
    assert protocol is not None
    found = natively(projected(file.context, protocol), file.words, MACHINES)
    assert difference(found, wanted) is None


@pytest.mark.parametrize("element", ["f64", "f32"])
@pytest.mark.parametrize("name", [*WRITTEN, *DISTRIBUTED])
def test_an_example_ends_in_the_same_bits(name: str, element: str, tmp_path: Path) -> None:
    check(name, element, tmp_path)
