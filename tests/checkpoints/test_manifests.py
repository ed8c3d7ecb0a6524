"""Manifests that say what no generation has, although every digest fits: each is refused by name.

Each flaw is made alone, and the generation signed again, so that its own check has to find it.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from checkpoints.makings import facts_of, state_of, write
from checkpoints.tampering import Json, edited, signed

from alpha.ir.checkpoints.reading import Generation, newest
from alpha.ir.refusals import Refusal

ROOT = "manifest.json"
STATES = (
    ("w", "f64", (2, 3), "cyclic"),
    ("m", "f32", (6,), "block"),
    ("t", "f64", (), None),
)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A generation of three roles, the last below the second."""
    facts = facts_of(STATES, 3, "tree<1>", resumed=(3, "5" * 64))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        return write(tmp_path_factory.mktemp("whole"), facts, state_of(facts))


@pytest.fixture
def generation(whole: Path, tmp_path: Path) -> Path:
    """A copy that a test may change."""
    shutil.copytree(whole, tmp_path / "gen-7")
    return tmp_path / "gen-7"


def put(*way: Any) -> Callable[[Json], None]:
    """A change that puts the last of these where the others lead; None of a list's end adds."""
    *steps, name, value = way

    def change(manifest: Json) -> None:
        inner: Any = manifest
        for step in steps:
            inner = inner[step]
        inner[name] = value

    return change


def drop(*way: Any) -> Callable[[Json], None]:
    """A change that takes away what these lead to."""
    *steps, name = way

    def change(manifest: Json) -> None:
        inner: Any = manifest
        for step in steps:
            inner = inner[step]
        del inner[name]

    return change


OTHER = "7" * 64
HUGE = 1 << 64

WRONG_VALUES: list[tuple[str, Callable[[Json], None], str]] = [
    (file, put(name, value), name)
    for file in (ROOT, "manifest-1.json")
    for name, values in {
        "format": ("alpha-manifest-2", 1, None),
        "version": (-1, HUGE, 7.0, "7", True, None, [7]),
        "role": (-1, 1 << 32, 0.0, "0", False),
        "run": (OTHER[1:], OTHER.upper()[:63] + "A", 7, None, OTHER + "\n"),
        "learner": ("", 7),
        "contract": ("x" * 64, []),
        "shard": ([], None, "shard-0.safetensors"),
        "manifests": ({}, None, "", 0),
    }.items()
    for value in values
]

WRONG_VALUES += [
    (ROOT, put(name, value), name)
    for name, values in {
        "name": (1, None, ["least"]),
        "parts": ([], None, {"round": 1}, {"round": "f"}),
        "contracts": ({}, [1], None, "left"),
        "owners": (0, -3, 3.0, True, "3", (1 << 24) + 1),
        "topology": ("ring", "tree<0>", 1, None, "pair"),
        "states": ({}, None, [1]),
        "resumed": (False, 3, {}, {"version": 3}, {"version": 8, "sha256": "5" * 64}),
    }.items()
    for value in values
]

WRONG_VALUES += [
    (ROOT, put("states", 0, name, value), "states[0]")
    for name, values in {
        "name": (1, None, "x"),
        "type": ("tensor<6xf64>", "tensor<2x3xf32>", 1),
        "element": ("f16", "F64", None),
        "shape": ([6], [3, 2], [2, -3], [2, 3.0], "2x3"),
        "kind": ("parameters", None),
    }.items()
    for value in values
]

WRONG_VALUES.append((ROOT, put("states", 1, "name", "w"), "states[1].name"))

WRONG_VALUES += [
    (file, put("shard", name, value), "shard")
    for file in (ROOT, "manifest-2.json")
    for name, values in {
        "file": ("shard-1.safetensors", "../gen-7/shard-0.safetensors", "", None),
        "coordinates": ([], None, {"w": 1}, {"w": "stride(0, 1)"}, {"w": "stride(00, 1, 1)"}),
    }.items()
    for value in values
]

WRONG_VALUES += [
    (ROOT, put("manifests", 0, name, value), "manifests[0]")
    for name, values in {
        "role": (-1, "1", True, None, 2),
        "file": ("manifest-2.json", "./manifest-1.json", "manifest.json", None),
    }.items()
    for value in values
]


