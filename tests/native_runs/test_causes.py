"""Of the ends of all roles the first cause is told, whoever said something first."""

from __future__ import annotations

import signal

import pytest

from alpha.tools.running.processes import Ended
from alpha.tools.running.roles import first_cause, how_ended, status_of, told


def lost(role: int, peer: int, order: int) -> Ended:
    said = f"alpha: role {role}: lost role {peer}: it ended its stream\n"
    return Ended(role, 4, said, order, whole=False, stopped=False)


def ended(role: int, status: int, order: int = 9, said: str = "", stopped: bool = False) -> Ended:
    return Ended(role, status, said, order, whole=status == 0, stopped=stopped)


def cause(*ends: Ended) -> int | None:
    found = first_cause(ends)
    return None if found is None else found.role


def test_all_end_well() -> None:
    assert cause(ended(0, 0), ended(1, 0)) is None


def test_who_did_not_tell_everything_did_not_end_well() -> None:
    cut = Ended(1, 0, "", 9, whole=False, stopped=False)
    assert cause(ended(0, 0), cut) == 1
    assert told(cut, is_cause=True) == (
        "alpha: role 1: ended with status 0, without having told everything\n"
    )
    assert status_of(cut) == 4


@pytest.mark.parametrize("status", [3, 5, 70, 1, -9, -11, -15])
def test_a_failure_of_its_own_comes_before_lost_peers(status: int) -> None:
    """A native role that fails closes its connections with bytes unread: its peers see a reset."""
    ends = [lost(0, 2, 0), lost(1, 0, 1), ended(2, status)]
    assert cause(*ends) == 2
    assert status_of(ends[2]) == (status if status in (1, 3, 5, 70) else 4)


def test_of_failures_the_first_comes_first() -> None:
    assert cause(ended(0, 3, 2), ended(1, 5, 1), ended(2, -9, 3)) == 1


def test_where_all_have_lost_one_the_way_leads_to_the_cause() -> None:
    """0 lost 1, which lost 2, which was overdue: what was said first is but what was read first."""
    over = ended(2, 4, 2, "alpha: role 2: overdue: the 3 s of the session have passed\n")
    assert cause(lost(0, 1, 0), lost(1, 2, 1), over) == 2


def test_a_peer_that_ended_well_is_no_cause() -> None:
    assert cause(lost(0, 1, 1), ended(1, 0), lost(2, 0, 0)) == 0


def test_roles_that_have_lost_one_another() -> None:
    assert cause(lost(0, 1, 0), lost(1, 2, 4), lost(2, 1, 3)) == 2
    assert cause(lost(0, 1, 0), lost(1, 2, 3), lost(2, 1, 4)) == 1
    assert cause(lost(0, 1, 0), lost(1, 0, 1)) == 0


def test_a_line_of_another_role_blames_nobody() -> None:
    """Only what a role says of itself counts."""
    quoting = Ended(0, 4, "alpha: role 7: lost role 1: no\n", 0, whole=False, stopped=False)
    assert cause(quoting, ended(1, 4, 1, "alpha: role 1: overdue: the 3 s have passed\n")) == 0


def test_signals_by_name() -> None:
    assert how_ended(ended(1, -signal.SIGSEGV)) == "was ended by SIGSEGV"
    assert how_ended(ended(1, -40)) == "was ended by signal 40"
    assert how_ended(ended(1, -15, stopped=True)) == "didn't end by itself, and was ended"
