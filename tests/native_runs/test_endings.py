"""Whatever ends a run, its first cause is told, and no process and no folder is left of it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from native_runs.folders import HERE, PlayedRole, command, marked, played_folder
from runs.processes import ALPHA, Session

from alpha.tools.running.caretaker import Caretaker, cared_folder
from alpha.tools.running.interrupts import Interrupts
from alpha.tools.running.processes import GRACE_SECONDS

LONG = ["sleep", 600]


def until(happens: object, seconds: float = 20.0) -> None:
    """Wait until a function gives something true."""
    end = time.monotonic() + seconds
    while not happens():  # pyright: ignore[reportCallIssue]
        assert time.monotonic() < end, "it didn't happen"
        time.sleep(0.01)


def lasting(folder: Path, *others: PlayedRole) -> Path:
    """A run that doesn't end: role 0 has begun when it says so on a line of the table."""
    first = PlayedRole([["rounds", 0, 1, 1, 1], LONG])
    return played_folder(folder, [first, *others], [("w", 1)], ["loss"])


@contextlib.contextmanager
def started(folder: Path, *arguments: str) -> Iterator[Session]:
    """A run whose first round has ended."""
    with Session(*ALPHA, "run", str(folder), *arguments) as session:
        session.wait_for_version(0)
        yield session


def is_stopped(process: int) -> bool:
    """Whether a process has been stopped by a signal."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "T"
    return False


STUBBORN = PlayedRole([["deaf"], ["stop"], LONG])
"""A role that is stopped, and wouldn't heed a request to end."""


@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"])
def test_a_signal_to_the_launcher_ends_all(number: str, tmp_path: Path, mark: str) -> None:
    """Also a role that is stopped, and roles in the middle of something."""
    folder = lasting(tmp_path / "built", PlayedRole([["stop"]]), PlayedRole([LONG]))
    with started(folder) as session:
        began = time.monotonic()
        session.process.send_signal(signal.Signals[number])
        done = session.end()
        # Each was told to end, and not only killed when it hadn't.
        assert time.monotonic() - began < GRACE_SECONDS
        assert marked(mark) == []
    assert (done.status, done.said) == (130, "alpha: interrupted\n")


def test_a_role_that_heeds_nothing_is_killed_in_the_end(tmp_path: Path, mark: str) -> None:
    """And a second signal doesn't keep the launcher from that."""
    with started(lasting(tmp_path / "built", STUBBORN)) as session:
        until(lambda: any(map(is_stopped, marked(mark))))
        session.process.send_signal(signal.SIGTERM)
        time.sleep(1)
        assert len(marked(mark)) > 1
        session.process.send_signal(signal.SIGINT)
        session.process.send_signal(signal.SIGTERM)
        done = session.end()
        assert marked(mark) == []
    assert (done.status, done.said) == (130, "alpha: interrupted\n")


@pytest.mark.parametrize("whole_group", [False, True])
def test_a_launcher_that_is_killed_leaves_nothing(
    whole_group: bool, tmp_path: Path, mark: str
) -> None:
    """No role, be it stopped and deaf, and no process that was to see to that."""
    with started(lasting(tmp_path / "built", STUBBORN, PlayedRole([LONG]))) as session:
        assert len(marked(mark)) == 5
        if whole_group:
            os.killpg(session.process.pid, signal.SIGKILL)
        else:
            session.process.kill()
        session.process.wait()
        until(lambda: not marked(mark), 10)


