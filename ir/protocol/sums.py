"""What each member of a group does for a sum: parts it receives, adds and hands on, in order.

A contribution is in parts by the groups of its contract, and a map of the samples says which member
has which; of words that aren't contributions, each member has one part, by its rank.

Invariant: every addition is one of the contract's, and is made by the first member that has both
    sums complete, as soon as it has them. What a member can't add it hands on, ascending by group.
Why: with a group a member, combined as they exchange, the parts of a member follow from its own
    place in the tree. So the frames of 200,000 roles are not looked at to know those of one.
Refuses: region-contract-groups, shard-coverage-missing, select-budget.
Entry: `sum_upwards`, `sum_directly`, `Take`, `Add`, `Give`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from alpha.ir.contracts import Contract
from alpha.ir.protocol.parts import PartsUp
from alpha.ir.selections import Selection
from alpha.ir.sharding.additions import Additions
from alpha.ir.sharding.groups import groups_by_owner
from alpha.ir.sharding.maps import ShardMap
from alpha.ir.topologies import PreorderTree


@dataclass(frozen=True)
class Take:
    """A part is received from the member of this rank."""

    rank: int
    group: int
    count: int


@dataclass(frozen=True)
class Add:
    """The sum of group `of` is added to that of group `into`, as the second operand."""

    into: int
    of: int


@dataclass(frozen=True)
class Give:
    """A part is sent: to the parent, or in a direct exchange to everybody who owns words."""

    group: int
    count: int


@dataclass(frozen=True)
class Sum:
    """A sum among members: who has which groups, and in which order they are added."""

    map: ShardMap | None
    contract: Contract
    members: Selection
    owners: int

    def goes_as_combined(self, tree: PreorderTree) -> bool:
        """Whether each member has the group of its rank, and sums travel as they are combined."""
        groups = self.contract.groups
        if groups.length != self.members.size:
            return False
        if self.map is not None:
            whole = self.members.size == self.owners
            return whole and _closed(tree, self.map, self.contract, self.owners).as_combined
        return self.contract.combine.tree(groups.length).is_same(tree)

    def count_below(self, tree: PreorderTree, rank: int) -> int:
        """The samples of a subtree, where sums travel as they are combined."""
        groups, subtree = self.contract.groups, tree.subtree(rank)
        return groups.before(subtree.stop) - groups.before(subtree.start)


def sum_upwards(sum: Sum, tree: PreorderTree, rank: int) -> Iterator[Take | Add | Give]:
    """What the member of a rank does: takes from its children, ascending, and gives to its parent.

    The root gives nothing; it ends with the part of group 0, the total.
    """
    if sum.goes_as_combined(tree):
        for child in tree.children(rank):
            yield Take(child, child, sum.count_below(tree, child))
            yield Add(rank, child)
        if rank:
            yield Give(rank, sum.count_below(tree, rank))
        return
    additions = Additions(sum.contract)
    subtree = tree.subtree(rank)
    own = _groups(sum, subtree)
    held: dict[int, dict[int, int]] = {}
    for below in reversed(subtree[1:]):
        parts = held.setdefault(below, {})
        _take(parts, own.get(below, ()), sum.contract)
        for _ in _added(additions, parts, parts):
            pass
        parent = tree.parent(below)
        assert parent is not None
        if parent != rank:
            held.setdefault(parent, {}).update(held.pop(below))
    parts: dict[int, int] = {}
    _take(parts, own.get(rank, ()), sum.contract)
    yield from _added(additions, parts, list(parts))
    for child in tree.children(rank):
        for group, count in sorted(held.pop(child, {}).items()):
            yield Take(child, group, count)
            parts[group] = count
            yield from _added(additions, parts, [group])
    if rank:
        for group, count in sorted(parts.items()):
            yield Give(group, count)


def sum_directly(sum: Sum, rank: int, others: Iterable[int]) -> Iterator[Take | Add | Give]:
    """What the member of a rank does where everybody gives each owner its words.

    It makes the additions of its own parts, gives what is left, and takes what the others have
    left, in the order of `others`.
    """
    alone = [_alone(sum, each) for each in range(sum.members.size)]
    additions = Additions(sum.contract)
    done: dict[int, dict[int, int]] = {}
    for each, (added, parts) in enumerate(alone):
        _follow(additions, sum, each)
        done[each] = dict(parts)
        if each == rank:
            yield from added
    parts = done.pop(rank)
    for group, count in sorted(parts.items()):
        yield Give(group, count)
    for other in others:
        for group, count in sorted(done[other].items()):
            yield Take(other, group, count)
            parts[group] = count
            yield from _added(additions, parts, [group])


@lru_cache(maxsize=1 << 10)
def _alone(sum: Sum, rank: int) -> tuple[tuple[Add, ...], dict[int, int]]:
    """The additions that a member makes of its own parts, and what is left of them."""
    parts: dict[int, int] = {}
    _take(parts, _groups(sum, range(rank, rank + 1)).get(rank, ()), sum.contract)
    added = tuple(_added(Additions(sum.contract), parts, list(parts)))
    return added, parts


def _follow(additions: Additions, sum: Sum, rank: int) -> None:
    """Note the additions that a member makes of its own parts."""
    parts: dict[int, int] = {}
    _take(parts, _groups(sum, range(rank, rank + 1)).get(rank, ()), sum.contract)
    for _ in _added(additions, parts, list(parts)):
        pass


def _take(parts: dict[int, int], groups: Iterable[int], contract: Contract) -> None:
    for group in groups:
        parts[group] = contract.groups[group]


def _added(additions: Additions, parts: dict[int, int], new: Iterable[int]) -> Iterator[Add]:
    """Make every addition that has become possible."""
    for into, of in additions.possible(parts, list(new)):
        parts[into] += parts.pop(of)
        yield Add(into, of)


def _groups(sum: Sum, ranks: range) -> dict[int, list[int]]:
    """The groups that each of some members has before anything is sent."""
    if sum.map is None:
        return {rank: [rank] for rank in ranks}
    if sum.members.size == sum.owners:
        star = PreorderTree(sum.owners, max(sum.owners - 1, 1))
        return _closed(star, sum.map, sum.contract, sum.owners).deal(ranks)
    dealt = _dealt(sum.map, sum.contract, sum.owners)
    return {rank: dealt[sum.members.nth(rank)] for rank in ranks}


@lru_cache(maxsize=256)
def _dealt(map: ShardMap, contract: Contract, owners: int) -> list[list[int]]:
    return groups_by_owner(map, contract, owners)


@lru_cache(maxsize=256)
def _closed(tree: PreorderTree, map: ShardMap, contract: Contract, owners: int) -> PartsUp:
    return PartsUp(tree, map, contract, owners)
