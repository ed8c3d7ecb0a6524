"""Frames and bytes on each edge, in each direction: those of a round, and those outside of rounds.

Invariant: a round is what an outermost loop runs once; inside of it every loop is run as often as
    it may, and of the arms of a choice an edge has the one with most. Where that is only a bound,
    the load isn't `exact`. Bytes are those of payloads.
Entry: `traffic_of`, `Traffic`, `Load`, `Direction`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from alpha.tools.pictures.programs import Choice, Item, Loop, Message, Program

Direction: TypeAlias = tuple[int, bool]
"""A peer, and whether frames go out to it."""


@dataclass(frozen=True)
class Load:
    """Frames and their bytes."""

    frames: int = 0
    size: int = 0
    exact: bool = True

    def __add__(self, other: Load) -> Load:
        exact = self.exact and other.exact
        return Load(self.frames + other.frames, self.size + other.size, exact)


NOTHING = Load()


def most_of(loads: Sequence[Load]) -> Load:
    """What none of these exceeds; exact where they are alike."""
    exact = len(set(loads)) == 1 and loads[0].exact
    return Load(max(each.frames for each in loads), max(each.size for each in loads), exact)


@dataclass(frozen=True)
class Traffic:
    """What goes over an edge in one direction in a round, and once in a run."""

    rounds: Load = NOTHING
    once: Load = NOTHING

    def __add__(self, other: Traffic) -> Traffic:
        return Traffic(self.rounds + other.rounds, self.once + other.once)

    @classmethod
    def most(cls, each: Sequence[Traffic]) -> Traffic:
        """What none of these exceeds."""
        return cls(most_of([one.rounds for one in each]), most_of([one.once for one in each]))


Totals: TypeAlias = dict[Direction, Traffic]


def traffic_of(program: Program) -> Totals:
    """The traffic of a role, by peer and direction, in the order of first frames."""
    return _sum(map(_outside, program))


def _outside(item: Item) -> Totals:
    """The traffic of what stands in no loop."""
    match item:
        case Message():
            return {(item.peer, item.outgoing): Traffic(once=_load(item))}
        case Loop():
            return _sum(map(_inside, item.body))
        case Choice():
            return _most(item.arms, _outside)
        case _:
            return {}


def _inside(item: Item) -> Totals:
    """The traffic of what stands in a loop."""
    match item:
        case Message():
            return {(item.peer, item.outgoing): Traffic(_load(item))}
        case Loop():
            return {at: _often(item, each) for at, each in _sum(map(_inside, item.body)).items()}
        case Choice():
            return _most(item.arms, _inside)
        case _:
            return {}


def _load(message: Message) -> Load:
    return Load(message.frames, message.frames * message.size)


def _often(loop: Loop, each: Traffic) -> Traffic:
    load = each.rounds
    exact = load.exact and not loop.until
    return Traffic(Load(load.frames * loop.bound, load.size * loop.bound, exact))


def _sum(parts: Iterable[Totals]) -> Totals:
    totals: Totals = {}
    for part in parts:
        for at, each in part.items():
            totals[at] = totals.get(at, Traffic()) + each
    return totals


def _most(arms: Sequence[Program], traffic: Callable[[Item], Totals]) -> Totals:
    """The most that an arm says of each edge; an arm that doesn't mention it sends nothing."""
    sums = [_sum(map(traffic, arm)) for arm in arms]
    edges = dict.fromkeys(at for each in sums for at in each)
    return {at: Traffic.most([each.get(at, Traffic()) for each in sums]) for at in edges}
