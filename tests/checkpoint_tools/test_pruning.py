"""`alpha checkpoint prune`: old generations go, once the newest has been read back."""

from __future__ import annotations

import errno
import fcntl
import os
from pathlib import Path

import pytest
from checkpoint_tools.calling import Alpha
from checkpoints.makings import State, facts_of, state_of, write

from alpha.tools.checkpoints.folder import prune

STATES: tuple[State, ...] = (("w", "f64", (10,), "cyclic"), ("s", "f32", (), None))
VERSIONS = (2, 9, 10, 100)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "x"
    path.mkdir()
    for version in VERSIONS:
        facts = facts_of(STATES, 2)
        write(path, facts, state_of(facts, version), version)
    return path


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("keep", range(1, 7))
def test_the_newest_stay(alpha: Alpha, folder: Path, keep: int) -> None:
    kept = VERSIONS[-keep:]
    gone = VERSIONS[: len(VERSIONS) - len(kept)]
    lines = alpha.done("checkpoint", "prune", folder, f"--keep={keep}").splitlines()
    assert left(folder) == sorted(f"gen-{version}" for version in kept)
    assert lines[:-1] == [f"{folder}/gen-{version}: removed" for version in gone]
    nouns = ["generation" if len(each) == 1 else "generations" for each in (gone, kept)]
    assert lines[-1] == f"{len(gone)} {nouns[0]} removed, {len(kept)} {nouns[1]} left"


def test_what_no_generation_is_stays_and_what_was_begun_goes(alpha: Alpha, folder: Path) -> None:
    for name in ("notes", "gen-07", "gen-x", ".gen-200.0123456789abcdef", ".gen-1.removed"):
        (folder / name).mkdir()
    alpha.done("checkpoint", "prune", folder, "--keep=1")
    assert left(folder) == ["gen-07", "gen-100", "gen-x", "notes"]


@pytest.mark.parametrize("flaw", ["bit", "missing", "version"])
def test_nothing_goes_before_the_newest_is_known_to_be_whole(
    alpha: Alpha, folder: Path, flaw: str
) -> None:
    path = folder / "gen-100" / "shard-1.safetensors"
    if flaw == "bit":
        path.write_bytes(path.read_bytes()[:-1] + b"!")
    elif flaw == "missing":
        path.unlink()
    else:
        (folder / "gen-100").rename(folder / "gen-101")
    before = left(folder)
    said = alpha("checkpoint", "prune", folder, "--keep=1")
    codes = {"bit": "digest", "missing": "shard-missing", "version": "manifest"}
    assert (said.status, said.out, said.code) == (1, "", f"checkpoint-{codes[flaw]}")
    assert left(folder) == before


def test_a_newest_that_cannot_be_read_is_named(
    folder: Path, alpha: Alpha, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> int:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(os, "preadv", failing)
        said = alpha("checkpoint", "prune", folder, "--keep=1")
    why = f"cannot read {folder}/gen-100/manifest.json: Input/output error"
    assert said == (1, "", f"alpha: error: {why}\n")
    assert len(left(folder)) == len(VERSIONS)


def test_what_cannot_be_removed_is_named(
    folder: Path, alpha: Alpha, monkeypatch: pytest.MonkeyPatch
) -> None:
    rename = os.rename

    def failing(source: Path, target: Path) -> None:
        if Path(source).name == "gen-9":
            raise PermissionError(errno.EACCES, "Permission denied", str(source))
        rename(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "rename", failing)
        said = alpha("checkpoint", "prune", folder, "--keep=1")
    why = f"cannot write to {folder}/gen-9: Permission denied"
    assert said == (1, "", f"alpha: error: {why}\n")
    assert left(folder) == ["gen-10", "gen-100", "gen-9"]


def test_no_part_of_a_generation_has_its_name(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever looks while one is removed finds all of it or none."""
    unlink, seen = os.unlink, set[str]()

    def watching(path: str, *, dir_fd: int | None = None) -> None:
        seen.update(left(folder))
        assert (folder / "gen-2" / "manifest.json").exists() is (folder / "gen-2").exists()
        unlink(path, dir_fd=dir_fd)

    with monkeypatch.context() as patch:
        patch.setattr(os, "unlink", watching)
        assert prune(folder, 3) == ["gen-2"]
    assert ".gen-2.removed" in seen and "gen-2" not in seen


def test_not_while_another_writes_there(alpha: Alpha, folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        said = alpha("checkpoint", "prune", folder, "--keep=1")
    finally:
        os.close(descriptor)
    assert (said.status, said.code) == (1, "checkpoint-path")
    assert len(left(folder)) == len(VERSIONS)


def test_progress_is_told_of_every_byte(folder: Path) -> None:
    told: list[tuple[int, int]] = []
    prune(folder, 1, lambda done, total: told.append((done, total)))
    size = sum(path.stat().st_size for path in (folder / "gen-100").glob("shard-*"))
    assert told[-1] == (size, size)


def test_a_folder_without_generations_is_refused(alpha: Alpha, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "empty").mkdir()
    for name, found in (
        ("none", "no such folder"),
        ("file", "no folder"),
        ("empty", "a folder without one"),
    ):
        said = alpha("checkpoint", "prune", tmp_path / name, "--keep=1")
        wanted = f"a folder of generations at {tmp_path / name}, found {found}"
        assert said == (1, "", f"alpha: error: [checkpoint-missing] expected {wanted}\n")


def test_a_generation_itself_is_no_folder_of_them(alpha: Alpha, folder: Path) -> None:
    said = alpha("checkpoint", "prune", folder / "gen-2", "--keep=1")
    assert (said.status, said.code) == (1, "checkpoint-missing")
    assert said.err.endswith("found one generation itself\n")
