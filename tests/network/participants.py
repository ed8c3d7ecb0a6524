"""Participants written by hand: rings, stars and trees that sum, hand on, agree and publish.

Entry: `Exchange`, `random_exchange`, `expected_words`, `network_of`, `script`, `kinds_of`.

Each role has words of its own. In a round they are summed over the roles, in parts of one word
each, and the totals are handed to all; then x = x / 2 + total. Before the end all agree. Roles are
nodes of a tree in which the parent of r is (r - 1) // F; a ring is the tree of one child each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

from alpha.interpreters.learner import Observation
from alpha.interpreters.network.events import (
    Advanced,
    Event,
    Observed,
    Participant,
    Published,
    Receive,
    Send,
)
from alpha.interpreters.network.outcomes import Outcome
from alpha.interpreters.network.simulated import SimulatedNetwork
from alpha.ir.frames import Header
from alpha.ir.refusals import Refusal

UP, DOWN, STATUS, VERDICT = range(4)
"""Sites."""

GOOD = np.zeros(1, np.uint8)


@dataclass(frozen=True)
class Exchange:
    """Who takes part, and with which words; `start[r]` are those of role r."""

    fan_out: int
    rounds: int
    start: Sequence[np.ndarray]
    refuses: tuple[int, int] | None = None
    """A role, and the version that it refuses to go to."""

    @property
    def roles(self) -> int:
        return len(self.start)

    def children(self, role: int) -> range:
        first = role * self.fan_out + 1
        return range(min(first, self.roles), min(first + self.fan_out, self.roles))

    def participants(self) -> dict[int, Participant]:
        return {role: _participant(self, _Edges(role), role) for role in range(self.roles)}


@dataclass
class _Edges:
    """Makes the headers of one role, with the numbers of frames on each edge."""

    role: int
    counts: dict[tuple[int, int], int] = field(default_factory=dict)

    def send(self, to: int, site: int, part: int, version: int, words: np.ndarray) -> Send:
        return Send(self._header(self.role, to, site, part, version, words.nbytes), words)

    def receive(self, of: int, site: int, part: int, version: int, size: int) -> Receive:
        return Receive(self._header(of, self.role, site, part, version, size))

    def _header(self, of: int, to: int, site: int, part: int, version: int, size: int) -> Header:
        sequence = self.counts.get((of, to), 0)
        self.counts[of, to] = sequence + 1
        return Header(of, to, site, part, version, sequence, 0, size)


def _participant(exchange: Exchange, edges: _Edges, role: int) -> Participant:
    words = exchange.start[role].copy()
    for version in range(exchange.rounds):
        totals = yield from _totals(exchange, edges, role, version, words)
        if exchange.refuses == (role, version + 1):
            raise Refusal("numeric-nonfinite", "finite words", "an infinity")
        words = words * words.dtype.type(0.5) + totals
        if role == 0 and words.size:
            yield Observed(Observation("total", totals[0].copy(), exchange.roles, version))
        yield Advanced(version + 1)
    yield from _agree(exchange, edges, role)
    yield Published(exchange.rounds, {"x": words})
    words[:] = -3.0  # what is published doesn't change with it


def _totals(
    exchange: Exchange, edges: _Edges, role: int, version: int, words: np.ndarray
) -> Iterator[Event] | Any:
    size, parts = words.itemsize, range(len(words))
    parent, children = (role - 1) // exchange.fan_out, exchange.children(role)
    totals = words.copy()
    for child in children:
        for part in parts:
            received = yield edges.receive(child, UP, part, version, size)
            totals[part] += received[0]
            received[0] = -1.0  # what a role receives is its own, so this harms nobody
    if role:
        for part in parts:
            sent = totals[part : part + 1]
            yield edges.send(parent, UP, part, version, sent)
            sent[0] = -2.0
        for part in parts:
            totals[part : part + 1] = yield edges.receive(parent, DOWN, part, version, size)
    for child in children:
        for part in parts:
            yield edges.send(child, DOWN, part, version, totals[part : part + 1])
    return totals


def _agree(exchange: Exchange, edges: _Edges, role: int) -> Iterator[Event] | Any:
    parent, children = (role - 1) // exchange.fan_out, exchange.children(role)
    for child in children:
        yield edges.receive(child, STATUS, 0, exchange.rounds, 1)
    if role:
        yield edges.send(parent, STATUS, 0, exchange.rounds, GOOD)
        yield edges.receive(parent, VERDICT, 0, exchange.rounds, 1)
    for child in children:
        yield edges.send(child, VERDICT, 0, exchange.rounds, GOOD)


def expected_words(exchange: Exchange) -> list[np.ndarray]:
    """The words of each role at the end, by plain loops over the definition."""
    words = [start.copy() for start in exchange.start]
    for _ in range(exchange.rounds):
        sums = [each.copy() for each in words]
        for role in range(exchange.roles - 1, -1, -1):
            for child in exchange.children(role):
                sums[role] = sums[role] + sums[child]
        words = [each * each.dtype.type(0.5) + sums[0] for each in words]
    return words


def random_exchange(random: Random) -> Exchange:
    """From two to seven roles in a ring, a star or a tree, with f64 or f32 words."""
    roles = random.randint(2, 7)
    fan_out = random.choice((1, roles - 1, 2, 3))
    dtype = random.choice((np.float64, np.float32))
    count = random.randint(1, 3)
    start = [np.array([random.gauss(0, 1) for _ in range(count)], dtype) for _ in range(roles)]
    return Exchange(fan_out, random.randint(1, 3), start)


def network_of(exchange: Exchange, **options: Any) -> SimulatedNetwork:
    """A network with the participants on it; seed 0, rendezvous and 1 second unless said else."""
    defaults: dict[str, Any] = {"seed": 0, "buffer": 0, "deadline": 1.0}
    return SimulatedNetwork(exchange.participants(), **{**defaults, **options})


def script(*events: Event) -> Participant:
    """Does these events, whatever it receives."""
    for index in range(len(events)):
        yield events[index]


def kinds_of(network: SimulatedNetwork) -> dict[int, type[Outcome]]:
    """How each role ended, without when and why."""
    return {role: type(outcome) for role, outcome in sorted(network.outcomes.items())}
