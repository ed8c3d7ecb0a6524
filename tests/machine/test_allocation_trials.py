"""A few hundred functions of the long trial, and that the trial can fail: see `campaign`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest
from machine import campaign, trials
from machine.mutations import KINDS
from machine.toy import toy
from machine.trials import TARGETS, Wrong, tried, tried_on

from alpha.backends.core.allocation.allocate import allocate
from alpha.backends.core.placed import PlacedFunction
from alpha.backends.core.program import Function
from alpha.backends.core.target import Target


def test_random_functions_are_right_and_wrong_allocations_are_refused() -> None:
    found: Counter[str] = Counter()
    for seed in range(150):
        found += tried_on(seed, 1)
    assert all(found[name] == 30 for name in TARGETS)
    for kind in KINDS:
        assert found[f"{kind}: missed"] == 0
        assert found[f"{kind}: caught"] > 15


def test_an_allocator_that_drops_one_move_is_told_of() -> None:
    def careless(function: Function, target: Target, limits: Mapping[str, int]) -> PlacedFunction:
        placed = allocate(function, target, limits)
        for block in placed.blocks:
            for at, step in enumerate(block.instructions):
                if step.kind in ("load", "move"):
                    del block.instructions[at]
                    return placed
        return placed

    told = 0
    for seed in range(20):
        try:
            tried(seed, toy(4), 4, careless, 0)
        except Wrong:
            told += 1
    assert told > 10


def test_a_checker_that_accepts_everything_misses_what_executions_tell(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(trials, "check_allocation", lambda *arguments: None)
    found: Counter[str] = Counter()
    for seed in range(40):
        found += tried_on(seed, 1)
    assert all(found[f"{kind}: missed"] > 0 for kind in KINDS)
    assert all(found[f"{kind}: caught"] == 0 for kind in KINDS)
    monkeypatch.setattr(campaign, "tried_on", lambda seed, mutations: found)
    monkeypatch.setattr(campaign, "Pool", _Here)
    assert campaign.main(["--count", "1"]) == 1


class _Here:
    """Runs the tasks of a pool in this process."""

    def __init__(self, processes: int) -> None:
        del processes

    def __enter__(self) -> _Here:
        return self

    def __exit__(self, *details: object) -> None:
        del details

    imap_unordered = staticmethod(lambda run, tasks, chunksize: map(run, tasks))


def test_the_campaign_prints_what_it_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(campaign, "Pool", _Here)
    assert campaign.main(["--count", "10", "--mutations", "1"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("allocation: 10 functions are right, 0 of ")