@pytest.mark.parametrize(("file", "change", "place"), WRONG_VALUES)
def test_a_value_that_no_manifest_has(
    file: str, change: Callable[[Json], None], place: str, generation: Path
) -> None:
    """The refusal names the file, and the way to the value in its JSON."""
    edited(generation, file, change)
    with pytest.raises(Refusal) as caught:
        Generation.open(generation)
    text = "\n".join(caught.value.lines())
    assert caught.value.code == "checkpoint-manifest", text
    assert caught.value.place is not None
    assert caught.value.place.file == str(generation / file), text
    assert place in caught.value.expected, text


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("bytes", -1),
        ("bytes", 1 << 63),
        ("bytes", 640.0),
        ("bytes", "640"),
        ("bytes", True),
        ("bytes", None),
        ("sha256", "0" * 63),
        ("sha256", 0),
        ("sha256", "G" * 64),
    ],
)
@pytest.mark.parametrize("of", ["shard", "manifests"])
def test_a_length_or_digest_that_no_file_has(
    of: str, name: str, value: object, generation: Path
) -> None:
    """Not signed again, since that would put right what is wrong."""
    manifest = json.loads((generation / ROOT).read_text())
    (manifest[of] if of == "shard" else manifest[of][0])[name] = value
    (generation / ROOT).write_text(json.dumps(manifest, indent=1) + "\n")
    with pytest.raises(Refusal) as caught:
        Generation.open(generation)
    assert caught.value.code == "checkpoint-manifest"
    assert f".{name} to be" in caught.value.expected


MISSING = [
    (file, way)
    for file, ways in {
        ROOT: (
            *((name,) for name in ("format", "version", "role", "run", "learner", "contract")),
            *((name,) for name in ("name", "parts", "contracts", "owners", "topology", "states")),
            *(("resumed",), ("shard",), ("manifests",), ("shard", "file"), ("shard", "bytes")),
            *(("shard", "sha256"), ("shard", "coordinates"), ("resumed", "version")),
            *(("resumed", "sha256"), ("states", 1, "name"), ("states", 1, "type")),
            *(("states", 1, "element"), ("states", 1, "shape"), ("states", 1, "kind")),
            *(("manifests", 0, name) for name in ("role", "file", "bytes", "sha256")),
        ),
        "manifest-2.json": (("manifests",), ("shard",), ("run",), ("version",)),
    }.items()
    for way in ways
]


@pytest.mark.parametrize(("file", "way"), MISSING)
def test_a_value_that_is_missing(file: str, way: tuple[Any, ...], generation: Path) -> None:
    edited(generation, file, drop(*way))
    with pytest.raises(Refusal) as caught:
        Generation.open(generation)
    assert caught.value.code == "checkpoint-manifest"
    assert caught.value.place is not None and caught.value.place.file == str(generation / file)
    assert caught.value.message.endswith(f"an object with the field {way[-1]}, found none")


@pytest.mark.parametrize("name", ["version", "run", "learner", "contract"])
def test_a_manifest_of_another_run_below(name: str, generation: Path) -> None:
    """Even one far below the root; everything else of it fits."""
    edited(generation, "manifest-2.json", put(name, 8 if name == "version" else OTHER))
    with pytest.raises(Refusal) as caught:
        Generation.open(generation)
    assert caught.value.code == "checkpoint-manifest"
    assert caught.value.expected.startswith(f"{name} to be ")
    assert caught.value.expected.endswith(", as in manifest.json")
    assert caught.value.place is not None
    assert caught.value.place.file == str(generation / "manifest-2.json")


def test_a_manifest_of_another_role_below(generation: Path) -> None:
    def change(manifest: Json) -> None:
        manifest["role"] = 2
        manifest["shard"]["file"] = "shard-2.safetensors"
        manifest["manifests"] = []

    edited(generation, "manifest-1.json", change)
    with pytest.raises(Refusal, match="role to be 1, as the file's name says, found 2"):
        Generation.open(generation)


def test_a_role_twice_in_the_tree(generation: Path) -> None:
    """C25: one shard in two files is a duplicate, also where both are the same file."""

    def change(manifest: Json) -> None:
        manifest["manifests"].append(dict(manifest["manifests"][0]))

    edited(generation, ROOT, change)
    with pytest.raises(Refusal) as caught:
        Generation.open(generation)
    assert caught.value.code == "checkpoint-manifest"
    assert "manifests[1].role" in caught.value.expected


