"""`alpha checkpoint prune`: old generations go, once the newest has been read back."""

from __future__ import annotations

import errno
import fcntl
import hashlib
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


def test_generations_of_another_learner_are_left_alone(alpha: Alpha, tmp_path: Path) -> None:
    """They don't count, and neither does what nobody can say whose it is."""
    others = facts_of([("v", "f64", (3,), None)], 1, name="other")
    own = facts_of(STATES, 2)
    for version, facts in ((1, own), (2, others), (3, own), (4, own), (5, own), (6, own)):
        write(tmp_path, facts, state_of(facts), version)
    (tmp_path / "gen-4" / "manifest.json").write_text("{")
    (tmp_path / "gen-0").touch()
    out = alpha.done("checkpoint", "prune", tmp_path, "--keep=3")
    assert out == f"{tmp_path}/gen-1: removed\n1 generation removed, 6 generations left\n"
    alpha.done("checkpoint", "prune", tmp_path, "--keep=1")
    assert left(tmp_path) == ["gen-0", "gen-2", "gen-4", "gen-6"]


def test_a_history_has_what_its_runs_went_on_from(alpha: Alpha, tmp_path: Path) -> None:
    """With leave that is of another learner, and what it went on from may be of a third."""
    resumed: tuple[int, str] | None = None
    for version in range(1, 7):
        parts = {"state w": "1" * 64, "state s": "2" * 64, "round": f"{version // 2}" * 64}
        facts = facts_of(STATES, 2, parts=parts, resumed=resumed)
        path = write(tmp_path, facts, state_of(facts), version)
        if version % 2:
            digest = hashlib.sha256((path / "manifest.json").read_bytes()).hexdigest()
            resumed = version, digest
    alpha.done("checkpoint", "prune", tmp_path, "--keep=4")
    assert left(tmp_path) == [f"gen-{version}" for version in (3, 4, 5, 6)]
    # Without the one that the newest went on from, nothing says that the others belong to it.
    (tmp_path / "gen-5" / "manifest.json").unlink()
    assert alpha.done("checkpoint", "prune", tmp_path, "--keep=1").startswith("0 generations")
    assert len(left(tmp_path)) == 4


@pytest.mark.parametrize("after", [1, 2, 9, 10, 100, 200])
def test_going_back_removes_what_is_later(alpha: Alpha, folder: Path, after: int) -> None:
    said = alpha("checkpoint", "prune", folder, f"--after={after}")
    if after not in VERSIONS:
        wanted = f"a generation of version {after} in {folder}, found none"
        assert said == (1, "", f"alpha: error: [checkpoint-missing] expected {wanted}\n")
        assert len(left(folder)) == len(VERSIONS)
        return
    gone = [version for version in VERSIONS if version > after]
    assert said.status == 0
    removed = [f"{folder}/gen-{version}: removed" for version in reversed(gone)]
    assert said.out.splitlines()[:-1] == removed
    assert left(folder) == sorted(f"gen-{version}" for version in VERSIONS if version <= after)


def test_whatever_is_later_goes(alpha: Alpha, folder: Path) -> None:
    """A broken generation, one of another learner, and a file or a link with the name of one."""
    (folder / "gen-100" / "manifest.json").write_text("{")
    others = facts_of([("v", "f64", (3,), None)], 1)
    write(folder, others, state_of(others), 11)
    (folder / "gen-12").write_text("not a folder")
    (folder / "gen-13").symlink_to("gen-9")
    alpha.done("checkpoint", "prune", folder, "--after=10")
    assert left(folder) == ["gen-10", "gen-2", "gen-9"]
    assert (folder / "gen-9" / "manifest.json").exists()


@pytest.mark.parametrize("flaw", ["bit", "missing"])
def test_going_back_to_what_is_broken_is_refused(alpha: Alpha, folder: Path, flaw: str) -> None:
    path = folder / "gen-9" / "shard-1.safetensors"
    if flaw == "bit":
        path.write_bytes(path.read_bytes()[:-1] + b"!")
    else:
        path.unlink()
    said = alpha("checkpoint", "prune", folder, "--after=9")
    codes = {"bit": "checkpoint-digest", "missing": "checkpoint-shard-missing"}
    assert (said.status, said.out, said.code) == (1, "", codes[flaw])
    assert len(left(folder)) == len(VERSIONS)


def test_going_back_leaves_no_gap(
    folder: Path, alpha: Alpha, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The newest goes first, so that whatever ends it leaves a history without a hole."""
    rename = os.rename

    def failing(source: Path, target: Path) -> None:
        if Path(source).name == "gen-10":
            raise PermissionError(errno.EACCES, "Permission denied", str(source))
        rename(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "rename", failing)
        assert alpha("checkpoint", "prune", folder, "--after=2").status == 1
    assert left(folder) == ["gen-10", "gen-2", "gen-9"]


def test_a_file_with_the_name_of_what_was_begun_goes(alpha: Alpha, folder: Path) -> None:
    for name in (".gen-200.0123456789abcdef", ".gen-1.removed"):
        (folder / name).write_text("?")
    alpha.done("checkpoint", "prune", folder, "--keep=9")
    assert len(left(folder)) == len(VERSIONS)


def test_what_was_begun_and_cannot_be_removed_is_named_in_full(
    alpha: Alpha, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files are removed by their names in a folder; the message has the folder's."""
    begun = folder / ".gen-200.0123456789abcdef"
    begun.mkdir()
    (begun / "shard-2.safetensors").touch()

    def failing(path: str, *, dir_fd: int | None = None) -> None:
        raise OSError(errno.EROFS, "Read-only file system", path)

    with monkeypatch.context() as patch:
        patch.setattr(os, "unlink", failing)
        said = alpha("checkpoint", "prune", folder, "--keep=1")
    assert said == (1, "", f"alpha: error: cannot write to {begun}: Read-only file system\n")
