"""A model checker that tries everything: each resolution of the choices, each order of the actions.

Invariant: `explored` visits every state that schedules can be in. A state is how far each role has
    come; what the edges hold follows from that.
Why: what the checker decides from one copy of every loop and arm is compared with what can happen.
Entry: `resolved`, `resolved_at_random`, `decided_at_random`, `runs_of`; `explored`, `Found`.

With `capacity` 0 a send and its receive are one step of both roles. Otherwise an edge holds as many
frames in each direction as `capacity` says, or any number for None, and a send doesn't wait for its
receive. All roles that come to a choice or to the end of a loop with `until` in the same round of
the loops around it take the same arm; which one is tried in all ways.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from random import Random

from alpha.ir.schedules.events import Action, Label, Loop, Schedules, Step

Way = tuple[tuple[int, int], ...]
"""Which round of which loop (site and number of the round), outermost first."""

Decisions = dict[tuple[int, Way], int]

Act = tuple[bool, int, Label]
"""Whether it is a send, the peer, and the label."""

Runs = Mapping[int, Sequence[Act]]
"""What each role does, one action behind the other."""


class _Undecided(Exception):
    def __init__(self, key: tuple[int, Way], ways: int) -> None:
        super().__init__(key)
        self.key, self.ways = key, ways


def _unrolled(steps: Sequence[Step], decisions: Decisions, way: Way, run: list[Act]) -> None:
    for step in steps:
        if isinstance(step, Action):
            run.append((step.kind == "send", step.peer, step.label))
        elif isinstance(step, Loop):
            for round in range(step.bound):
                inside = (*way, (step.site, round))
                _unrolled(step.body, decisions, inside, run)
                last = round + 1 == step.bound
                if step.until and not last and _decided(decisions, step.site, inside, 2):
                    break
        else:
            arm = _decided(decisions, step.site, way, len(step.arms))
            _unrolled(step.arms[arm], decisions, way, run)


def _decided(decisions: Decisions, site: int, way: Way, ways: int) -> int:
    key = site, way
    if key not in decisions:
        raise _Undecided(key, ways)
    return min(decisions[key], ways - 1)


def runs_of(schedules: Schedules, decisions: Decisions) -> Runs:
    """What the roles do if all is decided so."""
    runs: dict[int, list[Act]] = {}
    for role, steps in schedules.items():
        runs[role] = []
        _unrolled(steps, decisions, (), runs[role])
    return runs


def resolved(schedules: Schedules) -> Iterator[Runs]:
    """What the roles do for each way to decide everything that is to be decided."""
    pending: list[Decisions] = [{}]
    while pending:
        decisions = pending.pop()
        try:
            yield runs_of(schedules, decisions)
        except _Undecided as undecided:
            pending += [{**decisions, undecided.key: way} for way in range(undecided.ways)]


def decided_at_random(schedules: Schedules, random: Random) -> Decisions:
    """A decision at random of everything that is to be decided."""
    decisions: Decisions = {}
    while True:
        try:
            runs_of(schedules, decisions)
            return decisions
        except _Undecided as undecided:
            decisions[undecided.key] = random.randrange(undecided.ways)


def resolved_at_random(schedules: Schedules, random: Random) -> Runs:
    """What the roles do if everything is decided at random."""
    return runs_of(schedules, decided_at_random(schedules, random))


@dataclass
class Found:
    """What can happen: faults by name, the most frames that each edge holds, and the states."""

    faults: set[str] = field(default_factory=set)
    in_flight: dict[tuple[int, int], int] = field(default_factory=dict)
    states: int = 0


class _Tables:
    """Runs as tables of numbers: how many frames a role has sent on each edge at each place."""

    def __init__(self, runs: Runs) -> None:
        self.roles = sorted(runs)
        self.acts = [list(runs[role]) for role in self.roles]
        index = {role: at for at, role in enumerate(self.roles)}
        self.peers = [[index.get(peer, -1) for _, peer, _ in acts] for acts in self.acts]
        self.sent: dict[tuple[int, int], list[int]] = {}
        self.received: dict[tuple[int, int], list[int]] = {}
        self.labels: dict[tuple[int, int], list[Label]] = {}
        for role, acts in enumerate(self.acts):
            for at, (sends, _, label) in enumerate(acts):
                peer = self.peers[role][at]
                if sends:
                    self.labels.setdefault((role, peer), []).append(label)
        for role, acts in enumerate(self.acts):
            for peer in range(-1, len(self.roles)):
                here = [other == peer for other in self.peers[role]]
                out = [yes and sends for yes, (sends, _, _) in zip(here, acts, strict=True)]
                back = [yes and not sends for yes, (sends, _, _) in zip(here, acts, strict=True)]
                self.sent[role, peer] = list(accumulate(out, initial=0))
                self.received[peer, role] = list(accumulate(back, initial=0))


def explored(runs: Runs, capacity: int | None) -> Found:
    """Everything that can happen in one resolution.

    Faults: `stuck`, where roles wait and none can go on; `unfinished`, where one of them waits for
    a role that is at its end; `orphaned`, where a frame is left when nobody can go on;
    `mismatched`, where a role gets another frame than it waits for.
    """
    tables = _Tables(runs)
    found = Found()
    start = tuple(0 for _ in tables.roles)
    seen = {start}
    pending = [start]
    while pending:
        state = pending.pop()
        following = list(_next(tables, state, capacity, found))
        if not following:
            _end(tables, state, found)
        for other in following:
            if other not in seen:
                seen.add(other)
                pending.append(other)
    found.states = len(seen)
    return found


def _next(
    tables: _Tables, state: tuple[int, ...], capacity: int | None, found: Found
) -> Iterator[tuple[int, ...]]:
    """The states after one more step."""
    for role, at in enumerate(state):
        if at == len(tables.acts[role]):
            continue
        sends, _, label = tables.acts[role][at]
        peer = tables.peers[role][at]
        if peer < 0:
            continue
        if capacity == 0:
            there = state[peer]
            if not sends or there == len(tables.acts[peer]):
                continue
            other_sends, _, other_label = tables.acts[peer][there]
            if other_sends or tables.peers[peer][there] != role:
                continue
            if label != other_label:
                found.faults.add("mismatched")
                continue
            yield _moved(state, role, peer)
        elif sends:
            held = tables.sent[role, peer][at] - tables.received[role, peer][state[peer]]
            if capacity is None or held < capacity:
                edge = tables.roles[role], tables.roles[peer]
                found.in_flight[edge] = max(found.in_flight.get(edge, 0), held + 1)
                yield _moved(state, role)
        else:
            taken = tables.received[peer, role][at]
            if tables.sent[peer, role][state[peer]] > taken:
                if tables.labels[peer, role][taken] == label:
                    yield _moved(state, role)
                else:
                    found.faults.add("mismatched")


def _moved(state: tuple[int, ...], *roles: int) -> tuple[int, ...]:
    return tuple(at + (role in roles) for role, at in enumerate(state))


def _end(tables: _Tables, state: tuple[int, ...], found: Found) -> None:
    """What is wrong where nothing can be done any more, if anything is."""
    done = [at == len(acts) for at, acts in zip(state, tables.acts, strict=True)]
    for role, at in enumerate(state):
        if not done[role]:
            peer = tables.peers[role][at]
            found.faults.add("unfinished" if peer < 0 or done[peer] else "stuck")
    for (role, peer), sent in tables.sent.items():
        if peer >= 0 and sent[state[role]] > tables.received[role, peer][state[peer]]:
            found.faults.add("orphaned")
