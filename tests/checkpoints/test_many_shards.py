"""Generations of many shards: their manifests tell what there is, in few steps a shard."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from checkpoints.makings import bits, facts_of, state_of, write
from counted_calls import calls_of

from alpha.ir.checkpoints.reading import Generation
from alpha.ir.sharding.maps import ShardMap

STATES = (("w", "f64", (4099,), "cyclic"), ("m", "f32", (5000,), "block"), ("t", "f64", (), None))


@contextmanager
def opened() -> Iterator[list[str]]:
    """The names of the files that are opened within."""
    names: list[str] = []
    listening = [True]

    def hear(event: str, arguments: tuple[object, ...]) -> None:
        if listening and event == "open":
            names.append(os.path.basename(str(arguments[0])))

    sys.addaudithook(hear)
    yield names
    listening.clear()


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, int], Path]:
    """Generations of few and of many roles."""
    found: dict[tuple[str, int], Path] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        for topology, owners in (("star", 256), ("star", 2048), ("tree<2>", 64), ("tree<2>", 512)):
            facts = facts_of(STATES, owners, topology)
            path = tmp_path_factory.mktemp(f"{owners}")
            found[topology, owners] = write(path, facts, state_of(facts))
    return found


@pytest.mark.parametrize(("topology", "fewer", "more"), [("star", 256, 2048), ("tree<2>", 64, 512)])
def test_K08_the_tree_of_2048_shards_costs_few_steps_a_shard(
    topology: str, fewer: int, more: int, folders: dict[tuple[str, int], Path]
) -> None:
    """pytorch #163548: more than ten minutes, so that people took the check out.

    Steps are counted, not seconds. Each manifest is opened once, and no shard is.
    """
    counts: dict[int, int] = {}
    for owners in (fewer, more):
        folder = folders[topology, owners]
        counts[owners] = calls_of(lambda folder=folder: Generation.open(folder))
        with opened() as names:
            generation = Generation.open(folder)
        assert len(names) == len(set(names)) == owners
        assert not [name for name in names if "shard" in name]
        assert generation.facts.owners == len(generation.shards) == owners
    assert counts[more] < 2200 * more, counts
    assert counts[more] < 8.5 * counts[fewer], counts


def test_K07_a_generation_of_64_roles_is_read_by_two(tmp_path: Path) -> None:
    """orbax #648: a manifest knows of no device, and shapes are those of the states."""
    facts = facts_of(STATES, 64, "tree<3>")
    state = state_of(facts)
    generation = Generation.open(write(tmp_path, facts, state))
    assert [each.shape for each in generation.facts.states] == [(4099,), (5000,), ()]
    generation.verify()
    for name, *_ in STATES[:2]:
        words = state[name]
        for role in range(2):
            piece = ShardMap.parse("block").piece(role, 2, words.size)
            wanted = np.split(words, [(words.size + 1) // 2])[role]
            assert bits(generation.read_words(name, piece)) == bits(wanted)


def test_only_shards_with_wanted_words_are_opened(
    folders: dict[tuple[str, int], Path],
) -> None:
    """The words of one of two owners of a block lie in half of the shards of another block."""
    generation = Generation.open(folders["star", 2048])
    piece = ShardMap.parse("block").piece(1, 4, 5000)
    with opened() as names:
        found = generation.read_words("m", piece)
    assert len(found) == 1250
    holding = [
        f"shard-{role}.safetensors"
        for role in range(2048)
        if (own := generation.facts.coordinates("m", role)) is not None
        and own.size
        and own.max >= 1250
        and own.min < 2500
    ]
    assert sorted(names) == sorted(holding)
