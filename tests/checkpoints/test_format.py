"""The bytes of generations, against a reader of its own and against the library of the format."""

from __future__ import annotations

import hashlib
import json
import struct
from pathlib import Path
from random import Random

import numpy as np
import pytest
from checkpoints.makings import CONTRACT, RUN, SMALL, State, bits, facts_of, state_of, write
from checkpoints.plain_reader import read_generation
from safetensors.numpy import load_file
from sharding.random_learners import random_distribution, random_learner

from alpha.ir.checkpoints.facts import Facts
from alpha.ir.checkpoints.file_digests import FileDigest
from alpha.ir.checkpoints.reading import newest
from alpha.ir.checkpoints.shards import header_bytes, shard_layout
from alpha.ir.digests import learner_digest, learner_parts
from alpha.ir.protocol.identity import RunDigests
from alpha.ir.shapes import type_text
from alpha.ir.sharding.distribution import Distribution
from alpha.ir.sharding.fragments import fragment

MAPS = (
    "cyclic",
    "block",
    "block_cyclic<2>",
    "rows<3, cyclic>",
    "[4, 0, 5]",
    "[join(stride(0, 1, 1), stride(3, 5, 2)), repeat(2, 3, stride(1, 1, 2)), stride(6, 1, 2)]",
    "[stride(0, 1, 9), empty, empty]",
)

STRANGE = (
    'a"b',
    "back\\slash",
    "line\nend",
    "tab\t\x01",
    "ä ß 漢 😀",
    "\u2028",
    "a b",
    "__metadata",
    "",
)


def random_facts(seed: int) -> tuple[Facts, Distribution]:
    """Those of a random learner on a random distribution."""
    random = Random(seed)
    file = random_learner(random)
    distribution = random_distribution(random, file)
    parts = learner_parts(distribution.learner, file.words)
    digests = RunDigests(learner_digest(parts), CONTRACT, "1" * 64, "2" * 64)
    resumed = random.choice((None, (3, "5" * 64)))
    return Facts.of(distribution, digests, parts, resumed), distribution


@pytest.mark.parametrize("seed", range(40))
def test_another_reader_finds_every_word_of_random_learners(seed: int, tmp_path: Path) -> None:
    facts, distribution = random_facts(seed)
    state = state_of(facts, seed)
    folder = write(tmp_path, facts, state, version=seed + 5)
    found = read_generation(folder)
    root = found.root
    assert {name: bits(words) for name, words in found.states.items()} == {
        name: bits(words) for name, words in state.items()
    }
    assert root["version"] == seed + 5
    assert root["name"] == "random"
    assert root["parts"] == dict(facts.parts)
    assert list(root["parts"]) == list(facts.parts)
    assert root["topology"] == str(distribution.topology)
    assert root["resumed"] == (
        facts.resumed and {"version": facts.resumed[0], "sha256": facts.resumed[1]}
    )
    learner = distribution.learner
    assert [each["name"] for each in root["states"]] == list(learner.states)
    assert [each["type"] for each in root["states"]] == [
        type_text(op.type) for op in learner.states.values()
    ]
    assert root["contracts"] == [str(learner.contract_of(op)) for op in learner.sums()]
    tree = distribution.tree
    assert found.tree == {role: list(tree.children(role)) for role in range(facts.owners)}
    for name in learner.states:
        shared_out = distribution.map_of(name) is not None and facts.owners > 1
        for role in range(facts.owners):
            assert (name in found.stored[role]) == (shared_out or role == 0)


@pytest.mark.parametrize("seed", range(40))
def test_what_was_written_is_read_back(seed: int, tmp_path: Path) -> None:
    facts, _ = random_facts(seed)
    state = state_of(facts, seed)
    folder = write(tmp_path, facts, state)
    found = newest(tmp_path)
    assert found.passed_over == []
    generation = found.generation
    assert (generation.path, generation.version) == (folder, 7)
    assert generation.digest == hashlib.sha256((folder / "manifest.json").read_bytes()).hexdigest()
    assert list(generation.shards) == list(range(facts.owners))
    assert generation.facts.digest == facts.digest
    assert generation.facts.states == facts.states
    assert generation.facts.resumed == facts.resumed
    for each in facts.states:
        for role in range(facts.owners):
            stored = generation.facts.coordinates(each.name, role)
            assert stored == facts.coordinates(each.name, role)
        assert bits(generation.read_words(each.name)) == bits(state[each.name])


@pytest.mark.parametrize("owners", [1, 3])
@pytest.mark.parametrize("map", MAPS)
def test_the_library_opens_every_shard(map: str, owners: int, tmp_path: Path) -> None:
    """Words of both types, scalars, no words at all, and states that only role 0 stores."""
    if owners == 1 and map.startswith("["):
        map = "[9]"
    states: list[State] = [
        ("f", "f32", (3, 3), map),
        ("d", "f64", (9,), map),
        ("copy", "f32", (2, 3), None),
        ("scalar", "f64", (), None),
        ("none", "f64", (0, 3), "cyclic"),
        ("none copied", "f32", (2, 0), None),
    ]
    facts = facts_of(states, owners)
    state = state_of(facts)
    folder = write(tmp_path, facts, state)
    for role in range(owners):
        tensors = load_file(folder / f"shard-{role}.safetensors")
        whole = [name for name, *_, each in states if owners == 1 or each is None]
        assert set(tensors) == {name for name, *_ in states if role == 0 or name not in whole}
        for name, words in tensors.items():
            piece = facts.coordinates(name, role)
            assert piece is not None
            wanted = fragment(state[name], piece)
            shape = state[name].shape if name in whole else (piece.size,)
            assert (words.shape, words.dtype) == (shape, state[name].dtype)
            assert bits(words) == bits(wanted)
    assert read_generation(folder).states.keys() == {name for name, *_ in states}


