"""No tool has a whole state, or a whole shard, in memory: what is held is counted."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from checkpoint_tools.calling import MIB, Alpha, held
from checkpoints.makings import Array, State, facts_of

from alpha.ir.checkpoints.writing import write_generation
from alpha.ir.topologies import Topology

WORDS = 5_000_011
STATES: tuple[State, ...] = (
    ("w", "f64", (WORDS,), "block"),
    ("m", "f64", (WORDS,), "cyclic"),
    ("t", "f32", (WORDS,), None),
)
STATE_BYTES = WORDS * (8 + 8 + 4)
MOST = 12 * MIB
"""A seventh of the state, and less than what an owner of three has of a field of f64."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A generation of 95 MiB, of three owners."""
    path = tmp_path_factory.mktemp("large")
    facts = facts_of(STATES, 3)

    def words(role: int, name: str) -> Iterator[Array]:
        piece = facts.coordinates(name, role)
        assert piece is not None
        generator = np.random.default_rng(role)
        dtype = np.float32 if name == "t" else np.float64
        for low in range(0, piece.size, 1 << 16):
            yield generator.random(min(1 << 16, piece.size - low), dtype)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        write_generation(path, facts, 7, words, Topology.parse("star").tree(3))
    return path / "gen-7"


def test_the_state_is_far_larger_than_what_may_be_held() -> None:
    assert STATE_BYTES > 7 * MOST
    assert MOST < WORDS * 8 // 3


@pytest.mark.parametrize("map", ["cyclic", "block", "block_cyclic<3>"])
@pytest.mark.parametrize("owners", [1, 7])
def test_of_resharding(alpha: Alpha, folder: Path, tmp_path: Path, map: str, owners: int) -> None:
    flags = (f"--owners={owners}", "--partition=optimizer,parameters", f"--map={map}")
    most = held(lambda: alpha.done("checkpoint", "reshard", folder, tmp_path / "y", *flags))
    assert most < MOST, most


def test_of_exporting(alpha: Alpha, folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "all.safetensors"
    most = held(lambda: alpha.done("checkpoint", "export", folder, file))
    assert most < MOST, most
    assert file.stat().st_size > STATE_BYTES


def test_of_comparing_and_inspecting(alpha: Alpha, folder: Path, tmp_path: Path) -> None:
    flags = ("--owners=4", "--partition=optimizer,parameters")
    alpha.done("checkpoint", "reshard", folder, tmp_path / "y", *flags)
    most = held(lambda: alpha.done("checkpoint", "diff", folder, tmp_path / "y"))
    assert most < MOST, most
    most = held(lambda: alpha.done("inspect", tmp_path / "y", "--verify"))
    assert most < MOST, most


def test_of_saving_a_state_that_a_run_holds(alpha: Alpha, tmp_path: Path) -> None:
    """What is held is the state itself: no second one is made to be written."""
    from alpha.tools.state_files import SavedState, in_parts, state_file

    words = np.zeros((5000, 1000)).T
    parts = state_file("least", 7, [SavedState("w", "f64", words.shape)], lambda _: in_parts(words))
    most = held(lambda: [len(part) for part in parts])
    assert words.nbytes > 3 * MOST > 3 * most
