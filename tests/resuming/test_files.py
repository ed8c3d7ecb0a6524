"""Every owner's words are in its shard and nowhere else, and in the same bytes at every level."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from checkpoints.plain_reader import read_generation
from native_runs.folders import command
from resuming.nine_words import ELEMENTS, MAPS, RULES, learner_file, map_text
from resuming.plain_learner import versions_of
from resuming.runs import Side, Store, run
from resuming.stored_files import bytes_of, first_flaw, read_header
from sharding.product import SUBSETS, TOPOLOGIES, Row, covering_rows

FACTORS = {
    "level": ("learner", "shard", "protocol", "role"),
    "owners": range(1, 8),
    "topology": TOPOLOGIES,
    "modes": SUBSETS,
    "map": MAPS,
    "rule": tuple(RULES),
    "element": ELEMENTS,
}


def can_be(row: Row) -> bool:
    """A pair is two, and a learner that nobody shares out has no owners."""
    if row.get("level") == "learner":
        alone = {"owners": 1, "topology": "star", "modes": (), "map": "cyclic"}
        return all(row.get(name, value) == value for name, value in alone.items())
    return row.get("topology") != "pair" or row.get("owners", 2) == 2


ROWS = covering_rows(2, FACTORS, can_be)


def side_of(row: Row) -> Side:
    """The side of a row."""
    map = map_text(row["map"], row["owners"])
    return Side(row["level"], row["owners"], row["topology"], row["modes"], map)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: " ".join(map(str, row.values())))
def test_each_shard_has_its_owners_words(row: Row, tmp_path: Path) -> None:
    file = learner_file(row["rule"], row["element"], tmp_path)
    whole = versions_of(file, 5)
    store = Store(tmp_path / "generations", 2)
    run(file, side_of(row), 5, tmp_path, store=store)
    assert sorted(path.name for path in store.path.iterdir()) == ["gen-2", "gen-4", "gen-5"]
    for version in (2, 4, 5):
        folder, state = store.path / f"gen-{version}", whole.at(version)
        assert first_flaw(folder, row["rule"], side_of(row), row["map"], version, state) is None
        found = read_generation(folder)
        assert found.root["topology"] == row["topology"]
        for name, words in state.items():
            assert found.states[name].tobytes() == words.tobytes()


def test_a_flaw_is_found(tmp_path: Path) -> None:
    """The check isn't vacuous: another word, map, mode or version is one."""
    file = learner_file("adam", "f64", tmp_path)
    state = versions_of(file, 2).at(2)
    side = Side("shard", 3, "star", ("optimizer",), "cyclic")
    store = Store(tmp_path / "generations")
    run(file, side, 2, tmp_path, store=store)
    folder = store.path / "gen-2"
    assert first_flaw(folder, "adam", side, "cyclic", 2, state) is None
    for name in state:
        other = {**state, name: np.nextafter(state[name], 9)}
        assert first_flaw(folder, "adam", side, "cyclic", 2, other) is not None
    assert first_flaw(folder, "adam", side, "block", 2, state) is not None
    assert first_flaw(folder, "adam", side._replace(modes=()), "cyclic", 2, state) is not None
    assert first_flaw(folder, "adam", side, "cyclic", 3, state) is not None
    (folder / "shard-7.safetensors").touch()
    assert first_flaw(folder, "adam", side, "cyclic", 2, state) is not None


ALIKE = (
    Side("protocol", 4, "tree<2>", ("optimizer",), "cyclic"),
    Side("protocol", 2, "pair", ("optimizer", "parameters", "gradients"), "block", "sharded"),
    Side("protocol", 7, "tree<3>", ("parameters",), "rows<3, block>"),
    Side("protocol", 3, "star", (), None),
    Side("protocol", 1, "star", ("gradients",), "cyclic"),
    Side("protocol", 5, "star", ("optimizer", "gradients"), "block_cyclic<2>", "sharded"),
)


@pytest.mark.parametrize("side", ALIKE, ids=str)
@pytest.mark.parametrize("element", ELEMENTS)
def test_the_levels_of_roles_write_the_same_bytes(side: Side, element: str, tmp_path: Path) -> None:
    """Over the simulated network and over sockets; those of the shard level have the same words."""
    file = learner_file("adam", element, tmp_path)
    stores = {level: Store(tmp_path / level, 3) for level in ("protocol", "role", "shard")}
    for level, store in stores.items():
        run(file, side._replace(level=level), 4, tmp_path, store=store)
    for name in ("gen-3", "gen-4"):
        wanted = bytes_of(stores["protocol"].path / name)
        assert bytes_of(stores["role"].path / name) == wanted
        for shard in (stores["shard"].path / name).glob("shard-*"):
            other = stores["role"].path / name / shard.name
            (_, begin), (_, beginning) = read_header(shard), read_header(other)
            assert shard.read_bytes()[begin:] == other.read_bytes()[beginning:]


@pytest.mark.parametrize(
    ("rule", "element", "side"),
    [
        ("adam", "f64", Side("native", 3, "tree<2>", ("optimizer", "parameters"), "[0, 7, 2]")),
        ("momentum", "f32", Side("native", 2, "pair", ("gradients",), "cyclic", "sharded")),
    ],
)
def test_native_roles_write_the_bytes_of_interpreted_ones(
    rule: str, element: str, side: Side, tmp_path: Path
) -> None:
    """On both instruction sets, and as processes that are interpreted; also behind a stop."""
    file = learner_file(rule, element, tmp_path)
    ways = {"native": side._replace(targets="x86-64"), "emulated": side._replace(targets="aarch64")}
    found = {"role": Store(tmp_path / "role", 2)}
    run(file, side._replace(level="role"), 3, tmp_path, store=found["role"])
    for name, way in ways.items():
        found[name] = Store(tmp_path / name, 2)
        run(file, way, 3, tmp_path, store=found[name])
    for name in ("gen-2", "gen-3"):
        wanted = bytes_of(found["role"].path / name)
        assert all(bytes_of(store.path / name) == wanted for store in found.values())
    behind: dict[str, dict[str, bytes]] = {}
    for name, way in {"role": side._replace(level="role"), **ways}.items():
        store = Store(tmp_path / f"behind-{name}")
        run(file, way, 5, tmp_path, store=store, resume=found["role"].path)
        behind[name] = bytes_of(store.path / "gen-5")
    # Of three roles one is interpreted, and its words were stored by native ones.
    mixed = (*side.flags(), "--targets=aarch64,x86-64", "--roles-interpreted=1", "--rounds=5")
    store = Store(tmp_path / "behind-mixed")
    told = command("run", file, *mixed, *store.flags(), f"--resume={found['native'].path}")
    assert told.status == 0, told
    behind["mixed"] = bytes_of(store.path / "gen-5")
    assert all(each == behind["role"] for each in behind.values())
    root = json.loads(behind["role"]["manifest.json"])
    assert root["resumed"]["version"] == 3
