"""A network in one process, with virtual time, on which participants run by a seed.

Invariant: the same participants, seed and faults give the same steps at the same times. A frame is
    refused by the checks of `ir.frames`, as over sockets. A role that ends closes its edges, and
    who waits on one of them is told; no wait is longer than the deadline, so every run ends.
Why: orders of steps, latencies and faults are cheap here, and any of them runs again by its seed.
Refuses: frame-identity, frame-edge, frame-version, frame-extent, frame-digest.
Entry: `SimulatedNetwork`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import chain
from math import inf
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from alpha.interpreters.network.channels import Channel
from alpha.interpreters.network.edges import Edges
from alpha.interpreters.network.events import (
    Advanced,
    Event,
    Observed,
    Participant,
    Published,
    Receive,
    Send,
    Stored,
    StoreManifest,
    StoreShard,
)
from alpha.interpreters.network.faults import Fault, Kill, Silence
from alpha.interpreters.network.latencies import Latency, uniform
from alpha.interpreters.network.outcomes import (
    Deadlock,
    Finished,
    Killed,
    Lost,
    Outcome,
    Refused,
)
from alpha.interpreters.network.records import Edge, Flow, Happening, Step
from alpha.interpreters.network.roles import Role
from alpha.interpreters.network.stores import DigestStore, Store, write_part
from alpha.interpreters.network.waits import Deadlines, cycle
from alpha.ir.frames import DIGEST_BYTES, Header
from alpha.ir.refusals import Refusal

if TYPE_CHECKING:
    from alpha.interpreters.learner import Observation

_NAMES: Mapping[type[Outcome], Happening] = {
    Finished: "finished",
    Refused: "refused",
    Lost: "lost",
    Killed: "killed",
}

_LATENCY = uniform(0.0005, 0.0015)


class SimulatedNetwork:
    """Runs participants, given by role, until each has ended or advanced.

    The earliest step comes next; of several at one time the seed draws one. Local work takes no
    virtual time.
    """

    def __init__(
        self,
        participants: Mapping[int, Participant],
        *,
        seed: int,
        buffer: int | None,
        deadline: float,
        latency: Latency | None = None,
        faults: Sequence[Fault] = (),
        identity: bytes = bytes(DIGEST_BYTES),
        stores: Mapping[int, Store] | None = None,
        trace: bool = False,
    ) -> None:
        """`buffer` is how many frames of an edge and direction may be on their way while their
        sender goes on: with 0 a send ends when the receiver has taken the frame, None is no bound.
        No role waits longer than `deadline` virtual seconds at one frame. A latency is from half a
        millisecond to one and a half, unless `latency` says otherwise. A role without one of the
        `stores` stores nothing. With `trace`, steps are recorded.

        Raises:
            ValueError: a negative buffer, or a deadline that isn't positive.
            KeyError: a fault of a role that isn't there.
        """
        if (buffer or 0) < 0 or not deadline > 0:
            raise ValueError(f"a buffer of {buffer} frames, a deadline of {deadline} seconds")
        self.time = 0.0
        """The virtual second of the last step."""
        self.outcomes: dict[int, Outcome] = {}
        """How each role ended. One that had finished may still be refused a frame too many."""
        self.observations: dict[int, list[Observation]] = {}
        self.published: dict[int, list[Published]] = {}
        """What each role that finished well published, in order."""
        self.stored: list[int] = []
        """The versions of the generations that role 0 said are published."""
        self.deadlock: Deadlock | None = None
        """The first cycle of waits, if there was one."""
        self.trace: list[Step] | None = [] if trace else None
        self._buffer: float = inf if buffer is None else buffer
        self._random = Random(seed)
        self._draw = self._random.random
        self._identity = identity
        self._stores: dict[int, Store] = {number: DigestStore() for number in participants}
        self._stores.update(stores or {})
        self._deadlines = Deadlines(deadline)
        self._roles = {number: Role(number, participants[number]) for number in participants}
        self._edges = Edges(self._roles, faults, identity, latency or _LATENCY, self._random)
        for fault in faults:
            if isinstance(fault, (Kill, Silence)):
                self._roles[fault.role].let_fail(fault)
        self._target: int | None = None
        self._missing = len(self._roles)
        """How many roles haven't ended and, where there is a target, haven't advanced to it."""
        self._plans = [(0.0, self._draw(), number, 0) for number in self._roles]
        """The steps to come: time, draw, role, and the role's turn, by which a void one is told."""
        heapify(self._plans)

    # What one can ask for

    def run(self) -> Mapping[int, Outcome]:
        """Run until every role has ended, and say how."""
        self._target = None
        self._missing = len(self._roles) - len(self.outcomes)
        self._unpark()
        self._go()
        return self.outcomes

    def run_until_advanced(self, version: int) -> bool:
        """Run until every role has advanced to a version; False if one ended before.

        Who is there waits for the others, unless they can't come without it.
        """
        self._target = version
        self._unpark()
        there = (role.outcome is not None or role.version >= version for role in self._all())
        self._missing = sum(not each for each in there)
        self._go()
        return all(role.version >= version for role in self._all())

    def _all(self) -> Iterable[Role]:
        return self._roles.values()

    def _unpark(self, anyway: bool = False) -> None:
        """Let those go on who are held; with `anyway`, also where the target says to hold them."""
        for role in self._all():
            behind = self._target is None or role.version < self._target
            if role.parked and (behind or anyway):
                role.parked = False
                self._plan(role, self.time)

    @property
    def first_failure(self) -> tuple[int, Outcome] | None:
        """The role that first ended other than finished, and how: the cause of the others."""
        failed = [item for item in self.outcomes.items() if not isinstance(item[1], Finished)]
        return min(failed, key=lambda item: item[1].time, default=None)

    @property
    def traffic(self) -> dict[Edge, Flow]:
        """What was sent on each edge in each direction, in the order of their first frames."""
        return self._edges.flows

    @property
    def events(self) -> dict[int, int]:
        """How many events each role's participant has yielded."""
        return {role.number: role.events for role in self._all()}

    @property
    def faults_made(self) -> Sequence[Fault]:
        """Those of the given faults for which the run came to their place."""
        return tuple(self._edges.relays.faults_made)

    # One step after another

    def _go(self) -> None:
        plans, roles = self._plans, self._roles
        while self._missing:
            if not plans or plans[0][0] > self._deadlines.next:
                self._without_a_step()
                continue
            self.time, _, number, turn = heappop(plans)
            role = roles[number]
            if role.turn == turn:
                role.turn += 1
                self._step(role)

    def _step(self, role: Role) -> None:
        channel, words, role.answer = role.waits_on, role.answer, None
        if channel is not None:
            if channel.sender == role.number or not channel.queue:
                self._end(role, role.lost(self.time, "closed"))
                return
            role.waits_on = None
            try:
                words = self._take(role, channel)
            except Refusal as refusal:
                self._end(role, Refused(self.time, refusal))
                return
        try:
            event = role.resume(words)
        except StopIteration:
            self._finish(role)
            return
        except Refusal as refusal:
            self._end(role, Refused(self.time, refusal))
            return
        if role.death is not None and role.events >= role.death.after:
            self._edges.relays.made(role.death)
            self._end(role, Killed(self.time))
            return
        role.events += 1
        if isinstance(event, Send):
            self._send(role, event)
        elif isinstance(event, Receive):
            self._receive(role, event)
        else:
            try:
                self._note(role, event)
            except Refusal as refusal:
                self._end(role, Refused(self.time, refusal))

    def _plan(self, role: Role, time: float) -> None:
        heappush(self._plans, (time, self._draw(), role.number, role.turn))

    def _without_a_step(self) -> None:
        """Nobody can move, or not before a wait is due."""
        if not self._plans:
            if any(role.parked for role in self._all()):
                self._unpark(anyway=True)
                return
            self._look_for_a_cycle(role.number for role in self._all())
        until = self._plans[0][0] if self._plans else inf
        role = self._deadlines.due(self._roles, until)
        assert role is not None or self._plans, "who hasn't ended has a plan or waits"
        if role is not None:
            self._look_for_a_cycle([role.number])
            self.time = self._deadlines.next
            self._end(role, role.lost(self.time, "deadline"))

    def _look_for_a_cycle(self, starts: Iterable[int]) -> None:
        if self.deadlock is None:
            waits = cycle(starts, lambda number: self._roles[number].stuck)
            self.deadlock = Deadlock(self.time, waits) if waits else None

    # What an event does

    def _send(self, role: Role, event: Send) -> None:
        header, now = event.header, self.time
        channel = role.outbound.get(header.receiver)
        if channel is None or header.sender != role.number:
            channel = self._edges.open(event, role)
        channel.frames += 1
        channel.bytes += header.extent
        if self.trace is not None:
            self._record(role, "sends", header)
        if channel.broken <= now:
            self._end(role, Lost(now, header.receiver, "closed", header))
            return
        if role.silences and (silences := role.silenced(role.events - 1)):
            self._edges.relays.made(*silences)
            self._sent(role, header)
            return
        first = not channel.queue
        frame = self._edges.put(channel, event, now)
        if first and channel.queue:
            self._arriving(channel)
        if frame.counted:
            channel.held += 1
            if channel.held > self._buffer:
                role.waits_on, role.header, role.since = channel, header, now
                if channel.broken < inf:
                    self._plan(role, channel.broken)
                return
        self._sent(role, header)

    def _arriving(self, channel: Channel) -> None:
        """A channel isn't empty any more: tell its receiver, also one that expects nothing."""
        receiver = self._roles[channel.receiver]
        if receiver.waits_on is channel:
            self._plan(receiver, channel.queue[0].arrival)
        elif isinstance(receiver.outcome, Finished):
            self._conclude(receiver, Refused(channel.queue[0].arrival, channel.surplus()))

    def _sent(self, role: Role, header: Header) -> None:
        if self.trace is not None:
            self._record(role, "sent", header)
        self._plan(role, self.time)

    def _receive(self, role: Role, event: Receive) -> None:
        header, now = event.header, self.time
        channel = role.inbound.get(header.sender)
        if channel is None or header.receiver != role.number:
            channel = self._edges.open(event, role)
        role.waits_on, role.header, role.since = channel, header, now
        if self.trace is not None:
            self._record(role, "waits", header)
        if channel.queue:
            self._plan(role, max(now, channel.queue[0].arrival))
        elif channel.closed < inf:
            self._plan(role, max(now, channel.closed))

    def _take(self, role: Role, channel: Channel) -> np.ndarray:
        """The words of the frame that has arrived; who sent it may go on if that makes room."""
        frame, header = channel.queue.popleft(), role.header
        assert header is not None, "who receives expects a header"
        if frame.counted:
            channel.held -= 1
            sender = self._roles[channel.sender]
            if sender.waits_on is channel and channel.held <= self._buffer:
                waited_at = sender.header
                assert waited_at is not None, "who sends has a header"
                sender.waits_on = None
                self._sent(sender, waited_at)
        words = frame.opened(header, self._identity)
        if self.trace is not None:
            self._record(role, "received", header)
        return words

    def _note(self, role: Role, event: Event) -> None:
        match event:
            case Advanced():
                happening, before, role.version = "advanced", role.version, event.version
                target = self._target
                if target is not None and role.version >= target:
                    self._missing -= before < target
                    role.parked = True
            case Observed():
                happening = "observed"
                self.observations.setdefault(role.number, []).append(event.observation)
            case Published():
                happening = "published"
                words = {name: array.copy() for name, array in event.words.items()}
                published = Published(event.version, words)
                self.published.setdefault(role.number, []).append(published)
            case StoreShard() | StoreManifest():
                happening = "stores"
                role.answer = write_part(self._stores[role.number], event)
            case Stored():
                happening = "stored"
                self.stored.append(event.version)
            case _:
                raise TypeError(f"role {role.number} yields {event!r}")
        if self.trace is not None:
            self._record(role, happening, None)
        if not role.parked:
            self._plan(role, self.time)

    # Beginnings and ends

    def _finish(self, role: Role) -> None:
        surplus = next((channel for channel in role.inbound.values() if channel.queue), None)
        if surplus is None:
            self._end(role, Finished(self.time))
        else:
            self._end(role, Refused(self.time, surplus.surplus()))

    def _end(self, role: Role, outcome: Outcome) -> None:
        """The role does nothing more, and its edges close."""
        role.turn += 1
        role.waits_on = None
        role.participant.close()
        self._missing -= self._target is None or role.version < self._target
        self._conclude(role, outcome)
        for channel in chain(role.outbound.values(), role.inbound.values()):
            self._close(channel, role, outcome.time)

    def _conclude(self, role: Role, outcome: Outcome) -> None:
        role.outcome = self.outcomes[role.number] = outcome
        if not isinstance(outcome, Finished):
            self.published.pop(role.number, None)
        if self.trace is not None:
            self.trace.append(Step(outcome.time, role.number, _NAMES[type(outcome)], None))

    def _close(self, channel: Channel, role: Role, time: float) -> None:
        """Close one direction of an edge, and tell who waits at its other end."""
        seen = self._edges.close(channel, role, time)
        peer = self._roles[channel.other_end(role.number)]
        arriving = channel.sender == role.number and channel.queue
        if seen is not None and peer.waits_on is channel and not arriving:
            self._plan(peer, seen)

    def _record(self, role: Role, happening: Happening, header: Header | None) -> None:
        if self.trace is not None:
            self.trace.append(Step(self.time, role.number, happening, header))
