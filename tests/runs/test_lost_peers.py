"""A peer that never appears, dies at any byte or falls silent ends the run at every other role.

The roles run over real connections in threads of one process; what becomes of processes stands in
`test_processes`.
"""

from __future__ import annotations

import time
from functools import cache

import pytest
from runs.conversations import at
from runs.dying import Death, frames_in_order, lengths, run_with_one_dying, stages_of
from runs.played import Close, Stage
from runs.stands import conversation

from alpha.interpreters.participants.deadlines import Bounds
from alpha.interpreters.participants.failures import PeerLost
from alpha.interpreters.participants.reports import END, STATE

LONG = Bounds(wait_seconds_max=15.0)
SHORT = Bounds(wait_seconds_max=0.3)
CONVERSATIONS = ("pair", "star", "chain", "direct")
DYING = [(name, role) for name in CONVERSATIONS for role in range(2 if name == "pair" else 3)]


@cache
def stage_of(name: str, role: int) -> Stage:
    return stages_of(conversation(name))[role]


def deaths(stage: Stage) -> list[tuple[int, int]]:
    """Sends and receives of a role in its first two rounds, and bytes inside of each send."""
    order = frames_in_order(stage)
    last = min(2, max(at("version", frame) for _, _, frame in order))
    found: list[tuple[int, int]] = []
    for event, (kind, _, frame) in enumerate(order):
        if at("version", frame) < last:
            inner = lengths(frame) if kind == "sent" else []
            found += [(event, inside) for inside in (0, *inner)]
    return found


def all_are_lost(stage: Stage, death: Death | None, bounds: Bounds) -> None:
    """See that every other role has lost a peer, and has published nothing."""
    for role, end in run_with_one_dying(stage, death, bounds).items():
        assert isinstance(end.error, PeerLost), f"role {role}, {death}: {end.error!r}"
        assert not any(record.kind in (STATE, END) for record in end.records)


@pytest.mark.parametrize("close", [Close.GONE, Close.RESET])
@pytest.mark.parametrize(("name", "role"), DYING)
def test_a_role_that_dies_anywhere_ends_all(name: str, role: int, close: Close) -> None:
    """At once, and not when a wait is over."""
    stage = stage_of(name, role)
    places = deaths(stage)
    assert len(places) > 10
    for event, inside in places:
        began = time.monotonic()
        all_are_lost(stage, Death(event, inside, close), LONG)
        assert time.monotonic() - began < LONG.wait_seconds_max


@pytest.mark.parametrize(("name", "role"), DYING)
def test_in_the_last_round_who_misses_something_is_lost(name: str, role: int) -> None:
    """Who has heard everything by then has no reason to wait; a launcher publishes nothing."""
    stage = stage_of(name, role)
    order = frames_in_order(stage)
    sends = [event for event, (kind, _, _) in enumerate(order) if kind == "sent"]
    event = sends[-1]
    _, peer, frame = order[event]
    for inside in (0, *lengths(frame)):
        ends = run_with_one_dying(stage, Death(event, inside), LONG)
        assert isinstance(ends[peer].error, PeerLost)
        for end in ends.values():
            assert end.error is None or isinstance(end.error, PeerLost)
            whole = any(record.kind == END for record in end.records)
            assert whole == (end.error is None)


@pytest.mark.parametrize(("name", "role"), DYING)
def test_a_role_that_falls_silent_ends_all_within_the_bound(name: str, role: int) -> None:
    stage = stage_of(name, role)
    order = frames_in_order(stage)
    event = next(number for number, (kind, _, _) in enumerate(order) if kind == "sent")
    for inside in (0, 40, len(order[event][2]) - 40):
        began = time.monotonic()
        all_are_lost(stage, Death(event, inside, Close.HOLD), SHORT)
        assert 0.25 < time.monotonic() - began < 5.0


@pytest.mark.parametrize(("name", "role"), DYING)
def test_a_role_that_never_appears_ends_all_within_the_bound(name: str, role: int) -> None:
    began = time.monotonic()
    all_are_lost(stage_of(name, role), None, SHORT)
    assert time.monotonic() - began < 5.0
