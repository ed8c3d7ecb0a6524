"""`--keep N`: old generations go, but none before a newer one was read back, every byte of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from native_runs.folders import command
from resuming.nine_words import learner_file
from resuming.plain_learner import versions_of
from resuming.runs import Side, Store, difference, run
from resuming.test_folders import NATIVE, PROCESSES, SIDES

import alpha.tools.checkpoints.folder as folder_module
import alpha.tools.checkpoints.levels as levels_module
from alpha.ir.checkpoints.reading import Generation

NAMES = ("shard", "protocol", "role", "processes", "native")
BY_NAME = {**SIDES, "processes": PROCESSES, "native": NATIVE}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A learner."""
    return learner_file("adam", "f64", tmp_path)


def versions(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def kept(file: Path, side: Side, rounds: int, *flags: str) -> str:
    """What a run says that keeps some; at the level role of processes."""
    told = command("run", file, *side.flags(), f"--rounds={rounds}", *flags)
    assert told.status == 0, told
    return told.said


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("keep", [1, 3])
def test_the_newest_stay(name: str, keep: int, file: Path, tmp_path: Path) -> None:
    """Also of those that an earlier run has stored; a run goes on from what is left."""
    side, wanted = BY_NAME[name], versions_of(file, 9)
    store = Store(tmp_path / "generations", 1)
    kept(file, side, 5, *store.flags(), f"--keep={keep}")
    assert versions(store.path) == [f"gen-{version}" for version in range(6 - keep, 6)]
    if name != "native":
        kept(file, side, 8, *store.flags(), f"--keep={keep}", f"--resume={store.path}")
        assert versions(store.path) == [f"gen-{version}" for version in range(9 - keep, 9)]
    found = run(file, SIDES["shard"], 9, tmp_path, resume=store.path)
    assert difference(found, wanted.outcome(5 if name == "native" else 8, 9)) is None


def test_fewer_than_that_all_stay(file: Path, tmp_path: Path) -> None:
    store = Store(tmp_path / "generations", 2)
    kept(file, SIDES["shard"], 6, *store.flags(), "--keep=100")
    assert versions(store.path) == ["gen-2", "gen-4", "gen-6"]


def damaging(monkeypatch: pytest.MonkeyPatch, damage: Callable[[Path], None], version: int) -> None:
    """Have a generation damaged as soon as it is published."""
    written = levels_module.write_generation

    def write(path: Path, facts: object, at: int, *given: object) -> object:
        found = written(path, facts, at, *given)  # pyright: ignore
        if at == version:
            damage(path / f"gen-{at}")
        return found

    monkeypatch.setattr(levels_module, "write_generation", write)


def flip(generation: Path) -> None:
    path = generation / "shard-1.safetensors"
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)


def truncate(generation: Path) -> None:
    path = generation / "shard-2.safetensors"
    path.write_bytes(path.read_bytes()[:-1])


def lose(generation: Path) -> None:
    (generation / "shard-0.safetensors").unlink()


def forget(generation: Path) -> None:
    (generation / "manifest.json").unlink()


DAMAGES: dict[Callable[[Path], None], str] = {
    flip: "[checkpoint-digest]",
    truncate: "[checkpoint-digest]",
    lose: "[checkpoint-shard-missing]",
    forget: "[checkpoint-missing]",
}


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_a_newest_that_is_damaged_keeps_the_others(
    damage: Callable[[Path], None],
    file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The run ends well and says what it couldn't do; what is left is gone on from."""
    store = Store(tmp_path / "generations", 1)
    kept(file, SIDES["shard"], 3, *store.flags(), "--keep=2")
    damaging(monkeypatch, damage, 4)
    said = kept(file, SIDES["shard"], 4, *store.flags(), "--keep=1", f"--resume={store.path}")
    assert said.startswith("alpha: warning: nothing was removed from ")
    assert versions(store.path) == ["gen-2", "gen-3", "gen-4"]
    wanted = versions_of(file, 6)
    told = command("run", file, "--interpret=learner", "--rounds=6", f"--resume={store.path}")
    assert told.out.splitlines()[-1] == wanted.digests[6]
    assert f"gen-4 was passed over: {DAMAGES[damage]}" in told.said


def test_nothing_is_removed_before_the_newest_was_read(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each that is removed was there until every byte of a newer one had been compared."""
    seen: list[tuple[str, str]] = []
    removed, verified = folder_module._remove, Generation.verify

    def look(generation: Generation, *given: object) -> None:
        seen.append(("read", generation.path.name))
        verified(generation, *given)  # pyright: ignore

    def remove(path: Path) -> None:
        seen.append(("removed", path.name))
        removed(path)

    monkeypatch.setattr(Generation, "verify", look)
    monkeypatch.setattr(folder_module, "_remove", remove)
    store = Store(tmp_path / "generations", 1)
    kept(file, SIDES["shard"], 6, *store.flags(), "--keep=2")
    assert [name for what, name in seen if what == "removed"] == [f"gen-{at}" for at in range(1, 5)]
    for at, (what, name) in enumerate(seen):
        if what == "removed":
            read = {each for did, each in seen[:at] if did == "read"}
            assert any(int(each[4:]) > int(name[4:]) for each in read)
