"""Which faults are tried where: some of all, so that every kind is met on every way.

Entry: `PLAYS`, `everything`, `some`, `Trial`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from native_faults.casts import play_of
from native_faults.examining import cases_of
from native_faults.faults import Case
from runs.conversations import Direction

PLAYS = ("pair", "star", "chain", "direct", "gate")


class Trial(NamedTuple):
    """A fault in one direction of an edge."""

    name: str
    way: Direction
    case: Case


def everything(name: str) -> Sequence[Trial]:
    """All faults of all directions of a play."""
    ways = play_of(name).conversation.frames
    return [Trial(name, way, case) for way in ways for case in cases_of(name, way).values()]


def some(name: str, cast: str, step: int) -> Sequence[Trial]:
    """Every so many of them, and of each direction one at least; others for another cast."""
    found: list[Trial] = []
    for way in play_of(name).conversation.frames:
        cases = list(cases_of(name, way).values())
        first = (sum(map(ord, cast)) + sum(way)) % min(step, len(cases))
        found += [Trial(name, way, case) for case in cases[first::step]]
    return found
