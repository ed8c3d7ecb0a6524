"""`alpha build` as a whole: the same bytes everywhere, what is kept of a build, and what fails."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path

import numpy as np
import pytest
from building.conftest import CACHE

from alpha.ir.refusals import Refusal
from alpha.tools.building import jobs, making, recall
from alpha.tools.building.description import RunDescription
from alpha.tools.building.recall import Recall
from alpha.tools.mains import alpha

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
LEAST = str(EXAMPLES / "least_squares_adam.mlir")
ALPHA = (sys.executable, "-P", "-m", "alpha.tools.alpha")


def build(file: str | Path, folder: Path, *flags: str) -> RunDescription:
    assert alpha.main(["build", str(file), "-o", str(folder), *flags]) == 0
    made = RunDescription.read(folder)
    made.check_files(folder)
    return made


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def learner(tmp_path: Path) -> Path:
    """A learner with data in files, in a folder of its own; the files are not of just now."""
    folder = tmp_path / "learner"
    shutil.copytree(EXAMPLES / "data", folder / "data")
    shutil.copy(EXAMPLES / "diabetes_sgd.mlir", folder / "learner.mlir")
    return folder / "learner.mlir"


@pytest.fixture
def not_recent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that a test has just made count as old."""
    monkeypatch.setattr(recall, "RECENT_SECONDS", -1000.0)


def as_never_before(learner: Path) -> None:
    """Make a text of a learner that no run of a test has built before."""
    learner.write_text(f"{learner.read_text()}// {uuid.uuid4()}\n")


def copy_kept(folder: Path) -> None:
    """Copy what builds have kept last, which has the objects of the runtime."""
    found = sorted((path for path in CACHE.rglob("*") if path.is_file()), key=_used, reverse=True)
    for path in found[:100]:
        target = folder / path.relative_to(CACHE)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)


def _used(path: Path) -> int:
    return path.stat().st_mtime_ns


def flags_of(name: str) -> list[str]:
    return ["--targets", "x86-64,aarch64", "--rounds", "7", *name.split()]


