"""The folder of generations: whatever it is called or has in it, and whoever else writes there."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from native_runs.folders import command
from resuming.nine_words import learner_file
from resuming.plain_learner import versions_of
from resuming.runs import LEVELS, Side, Store, difference, refused, run

from alpha.ir.checkpoints.names import partial_name

NATIVE = Side("native", 2, "pair", ("optimizer",), "cyclic")
SIDES = {level: Side(level, 3, "star", ("optimizer",), "cyclic") for level in LEVELS[:4]}
SIDES["native"] = NATIVE
PROCESSES = Side("role", 2, "pair", ("optimizer",), "cyclic")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A learner."""
    return learner_file("momentum", "f64", tmp_path)


def contents(folder: Path) -> dict[str, bytes | None]:
    """Every file below a folder, and every folder with None."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


# What is there already


@pytest.mark.parametrize("level", LEVELS)
def test_later_generations_are_of_another_history(level: str, file: Path, tmp_path: Path) -> None:
    """A new run, and one that goes on from an older one; nothing there is touched."""
    store = Store(tmp_path / "generations", 2)
    run(file, SIDES["shard"], 6, tmp_path, store=store)
    (store.path / partial_name(9, "0" * 64)).mkdir()
    before = contents(store.path)
    for resume in ((), (f"--resume={store.path / 'gen-2'}",)):
        told = refused(file, SIDES[level], 8, *store.flags(), *resume)
        assert told.status == 1
        assert "[checkpoint-exists] expected no generation in " in told.said
        assert contents(store.path) == before
    # A folder that is a generation is no folder of them.
    told = refused(file, SIDES[level], 8, f"--checkpoint={store.path / 'gen-6'}")
    assert "[checkpoint-exists]" in told.said
    assert contents(store.path) == before


@pytest.mark.parametrize("level", ["shard", "protocol", "role"])
def test_what_was_begun_is_removed_and_nothing_else(level: str, file: Path, tmp_path: Path) -> None:
    store = Store(tmp_path / "generations")
    run(file, SIDES["shard"], 2, tmp_path, store=store)
    kept = ("gen-02", "gen-x", ".gen-5.1234", "notes", "gen-3.old", ".gen-3", "shard-0.safetensors")
    begun = (partial_name(3, "0" * 64), partial_name(77, "f" * 64), ".gen-1.removed")
    for name in (*kept, *begun):
        (store.path / name).mkdir()
        (store.path / name / "manifest.json").write_text("{}")
    (store.path / "gen-x" / "deep").mkdir()
    run(file, SIDES[level], 4, tmp_path, store=store, resume=store.path / "gen-2")
    names = {path.name for path in store.path.iterdir()}
    assert names == {*kept, "gen-2", "gen-4"}


def test_a_name_that_is_taken_is_never_replaced(file: Path, tmp_path: Path) -> None:
    """A generation whose name somebody has given to something else meanwhile isn't published."""
    store = Store(tmp_path / "generations", 2)
    run(file, SIDES["shard"], 2, tmp_path, store=store)
    before = contents(store.path)

    def taking(version: int) -> None:
        folder = store.path / f"gen-{version}"
        folder.mkdir()
        (folder / "mine").touch()

    import alpha.tools.checkpoints.levels as levels

    written = levels.write_generation
    with pytest.MonkeyPatch.context() as patch:

        def write(path: Path, facts: object, version: int, *given: object) -> object:
            taking(version)
            return written(path, facts, version, *given)  # pyright: ignore

        patch.setattr(levels, "write_generation", write)
        told = refused(file, SIDES["shard"], 4, *store.flags(), f"--resume={store.path}")
    assert told.status == 1
    assert "[checkpoint-exists]" in told.said
    after = contents(store.path)
    assert after.pop("gen-4/mine") == b"" and "gen-4/manifest.json" not in after
    assert before.items() <= after.items()