def test_a_role_may_have_nothing_to_store(tmp_path: Path) -> None:
    """All states are copies, so that the shards of other roles than 0 have no tensor."""
    facts = facts_of([("w", "f64", (3,), None)], 3)
    folder = write(tmp_path, facts, state_of(facts))
    assert load_file(folder / "shard-2.safetensors") == {}
    assert (folder / "shard-2.safetensors").stat().st_size % 64 == 0
    assert newest(tmp_path).generation.read_words("w").shape == (3,)


def test_a_learner_may_have_no_state_at_all(tmp_path: Path) -> None:
    facts = facts_of([], 2)
    folder = write(tmp_path, facts, {})
    assert read_generation(folder).states == {}
    assert newest(folder).generation.facts.states == ()


def test_names_may_have_any_letters(tmp_path: Path) -> None:
    states: list[State] = [(name, "f64", (3,), "cyclic") for name in STRANGE]
    facts = facts_of(states, 2, name='"\\\n😀')
    state = state_of(facts)
    folder = write(tmp_path, facts, state)
    assert set(load_file(folder / "shard-1.safetensors")) == set(STRANGE)
    assert bits(read_generation(folder).states[STRANGE[4]]) == bits(state[STRANGE[4]])
    generation = newest(tmp_path).generation
    assert generation.facts.name == '"\\\n😀'
    for name in STRANGE:
        assert bits(generation.read_words(name)) == bits(state[name])


def test_a_header_has_one_length_at_all_versions() -> None:
    layout = shard_layout(facts_of(SMALL, 2), 1)
    for version in (0, 9, 10, 12345, (1 << 64) - 1):
        header = header_bytes(layout, version)
        assert len(header) == layout.header_bytes
        (length,) = struct.unpack("<Q", header[:8])
        assert 8 + length == layout.header_bytes
        assert json.loads(header[8:])["__metadata__"]["version"] == str(version)


def test_words_of_doubles_come_first() -> None:
    """So each tensor begins at a multiple of its word, wherever those of the learner stand."""
    states = [(f"s{at}", "f64" if at % 3 else "f32", (at,), None) for at in range(7)]
    layout = shard_layout(facts_of(states, 1), 0)
    assert [each.name for each in layout.fields] == ["s1", "s2", "s4", "s5", "s0", "s3", "s6"]
    assert layout.header_bytes % 64 == 0
    at = 0
    for each in layout.fields:
        assert each.offset == at and at % (8 if each.element == "f64" else 4) == 0
        at += each.bytes
    assert layout.data_bytes == at


def test_the_text_of_a_manifest(tmp_path: Path) -> None:
    """To the byte, as somebody else would write it."""
    facts = facts_of(SMALL, 2, resumed=(5, "9" * 64))
    folder = write(tmp_path, facts, state_of(facts))

    def named(name: str) -> dict[str, object]:
        data = (folder / name).read_bytes()
        return {"file": name, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}

    common = {"run": RUN, "learner": facts.learner, "contract": CONTRACT}
    child = {
        "format": "alpha-manifest-1",
        "version": 7,
        "role": 1,
        **common,
        "shard": {**named("shard-1.safetensors"), "coordinates": {"w": "stride(1, 2, 2)"}},
        "manifests": [],
    }
    coordinates = {"w": "stride(0, 2, 2)", "t": "stride(0, 1, 1)"}
    root = {
        "format": "alpha-manifest-1",
        "version": 7,
        "role": 0,
        **common,
        "name": "least",
        "parts": dict(facts.parts),
        "contracts": ["groups = [1, 2], combine = left"],
        "owners": 2,
        "topology": "star",
        "states": [
            {
                "name": "w",
                "type": "tensor<2x2xf64>",
                "element": "f64",
                "shape": [2, 2],
                "kind": "parameter",
            },
            {"name": "t", "type": "f32", "element": "f32", "shape": [], "kind": "optimizer"},
        ],
        "resumed": {"version": 5, "sha256": "9" * 64},
        "shard": {**named("shard-0.safetensors"), "coordinates": coordinates},
        "manifests": [{"role": 1, **named("manifest-1.json")}],
    }
    for name, wanted in (("manifest-1.json", child), ("manifest.json", root)):
        text = json.dumps(wanted, indent=1, ensure_ascii=False) + "\n"
        assert (folder / name).read_text("utf-8") == text


def test_a_digest_as_words() -> None:
    """The length, and the bytes of the digest as little-endian integers, whatever their sign."""
    digest = FileDigest(5, bytes(range(0xE1, 0x101 - 1)) + b"\xff")
    words = digest.words()
    assert words.tolist() == list(struct.unpack("<q4q", struct.pack("<q", 5) + digest.sha256))
    assert FileDigest.of_words(words) == digest
    assert FileDigest.of_words(words.astype(">i8")) == digest
    for wrong in (words[:4], words.astype(np.float64), np.array([-1, 0, 0, 0, 0])):
        with pytest.raises(ValueError):
            FileDigest.of_words(wrong)
