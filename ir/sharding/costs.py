"""What a distribution costs each owner: words it keeps, words it holds at most, bytes it exchanges.

Invariant: the numbers follow from the distribution alone; nothing is run. Kept words are those of
    states, without samples and constants. The most words at a time are these and the replicas that
    are alive. Exchanged bytes are those of words, counts (8 a part or total), digests (32) and
    verdicts (8) along the edges of the topology, without frames.
Entry: `costs_of`, `Cost`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from xdsl.ir import Attribute, SSAValue

from alpha.ir.attributes.shard import OwnedType, located
from alpha.ir.contracts import Contract
from alpha.ir.dialects.shard_exchange import CombineOp, ReleaseOp, ReplicateOp, TransferOp
from alpha.ir.dialects.shard_work import AgreeOp
from alpha.ir.shapes import word_bytes, words_of
from alpha.ir.sharding.checks.contributions import contribution_of
from alpha.ir.sharding.distribution import Distribution
from alpha.ir.sharding.fragments import members
from alpha.ir.sharding.groups import groups_by_owner
from alpha.ir.sharding.maps import ShardMap
from alpha.ir.sharding.places import At, Everywhere, Owned
from alpha.ir.topologies import PreorderTree

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


def costs_of(distribution: Distribution) -> list[Cost]:
    """The cost of every role, in role order; of a distribution that `verify_shards` accepts."""
    costs = [_kept(distribution, role) for role in range(distribution.owners)]
    alive: dict[SSAValue, int] = {}
    most = 0
    for op in distribution.round.body.block.ops:
        match op:
            case ReplicateOp():
                alive[op.result] = _bytes(located(op.result).value)
                most = max(most, sum(alive.values()))
                _assemble(distribution, costs, op.owned)
            case ReleaseOp():
                alive.pop(op.replica, None)
            case CombineOp() if op.kind.data == "sum":
                _combine_sum(distribution, costs, op)
            case CombineOp():
                _assemble(distribution, costs, op.part)
            case TransferOp():
                _transfer(distribution, costs, op)
            case AgreeOp():
                _gather(distribution.tree, costs, [DIGEST_BYTES] * len(costs), False)
                _broadcast(distribution.tree, costs, VERDICT_BYTES)
            case _:
                pass
    for cost in costs:
        cost.peak = cost.persistent + most
    return costs


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


def _bytes(type: Attribute) -> int:
    return words_of(type) * word_bytes(type)


def _sizes(distribution: Distribution, map: ShardMap, type: Attribute) -> list[int]:
    """For each role the bytes of its piece."""
    owners, words = distribution.owners, words_of(type)
    return [map.piece_size(role, owners, words) * word_bytes(type) for role in range(owners)]


def _assemble(distribution: Distribution, costs: Sequence[Cost], value: SSAValue) -> None:
    """All pieces go up, and all words come down."""
    of = located(value)
    assert isinstance(of, OwnedType)
    _gather(distribution.tree, costs, _sizes(distribution, of.map.data, of.value), True)
    _broadcast(distribution.tree, costs, _bytes(of.value))


def _combine_sum(distribution: Distribution, costs: Sequence[Cost], op: CombineOp) -> None:
    work = contribution_of(op.part)
    assert work is not None and op.contract is not None
    of = located(op.part)
    tree, contract = distribution.tree, op.contract.data
    groups = groups_by_owner(work.map.data, contract, distribution.owners)
    size = _bytes(of.value) + COUNT_BYTES
    for role, parts in enumerate(parts_sent(tree, groups, contract)):
        if role:
            _message(costs, role, _parent(tree, role), parts * size)
    match op.deliver.data:
        case Everywhere():
            _broadcast(tree, costs, size)
        case At(role=target):
            _route(tree, costs, 0, target, size)
        case Owned(map=map):
            _scatter(tree, costs, _sizes(distribution, map, of.value))
            _broadcast(tree, costs, COUNT_BYTES)


def parts_sent(
    tree: PreorderTree, groups: Sequence[Sequence[int]], contract: Contract
) -> list[int]:
    """How many sums each role hands to its parent, when it has added all that it can.

    A role adds a group to another where it has both, the other has all that comes before, and the
    group is complete; O(roles + groups).
    """
    waiting: dict[int, deque[int]] = {}
    for into, of in contract.schedule():
        waiting.setdefault(into, deque()).append(of)
    held = [set(each) for each in groups]
    counts = [0] * len(held)
    for role in range(len(held) - 1, -1, -1):
        for into in sorted(held[role], reverse=True):
            queue = waiting.get(into, deque())
            while queue and queue[0] in held[role] and not waiting.get(queue[0]):
                held[role].discard(queue.popleft())
        counts[role] = len(held[role])
        if role:
            held[_parent(tree, role)] |= held[role]
    return counts


def _transfer(distribution: Distribution, costs: Sequence[Cost], op: TransferOp) -> None:
    """Each word goes along the tree from its owner to its new one."""
    of = located(op.owned)
    assert isinstance(of, OwnedType)
    owners, size = distribution.owners, words_of(of.value)
    target = np.zeros(size, np.int64)
    for role in range(owners):
        target[members(op.map.data.piece(role, owners, size))] = role
    for role in range(owners):
        to = np.bincount(target[members(of.map.data.piece(role, owners, size))], minlength=owners)
        for other in np.flatnonzero(to).tolist():
            _route(distribution.tree, costs, role, other, int(to[other]) * word_bytes(of.value))


def _message(costs: Sequence[Cost], of: int, to: int, size: int) -> None:
    costs[of].sent += size
    costs[to].received += size


def _parent(tree: PreorderTree, role: int) -> int:
    parent = tree.parent(role)
    assert parent is not None, "role 0 has no parent"
    return parent


def _broadcast(tree: PreorderTree, costs: Sequence[Cost], size: int) -> None:
    for role in range(1, tree.count):
        _message(costs, _parent(tree, role), role, size)


def _gather(tree: PreorderTree, costs: Sequence[Cost], sizes: Sequence[int], relayed: bool) -> None:
    """Pieces go up to role 0, each relayed by every role above, or taken in by the first."""
    totals = list(sizes)
    for role in range(tree.count - 1, 0, -1):
        _message(costs, role, _parent(tree, role), totals[role])
        if relayed:
            totals[_parent(tree, role)] += totals[role]


def _scatter(tree: PreorderTree, costs: Sequence[Cost], sizes: Sequence[int]) -> None:
    """Pieces come down from role 0, each with those of the roles below."""
    totals = list(sizes)
    for role in range(tree.count - 1, 0, -1):
        _message(costs, _parent(tree, role), role, totals[role])
        totals[_parent(tree, role)] += totals[role]


def _route(tree: PreorderTree, costs: Sequence[Cost], of: int, to: int, size: int) -> None:
    """Bytes go up to the last role that is above both, and down from it."""
    up, down = tree.path(of), tree.path(to)
    common = sum(one == other for one, other in zip(up, down, strict=False))
    way = [*reversed(up[common - 1 :]), *down[common:]]
    for before, after in pairwise(way):
        _message(costs, before, after, size)
