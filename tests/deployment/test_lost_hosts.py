"""What happens to a run whose hosts, roles, connections or launcher end in the middle of it."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from deployment.servers import Server, deployment_file
from native_runs.folders import MARK, PlayedRole, command, marked, played_folder
from runs.processes import ALPHA, Session

MakeServer = Callable[..., Server]
LONG = ["sleep", 600]
QUICK = (
    "import sys; from alpha.tools.deployment import deployed; from alpha.tools.mains import alpha; "
    "from alpha.tools.running import launching; launching.SLACK_SECONDS_AFTER_FAILURE = 0.1; "
)
"""A launcher that waits no longer than a role for who only has to notice a failure."""

MAIN = "sys.exit(alpha.main(sys.argv[1:]))"

STUBBORN = PlayedRole([["deaf"], ["stop"], LONG])
"""A role that is stopped, and heeds nothing."""


def until(happens: Callable[[], object], seconds: float = 20.0) -> None:
    """Wait until a function gives something true."""
    end = time.monotonic() + seconds
    while not happens():
        assert time.monotonic() < end, "it didn't happen"
        time.sleep(0.01)


@contextmanager
def lasting(
    folder: Path, others: Sequence[PlayedRole], *tables: str, code: str = QUICK
) -> Iterator[Session]:
    """A run that doesn't end, whose first round has ended; role 0 is here."""
    first = PlayedRole([["rounds", 0, 1, 1, 1], LONG])
    built = played_folder(folder / "built", [first, *others], [("w", 1)], ["loss"])
    file = deployment_file(folder / "h.toml", *tables)
    python = (ALPHA[0], "-c", code + MAIN)
    run = ("run", str(built), "--deployment", str(file), "--wait=1")
    with Session(*python, *run) as session:
        session.wait_for_version(0)
        mark = os.environ[MARK]
        until(lambda: sum(b"played_role" in _command(pid) for pid in marked(mark)) > len(others))
        yield session


@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_to_the_launcher_ends_all(
    number: str, server: MakeServer, tmp_path: Path, mark: str
) -> None:
    """Also a role there that is stopped; when the launcher has ended, nothing is left.

    The host takes its time to remove a folder.
    """
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "rm").write_text('#!/bin/sh\n/bin/sleep 0.5\nexec /bin/rm "$@"\n')
    (programs / "rm").chmod(0o755)
    left = server("left", environment={"PATH": f"{programs}:{os.environ['PATH']}"})
    roles = [STUBBORN, PlayedRole([LONG])]
    with lasting(tmp_path, roles, left.table("left", [1, 2])) as session:
        before = len(marked(mark))
        session.process.send_signal(signal.Signals[number])
        done = session.end()
        assert before > 4
        assert left.left() == marked(mark) == []
    assert (done.status, done.said) == (130, "alpha: interrupted\n")


@pytest.mark.parametrize("whole", [False, True])
def test_a_launcher_that_is_killed_leaves_nothing(
    whole: bool, server: MakeServer, tmp_path: Path, mark: str
) -> None:
    """Alone, or with everything that it has started on this machine."""
    left = server("left")
    roles = [STUBBORN, PlayedRole([LONG])]
    with lasting(tmp_path, roles, left.table("left", [1, 2])) as session:
        for pid in session.members() if whole else ():
            os.kill(pid, signal.SIGKILL)
        session.process.kill()
        session.process.wait()
        until(lambda: not marked(mark) and not left.left(), 10)


def test_a_connection_that_ends(server: MakeServer, tmp_path: Path, mark: str) -> None:
    """The host has lost its launcher, and the launcher its host."""
    left, right = server("left"), server("right")
    tables = left.table("left", [1]), right.table("right", [2])
    roles = [PlayedRole([LONG]), PlayedRole([LONG])]
    with lasting(tmp_path, roles, *tables) as session:
        left.drop()
        until(lambda: not left.left(), 10)
        done = session.end()
        assert right.left() == marked(mark) == []
    assert done.said.startswith("alpha: role 1: lost host left, its connection over ssh has ended")
    assert done.said.count("\n") == 1
    assert done.status == 4


def test_a_role_there_that_is_killed(
    server: MakeServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The signal is told, which ssh alone wouldn't."""
    monkeypatch.setattr("alpha.tools.running.launching.SLACK_SECONDS_AFTER_FAILURE", 0.1)
    left = server("left")
    built = played_folder(
        tmp_path / "built", [PlayedRole([LONG]), PlayedRole([["kill", 9]])], [("w", 1)]
    )
    file = deployment_file(tmp_path / "h.toml", left.table("left", [0, 1]))
    told = command("run", built, "--deployment", file, "--wait=1")
    assert told.status == 4
    assert told.said == "alpha: role 1: was ended by SIGKILL\n"


@pytest.mark.parametrize("status", [3, 4, 5, 70])
def test_a_role_there_that_fails(status: int, server: MakeServer, tmp_path: Path) -> None:
    """With its own words and its own status."""
    left = server("left")
    words = "alpha: role 1: failed: no more ideas\n"
    roles = [PlayedRole([["end", 0]]), PlayedRole([["say", words], ["exit", status]])]
    built = played_folder(tmp_path / "built", roles, [])
    file = deployment_file(tmp_path / "h.toml", left.table("left", [1]))
    told = command("run", built, "--deployment", file)
    assert (told.status, told.said) == (status, words)


def test_a_launcher_that_is_silent(server: MakeServer, tmp_path: Path, mark: str) -> None:
    """As where a cable is cut: the warden isn't told of anything, and hears nothing."""
    left = server("left")
    code = f"{QUICK}deployed.SILENCE_SECONDS_MIN = 2; deployed.BEAT_SECONDS = 0.1; "
    with lasting(tmp_path, [STUBBORN], left.table("left", [1]), code=code) as session:
        # More than twice as long as it may be silent.
        time.sleep(5)
        assert left.left() != []
        clients = [pid for pid in marked(mark) if _is_master(pid)]
        assert clients
        for pid in clients:
            os.kill(pid, signal.SIGSTOP)
        until(lambda: not left.left(), 10)
        for pid in clients:
            os.kill(pid, signal.SIGCONT)
        done = session.end()
    assert done.status == 4, done
    assert done.said.startswith("alpha: role 1: "), done


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def _is_master(pid: int) -> bool:
    return b"ControlMaster=yes" in _command(pid)
