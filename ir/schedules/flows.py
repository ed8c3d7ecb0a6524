"""What one direction of an edge may hold at a time, as a function of what it holds already.

A role's part of an edge, from one place of its schedule to another, turns what is in flight before
it, u at most, into max(u + grows, least) behind it, and on the way there are at most
max(u + rises, peak). A send of size s adds s; behind an answer nothing is in flight. Such functions
are closed under doing one after the other, one of several, and one several times.

Entry: `Flow`, `IDLE`, `ANSWER`, `send`; `flows` for all edges of a role.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from alpha.ir.schedules.events import Branch
from alpha.ir.schedules.lines import Lines, Mark


class Flow(NamedTuple):
    """u becomes max(u + grows, least), and is max(u + rises, peak) at most; None is minus infinity.

    Sizes aren't negative, so `grows` isn't.
    """

    grows: int | None
    least: int | None
    rises: int | None
    peak: int | None

    def then(self, other: Flow) -> Flow:
        """This, then the other."""
        return Flow(
            _sum(self.grows, other.grows),
            _most(_sum(self.least, other.grows), other.least),
            _most(self.rises, _sum(self.grows, other.rises)),
            _most(_most(self.peak, other.peak), _sum(self.least, other.rises)),
        )

    def otherwise(self, other: Flow) -> Flow:
        """Either this or the other."""
        return Flow(*(_most(one, another) for one, another in zip(self, other, strict=True)))

    def repeated(self, rounds: int) -> Flow:
        """This, some times; with an answer each time the rounds make no difference."""
        if rounds == 1:
            return self
        earlier = None if self.grows is None else self.grows * (rounds - 2)
        twice = self.then(self)
        return Flow(
            _sum(twice.grows, earlier),
            _most(twice.least, _sum(twice.least, earlier)),
            _most(twice.rises, _sum(twice.rises, earlier)),
            _most(twice.peak, _sum(_sum(self.least, self.rises), earlier)),
        )

    @property
    def most(self) -> int:
        """The most that is in flight if there is nothing at the beginning."""
        return _most(self.rises, self.peak) or 0


IDLE = Flow(0, None, None, None)
"""Nothing is done on the edge."""

ANSWER = Flow(None, 0, None, None)
"""Something comes back, and with it the knowledge that all has arrived."""


def send(size: int) -> Flow:
    """A frame of this size is sent."""
    return Flow(size, None, size, None)


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


def _most(one: int | None, other: int | None) -> int | None:
    if one is None or other is None:
        return other if one is None else one
    return max(one, other)


def flows(
    lines: Lines, role: int, worth: Callable[[int], Flow], rounds: Sequence[int]
) -> dict[int, Flow]:
    """What a role's whole line does to its edge to each of its peers.

    `worth` says what an action does, by its number, and `rounds` how often each scope counts.

    A scope costs as many steps as it has marks and peers, those of scopes inside included.
    """
    levels: list[dict[int, Flow]] = [{}]
    forks: list[list[dict[int, Flow]]] = []
    for mark, number in lines.marks[role]:
        if mark is Mark.ACT:
            peer = lines.actions[number].peer
            levels[-1][peer] = levels[-1].get(peer, IDLE).then(worth(number))
            continue
        if mark is Mark.OPEN:
            levels.append({})
            continue
        inner, step = levels.pop(), lines.scopes[number].step
        if isinstance(step, Branch):
            arm = lines.scopes[number].arm
            if arm == 0:
                forks.append([])
            forks[-1].append(inner)
            if arm + 1 < len(step.arms):
                continue
            inner = _either(forks.pop())
        for peer, flow in inner.items():
            levels[-1][peer] = levels[-1].get(peer, IDLE).then(flow.repeated(rounds[number]))
    return levels[0]


def _either(arms: Sequence[Mapping[int, Flow]]) -> dict[int, Flow]:
    """What a choice does; an arm without frames of a peer is idle for it."""
    found: dict[int, Flow] = {}
    times: Counter[int] = Counter()
    for arm in arms:
        for peer, flow in arm.items():
            found[peer] = found[peer].otherwise(flow) if peer in found else flow
            times[peer] += 1
    return {
        peer: flow if times[peer] == len(arms) else flow.otherwise(IDLE)
        for peer, flow in found.items()
    }
