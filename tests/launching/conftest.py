"""A cluster for all tests that run jobs, and a build of four roles for two machines."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from launching.cluster import Cluster, cluster
from native_runs.folders import EXAMPLES, command

CACHE = Path(__file__).resolve().parents[2] / "build" / "tests" / "cache"
"""Kept between runs, so that the runtime is compiled once."""

ADAM = EXAMPLES / "least_squares_adam.mlir"
ROUNDS, MODES = 12, ("optimizer", "gradients")
BUILD_FLAGS = (f"--rounds={ROUNDS}", f"--partition={','.join(MODES)}")


@pytest.fixture(scope="session")
def slurm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A cluster of one node."""
    with cluster(tmp_path_factory.mktemp("slurm")) as made:
        yield made


@pytest.fixture(scope="session")
def four_roles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a build, which no test changes."""
    folder = tmp_path_factory.mktemp("built") / "four"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ALPHA_CACHE", str(CACHE))
        told = command("build", ADAM, "-o", folder, "--targets=x86-64,aarch64", *BUILD_FLAGS)
    assert told.status == 0, told.said
    return folder


@pytest.fixture
def built(four_roles: Path, tmp_path: Path) -> Path:
    """A copy of it, with a name that a shell reads as more than a name."""
    folder = tmp_path / 'it\'s a $(build) "of" `roles`; *'
    shutil.copytree(four_roles, folder)
    return folder


@pytest.fixture(scope="session")
def wanted() -> list[str]:
    """The table and the digest that the interpreter of owners gives."""
    told = command("run", ADAM, "--interpret=shard", "--rounds=12")
    assert told.status == 0, told.said
    return told.out.splitlines()[1:]
