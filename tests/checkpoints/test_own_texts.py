"""A manifest that says what alpha says, in another text or along another tree, is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from checkpoints.makings import facts_of, state_of, write
from checkpoints.tampering import Json, edited
from checkpoints.test_manifests import OTHER, ROOT, STATES, generation, put, whole

from alpha.ir.checkpoints.reading import Generation
from alpha.ir.checkpoints.writing import GenerationWriter
from alpha.ir.digests import learner_digest
from alpha.ir.refusals import Refusal

__all__ = ["generation", "whole"]


def in_another_order(manifest: Json, *way: Any) -> None:
    """Turn the order of the names, or of the items, that these lead to."""
    inner: Any = manifest
    for step in way:
        inner = inner[step]
    if isinstance(inner, list):
        inner.reverse()
        return
    names = list(inner)
    for name in reversed(names):
        inner[name] = inner.pop(name)


ADDED: list[tuple[str, Callable[[Json], None], str]] = [
    (ROOT, put("later", 1), '"later": 1'),
    (ROOT, put("shard", "later", None), '"later": null'),
    (ROOT, put("states", 1, "later", []), '"later": []'),
    (ROOT, put("manifests", 0, "later", {}), '"later": {}'),
    (ROOT, put("resumed", "later", ""), '"later": ""'),
    ("manifest-1.json", put("later", 1), '"later": 1'),
    ("manifest-1.json", put("name", "least"), '"name": "least"'),
    ("manifest-2.json", put("shard", "later", "x" * 1000), '"later": "xxx'),
]


@pytest.mark.parametrize(("file", "change", "found"), ADDED)
def test_a_name_that_alpha_writes_nowhere(
    file: str, change: Callable[[Json], None], found: str, generation: Path
) -> None:
    """The refusal names the file and the first line that differs: one adds a comma to its last."""
    before = (generation / file).read_text().splitlines()
    edited(generation, file, change)
    after = (generation / file).read_text().splitlines()
    lines = [line for line in after if line.strip().startswith(found)]
    assert len(lines) == 1
    with pytest.raises(Refusal) as caught:
        Generation.open(generation)
    assert caught.value.code == "checkpoint-manifest"
    place = caught.value.place
    assert place is not None and place.file == str(generation / file)
    assert place.line == next(
        at for at, (one, other) in enumerate(zip(before, after, strict=False), 1) if one != other
    )
    own, other = before[place.line - 1].strip(), after[place.line - 1].strip()
    assert caught.value.expected == f"the line {own!r}, as alpha writes it"
    assert caught.value.found == repr(other)


ORDERS: list[tuple[str, tuple[Any, ...]]] = [
    (ROOT, ()),
    (ROOT, ("shard",)),
    (ROOT, ("shard", "coordinates")),
    (ROOT, ("states", 0)),
    (ROOT, ("resumed",)),
    (ROOT, ("manifests", 0)),
    (ROOT, ("parts",)),
    ("manifest-1.json", ()),
    ("manifest-2.json", ("shard", "coordinates")),
]


@pytest.mark.parametrize(("file", "way"), ORDERS)
def test_another_order_of_names(file: str, way: tuple[Any, ...], generation: Path) -> None:
    edited(generation, file, lambda manifest: in_another_order(manifest, *way))
    with pytest.raises(Refusal) as caught:
        Generation.open(generation)
    assert caught.value.code == "checkpoint-manifest"
    assert caught.value.place is not None
    assert caught.value.place.file == str(generation / file)


@pytest.mark.parametrize("order", [(0, 2, 1, 3), (0, 1, 3, 2), (1, 0, 2, 3)])
def test_another_order_of_parts(order: tuple[int, ...], generation: Path) -> None:
    """States stand in their order, and before parts of other kinds."""

    def change(manifest: Json) -> None:
        parts = list(manifest["parts"].items())
        assert [part for part, _ in parts] == ["state w", "state m", "state t", "round"]
        manifest["parts"] = dict(parts[at] for at in order)

    edited(generation, ROOT, change)
    with pytest.raises(Refusal, match="parts to be parts ") as caught:
        Generation.open(generation)
    assert caught.value.code == "checkpoint-manifest"


def test_a_part_of_no_kind(generation: Path) -> None:
    """Every digest fits, also that of the learner."""

    def change(manifest: Json) -> None:
        manifest["parts"]["later x"] = OTHER
        manifest["learner"] = learner_digest(manifest["parts"])

    edited(generation, ROOT, change)
    with pytest.raises(Refusal, match="parts to be parts in the order of state, constant,"):
        Generation.open(generation)


def test_the_tree_is_that_of_the_topology(tmp_path: Path) -> None:
    """A chain under the name of a star, and the other way around; children in another order."""
    for topology, other, below, found in (
        ("tree<1>", "star", "the roles 1, 2, 3", "the roles 1"),
        ("tree<1>", "tree<2>", "the roles 1, 3", "the roles 1"),
        ("star", "tree<1>", "the roles 1", "the roles 1, 2, 3"),
    ):
        (tmp_path / topology / other).mkdir(parents=True)
        facts = facts_of(STATES, 4, topology)
        generation = write(tmp_path / topology / other, facts, state_of(facts))
        edited(generation, ROOT, put("topology", other))
        with pytest.raises(Refusal) as caught:
            Generation.open(generation)
        assert caught.value.code == "checkpoint-manifest"
        assert caught.value.expected == f"manifests of {below} below role 0, along {other}"
        assert caught.value.found == found
    facts = facts_of(STATES, 4)
    generation = write(tmp_path, facts, state_of(facts))
    edited(generation, ROOT, lambda manifest: in_another_order(manifest, "manifests"))
    with pytest.raises(Refusal, match="as alpha writes it"):
        Generation.open(generation)


def test_a_root_that_is_no_root(generation: Path) -> None:
    """Of a topology that is role 0, whichever other role names all others below it."""

    def turned(manifest: Json) -> None:
        manifest["role"] = 1
        manifest["shard"]["file"] = "shard-1.safetensors"
        manifest["shard"]["coordinates"] = coordinates["manifest-1.json"]
        for child in manifest["manifests"]:
            child.update(role=0, file="manifest-0.json")

    names = (ROOT, "manifest-1.json")
    coordinates = {
        name: json.loads((generation / name).read_text())["shard"]["coordinates"] for name in names
    }
    below = json.loads((generation / "manifest-1.json").read_text())
    below["role"] = 0
    below["shard"].update(file="shard-0.safetensors", coordinates=coordinates[ROOT])
    (generation / "manifest-0.json").write_text(json.dumps(below, indent=1) + "\n")
    edited(generation, ROOT, turned)
    with pytest.raises(Refusal) as caught:
        Generation.open(generation)
    assert caught.value.code == "checkpoint-manifest"


def test_a_checkpoint_along_another_way_is_not_written(tmp_path: Path) -> None:
    """Whoever reads it looks for the tree that the root names."""
    facts = facts_of(STATES, 4, "star")
    with pytest.raises(Refusal) as caught:
        GenerationWriter(tmp_path, facts, 1, (2,), root=False)
    assert caught.value.code == "target-unsupported"
    assert caught.value.expected == "a checkpoint along star, as the learner's owners exchange"
    assert caught.value.found == "one in which the children of role 1 are [2], not []"
    GenerationWriter(tmp_path, facts, 0, (1, 2, 3), root=True)
