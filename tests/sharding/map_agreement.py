"""Compares what shard maps answer with what lists of coordinates say.

Entry: `made_map`, `agrees_alone`, `agrees_in_check`, `agrees_in_pair`, `agrees_in_kind`; each
    raises AssertionError where they differ, and so finds a mutant of the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from plain_sets.agreement import made
from sharding.plain_maps import Flaw, Item, Pieces, first_flaw, first_pair, pieces_of_items

from alpha.ir.refusals import Refusal
from alpha.ir.selections import Selection
from alpha.ir.sharding.covers import check_shares, holders_of
from alpha.ir.sharding.maps import BlockCyclic, Cyclic, Explicit, Family, ShardMap


def made_item(item: Item) -> Selection | Family:
    """The item of an explicit map."""
    if item[0] == "family":
        return Family(item[1], item[2], made_item(item[3]))
    return made(item)


def made_map(items: Sequence[Item]) -> Explicit:
    """The explicit map of these items."""
    return Explicit(tuple(made_item(item) for item in items))


def agrees_alone(items: Sequence[Item]) -> None:
    """Pieces, sizes, owners, text and digest of one map, right or wrong."""
    shard_map, pieces = made_map(items), pieces_of_items(items)
    owners, size = len(pieces), max((has[-1] for has in pieces if has), default=0) + 1
    assert shard_map.roles == owners
    for role, has in enumerate(pieces):
        assert list(shard_map.piece(role, owners, size)) == has
        assert shard_map.piece_size(role, owners, size) == len(has)
    for at in range(size):
        holders = [role for role, has in enumerate(pieces) if at in has]
        assert list(holders_of(shard_map.shares(owners, size), at)) == holders
        if holders:
            assert shard_map.owner(at, owners, size) == holders[0]
    again = ShardMap.parse(str(shard_map))
    assert again == shard_map and str(again) == str(shard_map)
    assert again.digest() == shard_map.digest()


def agrees_in_check(items: Sequence[Item], size: int) -> Flaw | None:
    """Whether the map is right for a domain; gives what is wrong."""
    shard_map, pieces = made_map(items), pieces_of_items(items)
    expected, found = first_flaw(pieces, size), None
    try:
        shard_map.check(len(pieces), size)
    except Refusal as refusal:
        found = Flaw(refusal.code, refusal.found)
    assert found == expected, f"{shard_map} of {size}"
    return found


def agrees_in_pair(items: Sequence[Item], others: Sequence[Item]) -> None:
    """Who has what in two maps for as many owners."""
    one, other = made_map(items), made_map(others)
    pieces, other_pieces = pieces_of_items(items), pieces_of_items(others)
    owners = len(pieces)
    size = max((has[-1] for has in (*pieces, *other_pieces) if has), default=0) + 1
    difference = first_pair(pieces, other_pieces, both_ways=True)
    assert one.first_difference(other, owners, size) == difference, f"{one} and {other}"
    assert one.same_pieces(other, owners, size) == (difference is None)
    outside = first_pair(pieces, other_pieces, both_ways=False)
    assert one.first_outside(other, owners, size) == outside, f"{one} in {other}"


def agrees_in_kind(shard_map: ShardMap, owners: int, size: int) -> None:
    """A regular map against the rule of its kind, coordinate by coordinate."""
    pieces: Pieces = [[] for _ in range(owners)]
    ends = list(accumulate(size // owners + (role < size % owners) for role in range(owners)))
    for at in range(size):
        if isinstance(shard_map, Cyclic):
            role = at % owners
        elif isinstance(shard_map, BlockCyclic):
            role = at // shard_map.block % owners
        else:
            role = next(role for role, end in enumerate(ends) if at < end)
        pieces[role].append(at)
        assert shard_map.owner(at, owners, size) == role
    selections = [shard_map.piece(role, owners, size) for role in range(owners)]
    assert [list(selection) for selection in selections] == pieces
    sizes = [shard_map.piece_size(role, owners, size) for role in range(owners)]
    assert sizes == [len(has) for has in pieces]
    shard_map.check(owners, size)
    check_shares(shard_map.shares(owners, size), size)
    explicit = Explicit(tuple(selections))
    explicit.check(owners, size)
    assert shard_map.same_pieces(explicit, owners, size)
    assert explicit.first_outside(shard_map, owners, size) is None
