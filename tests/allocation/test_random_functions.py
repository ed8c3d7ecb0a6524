"""Random functions read and write the same words before and after allocation."""

from __future__ import annotations

import pytest
from allocation.trials import real_trial, toy_trial

from alpha.backends.aarch64.target import target as aarch64
from alpha.backends.core.target import Target
from alpha.backends.x86.target import target as x86

TARGETS = {
    "x86-64": x86(),
    "x86-64 with AVX-512": x86(frozenset({"avx512"})),
    "aarch64": aarch64(),
}


@pytest.mark.parametrize("seed", range(0, 400, 50))
def test_one_block_of_the_toy(seed: int) -> None:
    for each in range(seed, seed + 50):
        toy_trial(each, 1, 20)


@pytest.mark.parametrize("seed", range(1000, 1400, 50))
def test_any_flow_graph_of_the_toy(seed: int) -> None:
    for each in range(seed, seed + 50):
        toy_trial(each, 9, 6)


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS.keys())
def test_real_rows(target: Target) -> None:
    for seed in range(20):
        real_trial(target, seed, 5, 15)