@pytest.mark.parametrize(
    "flags",
    ["", "--partition optimizer,parameters,gradients", "--exchange sharded --owners 3"],
)
def test_the_same_files_come_out_everywhere(
    flags: str, learner: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In another folder, by one process, and from what other builds have kept."""
    build(learner, tmp_path / "one", *flags_of(flags))
    first = contents(tmp_path / "one")
    assert {"run.json", "run.mlir", "role-0", "role-0.data", "role-1"} <= first.keys()
    monkeypatch.setenv("ALPHA_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(jobs, "processors", lambda: 1)
    copy_kept(tmp_path / "cache")
    monkeypatch.chdir(learner.parent)
    monkeypatch.setattr(Recall, "take", lambda *given: None)
    monkeypatch.setattr(making.RoleMaker, "made", lambda *given: None)
    build("learner.mlir", tmp_path / "other", *flags_of(flags))
    assert contents(tmp_path / "other") == first
    for data in first.values():
        assert str(tmp_path).encode() not in data
        assert b"/work" not in data and b"site-packages" not in data


def test_nothing_that_is_kept_decides_what_comes_out(tmp_path: Path) -> None:
    build(LEAST, tmp_path / "kept")
    build(LEAST, tmp_path / "anew", "--no-cache")
    assert contents(tmp_path / "kept") == contents(tmp_path / "anew")


def test_an_executable_has_the_same_size_for_all_rounds(tmp_path: Path) -> None:
    few = build(LEAST, tmp_path / "few", "--rounds", "4")
    many = build(LEAST, tmp_path / "many", "--rounds", "200000")
    assert [role.bytes for role in few.roles] == [role.bytes for role in many.roles]
    assert max(role.bytes for role in few.roles) < 64 << 10
    assert few.digests.run != many.digests.run
    assert (few.rounds, many.rounds) == (4, 200_000)


def test_the_description_says_what_was_built(learner: Path, tmp_path: Path) -> None:
    flags = ("--partition", "optimizer,parameters", "--targets", "x86-64,aarch64")
    made = build(learner, tmp_path / "out", *flags, "--features", "avx512")
    assert (made.learner, made.owners, made.topology, made.samples) == (
        "diabetes_sgd",
        4,
        "star",
        442,
    )
    assert [role.target for role in made.roles] == ["x86-64", "aarch64"] * 2
    assert [role.features for role in made.roles] == [("avx512",), ()] * 2
    assert [role.edges for role in made.roles] == [(1, 2, 3), (0,), (0,), (0,)]
    sizes = [None if role.data is None else role.data.bytes for role in made.roles]
    rows = (265, 133, 44)
    # 10 components and a target, each array padded to 64 bytes.
    assert sizes == [*(-(-n * 80 // 64) * 64 + -(-n * 8 // 64) * 64 for n in rows), None]
    words = {state.name: state.words for state in made.states}
    for name in words:
        pieces = [role.coordinates(name) for role in made.roles]
        if None not in pieces:
            members = [at for piece in pieces if piece is not None for at in _members(piece)]
            assert sorted(members) == list(range(words[name]))
    assert all(role.memory_bytes > 0 for role in made.roles)
    for role in made.roles:
        file = tmp_path / "out" / role.executable
        assert file.stat().st_mode & 0o777 == 0o755
        # What frames name, and what the data has to be, are in the executable as they are.
        assert bytes.fromhex(made.digests.run) in file.read_bytes()
        assert role.data is None or bytes.fromhex(role.data.sha256) in file.read_bytes()


def _members(piece: object) -> list[int]:
    from alpha.ir.sharding.fragments import members

    return members(piece).tolist()  # pyright: ignore[reportArgumentType]


def test_a_build_is_taken_again(
    learner: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, not_recent: None
) -> None:
    as_never_before(learner)
    build(learner, tmp_path / "one")

    def never(*given: object) -> object:
        raise Refusal("target-unsupported", "no work", "some")

    with monkeypatch.context() as patched:
        patched.setattr(making, "_Work", never)
        build(learner, tmp_path / "two")
        again = ["build", str(learner), "-o", str(tmp_path / "three")]
        assert alpha.main([*again, "--no-cache"]) == alpha.main([*again, "--rounds", "2"]) == 1
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    for name in ("role-0", "role-3"):
        assert os.access(tmp_path / "two" / name, os.X_OK)
    # Another word of the data is another build, though all files have their old names.
    words = np.load(learner.parent / "data" / "diabetes_y.npy")
    words[-1] += 1.0
    np.save(learner.parent / "data" / "diabetes_y.npy", words)
    changed = build(learner, tmp_path / "two")
    assert changed.digests.run != RunDescription.read(tmp_path / "one").digests.run


def test_data_of_just_now_is_not_trusted(
    learner: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[object] = []
    monkeypatch.setattr(recall, "key_of", lambda *given: kept.append(given) or "ab" * 32)
    monkeypatch.setattr(recall.Recall, "take", lambda *given: None)
    build(learner, tmp_path / "out")
    assert kept == []


def test_what_was_remarked_is_said_again(
    learner: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], not_recent: None
) -> None:
    as_never_before(learner)
    said = []
    for name in ("one", "two"):
        build(learner, tmp_path / name, "--owners", "2", "--samples", "400,42")
        said.append(capfd.readouterr())
    assert said[0] == said[1]
    assert "warning: the bits change" in said[0].err


def test_a_cache_that_is_broken_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(LEAST, tmp_path / "one")
    monkeypatch.setenv("ALPHA_CACHE", str(tmp_path / "cache"))
    copy_kept(tmp_path / "cache")
    for number, path in enumerate(sorted((tmp_path / "cache").rglob("*"))):
        if path.is_file() and number % 3 == 0:
            path.write_bytes(path.read_bytes()[:-1])
    build(LEAST, tmp_path / "two")
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_every_flag_is_known_to_decide_or_not() -> None:
    parser = alpha._parsers()[1]["build"]
    names = {action.dest for action in parser._actions} - {"help"}
    others = {"output", "cache", "targets", "features", "deployment"}
    # A build that goes on from a generation isn't kept.
    assert names == {*recall.DECIDING, *others, "resume", "allow"}


def failed(*arguments: str | Path, environment: dict[str, str]) -> tuple[int, str]:
    done = subprocess.run(
        [*ALPHA, "build", *map(str, arguments)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout == "" and "Traceback" not in done.stderr
    return done.returncode, done.stderr


def test_missing_tools_are_said(tmp_path: Path) -> None:
    environment = {"PATH": "/nonexistent", "ALPHA_TOOLCHAIN": "gnu"}
    status, said = failed(LEAST, "-o", tmp_path / "out", environment=environment)
    assert status == 1
    assert "[target-unsupported] expected an assembler and a linker for" in said
    assert "note: install Debian's binutils" in said
    assert os.listdir(tmp_path) == []


def test_a_tool_that_fails_is_said(tmp_path: Path) -> None:
    for name in ("as", "ld"):
        tool = tmp_path / f"x-{name}"
        real = shutil.which(f"x86_64-linux-gnu-{name}") or shutil.which(name)
        asked = {"as": "--version", "ld": "-V"}[name]
        tool.write_text(f'#!/bin/sh\n[ "$1" = {asked} ] && exec {real} "$@"\nkill -9 $$\n')
        tool.chmod(0o755)
    environment = {"ALPHA_BINUTILS_X86_64": f"{tmp_path}/x-", "ALPHA_CACHE": str(tmp_path / "c")}
    arguments = (LEAST, "-o", tmp_path / "out", "--targets", "x86-64")
    status, said = failed(*arguments, environment=environment)
    assert status == 1
    assert "alpha: error: " in said and "ended with SIGKILL" in said
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("full", ["role-1", "3.o"])
def test_a_full_disk_is_said(
    full: str,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where the folder lies, or where the files of tools do."""
    written = Path.write_bytes

    def no_room(self: Path, data: bytes) -> int:
        if self.name == full:
            raise OSError(28, "No space left on device")
        return written(self, data)

    out = tmp_path / "out"
    what = out if full == "role-1" else f"temporary files in {tempfile.gettempdir()}"
    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_bytes", no_room)
        patched.setattr(Recall, "take", lambda *given: None)
        patched.setattr(making.RoleMaker, "made", lambda *given: None)
        assert alpha.main(["build", LEAST, "-o", str(out), "--rounds", "9"]) == 1
    said = capfd.readouterr()
    assert said.err == f"alpha: error: cannot write {what}: No space left on device\n"
    assert said.out == ""
    assert os.listdir(tmp_path) == []


def test_an_interrupt_leaves_nothing(tmp_path: Path) -> None:
    environment = {**os.environ, "TMPDIR": str(tmp_path), "ALPHA_CACHE": str(tmp_path / "cache")}
    (tmp_path / "in").mkdir()
    command = [*ALPHA, "build", LEAST, "-o", str(tmp_path / "in" / "out")]
    for kind in (signal.SIGINT, signal.SIGTERM):
        with subprocess.Popen(
            command, env=environment, stderr=subprocess.PIPE, text=True, start_new_session=True
        ) as process:
            until = time.monotonic() + 30
            while not os.listdir(tmp_path / "in"):
                assert time.monotonic() < until and process.poll() is None
                time.sleep(0.01)
            time.sleep(0.3)
            process.send_signal(kind)
            assert process.wait(30) == 130
            assert process.stderr is not None and process.stderr.read() == "alpha: interrupted\n"
        with pytest.raises(ProcessLookupError):
            os.killpg(process.pid, 0)
        assert os.listdir(tmp_path / "in") == []
        assert not [name for name in os.listdir(tmp_path) if name.startswith("alpha-")]
        shutil.rmtree(tmp_path / "cache", ignore_errors=True)
