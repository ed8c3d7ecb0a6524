"""When a fleet is done, and how long its roles wait: kind by kind, from the leaves to the root.

Invariant: the times of a subtree are forms of the times at which its root's parent sends to it,
    which is all that the rest of the fleet has to do with it. So what is found for one subtree
    holds for all of its kind, wherever they stand, and nothing is rounded.
Why: the roles of a kind do the same at different times, since a parent serves its children one
    after the other. The forms say when, for all of them at once.
Entry: `Times`, `Ends`, `evaluate`.

Right behind a frame to its parent, a role that waits for its parent's next frame always waits: the
parent answers only when it has that frame. From then on the role's clock is the parent's and a
fixed delay. If all roles do so in one operation of a round, every later round takes equally long:
each begins where all clocks are one clock and fixed delays.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from alpha.interpreters.fleets.forms import (
    START,
    Form,
    Wait,
    add_wait,
    delayed,
    latest,
    through,
    value_of,
)
from alpha.interpreters.fleets.programs import Action, Actions, Receive, Send, Work
from alpha.interpreters.fleets.rates import Clock
from alpha.interpreters.fleets.subtrees import PARENT, Kind
from alpha.interpreters.fleets.watching import Watch, unwatched

Name: TypeAlias = tuple[Hashable, ...]
"""What the roles of a class have in common."""

ROUNDS_ALIKE = 2
"""Rounds that are looked at where later ones take as long as the second."""

ROUNDS_MAX = 8
"""Rounds that are looked at otherwise."""


@dataclass(frozen=True)
class Ends:
    """When the last role has ended what, in ticks from the beginning."""

    rounds: tuple[int, ...]
    """Each of the first rounds."""
    all: int | None
    """The run; None if it has more rounds than were looked at, and later ones may differ."""
    later: int | None
    """How long each round behind these takes, if they take equally long."""


@dataclass
class Times:
    """What a kind's roles do, as forms of what its root's parent sends: input k is frame k."""

    ups: list[Form] = field(default_factory=list[Form])
    """When the root begins to send each frame to its parent."""
    answered: list[int] = field(default_factory=list[int])
    """For each frame from the parent, how many frames the parent has by then."""
    ends: list[Form] = field(default_factory=list[Form])
    """When the last role is done with each of the first rounds, and with everything."""
    waits: dict[Name, list[Wait]] = field(default_factory=dict[Name, list[Wait]])
    """The longest waits, by what the kinds of the roles have been named."""


def evaluate(
    kinds: Sequence[Kind],
    names: Sequence[Name],
    speeds: Sequence[int],
    rounds: int,
    clock: Clock,
    watch: Watch = unwatched,
) -> tuple[Ends, dict[Name, int]]:
    """The ends of a run of so many rounds, and the longest wait of the roles of each name.

    `names` and `speeds` are those of the roots of the kinds.
    """
    alike = are_alike(kinds)
    looked_at = min(rounds, ROUNDS_ALIKE if alike else ROUNDS_MAX)
    times: list[Times] = []
    for kind, name, speed in zip(watch(kinds, "kinds"), names, speeds, strict=True):
        below = [times[number] for count, number in kind.children for _ in range(count)]
        times.append(_Subtree(clock, speed, below, name).run(kind.actions, looked_at))
    whole = times[-1]
    longest = {
        name: max((wait.ticks() for wait in waits), default=0)
        for name, waits in whole.waits.items()
    }
    return _ends(list(map(value_of, whole.ends)), rounds, alike), longest


def _ends(ends: list[int], rounds: int, alike: bool) -> Ends:
    *each, last = ends
    later = each[1] - each[0] if alike and len(each) > 1 else None
    left = rounds - len(each)
    whole = last if not left else None if later is None else last + left * later
    return Ends(tuple(each), whole, later)


def are_alike(kinds: Sequence[Kind]) -> bool:
    """Whether all roles but the root wait for an answer of their parent in one operation.

    Where nobody sends anything at all, no role's rounds depend on another's, which is as good.
    """
    if all(isinstance(action, Work) for kind in kinds for part in kind.actions for action in part):
        return True
    common: set[int] | None = None
    for kind in kinds[:-1]:
        found = set(_answers(kind.actions[1]))
        common = found if common is None else common & found
    return common is None or bool(common)


def _answers(actions: Actions) -> Iterator[int]:
    """The operations in which a frame from the parent follows right on one to the parent."""
    before: Action | None = None
    for action in actions:
        if isinstance(action, Receive) and _is_answer(before, action):
            yield action.site
        before = action


def _is_answer(before: Action | None, action: Receive) -> bool:
    return action.peer == PARENT and isinstance(before, Send) and before.peer == PARENT


class _Subtree:
    """Follows the root of one kind; what its children do is known."""

    def __init__(self, clock: Clock, speed: int, below: Sequence[Times], name: Name) -> None:
        self._clock = clock
        self._speed = speed
        self._below = below
        self._name = name
        self._now = START
        self._sent: list[list[Form]] = [[] for _ in below]
        """When the root begins to send each frame to each child."""
        self._taken = [0] * len(below)
        self._before: Action | None = None
        self._times = Times(waits={name: []})

    def run(self, actions: tuple[Actions, Actions, Actions], rounds: int) -> Times:
        """The times of a subtree that begins at time 0."""
        before, round, after = actions
        self._follow(before)
        ends: list[Form] = []
        for part in (*[round] * rounds, after):
            self._follow(part)
            ends.append(self._now)
        self._times.ends = ends
        for number, child in enumerate(self._below):
            sent = self._sent[number]
            for at, end in enumerate(child.ends):
                ends[at] = latest(ends[at], through(end, sent))
            for name, waits in child.waits.items():
                own = self._times.waits.setdefault(name, [])
                for wait in waits:
                    add_wait(own, wait.through(sent))
        return self._times

    def _follow(self, actions: Actions) -> None:
        for action in actions:
            self._do(action)
            self._before = action

    def _do(self, action: Action) -> None:
        match action:
            case Work(samples=samples, words=words):
                ticks = self._clock.work(samples, words, self._speed)
                self._now = delayed(self._now, ticks)
            case Send(peer=peer, bytes=size):
                if peer == PARENT:
                    self._times.ups.append(self._now)
                else:
                    self._answer(peer)
                self._now = delayed(self._now, self._clock.transfer(size))
            case Receive(peer=peer, bytes=size):
                there = delayed(self._sending(peer), self._clock.frame)
                add_wait(self._times.waits[self._name], Wait(there, self._now))
                if not _is_answer(self._before, action):
                    there = latest(self._now, there)
                self._now = delayed(there, self._clock.transfer(size))

    def _answer(self, child: int) -> None:
        """A frame goes to a child; one that the child takes for an answer has to be one."""
        wanted = self._below[child].answered[len(self._sent[child])]
        assert self._taken[child] >= wanted, "an answer to a frame that isn't there"
        self._sent[child].append(self._now)

    def _sending(self, peer: int) -> Form:
        """When the next frame from a peer begins to be sent."""
        if peer == PARENT:
            self._times.answered.append(len(self._times.ups))
            return {len(self._times.answered): 0}
        number = self._taken[peer]
        self._taken[peer] += 1
        return through(self._below[peer].ups[number], self._sent[peer])
