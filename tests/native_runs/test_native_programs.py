"""`alpha run FILE` with executables: they end as the interpreter does, or in a clear way."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from levels.natively import CACHE
from native_runs.folders import BEYOND, EXAMPLES, HERE, Told, command, marked
from runs.processes import ALPHA, Session

ADAM = EXAMPLES / "least_squares_adam.mlir"
FLAGS = ("--owners=4", "--samples=1,2,3,0", "--partition=optimizer,gradients", "--rounds=12")
LONG = (*ALPHA, "run", str(ADAM), "--rounds=1000000000")


@pytest.fixture(scope="module", autouse=True)
def cache() -> Iterator[None]:
    """What has been compiled once is kept for all tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ALPHA_CACHE", str(CACHE))
        yield


@pytest.fixture(scope="module")
def wanted(cache: None, tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], bytes]:
    """The table with the digest, and the metrics, as the interpreter of owners has them."""
    metrics = tmp_path_factory.mktemp("wanted") / "m"
    told = command("run", ADAM, "--interpret=shard", *FLAGS, "--metrics", metrics)
    return told.out.splitlines()[1:], metrics.read_bytes()


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mark: str) -> Path:
    """Where a run makes its folder; nothing is left there."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr("tempfile.tempdir", None)
    return folder


@pytest.mark.parametrize(
    ("flags", "how"),
    [
        ((), f"native for {HERE.name}"),
        (("--roles-interpreted=1,3",), f"native for {HERE.name}, 2 interpreted"),
        (("--interpret=role", "--roles-interpreted=0"), f"native for {HERE.name}, 1 interpreted"),
        (("--roles-interpreted=0,1,2,3",), "4 interpreted"),
        ((f"--targets={HERE.name},{BEYOND.name}",), f"native for {HERE.name} and {BEYOND.name}"),
        (
            (f"--targets={BEYOND.name}", "--roles-interpreted=0,2"),
            f"native for {BEYOND.name}, 2 interpreted",
        ),
    ],
)
def test_a_file_runs_as_it_is_interpreted(
    flags: tuple[str, ...], how: str, wanted: tuple[list[str], bytes], temporary: Path
) -> None:
    """The same table, metrics and digest, whoever is native, interpreted or emulated."""
    metrics = temporary.parent / "m"
    told = command("run", ADAM, *FLAGS, *flags, "--metrics", metrics)
    assert told.status == 0, told
    heading, *table = told.out.splitlines()
    assert heading.endswith(f"14 words; 4 roles, star, {how}")
    assert (table, metrics.read_bytes()) == wanted
    emulated = re.findall(
        r"^alpha: remark: emulated by QEMU .* for aarch64 \(.*\): (.*)$", told.said
    )
    assert emulated == (["1, 3"] if "aarch64" in how else [])
    assert told.said.count("\n") == len(emulated)
    assert list(temporary.iterdir()) == []


def test_a_folder_that_was_built(wanted: tuple[list[str], bytes], temporary: Path) -> None:
    built = temporary.parent / "built"
    assert command("build", ADAM, *FLAGS, "-o", built).status == 0
    for _ in range(2):
        told = command("run", built)
        assert (told.status, told.said) == (0, "")
        assert told.out.splitlines()[1:] == wanted[0]
    path = built / "role-2"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    told = command("run", built)
    assert told.status == 1
    assert f"{path}:1:1: error: [build-file-differs]" in told.said


def test_a_round_that_is_refused(temporary: Path) -> None:
    text = (EXAMPLES / "least_squares_sgd.mlir").read_text(encoding="utf-8")
    path = temporary.parent / "large.mlir"
    path.write_text(text.replace("dense<0.0>", "dense<1.0e308>"), encoding="utf-8")
    told = command("run", path, "--rounds=3")
    assert told.status == 3
    assert re.match(r"alpha: role \d: refused numeric-nonfinite: ", told.said), told
    assert "state sha256" not in told.out
    assert list(temporary.iterdir()) == []


def refused(*arguments: str | Path) -> Told:
    """What is said of a run that is refused before anything is started."""
    told = command("run", *arguments)
    assert told.out == ""
    return told


def test_what_can_not_be_built(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert refused(temporary / "absent.mlir").status == 5
    told = refused(ADAM, "--targets=sm86")
    assert told.status == 1
    assert "[target-unsupported] expected --device with what runs the kernels" in told.said
    told = refused(ADAM, "--roles-interpreted=1,9")
    assert told.status == 1
    assert (
        "[protocol-role-range] expected one of the 4 roles, 0, 1, 2, 3, with --roles-interpreted, "
        "found role 9"
    ) in told.said
    told = refused(ADAM, "--interpret=shard", "--roles-interpreted=1")
    assert told.status == 1
    assert "expected native programs with --roles-interpreted, found --interpret=shard" in told.said
    mine = temporary.parent / "mine.mlir"
    mine.write_bytes(ADAM.read_bytes())
    told = refused(mine, "--save", mine)
    assert (told.status, "it is an input of this run" in told.said) == (5, True)
    assert mine.read_bytes() == ADAM.read_bytes()
    monkeypatch.setenv("ALPHA_TOOLCHAIN", "gnu")
    monkeypatch.setenv("PATH", str(temporary))
    told = refused(ADAM)
    assert told.status == 1
    first, note = told.said.splitlines()
    assert "[target-unsupported] expected an assembler and a linker for " in first
    assert note.startswith("alpha: note: install Debian's binutils-")
    assert list(temporary.iterdir()) == []


@contextmanager
def running(*flags: str) -> Iterator[Session]:
    """Native roles that would run for days, in the middle of it."""
    with Session(*LONG, *flags) as session:
        session.wait_for_version(100)
        yield session


def process_of(role: int, mark: str) -> int:
    """The process of a native role."""
    for pid in marked(mark):
        if os.readlink(f"/proc/{pid}/exe").endswith(f"/role-{role}"):
            return pid
    raise AssertionError(f"role {role} isn't there")


def test_an_interrupt_ends_native_roles(temporary: Path, mark: str) -> None:
    """Also one that is stopped."""
    with running() as session:
        assert len(list(temporary.glob("alpha-run-*"))) == 1
        os.kill(process_of(1, mark), signal.SIGSTOP)
        session.process.send_signal(signal.SIGINT)
        done = session.end()
        assert marked(mark) == []
    assert (done.status, done.said) == (130, "alpha: interrupted\n")
    assert list(temporary.iterdir()) == []


def test_a_killed_launcher_leaves_no_native_role(temporary: Path, mark: str) -> None:
    with running() as session:
        os.kill(process_of(2, mark), signal.SIGSTOP)
        session.process.kill()
        until = time.monotonic() + 10
        while (marked(mark) or list(temporary.iterdir())) and time.monotonic() < until:
            session.process.poll()
            time.sleep(0.02)
        assert marked(mark) == []
        assert list(temporary.iterdir()) == []


def test_a_native_role_that_is_killed(temporary: Path, mark: str) -> None:
    with running() as session:
        os.kill(process_of(1, mark), signal.SIGKILL)
        done = session.end()
    first, *others = [line for line in done.said.splitlines() if line]
    assert (done.status, first) == (4, "alpha: role 1: was ended by SIGKILL")
    assert [line[:27] for line in sorted(others)] == [
        "alpha: role 0: lost role 1:",
        "alpha: role 2: lost role 0:",
        "alpha: role 3: lost role 0:",
    ]
    assert list(temporary.iterdir()) == []


def test_a_native_role_that_is_stopped(temporary: Path, mark: str) -> None:
    """The others have lost it after their wait, which was handed on."""
    with running("--wait=1") as session:
        os.kill(process_of(2, mark), signal.SIGSTOP)
        done = session.end()
    assert done.status == 4
    assert done.said.splitlines()[0] == "alpha: role 2: didn't end by itself, and was ended"
    assert "alpha: role 0: lost role 2: " in done.said
    assert " 1 s of " in done.said


def test_a_deadline_of_native_roles(temporary: Path, mark: str) -> None:
    with Session(*LONG, "--deadline=2") as session:
        done = session.end()
    assert done.status == 4
    assert "the 2 s of the session" in done.said
    assert done.seconds < 30
