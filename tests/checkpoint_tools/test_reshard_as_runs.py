"""A generation that was shared out anew lies as a run with those owners would have stored it.

Who has what is decided for a run by the passes, on the learner; the tool knows the manifest alone.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest
from checkpoint_tools.calling import DIABETES, Alpha, headers_of_shards, words_of_shards
from checkpoints.makings import state_of, write
from checkpoints.plain_reader import read_generation
from sharding.product import SUBSETS
from sharding.random_learners import random_learner

from alpha.ir.checkpoints.facts import Facts
from alpha.ir.digests import learner_parts
from alpha.ir.sharding.distribution import Distribution, find_distribution
from alpha.tools.checkpoints.levels import facts_of_learner, facts_of_owners
from alpha.tools.distributing import run_pass
from alpha.tools.learner_file import LearnerFile

MAPS = ("cyclic", "block", "block_cyclic<2>", "block_cyclic<3>")
TREES = ("star", "tree<1>", "tree<2>", "tree<3>")


def distributed(
    file: LearnerFile, owners: int, topology: str, modes: tuple[str, ...], map: str
) -> Distribution:
    """What the passes make of a learner."""
    module = file.module.clone()
    run_pass(file.context, module, "distribute", owners=owners, topology=topology)
    for mode in modes:
        run_pass(file.context, module, f"partition_{mode}", map=map)
    distribution = find_distribution(module)
    assert distribution is not None
    return distribution


def resharded(alpha: Alpha, source: Path, target: Path, flags: list[str]) -> Path:
    """The only generation in a folder in which the tool has written one."""
    said = alpha("checkpoint", "reshard", source, target, *flags)
    assert said.status == 0, said
    (folder,) = target.iterdir()
    return folder


def alike(found: Path, wanted: Path, facts: Facts) -> None:
    """Two generations with the same words at the same places of the same files."""
    assert words_of_shards(found) == words_of_shards(wanted)
    one, other = headers_of_shards(found), headers_of_shards(wanted)
    for name, header in other.items():
        metadata, mine = header["__metadata__"], one[name]["__metadata__"]
        assert mine.keys() == metadata.keys()
        # What computed the words is another run, perhaps under another contract.
        same = metadata.keys() - {"run", "facts", "contract"}
        assert {key: mine[key] for key in same} == {key: metadata[key] for key in same}
        assert {**one[name], "__metadata__": None} == {**header, "__metadata__": None}
    plain, other_plain = read_generation(found), read_generation(wanted)
    assert plain.tree == other_plain.tree and plain.stored == other_plain.stored
    assert plain.root["states"] == other_plain.root["states"]
    assert plain.root["owners"] == facts.owners and plain.root["topology"] == facts.topology


@pytest.mark.parametrize("seed", range(60))
def test_it_is_what_the_passes_would_place(alpha: Alpha, tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    file = random_learner(random)
    parts = learner_parts(file.learner, file.words)
    alone = facts_of_learner(file.learner, parts, None)
    words = state_of(alone, seed)
    (tmp_path / "source").mkdir()
    source = write(tmp_path / "source", alone, words)
    for number in range(3):
        owners, modes = random.randrange(1, 8), random.choice(SUBSETS)
        map = random.choice(MAPS)
        topologies: list[str] = [*TREES, *(["pair"] if owners == 2 else [])]
        topology = random.choice(topologies)
        facts = facts_of_owners(distributed(file, owners, topology, modes, map), parts, None)
        (tmp_path / f"run {number}").mkdir()
        wanted = write(tmp_path / f"run {number}", facts, words)
        flags = [f"--owners={owners}", f"--topology={topology}"]
        flags += [f"--partition={','.join(modes) or 'none'}", f"--map={map}"]
        found = resharded(alpha, source, tmp_path / f"made {number}", flags)
        alike(found, wanted, facts)
        source = found


@pytest.mark.parametrize("owners", [1, 2, 3, 5, 7])
@pytest.mark.parametrize("modes", ["none", "optimizer", "parameters", "optimizer,parameters"])
def test_it_is_what_alpha_run_stores(alpha: Alpha, tmp_path: Path, owners: int, modes: str) -> None:
    """The learner keeps the order of its sums, so all owners compute the same words."""
    text = DIABETES.read_text().replace('"data/', f'"{DIABETES.parent}/data/')
    groups = "contract #region.contract<groups = [265, 133, 44, 0], combine = left>"
    assert "over @data :" in text
    file = tmp_path / "learner.mlir"
    file.write_text(text.replace("over @data :", f"over @data {groups} :"))
    run = ("run", file, "--interpret=shard", "--rounds=4")
    alpha.done(*run, "--owners=4", "--partition=optimizer", f"--checkpoint={tmp_path / 'four'}")
    sharing = (f"--owners={owners}", f"--partition={modes}")
    alpha.done(*run, *sharing, f"--checkpoint={tmp_path / 'run'}")
    found = resharded(alpha, tmp_path / "four", tmp_path / "made", [*sharing])
    wanted = tmp_path / "run" / "gen-4"
    assert words_of_shards(found) == words_of_shards(wanted)
    said = [read_generation(folder).root["shard"]["coordinates"] for folder in (found, wanted)]
    assert said[0] == said[1]
    # A run that goes on from it ends as one that was never interrupted.
    on = alpha.done(*run[:3], "--rounds=6", *sharing, f"--resume={found}")
    whole = alpha.done(*run[:3], "--rounds=6", *sharing)
    assert on.splitlines()[-1] == whole.splitlines()[-1]
    assert np.isfinite(read_generation(found).states["w"]).all()
