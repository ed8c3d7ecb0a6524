"""The parts of a sum that a role hands to its parent: which groups, over how many samples.

Invariant: they are those that are left when every role has added all that it can, in the order of
    the contract; exact for every map, contract and topology.
Why: with a group an owner, combined as they exchange, a role hands on one sum, that of its subtree.
    So the frames of 200,000 roles follow from a few runs, role by role, and nothing is simulated.
Refuses: region-contract-groups, shard-coverage-missing, select-budget, and what maps refuse.
Entry: `parts_up`, `PartsUp`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from alpha.ir.contracts import Contract
from alpha.ir.refusals import Refusal
from alpha.ir.runs import Runs
from alpha.ir.sharding.additions import parts_upwards
from alpha.ir.sharding.groups import check_whole_groups, groups_by_owner
from alpha.ir.sharding.maps import ShardMap
from alpha.ir.topologies import PreorderTree

GROUPS_VISITED_MAX = 1 << 22
"""Most groups whose additions are followed one by one: some seconds."""


def parts_up(
    tree: PreorderTree, map: ShardMap, contract: Contract, owners: int, role: int
) -> tuple[tuple[int, int], ...]:
    """The parts that a role hands to its parent: ascending groups, each with its samples' count.

    Of role 0 it is what the sum ends with. Whoever asks for many roles keeps a `PartsUp`.

    Raises:
        IndexError: `role` isn't a node of the tree.
        Refusal: as `PartsUp`.
    """
    return PartsUp(tree, map, contract, owners).of(role)


@dataclass(frozen=True)
class PartsUp:
    """A sum in parts of `owners` owners, which exchange along a tree of as many nodes.

    Raises:
        Refusal: `region-contract-groups` if owners share a group; `shard-coverage-missing` if a
            group has no owner; what maps refuse.
    """

    tree: PreorderTree
    map: ShardMap
    contract: Contract
    owners: int

    def __post_init__(self) -> None:
        if self.tree.count != self.owners:
            raise ValueError(f"a tree of {self.tree.count} nodes for {self.owners} owners")
        check_whole_groups(self.map, self.contract, self.owners)

    def of(self, role: int) -> tuple[tuple[int, int], ...]:
        """The parts of a role, as `parts_up`.

        O(depth) with a group an owner, combined as they exchange; else O(groups below the role x
        depth), and once O(groups) for a map that isn't one of blocks.

        Raises:
            Refusal: `select-budget` if that takes more than 2^22 groups.
        """
        subtree = self.tree.subtree(role)
        if role == 0:
            return ((0, self.contract.groups.total),)
        if self.as_combined:
            groups = self.contract.groups
            return ((role, groups.before(subtree.stop) - groups.before(subtree.start)),)
        for each, parts in parts_upwards(self.tree, self.deal(subtree), self.contract, role):
            if each == role:
                return tuple(sorted(parts.items()))
        return ()

    def deal(self, roles: range) -> dict[int, list[int]]:
        """The groups that each of some roles in turn has, as `groups_by_owner` deals them.

        Roles without a group may be left out. O(roles + their groups), for a map that isn't one of
        blocks once O(all groups).

        Raises:
            Refusal: `select-budget` for more than 2^22 groups.
        """
        if self._has_own:
            _check_budget(len(roles))
            return {role: [role] for role in roles}
        if self._blocks is None:
            return {role: self._dealt[role] for role in roles if self._dealt[role]}
        groups, blocks = self.contract.groups, self._blocks
        low = _first_from(groups, blocks.before(roles.start)) if roles.start else 0
        high = _first_from(groups, blocks.before(roles.stop))
        _check_budget(high - low)
        deal: dict[int, list[int]] = {}
        start, role = groups.before(low), roles.start
        for group in range(low, high):
            if groups[group]:
                role = blocks.at(start)
                start += groups[group]
            deal.setdefault(role, []).append(group)
        return deal

    @cached_property
    def _blocks(self) -> Runs | None:
        return self.map.blocks(self.owners, self.contract.groups.total)

    @cached_property
    def _has_own(self) -> bool:
        """Whether there is a group an owner, which has the group of its number."""
        return self._blocks == self.contract.groups

    @cached_property
    def as_combined(self) -> bool:
        """Whether the sums are combined by the tree along which they travel."""
        combine = self.contract.combine.tree(self.contract.groups.length)
        return self._has_own and combine.is_same(self.tree)

    @cached_property
    def _dealt(self) -> list[list[int]]:
        _check_budget(self.contract.groups.length)
        return groups_by_owner(self.map, self.contract, self.owners)


def _first_from(groups: Runs, sample: int) -> int:
    """The group with this sample, the first of its owner; empty ones go with the one before."""
    return groups.at(sample) if sample < groups.total else groups.length


def _check_budget(groups: int) -> None:
    if groups > GROUPS_VISITED_MAX:
        wanted = f"the additions of at most {GROUPS_VISITED_MAX} groups to follow"
        raise Refusal("select-budget", wanted, f"{groups}")
