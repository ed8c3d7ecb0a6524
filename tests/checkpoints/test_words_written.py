"""Words as they are given to be written: in any layout, in parts, and of any generation."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from checkpoints.makings import SMALL, State, bits, facts_of, state_of, write
from checkpoints.plain_reader import read_generation

from alpha.ir.checkpoints.file_digests import FileDigest
from alpha.ir.checkpoints.reading import newest
from alpha.ir.checkpoints.shards import shard_layout
from alpha.ir.checkpoints.writing import GenerationWriter, write_generation
from alpha.ir.topologies import Topology

FACTS = facts_of(SMALL, 2)
BELOW = {"w": state_of(FACTS)["w"].reshape(-1)[1::2]}


def test_words_that_arent_the_shards(tmp_path: Path) -> None:
    """A mistake of who calls: it is no failure of the system, and nothing gets a name."""
    good = BELOW["w"]
    for wrong in (good[:1], np.append(good, 1.0), good.astype("f4"), good.astype("i8"), []):
        writer = GenerationWriter(tmp_path, FACTS, 1, (), root=False)
        with pytest.raises(ValueError):
            writer.write_shard(7, {"w": wrong})
        writer.close()
    with pytest.raises(KeyError):
        writer.write_shard(7, {})
    writer.close()


STATES: list[State] = [("w", "f64", (300_001,), "cyclic"), ("m", "f32", (5, 60_001), None)]


@pytest.mark.parametrize("kind", ["array", "splat", "strided", "swapped", "chunks"])
def test_words_in_any_layout(kind: str, tmp_path: Path) -> None:
    """Views, splats and parts are written word by word as they are meant."""
    facts = facts_of(STATES, 2)
    state = state_of(facts) if kind != "splat" else {"w": np.float64(2.5), "m": np.float32(-0.0)}
    whole = {name: np.broadcast_to(state[name], shape) for name, _, shape, _ in STATES}

    def given(role: int, name: str) -> np.ndarray | Iterator[np.ndarray]:
        words = whole[name][role::2] if name == "w" else whole[name]
        match kind:
            case "strided":
                return np.asfortranarray(words)[...]
            case "swapped":
                return words.astype(words.dtype.newbyteorder(">"))
            case "chunks":
                flat = words.reshape(-1)
                return (flat[at : at + 1000] for at in range(0, flat.size, 1000))
            case _:
                return words

    write_generation(tmp_path, facts, 7, given, Topology.parse("pair").tree(2))
    found = read_generation(tmp_path / "gen-7")
    for name, words in whole.items():
        assert bits(found.states[name]) == bits(words)


def test_no_copy_of_a_shard_is_made(tmp_path: Path) -> None:
    """Neither of an array that lies in another order, nor of one that is a single word."""
    facts = facts_of([("w", "f64", (1000, 1500), None), ("s", "f64", (1 << 21,), None)], 1)
    words = {
        "w": np.zeros((1500, 1000)).T,
        "s": np.broadcast_to(np.float64(1.0), (1 << 21,)),
    }
    writer = GenerationWriter(tmp_path, facts, 0, (), root=True)
    tracemalloc.start()
    try:
        shard = writer.write_shard(7, words)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
        writer.close()
    assert FileDigest.of_words(shard).bytes == shard_layout(facts, 0).bytes
    assert peak < 4 << 20, peak


def test_a_writer_writes_one_generation_after_another(tmp_path: Path) -> None:
    facts = facts_of(SMALL[:1], 1)
    writer = GenerationWriter(str(tmp_path), facts, 0, (), root=True)
    for version in (0, 9, 10, (1 << 64) - 1):
        words = state_of(facts, version % 97)
        shard = writer.write_shard(version, words)
        writer.write_manifest(version, shard, {})
        found = read_generation(tmp_path / f"gen-{version}")
        assert found.root["version"] == version
        assert bits(found.states["w"]) == bits(words["w"])
    assert newest(tmp_path).generation.version == (1 << 64) - 1


def test_a_shard_whose_manifest_never_comes(tmp_path: Path) -> None:
    """The next one may be written all the same; the folder of the first is closed."""
    writer = GenerationWriter(tmp_path, FACTS, 1, (), root=False)
    first = writer.write_shard(7, BELOW)
    assert writer.write_shard(8, BELOW)[0] == first[0]
    writer.close()
    writer.close()


def test_resharding_holds_nothing_whole(tmp_path: Path) -> None:
    """From one generation to another, by chunks, with other owners, maps and tree."""
    states: list[State] = [("w", "f64", (1001,), "cyclic"), ("c", "f32", (3, 5), None)]
    source = facts_of(states, 5, "tree<2>")
    state = state_of(source)
    (tmp_path / "from").mkdir()
    (tmp_path / "to").mkdir()
    old = newest(write(tmp_path / "from", source, state)).generation
    target = facts_of([("w", "f64", (1001,), "block"), ("c", "f32", (3, 5), "rows<5, cyclic>")], 3)

    def given(role: int, name: str) -> Iterator[np.ndarray]:
        return old.chunks(name, target.coordinates(name, role), 64)

    tree = Topology.parse("star").tree(3)
    digest = write_generation(tmp_path / "to", target, old.version, given, tree)
    new = newest(tmp_path / "to").generation
    assert new.digest == digest.sha256.hex()
    assert {name: bits(words) for name, words in read_generation(new.path).states.items()} == {
        name: bits(words) for name, words in state.items()
    }
