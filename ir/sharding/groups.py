"""Which owner has which groups of a contract.

Invariant: an owner has whole groups, so each group's sum is made by one owner, sample after sample.
Refuses: region-contract-groups.
Entry: `groups_by_owner`.
"""

from __future__ import annotations

from itertools import accumulate, pairwise

from alpha.ir.contracts import Contract
from alpha.ir.refusals import Refusal
from alpha.ir.sharding.maps import ShardMap

MISSING = -1


def groups_by_owner(
    map: ShardMap, contract: Contract, owners: int, partial: bool = False
) -> list[list[int]]:
    """For each role the groups whose samples the map gives it, ascending; O(groups + owners).

    A group without samples is that of the role of its number where there is a group an owner, and
    else goes with the group before it; it changes no bit. With `partial`, a group whose first
    sample has no owner is left out instead of refused.

    Raises:
        Refusal: `region-contract-groups` if owners share a group; `shard-coverage-missing` if a
            group's first sample has no owner.
    """
    size = sum(contract.groups)
    ends = [0, *accumulate(contract.groups)]
    holders: list[int | None] = []
    for group, (low, high) in enumerate(pairwise(ends)):
        if low == high:
            holders.append(None)
            continue
        try:
            role = map.owner(low, owners, size)
        except Refusal:
            if not partial:
                raise
            holders.append(MISSING)
            continue
        piece = map.piece(role, owners, size)
        held = piece.rank(high) - piece.rank(low)
        if held != high - low:
            wanted = f"one owner for all {high - low} samples of group {group}"
            raise Refusal("region-contract-groups", wanted, f"owner {role} has {held} of them")
        holders.append(role)
    own = len(holders) == owners and all(
        role in (None, MISSING, group) for group, role in enumerate(holders)
    )
    result: list[list[int]] = [[] for _ in range(owners)]
    last = 0
    for group, role in enumerate(holders):
        if role == MISSING:
            continue
        last = (group if own else last) if role is None else role
        result[last].append(group)
    return result
