"""Calls that fail, lie, take few bytes or are interrupted while a role writes generations."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest
from faults import failing, shortening
from faults.covering import PLACES, Task, some, wrong_of
from faults.crashing import points
from faults.failing import ERRORS, failed, lied, statuses
from faults.plays import ARM, INTERPRETED, X86
from faults.shortening import COUNTS, shortened
from faults.trials import stand

STEPS = {X86: 4, ARM: 9, INTERPRETED: 20}
CASTS = tuple(STEPS)


@pytest.mark.parametrize(("name", "role"), PLACES)
@pytest.mark.parametrize("cast", CASTS)
def test_calls_that_fail(cast: str, name: str, role: int) -> None:
    """Status 5 and the path, or, of what was interrupted, nothing at all."""
    assert wrong_of(some("error", name, role, cast, STEPS[cast])) == []


RENAMED = ("renameat2", "fsync")


@pytest.mark.parametrize("cast", [X86, ARM])
def test_calls_that_are_interrupted(cast: str) -> None:
    """One of each name, of each file, is made again; but not what gives a generation its name."""
    watched = stand("star", 0, cast)
    found = {(each.name, each.place): each for each in points(watched) if each.of_generation}
    chosen = [each for each in found.values() if "gen-4" in each.place or each.place == "."]
    chosen = chosen if cast == X86 else [each for each in chosen if each.name in RENAMED]
    assert {statuses(watched, each, "EINTR") for each in chosen} == {(0,), (5,)}
    assert wrong_of([Task("error", "star", 0, cast, (each, "EINTR")) for each in chosen]) == []


@pytest.mark.parametrize("cast", CASTS)
def test_syncs_that_say_what_they_did_not_do(cast: str) -> None:
    """Nothing is to be seen of it while the power lasts."""
    assert lied(stand("star", 0, cast)) == []


@pytest.mark.parametrize("cast", CASTS)
@pytest.mark.parametrize("counts", COUNTS[::2], ids=str)
def test_writes_that_take_few_bytes(cast: str, counts: tuple[int, ...]) -> None:
    assert shortened(stand("tree", 1, cast), counts) == []


@pytest.mark.parametrize("counts", COUNTS[4:], ids=str)
def test_calls_that_are_interrupted_again_and_again(counts: tuple[int, ...]) -> None:
    assert shortened(stand("star", 0, INTERPRETED), counts) == []
    assert shortened(stand("wide", 1, X86), counts) == []


def test_a_timer_that_interrupts_a_thousand_times_a_second() -> None:
    assert wrong_of([Task("timer", "star", 0, INTERPRETED)]) == []


def test_failures_that_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another status, another line, and a tamperer that does nothing."""
    watched = stand("star", 0, X86)
    syncing = next(each for each in points(watched) if each.name == "fsync")
    assert failed(watched, syncing, "EIO").wrong == []
    with monkeypatch.context() as patch:
        patch.setattr(failing, "statuses", lambda *given: (0,))
        assert failed(watched, syncing, "EIO").wrong != []
    with monkeypatch.context() as patch:
        patch.setattr(errno, "EIO", errno.ENOSPC)
        assert failed(watched, syncing, "EIO").wrong != []
    with monkeypatch.context() as patch:
        patch.setattr(failing, "VERSIONS", (2, 4, 6))
        assert lied(watched) != []
    with monkeypatch.context() as patch:
        patch.setattr(shortening.tampered, "front", _does_nothing)
        assert shortened(watched, (1,)) != []
    assert ERRORS[0] == "EINTR"


def _does_nothing(counts: object, log: Path) -> str:
    log.write_text("1000 0")
    return "env"
