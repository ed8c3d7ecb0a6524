"""A run is a process a role, and whatever becomes of one of them, none is left behind."""

from __future__ import annotations

import os
import re
import signal
import time

from runs.processes import LONG_RUN, Session

LOST = re.compile(r"alpha: role (\d): lost role (\d): ")
OVER = re.compile(r"alpha: role (\d): (?:lost role \d|overdue): ")


def lost_roles(said: str) -> list[str]:
    """The roles that say that they have lost a peer."""
    return sorted(role for role, _ in LOST.findall(said))


def causes(said: str) -> list[str]:
    """What the launcher says of roles, the cause first."""
    return [line for line in said.splitlines() if line.startswith("alpha: role ")]


def test_a_role_that_is_killed_ends_all() -> None:
    with Session(*LONG_RUN) as session:
        session.wait_for_version(10)
        os.kill(session.role(1), signal.SIGKILL)
        done = session.end()
    assert done.status == 4
    assert causes(done.said)[0] == "alpha: role 1: was ended by SIGKILL"
    assert lost_roles(done.said) == ["0", "2"]
    assert "state sha256" not in done.out


def test_a_role_that_is_stopped_ends_all_within_its_wait() -> None:
    """It sends nothing, and its connections stay."""
    with Session(*LONG_RUN, "--wait=1") as session:
        session.wait_for_version(10)
        os.kill(session.role(2), signal.SIGSTOP)
        began = time.monotonic()
        done = session.end()
        assert time.monotonic() - began < 15
    assert done.status == 4
    assert causes(done.said)[0] == "alpha: role 2: didn't end by itself, and was ended"
    assert lost_roles(done.said) == ["0", "1"]


def test_a_deadline_of_the_whole_ends_all() -> None:
    with Session(*LONG_RUN, "--deadline=3") as session:
        done = session.end()
    assert done.status == 4
    # A role that is at work when the time is over waits for nobody, and has lost nobody.
    assert sorted(OVER.findall(done.said)) == ["0", "1", "2"]
    assert "the 3 s of the session" in done.said
    assert done.seconds < 30