def test_a_role_that_the_generation_has_not(generation: Path) -> None:
    edited(generation, ROOT, put("owners", 2))
    with pytest.raises(Refusal) as caught:
        Generation.open(generation)
    assert (caught.value.code, caught.value.found) == ("checkpoint-manifest", "2")


def test_a_root_beyond_the_owners(generation: Path) -> None:
    def change(manifest: Json) -> None:
        manifest["role"] = 3
        manifest["shard"]["file"] = "shard-3.safetensors"

    (generation / "shard-0.safetensors").rename(generation / "shard-3.safetensors")
    edited(generation, ROOT, change)
    with pytest.raises(Refusal, match="role to be a role below 3, found 3"):
        Generation.open(generation)


@pytest.mark.parametrize("owners", [4, 1 << 24])
def test_roles_without_a_manifest(owners: int, generation: Path) -> None:
    """As many owners as a file says are looked for nowhere but in the tree."""
    edited(generation, ROOT, put("owners", owners))
    with pytest.raises(Refusal, match=f"each of {owners} roles, found none of role 3"):
        Generation.open(generation)


@pytest.mark.parametrize(
    ("shape", "said"),
    [([1] * 33, "at most 32 axes"), ([1 << 30, 1 << 30], "fewer than 2^60 words")],
)
def test_a_shape_that_no_state_can_have(shape: list[int], said: str, generation: Path) -> None:
    text = f"tensor<{'x'.join(map(str, shape))}xf64>"
    edited(generation, ROOT, lambda manifest: manifest["states"][0].update(shape=shape, type=text))
    with pytest.raises(Refusal) as caught:
        Generation.open(generation)
    assert caught.value.code == "checkpoint-manifest"
    assert caught.value.expected.startswith(f"states[0].shape to be {said}")


def test_parts_that_arent_the_learners(generation: Path) -> None:
    edited(generation, ROOT, put("parts", "round", OTHER))
    with pytest.raises(Refusal, match="learner to be the digest of the parts"):
        Generation.open(generation)


def test_a_state_of_the_parts_that_isnt_there(generation: Path) -> None:
    edited(generation, ROOT, drop("states", 1))
    with pytest.raises(Refusal, match="states to be a list with the state m, found none"):
        Generation.open(generation)


@pytest.mark.parametrize("name", ["__metadata__", "\ud800"])
def test_a_state_that_no_shard_can_name(name: str, generation: Path) -> None:
    text = (generation / ROOT).read_text()
    (generation / ROOT).write_text(text.replace('"w"', json.dumps(name)))
    with pytest.raises(Refusal) as caught:
        Generation.open(generation)
    wanted = "checkpoint-name" if name == "__metadata__" else "checkpoint-manifest"
    assert caught.value.code == wanted
    assert caught.value.place is not None
    assert caught.value.place.file == str(generation / ROOT)


def test_a_shard_too_small_for_its_words(generation: Path) -> None:
    """That is known from the manifests alone, without a look at the shard."""
    path = generation / ROOT
    manifest = json.loads(path.read_text())
    manifest["shard"]["bytes"] = 40
    path.write_text(json.dumps(manifest, indent=1) + "\n")
    assert Generation.open(generation).shards[0].digest.bytes == 40
    manifest["shard"]["bytes"] = 39
    path.write_text(json.dumps(manifest, indent=1) + "\n")
    with pytest.raises(Refusal) as caught:
        Generation.open(generation)
    assert caught.value.code == "checkpoint-manifest"
    assert "at least 40 bytes in shard-0.safetensors" in caught.value.expected
    assert caught.value.place is not None and caught.value.place.file == str(path)


def test_the_tree_is_read_without_a_shard(generation: Path) -> None:
    for role in range(3):
        (generation / f"shard-{role}.safetensors").unlink()
    assert Generation.open(generation).facts.owners == 3


def test_the_files_of_the_tests_are_right(generation: Path) -> None:
    """What is signed again without a change is accepted."""
    signed(generation)
    edited(generation, ROOT, lambda manifest: None)
    assert newest(generation).generation.facts.owners == 3
