"""Folders of executables that store generations or go on from one, and may be moved meanwhile."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from native_runs.folders import Told, command
from resuming.nine_words import learner_file
from resuming.plain_learner import Whole, versions_of
from resuming.runs import Side, Store, run
from resuming.stored_files import bytes_of

from alpha.tools.building import recall

FLAGS = ("--owners=2", "--topology=pair", "--partition=optimizer", "--targets=x86-64,aarch64")
SIDE = Side("role", 2, "pair", ("optimizer",))
STOP, ENDS = 3, 6


@pytest.fixture
def learner(tmp_path: Path) -> tuple[Path, Whole]:
    """A learner and its versions."""
    file = learner_file("momentum", "f64", tmp_path)
    return file, versions_of(file, ENDS)


def built(file: Path, out: Path, *flags: str | Path) -> Path:
    """A folder of executables."""
    told = command("build", file, "-o", out, *FLAGS, *flags)
    assert told.status == 0, told
    return out


def digest(told: Told) -> str:
    """The last line of a run that ended well."""
    assert told.status == 0, told
    return told.out.splitlines()[-1]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_folder_stores_where_it_is_told_to(
    learner: tuple[Path, Whole], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever it is moved to, and from wherever it is run; the bytes are those of `alpha run`."""
    file, whole = learner
    folder = built(file, tmp_path / "built", f"--rounds={ENDS}", "--checkpoint-every=2")
    assert json.loads((folder / "run.json").read_text())["checkpoints"] is True
    told = command("run", folder)
    assert (told.status, "[checkpoint-path] expected --checkpoint PATH" in told.said) == (1, True)
    for flags in (("--checkpoint-every=2",), ("--resume=x",), ("--resume=x", "--allow=w")):
        told = command("run", folder, f"--checkpoint={tmp_path / 'no'}", *flags)
        assert (told.status, "[target-unsupported]" in told.said) == (1, True), told
    away = tmp_path / "a way" / "äway"
    away.parent.mkdir()
    shutil.move(folder, away)
    monkeypatch.chdir(away.parent)
    assert digest(command("run", "äway", "--checkpoint", "./gens", "--keep=2")) == whole.digests[-1]
    assert names(away.parent / "gens") == ["gen-4", "gen-6"]
    direct = Store(tmp_path / "direct", 2)
    run(file, SIDE, ENDS, tmp_path, store=direct)
    for name in ("gen-4", "gen-6"):
        assert bytes_of(away.parent / "gens" / name) == bytes_of(direct.path / name)
    # A second time it would write another history.
    told = command("run", "äway", "--checkpoint", "./gens")
    assert (told.status, "[checkpoint-exists]" in told.said) == (1, True)


def test_a_folder_that_goes_on_has_the_words(learner: tuple[Path, Whole], tmp_path: Path) -> None:
    """It is built with those of a generation, which may be gone when it is run."""
    file, whole = learner
    store = Store(tmp_path / "generations")
    run(file, Side("shard", 7, "tree<3>", ("parameters",)), STOP, tmp_path, store=store)
    flags = (f"--rounds={ENDS}", f"--resume={store.path}")
    stores = built(file, tmp_path / "stores", *flags, "--checkpoint-every=end")
    plain = built(file, tmp_path / "plain", *flags)
    described = json.loads((stores / "run.json").read_text())
    manifest = (store.path / f"gen-{STOP}" / "manifest.json").read_bytes()
    assert described["start"]["version"] == STOP
    assert all(role["data"] for role in described["roles"])
    shutil.rmtree(store.path)
    assert digest(command("run", plain)) == whole.digests[ENDS]
    told = command("run", plain, f"--checkpoint={store.path}")
    assert (told.status, "[checkpoint-path] expected no --checkpoint" in told.said) == (1, True)
    told = command("run", stores, f"--checkpoint={store.path}", "--save", tmp_path / "saved")
    assert digest(told) == whole.digests[ENDS]
    assert names(store.path) == [f"gen-{ENDS}"]
    root = json.loads((store.path / f"gen-{ENDS}" / "manifest.json").read_text())
    assert root["resumed"]["version"] == STOP and manifest
    # A word that is changed in its data is noticed before anything is run.
    data = next(stores.glob("role-*.data"))
    words = bytearray(data.read_bytes())
    words[0] ^= 1
    data.write_bytes(words)
    told = command("run", stores, f"--checkpoint={tmp_path / 'next'}")
    assert (told.status, "[build-file-differs]" in told.said) == (1, True)


def test_a_folder_that_is_over_when_it_begins(learner: tuple[Path, Whole], tmp_path: Path) -> None:
    """Like a command that is given again when its run was over."""
    file, whole = learner
    store = Store(tmp_path / "generations")
    run(file, SIDE, STOP, tmp_path, store=store)
    flags = (f"--rounds={STOP}", f"--resume={store.path}", "--checkpoint-every=2")
    folder = built(file, tmp_path / "built", *flags)
    for given in ((), (f"--checkpoint={store.path}",)):
        assert digest(command("run", folder, *given)) == whole.digests[STOP]
    assert names(store.path) == [f"gen-{STOP}"]


def test_builds_of_the_same_generation_are_the_same(
    learner: tuple[Path, Whole], tmp_path: Path
) -> None:
    """Wherever it lies, and whatever lies beside it; of another one they differ."""
    file, _ = learner
    store = Store(tmp_path / "generations", 1)
    run(file, SIDE, 4, tmp_path, store=store)
    shutil.copytree(store.path / "gen-4", tmp_path / "copy")
    places = (store.path, store.path / "gen-4", tmp_path / "copy", store.path / "gen-3")
    made = [
        bytes_of(built(file, tmp_path / f"built-{number}", f"--resume={place}", "--rounds=6"))
        for number, place in enumerate(places)
    ]
    assert made[0] == made[1] == made[2] != made[3]
    assert made[0]["role-0"] != made[3]["role-0"], "the identity of the run is another one"


def test_what_was_built_before_is_not_taken_for_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that stores is another build than one that doesn't, whatever says that it stores."""
    monkeypatch.setattr(recall, "RECENT_SECONDS", -1000.0)
    file = learner_file("sgd", "f64", tmp_path)
    wanted = versions_of(file, 4).digests[4]
    ways = {
        "none": ((), []),
        "end": (("--checkpoint",), ["gen-4"]),
        "the end": (("--checkpoint", "--checkpoint-every=end"), ["gen-4"]),
        "three": (("--checkpoint", "--checkpoint-every=3"), ["gen-3", "gen-4"]),
    }
    for turn in range(2):
        for name, (flags, generations) in ways.items():
            store = tmp_path / f"{name} {turn}"
            given = [f"--checkpoint={store}" if flag == "--checkpoint" else flag for flag in flags]
            told = command("run", file, "--owners=1", "--rounds=4", *given)
            assert digest(told) == wanted
            assert (names(store) if flags else []) == generations