# Who else writes there


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """A folder that another run writes to."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


@pytest.mark.parametrize("level", LEVELS)
def test_two_runs_at_once_are_refused(level: str, file: Path, tmp_path: Path) -> None:
    """Before the second removes what the first has begun."""
    store = Store(tmp_path / "generations")
    begun = store.path / partial_name(3, "0" * 64)
    begun.mkdir(parents=True)
    with held(store.path):
        told = refused(file, SIDES[level], 4, *store.flags())
        assert told.status == 1
        assert "[checkpoint-path] expected a folder that no other run writes to" in told.said
        assert begun.exists()
        # Reading is nobody's alone.
        other = tmp_path / "other"
        assert command("run", file, "--interpret=learner", f"--checkpoint={other}").status == 0
    run(file, SIDES["shard"], 4, tmp_path, store=store)
    assert not begun.exists()


def test_a_run_may_be_gone_on_from_while_it_stores(file: Path, tmp_path: Path) -> None:
    """Whoever reads takes what is whole at that time."""
    store = Store(tmp_path / "generations", 1)
    run(file, SIDES["shard"], 3, tmp_path, store=store)
    (store.path / partial_name(4, "0" * 64)).mkdir()
    wanted = versions_of(file, 6)
    with held(store.path):
        told = command("run", file, *SIDES["shard"].flags(), "--rounds=6", f"--resume={store.path}")
    assert told.status == 0
    assert f".gen-4.{'0' * 16} was passed over" in told.said
    assert told.out.splitlines()[-1] == wanted.digests[6]


# What it is called

NAMES = (
    "a name with blanks",
    "line\nend",
    "'quoted\" $HOME `x` \\n",
    "-rf",
    "ä漢😀",
    "*?[a]",
    "gen-7",
    "x" * 200,
    "missing/folders/above",
    "./here/../here",
    os.fsdecode(b"no utf-8 \xff\xfe"),
)


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_a_folder_may_have_any_name(
    name: str, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Relative to where the command is given, at levels that stay in the process and others."""
    monkeypatch.chdir(tmp_path)
    wanted = versions_of(file, 4)
    for version, level in enumerate(("shard", "role", "protocol", "learner"), 1):
        resume = None if version == 1 else Path(name)
        store = Store(Path(name))
        found = run(file, SIDES[level], version, tmp_path, store=store, resume=resume)
        assert difference(found, wanted.outcome(version - 1, version)) is None
    assert len(list((tmp_path / name).iterdir())) == 4


def test_processes_are_given_any_name(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Native and interpreted ones, whose folder is relative to that of the launcher."""
    monkeypatch.chdir(tmp_path)
    wanted = versions_of(file, 4)
    name = "-a 'name'\n漢 " + os.fsdecode(b"\xff")
    store = Store(Path(name))
    run(file, NATIVE, 2, tmp_path, store=store)
    flags = (*PROCESSES.flags(), "--rounds=3", *store.flags(), f"--resume={name}")
    assert command("run", file, *flags).out.splitlines()[-1] == wanted.digests[3]
    found = run(file, NATIVE, 4, tmp_path, store=store, resume=store.path)
    assert difference(found, wanted.outcome(3, 4)) is None


def test_links_lead_to_folders(file: Path, tmp_path: Path) -> None:
    """To a folder of generations, and to one of them; one that leads nowhere is no folder."""
    (tmp_path / "folder").mkdir()
    links = {"all": "folder", "one": "folder/gen-2", "none": "nothing"}
    for name, to in links.items():
        (tmp_path / name).symlink_to(to)
    wanted = versions_of(file, 4)
    store = Store(tmp_path / "all")
    run(file, SIDES["role"], 2, tmp_path, store=store)
    for name in ("all", "one", "folder"):
        found = run(file, SIDES["shard"], 4, tmp_path, resume=tmp_path / name)
        assert difference(found, wanted.outcome(2, 4)) is None
    assert (tmp_path / "folder" / "gen-2" / "manifest.json").exists()
    told = refused(file, SIDES["shard"], 4, f"--resume={tmp_path / 'none'}")
    assert (told.status, "[checkpoint-missing]" in told.said) == (1, True)
    told = refused(file, SIDES["shard"], 4, f"--checkpoint={tmp_path / 'none'}")
    assert (told.status, "cannot write to " in told.said) == (5, True)


@pytest.mark.parametrize("level", LEVELS)
def test_what_is_no_folder(level: str, file: Path, tmp_path: Path) -> None:
    """A file, what is below one, and where nobody may make a folder."""
    (tmp_path / "taken").write_text("mine")
    for name in (tmp_path / "taken", tmp_path / "taken" / "below", Path("/proc/alpha/generations")):
        told = refused(file, SIDES[level], 2, f"--checkpoint={name}")
        assert told.status == 5
        assert told.said.splitlines()[-1].startswith("alpha: error: cannot write to ")
        assert "state sha256" not in told.out
    assert (tmp_path / "taken").read_text() == "mine"
    for name, why in (("taken", "a file"), ("nowhere", "no such file or folder"), ("", "a folder")):
        told = refused(file, SIDES[level], 2, f"--resume={tmp_path / name}")
        assert told.status == 1
        assert "[checkpoint-missing]" in told.said and f"found {why}" in told.said
    for flag in ("--checkpoint=", "--resume="):
        told = refused(file, SIDES[level], 2, flag)
        assert (told.status, "expected the name of a folder" in told.said) == (2, True)
