"""What a distribution costs each owner: words it keeps, words it holds at most, bytes it exchanges.

Invariant: the numbers follow from the distribution alone; nothing is run. Kept words are those of
    states, without samples and constants. The most words at a time are these and the replicas that
    are alive. Exchanged bytes are those of words, counts (8 a part or total), digests (32) and
    verdicts (8) along the edges of the topology, without frames.
Why: a role's costs are computed when they are asked for, so that 200,000 roles, of which a table
    shows eight, cost what eight do.
Entry: `costs_of`, `Costs`, `Cost`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

from xdsl.ir import Attribute, SSAValue

from alpha.ir.attributes.shard import OwnedType, located
from alpha.ir.dialects.shard_exchange import CombineOp, ReleaseOp, ReplicateOp, TransferOp
from alpha.ir.dialects.shard_work import AgreeOp
from alpha.ir.protocol.parts import PartsUp
from alpha.ir.shapes import word_bytes, words_of
from alpha.ir.sharding.checks.contributions import contribution_of
from alpha.ir.sharding.distribution import Distribution
from alpha.ir.sharding.edges import Constant, Exchange, Moved, Parts, Pieces, Routed
from alpha.ir.sharding.places import At, Everywhere, Owned

COUNT_BYTES = 8
DIGEST_BYTES = 32
VERDICT_BYTES = 8


@dataclass
class Cost:
    """One role's words of each state, and what a round takes; `peak` is in bytes."""

    role: int
    words: dict[str, int]
    samples: dict[str, int]
    persistent: int = 0
    peak: int = 0
    sent: int = 0
    received: int = 0

    @property
    def words_kept(self) -> int:
        """The words of state that the role keeps between rounds."""
        return sum(self.words.values())


def costs_of(distribution: Distribution) -> Costs:
    """The cost of every role, in role order; of a distribution that `verify_shards` accepts."""
    return Costs(distribution)


class Costs(Sequence[Cost]):
    """The costs of all roles of a distribution; one costs a few steps a child and exchange."""

    def __init__(self, distribution: Distribution) -> None:
        self._distribution = distribution
        self._exchanges = [
            exchange
            for op in distribution.round.body.block.ops
            for exchange in _exchanges(distribution, op)
        ]
        self._replicas = _replica_bytes(distribution)

    def __len__(self) -> int:
        return self._distribution.owners

    @overload
    def __getitem__(self, index: int) -> Cost: ...

    @overload
    def __getitem__(self, index: slice) -> list[Cost]: ...

    def __getitem__(self, index: int | slice) -> Cost | list[Cost]:
        roles = range(self._distribution.owners)[index]
        return self._of(roles) if isinstance(roles, int) else [self._of(role) for role in roles]

    def _of(self, role: int) -> Cost:
        cost = _kept(self._distribution, role)
        cost.peak = cost.persistent + self._replicas
        for exchange in self._exchanges:
            sent, received = exchange.sent_and_received(role)
            cost.sent += sent
            cost.received += received
        return cost


def _kept(distribution: Distribution, role: int) -> Cost:
    learner, owners = distribution.learner, distribution.owners
    cost = Cost(role, {}, {})
    for name, op in learner.states.items():
        map = distribution.map_of(name)
        size = words_of(op.type)
        cost.words[name] = size if map is None else map.piece_size(role, owners, size)
        cost.persistent += cost.words[name] * word_bytes(op.type)
    for name in learner.samples:
        if name in distribution.place_ops:
            map, size = distribution.map_of(name), distribution.domain(name)
            cost.samples[name] = size if map is None else map.piece_size(role, owners, size)
    return cost


def _replica_bytes(distribution: Distribution) -> int:
    """The bytes of replicas that are alive at most, which every role has."""
    alive: dict[SSAValue, int] = {}
    most = 0
    for op in distribution.round.body.block.ops:
        if isinstance(op, ReplicateOp):
            alive[op.result] = _bytes(located(op.result).value)
            most = max(most, sum(alive.values()))
        elif isinstance(op, ReleaseOp):
            alive.pop(op.replica, None)
    return most


def _bytes(type: Attribute) -> int:
    return words_of(type) * word_bytes(type)


def _exchanges(distribution: Distribution, op: object) -> Iterator[Exchange]:
    """What an operation of a round exchanges."""
    tree = distribution.tree
    match op:
        case ReplicateOp():
            yield from _assembled(distribution, op.owned)
        case CombineOp() if op.kind.data == "sum":
            yield from _summed(distribution, op)
        case CombineOp():
            yield from _assembled(distribution, op.part)
        case TransferOp():
            of = located(op.owned)
            assert isinstance(of, OwnedType)
            size, word = words_of(of.value), word_bytes(of.value)
            yield Moved(tree, of.map.data, op.map.data, size, word)
        case AgreeOp():
            yield Constant(tree, DIGEST_BYTES, VERDICT_BYTES)
        case _:
            pass


def _assembled(distribution: Distribution, value: SSAValue) -> Iterator[Exchange]:
    """All pieces go up, and all words come down."""
    of = located(value)
    assert isinstance(of, OwnedType)
    tree, size, word = distribution.tree, words_of(of.value), word_bytes(of.value)
    yield Pieces(tree, of.map.data, size, word, upwards=True)
    yield Constant(tree, 0, size * word)


def _summed(distribution: Distribution, op: CombineOp) -> Iterator[Exchange]:
    """Parts go up, each with its count, and the total comes down to where it is delivered."""
    work = contribution_of(op.part)
    assert work is not None and op.contract is not None
    of = located(op.part)
    tree, owners = distribution.tree, distribution.owners
    size, word = words_of(of.value), word_bytes(of.value)
    whole = size * word + COUNT_BYTES
    yield Parts(tree, PartsUp(tree, work.map.data, op.contract.data, owners), whole)
    match op.deliver.data:
        case Everywhere():
            yield Constant(tree, 0, whole)
        case At(role=target):
            yield Routed(tree, target, whole)
        case Owned(map=map):
            yield Pieces(tree, map, size, word, upwards=False)
            yield Constant(tree, 0, COUNT_BYTES)
