"""Which owner has which groups of a contract.

Invariant: an owner has whole groups, so each group's sum is made by one owner, sample after sample.
Why: whether it is so is asked of every distribution, also of 200,000 owners; where the owners'
    samples are blocks or stripes, that is a question about a few runs of equal sizes.
Refuses: region-contract-groups, shard-coverage-missing.
Entry: `groups_by_owner`, `check_whole_groups`.
"""

from __future__ import annotations

from itertools import accumulate, pairwise

from alpha.ir.contracts import Contract
from alpha.ir.refusals import Refusal
from alpha.ir.runs import Runs
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
    size = contract.groups.total
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
        _check_group(map, owners, size, (group, low, high), role)
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


def check_whole_groups(map: ShardMap, contract: Contract, owners: int) -> None:
    """Refuse what `groups_by_owner` refuses, and with the same words.

    O(shares + runs of the contract) if the map is one of blocks or stripes, else O(groups).

    Raises:
        Refusal: `region-contract-groups` if owners share a group; `shard-coverage-missing` if a
            group's first sample has no owner.
    """
    groups = contract.groups
    size = groups.total
    if not size:
        return
    cuts = _cuts(map, owners, size)
    if cuts is None:
        groups_by_owner(map, contract, owners)
        return
    cut = groups.split_by(cuts)
    if cut is not None:
        group = groups.at(cut)
        low, high = groups.before(group), groups.before(group + 1)
        _check_group(map, owners, size, (group, low, high), map.owner(low, owners, size))
    if cuts.total < size:
        map.owner(cuts.total, owners, size)


def _cuts(map: ShardMap, owners: int, size: int) -> Runs | None:
    """Sizes of the blocks between which the owner changes, if they are few runs; else None."""
    blocks = map.blocks(owners, size)
    if blocks is not None:
        return blocks
    stripe = map.stripe(owners, size)
    return None if stripe is None else Runs(((size // stripe, stripe), (1, size % stripe)))


def _check_group(
    map: ShardMap, owners: int, size: int, group: tuple[int, int, int], role: int
) -> None:
    """Refuse a group, given by its number and bounds, of which a role has only some samples."""
    number, low, high = group
    piece = map.piece(role, owners, size)
    held = piece.rank(high) - piece.rank(low)
    if held != high - low:
        wanted = f"one owner for all {high - low} samples of group {number}"
        raise Refusal("region-contract-groups", wanted, f"owner {role} has {held} of them")
