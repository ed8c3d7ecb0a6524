"""What one role holds in memory during a run of its program, in bytes.

Invariant: each number is an exact bound of the program: a value is held from the operation that
    makes it to the last that uses it, and an edge has one buffer for its largest frame each way.
Entry: `Memory`, `memory_of`, `words_of_role`.

Constants, the words that an update is about to publish, and code aren't counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.ir import Attribute, Block, Operation, SSAValue

from alpha.ir.attributes.protocol_values import at_type
from alpha.ir.attributes.shard import ContributionType, OwnedType, TotalType
from alpha.ir.dialects.protocol_role import AddOp, FrameOp, PerformOp, RoleOp, SendOp
from alpha.ir.dialects.protocol_work import LocalOp
from alpha.ir.frames import frame_bytes
from alpha.ir.protocol.payloads import element_bytes, element_in, words_in
from alpha.ir.protocol.role_steps import read_frame
from alpha.ir.protocol.view import Protocol
from alpha.ir.shapes import word_bytes, words_of
from alpha.ir.sharding.places import Owned


@dataclass(frozen=True)
class Memory:
    """The bytes that a role holds, by what they are for."""

    state: int
    """Words of state between rounds."""
    samples: int
    replicas: int
    """Words that others sent, at the moment at which there are most."""
    sums: int
    """Contributions and totals, with parts that wait to be added, where there are most."""
    frames: int
    """One buffer for the largest frame of each edge in each direction."""

    @property
    def all(self) -> int:
        """All of these together."""
        return self.state + self.samples + self.replicas + self.sums + self.frames


def memory_of(op: RoleOp, protocol: Protocol) -> Memory:
    """What a role holds; `protocol` is what its program was projected from."""
    role = op.role.data
    state, samples = _kept(protocol, role)
    replicas = sums = 0
    for block in _blocks(op.body.block):
        more, parts = _most(block, protocol, role)
        replicas, sums = max(replicas, more), max(sums, parts)
    return Memory(state, samples, replicas, sums, _buffers(op))


def words_of_role(protocol: Protocol, payload: Attribute, role: int) -> int:
    """The words of a payload that one role has."""
    map = None
    if isinstance(payload, OwnedType):
        map = payload.map.data
    elif isinstance(payload, TotalType) and isinstance(payload.where.data, Owned):
        map = payload.where.data.map
    size = words_in(payload)
    return size if map is None else map.piece_size(role, protocol.owners, size)


def _kept(protocol: Protocol, role: int) -> tuple[int, int]:
    """The bytes of states and samples that the role keeps between rounds."""
    distribution = protocol.distribution
    if distribution is None:
        return 0, 0
    state = samples = 0
    for name in distribution.place_ops:
        map, size = distribution.map_of(name), distribution.domain(name)
        own = size if map is None else map.piece_size(role, distribution.owners, size)
        op = distribution.learner.samples.get(name)
        if op is None:
            state += own * word_bytes(distribution.learner.states[name].type)
        else:
            samples += own * sum(words_of(each) * word_bytes(each) for each in op.types.data)
    return state, samples


def _blocks(block: Block) -> Iterator[Block]:
    yield block
    for op in block.ops:
        if not isinstance(op, LocalOp | PerformOp):
            for region in op.regions:
                for inner in region.blocks:
                    yield from _blocks(inner)


def _most(block: Block, protocol: Protocol, role: int) -> tuple[int, int]:
    """The most bytes of replicas, and of sums, that are held at one operation of a block."""
    ops = list(block.ops)
    numbers = {op: number for number, op in enumerate(ops)}
    changes = [[0] * (len(ops) + 1) for _ in range(2)]
    for number, op in enumerate(ops):
        for value in op.results if isinstance(op, LocalOp | PerformOp) else ():
            payload = at_type(value).payload
            is_sum = isinstance(payload, ContributionType | TotalType)
            if not is_sum and isinstance(op, LocalOp):
                continue
            size = words_of_role(protocol, payload, role) * element_bytes(element_in(payload))
            changes[is_sum][number] += size
            changes[is_sum][_last_use(value, block, numbers, number) + 1] -= size
        if isinstance(op, PerformOp) and op.kind.data == "reduce":
            waiting = _waiting(op)
            changes[1][number] += waiting
            changes[1][number + 1] -= waiting
    return _peak(changes[0]), _peak(changes[1])


def _peak(changes: list[int]) -> int:
    most = held = 0
    for change in changes:
        held += change
        most = max(most, held)
    return most


def _last_use(value: SSAValue, block: Block, numbers: dict[Operation, int], at: int) -> int:
    for use in value.uses:
        user: Operation | None = use.operation
        while user is not None and user.parent_block() is not block:
            user = user.parent_op()
        if user is not None:
            at = max(at, numbers[user])
    return at


def _waiting(op: PerformOp) -> int:
    """The most bytes of parts of a sum that are held beside one part of the role.

    Upwards a role ends with the parts that it gives, the root and everybody who exchanges directly
    with one; so the parts that it begins with are these, without what it took and with what it
    added away.
    """
    held = most = sent = size = 0
    for part in op.frames.block.ops:
        if isinstance(part, AddOp):
            held -= len(part.groups.data)
        elif isinstance(part, FrameOp):
            size = max(size, read_frame(part).bytes)
            sent += isinstance(part, SendOp)
            held += not isinstance(part, SendOp)
        most = max(most, held)
    last = sent if sent and op.deliver is None else 1
    return max(last - held + most - 1, 0) * size


def _buffers(op: RoleOp) -> int:
    """The largest frame of every edge in each direction, header and digest included."""
    largest: dict[tuple[int, bool], int] = {}
    for frame in op.walk():
        if isinstance(frame, FrameOp):
            way = frame.peer.data, isinstance(frame, SendOp)
            size = frame_bytes(read_frame(frame).bytes)
            largest[way] = max(largest.get(way, 0), size)
    return sum(largest.values())