@pytest.mark.parametrize("whole_group", [False, True])
def test_a_killed_launcher_leaves_no_folder(whole_group: bool, mark: str) -> None:
    """The folder that a run has made for itself is gone with it."""
    text = (
        "import sys, time; from alpha.tools.running.caretaker import cared_folder\n"
        "with cared_folder() as (folder, caretaker):\n"
        "    (folder / 'role-0').write_text('x')\n"
        "    print(folder, flush=True)\n"
        "    time.sleep(600)\n"
    )
    command = (sys.executable, "-c", text)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, process_group=0)
    assert process.stdout is not None
    folder = Path(process.stdout.readline().strip())
    assert (folder / "role-0").exists()
    (os.killpg if whole_group else os.kill)(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    until(lambda: not folder.exists())


def test_a_folder_is_gone_behind_its_context(mark: str) -> None:
    folders: list[Path] = []
    with contextlib.suppress(ZeroDivisionError), cared_folder() as (folder, _):
        folders.append(folder)
        (folder / "role-0").write_text("x")
        raise ZeroDivisionError
    with cared_folder() as (folder, _):
        folders.append(folder)
    assert not any(folder.exists() for folder in folders)
    assert marked(mark) == []


def test_a_caretaker_that_is_dismissed_touches_nothing(tmp_path: Path, mark: str) -> None:
    """Neither the folder nor the processes that it was told of."""
    sleeper = subprocess.Popen(("sleep", "600"))
    try:
        with Caretaker(tmp_path) as caretaker:
            caretaker.watch(sleeper.pid)
        caretaker.watch(sleeper.pid)
        caretaker.dismiss()
        assert tmp_path.exists()
        assert sleeper.poll() is None
    finally:
        sleeper.kill()
        sleeper.wait()


def test_processes_that_are_forgotten_are_not_killed(mark: str) -> None:
    """Who has ended is no longer named: its number may be another's."""
    sleepers = [subprocess.Popen(("sleep", "600")) for _ in range(3)]
    code = (
        "import os, sys; from alpha.tools.running.caretaker import Caretaker\n"
        "caretaker, numbers = Caretaker(), [*map(int, sys.argv[1:])]\n"
        "caretaker.watch(numbers[0])\n"
        "caretaker.forget()\n"
        "for number in numbers[1:]: caretaker.watch(number)\n"
        "os._exit(0)\n"
    )
    try:
        pids = [str(each.pid) for each in sleepers]
        subprocess.run((sys.executable, "-c", code, *pids), check=True)
        assert [each.wait(10) for each in sleepers[1:]] == [-signal.SIGKILL] * 2
        assert sleepers[0].poll() is None
    finally:
        for each in sleepers:
            each.kill()
            each.wait()


def test_nothing_interrupts_what_is_held() -> None:
    """A signal that came meanwhile does behind it, once."""
    seen: list[str] = []
    with contextlib.suppress(KeyboardInterrupt), Interrupts() as interrupts:
        with interrupts.held():
            os.kill(os.getpid(), signal.SIGTERM)
            os.kill(os.getpid(), signal.SIGHUP)
            seen.append("held")
        seen.append("not reached")
    assert seen == ["held"]
    with contextlib.suppress(KeyboardInterrupt), Interrupts():
        try:
            os.kill(os.getpid(), signal.SIGTERM)
            seen.append("not reached")
        finally:
            os.kill(os.getpid(), signal.SIGTERM)
            seen.append("put in order")
    assert seen == ["held", "put in order"]
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


REFUSED = "alpha: role 2: refused numeric-nonfinite: expected a finite word, found inf\n"


@pytest.mark.parametrize(
    ("end", "status", "first"),
    [
        ([["say", REFUSED], ["exit", 3]], 3, REFUSED),
        ([["exit", 5]], 5, "alpha: role 2: ended with status 5, without having told everything\n"),
        ([["kill", 9]], 4, "alpha: role 2: was ended by SIGKILL\n"),
        ([["kill", 11]], 4, "alpha: role 2: was ended by SIGSEGV\n"),
        ([["exit", 0]], 4, "alpha: role 2: ended with status 0, without having told everything\n"),
        (
            [["progress", 1], ["exit", 0]],
            4,
            "alpha: role 2: ended with status 0, without having told everything\n",
        ),
        ([["end", 1], ["exit", 4]], 4, "alpha: role 2: ended with status 4, "),
    ],
)
def test_the_cause_stands_before_what_it_caused(
    end: Sequence[Sequence[object]], status: int, first: str, tmp_path: Path, mark: str
) -> None:
    """Its peers say first what they have lost, and that is told behind it."""
    lost = [
        PlayedRole([["say", f"alpha: role {role}: lost role {of}: reset\n"], ["exit", 4]])
        for role, of in ((0, 2), (1, 0))
    ]
    folder = played_folder(tmp_path / "built", [*lost, PlayedRole([["sleep", 0.4], *end])])
    done = command("run", folder)
    assert done.status == status
    assert done.said.startswith(first)
    assert sorted(done.said.splitlines()[-2:]) == [
        "alpha: role 0: lost role 2: reset",
        "alpha: role 1: lost role 0: reset",
    ]
    assert done.out == f"protocol played: 3 roles, native for {HERE.name}\n"


def test_a_role_that_ends_before_it_announces(tmp_path: Path, mark: str) -> None:
    """The input of those that wait for its port ends, and so do they."""
    dead = PlayedRole([], before=[["say", "alpha: role 0: usage: no\n"], ["exit", 2]])
    began = time.monotonic()
    done = command("run", played_folder(tmp_path / "built", [dead, PlayedRole([LONG])]))
    assert time.monotonic() - began < 30
    assert done.status == 4
    assert done.said.startswith("alpha: role 0: usage: no\n")


def test_a_role_that_stays_when_others_have_failed_is_ended(tmp_path: Path, mark: str) -> None:
    """It has so long as a role waits for another, and a little more."""
    roles = [PlayedRole([["exit", 3]]), PlayedRole([["stop"], LONG])]
    began = time.monotonic()
    done = command("run", played_folder(tmp_path / "built", roles), "--wait", "0.5")
    assert 5 < time.monotonic() - began < 20
    assert done.status == 3
    assert "alpha: role 1: didn't end by itself" not in done.said.splitlines()[0]


def test_observations_of_rounds_before_a_failure_are_told(tmp_path: Path, mark: str) -> None:
    first = PlayedRole([["rounds", 0, 30, 1, 10], ["exit", 3]])
    folder = played_folder(tmp_path / "built", [first], [("w", 1)], ["loss"])
    metrics = tmp_path / "m"
    done = command("run", folder, "--metrics", metrics)
    assert done.status == 3
    assert [line.split()[0] for line in done.out.splitlines()[2:]] == [
        "0",
        "1",
        "2",
        "5",
        "10",
        "20",
    ]
    assert len(metrics.read_text().splitlines()) == 30
    assert "state sha256" not in done.out


def test_a_full_disk_ends_all(tmp_path: Path, mark: str) -> None:
    """Who can't write what is observed ends with 5, and the roles with it."""
    folder = lasting(tmp_path / "built", PlayedRole([LONG]))
    done = command("run", folder, "--metrics", "/dev/full")
    assert done.status == 5
    assert "cannot write /dev/full: No space left on device" in done.said
