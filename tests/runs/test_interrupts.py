"""What ends a whole run: an interrupt, the launcher's end, and a round that a role refuses."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from pathlib import Path

import pytest
from runs.processes import ALPHA, EXAMPLES, LONG_RUN, Session


@pytest.mark.parametrize("whole_group", [False, True])
def test_an_interrupt_ends_all(whole_group: bool) -> None:
    """That of a terminal, which every process of the group gets, and one of the launcher alone."""
    with Session(*LONG_RUN) as session:
        session.wait_for_version(5)
        if whole_group:
            os.killpg(session.process.pid, signal.SIGINT)
        else:
            session.process.send_signal(signal.SIGINT)
        began = time.monotonic()
        done = session.end()
        assert time.monotonic() - began < 15
    assert done.status == 130
    assert "Traceback" not in done.said
    assert "state sha256" not in done.out


@pytest.mark.parametrize("number", ["SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGXCPU"])
def test_a_signal_that_ends_a_launcher_ends_all(number: str, tmp_path: Path) -> None:
    """As an interrupt does: no role is left, and no file of one."""
    with Session(*LONG_RUN, environment={"TMPDIR": str(tmp_path)}) as session:
        session.wait_for_version(1)
        assert list(tmp_path.glob("alpha-run-*"))
        session.process.send_signal(signal.Signals[number])
        done = session.end()
    assert (done.status, done.said.splitlines()[-1]) == (130, "alpha: interrupted")
    assert "Traceback" not in done.said
    assert not list(tmp_path.glob("alpha-run-*"))


def test_a_signal_that_is_ignored_stays_ignored() -> None:
    """Whoever starts a run with `nohup` wants it to outlive the terminal."""
    ignoring = (
        "import os, signal, sys; signal.signal(signal.SIGHUP, signal.SIG_IGN); "
        "os.execv(sys.argv[1], sys.argv[1:])"
    )
    with Session(sys.executable, "-c", ignoring, *LONG_RUN) as session:
        session.wait_for_version(1)
        session.process.send_signal(signal.SIGHUP)
        session.wait_for_version(100)
        session.process.send_signal(signal.SIGTERM)
        assert session.end().status == 130


def test_a_launcher_that_is_killed_leaves_no_role_behind() -> None:
    """The roles notice that nobody reads what they report."""
    with Session(*LONG_RUN) as session:
        session.wait_for_version(5)
        session.role(2)
        session.process.kill()
        session.process.wait()
        until = time.monotonic() + 15
        while session.members() and time.monotonic() < until:
            time.sleep(0.05)
        assert session.members() == []


def test_a_round_that_is_refused_is_the_first_cause(tmp_path: Path) -> None:
    """One role refuses, the others lose it; the launcher says the cause first and ends with 3."""
    text = (EXAMPLES / "least_squares_sgd.mlir").read_text(encoding="utf-8")
    path = tmp_path / "large.mlir"
    path.write_text(text.replace("dense<0.0>", "dense<1.0e308>"), encoding="utf-8")
    with Session(*ALPHA, "run", str(path), "--interpret=role", "--rounds=3") as session:
        done = session.end()
    assert done.status == 3
    first = done.said.splitlines()[0]
    assert re.match(r"alpha: role \d: refused numeric-nonfinite: ", first), done.said
    assert "state sha256" not in done.out
