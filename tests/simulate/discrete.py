"""A whole fleet, role by role, on the simulated network: the oracle of the model.

Every role's own program is read frame by frame, and its participant sends and receives over the
network. Virtual time passes only there: what keeps a role busy is a frame to a timer of its own,
which answers so much later.

Entry: `run_discretely`, `Discrete`, `Whole`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Block, Operation

from alpha.interpreters.network.events import Advanced, Participant, Receive, Send
from alpha.interpreters.network.outcomes import Finished
from alpha.interpreters.network.simulated import SimulatedNetwork
from alpha.ir.attributes.shard import OwnedType
from alpha.ir.dialects.protocol_control import RepeatOp
from alpha.ir.dialects.protocol_role import AddOp, FrameOp, PerformOp, SendOp
from alpha.ir.dialects.protocol_work import LocalOp
from alpha.ir.dialects.shard_work import ContributeOp, MeanOp, UpdateOp
from alpha.ir.frames import Header
from alpha.ir.protocol.view import Protocol
from alpha.ir.sharding.fragments import members
from alpha.ir.sharding.maps import ShardMap
from alpha.passes.protocol.projection import project

HEADER_AND_DIGEST = 88 + 32
"""Bytes of a frame beside its payload, as docs/frame.md says."""

NOTHING = np.zeros(0, np.int64)


class Whole(NamedTuple):
    """Rates in whole seconds; a byte takes one."""

    frame: int
    sample: int
    word: int


class _Busy(NamedTuple):
    ticks: int


class _Frame(NamedTuple):
    peer: int
    size: int
    sends: bool
    inside: bool
    """Whether it is one of a round, rather than beside the rounds."""


class _End(NamedTuple):
    round: int


_Item = _Busy | _Frame | _End


@dataclass
class Discrete:
    """What happened: times in seconds, frames and bytes of one round."""

    ends: list[float] = field(default_factory=list[float])
    """When the last role ended each round."""
    all: float = 0.0
    waits: dict[int, float] = field(default_factory=dict[int, float])
    """The longest wait of each role for one frame."""
    frames: Counter[tuple[int, int]] = field(default_factory=Counter[tuple[int, int]])
    """The frames of the whole run, by who sends and who receives."""
    bytes: Counter[tuple[int, int]] = field(default_factory=Counter[tuple[int, int]])
    round_bytes: Counter[tuple[int, int]] = field(default_factory=Counter[tuple[int, int]])
    """Those of all rounds, without what is beside them."""


def run_discretely(
    protocol: Protocol, rates: Whole, slowness: Mapping[int, int] | None = None
) -> Discrete:
    """Run every role; work takes a role of `slowness` 2 twice as long."""
    roles = list(protocol.group.members)
    above = max(roles) + 1
    lists = {
        role: list(_Reader(protocol, role, rates, (slowness or {}).get(role, 1)).all())
        for role in roles
    }
    participants = {role: _participant(role, above + role, lists[role]) for role in roles}
    participants |= {above + role: _timer(role, above + role, lists[role]) for role in roles}

    def latency(random: Any, sender: int, receiver: int, extent: int) -> float:
        if sender >= above:
            return float(extent)
        return 0.0 if receiver >= above else float(rates.frame)

    net = SimulatedNetwork(
        participants, seed=1, buffer=None, deadline=1e15, latency=latency, trace=True
    )
    outcomes = net.run()
    assert all(isinstance(each, Finished) for each in outcomes.values()), net.first_failure
    return _result(net, roles, above, lists)


def _result(
    net: SimulatedNetwork, roles: list[int], above: int, lists: Mapping[int, list[_Item]]
) -> Discrete:
    result = Discrete(waits=dict.fromkeys(roles, 0.0))
    since: dict[int, float] = {}
    ended: dict[int, list[float]] = {role: [] for role in roles}
    assert net.trace is not None
    for step in net.trace:
        if step.role >= above:
            continue
        if step.happening == "finished":
            result.all = max(result.all, step.time)
        elif step.happening == "advanced":
            ended[step.role].append(step.time)
        if step.header is None or step.header.sender >= above:
            continue
        if step.happening == "waits":
            since[step.role] = step.time
        elif step.happening == "received":
            waited = step.time - since[step.role]
            result.waits[step.role] = max(result.waits[step.role], waited)
    if all(ended.values()):
        # Who takes no part in the rounds ends none, and then nothing is said of their ends.
        result.ends = [max(times) for times in zip(*ended.values(), strict=True)]
    for role, items in lists.items():
        for item in items:
            if isinstance(item, _Frame) and item.sends:
                result.frames[role, item.peer] += 1
                result.bytes[role, item.peer] += item.size
                result.round_bytes[role, item.peer] += item.size * item.inside
    return result


def _participant(role: int, timer: int, items: list[_Item]) -> Participant:
    numbers: Counter[tuple[int, int]] = Counter()

    def header(sender: int, receiver: int, extent: int) -> Header:
        number = numbers[sender, receiver]
        numbers[sender, receiver] += 1
        return Header(sender, receiver, 0, 0, 0, number, 0, extent)

    def busy(ticks: int) -> Participant:
        yield Send(header(role, timer, ticks), NOTHING)
        yield Receive(header(timer, role, ticks))

    for item in items:
        match item:
            case _Busy(ticks=ticks):
                yield from busy(ticks)
            case _Frame(peer=peer, size=size, sends=True):
                yield Send(header(role, peer, size), NOTHING)
                yield from busy(size)
            case _Frame(peer=peer, size=size):
                yield Receive(header(peer, role, size))
                yield from busy(size)
            case _End(round=round):
                yield Advanced(round)


def _timer(role: int, timer: int, items: list[_Item]) -> Participant:
    numbers = 0
    for item in items:
        if isinstance(item, _End):
            continue
        ticks = item.ticks if isinstance(item, _Busy) else item.size
        yield Receive(Header(role, timer, 0, 0, 0, numbers, 0, ticks))
        yield Send(Header(timer, role, 0, 0, 0, numbers, 0, ticks), NOTHING)
        numbers += 1


class _Reader:
    """Reads one role's program into what takes time."""

    def __init__(self, protocol: Protocol, role: int, rates: Whole, slowness: int) -> None:
        self._protocol = protocol
        self._role = role
        self._rates = rates
        self._slowness = slowness

    def all(self) -> Iterator[_Item]:
        yield from self._block(project(self._protocol, self._role).body.block)

    def _block(self, block: Block, inside: bool = False) -> Iterator[_Item]:
        for op in block.ops:
            if isinstance(op, LocalOp):
                yield _Busy(sum(map(self._ticks, op.body.block.ops)) * self._slowness)
            elif isinstance(op, PerformOp):
                yield from self._perform(op, inside)
            elif isinstance(op, RepeatOp):
                for number in range(op.bound.data):
                    yield from self._block(op.body.block, inside=True)
                    if not inside:
                        yield _End(number + 1)

    def _perform(self, op: PerformOp, inside: bool) -> Iterator[_Item]:
        full = None
        for action in op.frames.block.ops:
            if isinstance(action, AddOp):
                words = self._added(op, full)
                ticks = len(action.groups.data) * words * self._rates.word
                yield _Busy(ticks * self._slowness)
            else:
                assert isinstance(action, FrameOp)
                size = action.words.data * (4 if "32" in str(action.element) else 8)
                size += 0 if action.riding is None else 8 * action.riding.data
                size += HEADER_AND_DIGEST
                yield _Frame(action.peer.data, size, isinstance(action, SendOp), inside)
                full = False

    def _added(self, op: PerformOp, full: bool | None) -> int:
        """The words of one addition: all of a sum, or behind the first frame a direct owner's."""
        payload: Any = op.arguments[0].type
        size = _size_of(payload.payload)
        if op.deliver is None or full is None:
            return size
        return self._piece(op.deliver.data, size)

    def _piece(self, map: ShardMap, size: int) -> int:
        return len(members(map.piece(self._role, self._protocol.owners, size)))

    def _ticks(self, op: Operation) -> int:
        if isinstance(op, ContributeOp):
            size = self._protocol.domain(op.samples.string_value())
            return self._piece(op.map.data, size) * self._rates.sample
        if isinstance(op, MeanOp | UpdateOp):
            return sum(self._words(result.type) for result in op.results) * self._rates.word
        if op.name.startswith("arith.") and op.operands:
            return self._rates.word
        return 0

    def _words(self, type: Any) -> int:
        size = _size_of(type)
        return self._piece(type.map.data, size) if isinstance(type, OwnedType) else size


def _size_of(type: Any) -> int:
    """The words of a scalar or tensor, or of a value of the shard dialect."""
    value = getattr(type, "value", type)
    shape = value.get_shape() if isinstance(value, TensorType) else ()
    return int(np.prod(shape or (1,)))
