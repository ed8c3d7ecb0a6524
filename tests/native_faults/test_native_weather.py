"""What does no harm has no effect on a bit: slow, interrupted and stopped roles, small buffers."""

from __future__ import annotations

import pytest
from native_faults.casts import CASTS, Bound, Recorded, play_of
from native_faults.relayed import Passed, run
from native_faults.storms import Interruptions, Stops
from participants import relay

TARGETS = ("x86-64", "aarch64")
SMALLEST = Bound(buffer=1)
"""The system makes of one byte the smallest buffers that it allows."""


def same(recorded: Recorded, passed: Passed) -> None:
    """See that all have ended well, and have told what they tell without any of this."""
    for role, end in passed.ends.items():
        assert (end.status, end.said) == (0, ""), end
        assert end.told == recorded.right[role].told


@pytest.mark.parametrize("cast", [*TARGETS, "every second"])
@pytest.mark.parametrize("name", ["pair", "chain", "direct"])
def test_bytes_that_come_one_by_one(name: str, cast: str) -> None:
    recorded = play_of(name)
    faults = dict.fromkeys(recorded.conversation.frames, (relay.split,))
    same(recorded, run(recorded.play, CASTS[cast], faults))


@pytest.mark.parametrize("cast", [*TARGETS, "every other"])
@pytest.mark.parametrize("name", ["wide star", "wide direct"])
def test_the_smallest_buffers(name: str, cast: str) -> None:
    """Frames of 80 KB go through them in pieces, also where two roles send to each other."""
    recorded = play_of(name)
    bounds = dict.fromkeys(recorded.play.programs, SMALLEST)
    same(recorded, run(recorded.play, CASTS[cast], bounds=bounds))


@pytest.mark.parametrize("cast", [*TARGETS, "alternating"])
@pytest.mark.parametrize("name", ["star", "wide direct"])
def test_calls_that_are_interrupted(name: str, cast: str) -> None:
    """Whatever waits, sends, receives, reads and writes, more than every second time."""
    recorded = play_of(name)
    with Interruptions(seed=1).around() as storm:
        bounds = dict.fromkeys(recorded.play.programs, SMALLEST)
        passed = run(recorded.play, CASTS[cast], bounds=bounds, prepare=storm.prepare)
    same(recorded, passed)
    assert storm.count > 30 * len(recorded.play.programs)


@pytest.mark.parametrize("cast", [*TARGETS, "every second"])
def test_roles_that_are_stopped_and_continued(cast: str) -> None:
    recorded = play_of("long")
    storm = Stops(seed=2)
    try:
        same(recorded, run(recorded.play, CASTS[cast], during=storm))
    finally:
        storm.end()
    assert storm.count > 10


@pytest.mark.parametrize("cast", TARGETS)
def test_a_delay_within_the_bound(cast: str) -> None:
    recorded = play_of("star")
    faults = {
        way: (relay.delay(len(frames[0]) + inside, 0.05),)
        for inside, (way, frames) in zip(
            (0, 40, 100, 200), recorded.conversation.frames.items(), strict=False
        )
    }
    same(recorded, run(recorded.play, CASTS[cast], faults))
