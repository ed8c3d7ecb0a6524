"""The parts that roles hand to their parents, against sums that travel up, and against a search.

Invariant: what a role hands on is what combining ends with if nobody is above it; its words say
    which groups are in which part, and the search adds whatever can be added to them.
"""

from __future__ import annotations

import re
from itertools import pairwise
from random import Random

import pytest
from sharding.contract_reading import Case, Expressions, parts_of, searched

from alpha.interpreters.combine import combine_up
from alpha.ir.contracts import Contract, Left, Tree
from alpha.ir.protocol import parts
from alpha.ir.protocol.parts import PartsUp, parts_up
from alpha.ir.refusals import Refusal
from alpha.ir.runs import Runs
from alpha.ir.selections import Empty, Join, Selection, Stride
from alpha.ir.sharding.additions import parts_upwards
from alpha.ir.sharding.groups import groups_by_owner
from alpha.ir.sharding.maps import Block, BlockCyclic, Cyclic, Explicit, ShardMap
from alpha.ir.sharding.shaped_maps import Sizes
from alpha.ir.topologies import PreorderTree, Topology

CASES = 1800
Handed = tuple[tuple[int, int], ...]


def random_setting(random: Random) -> tuple[ShardMap, Contract, int]:
    """A map that gives owners whole groups; often a group an owner."""
    owners = random.randrange(1, 12)
    count = owners if random.random() < 0.6 else random.randrange(1, 14)
    sizes = [random.choice((0, 1, 1, 2, 3)) for _ in range(count)]
    combine = Left() if random.random() < 0.3 else Tree(random.randrange(1, 5))
    kind = random.randrange(6)
    if kind < 3:
        sizes = [min(size, 1) for size in sizes]
        if random.random() < 0.5:
            sizes.sort(reverse=True)
        contract = Contract(sizes, combine)
        return (Cyclic(), Block(), BlockCyclic(random.randrange(1, 4)))[kind], contract, owners
    contract = Contract(sizes, combine)
    if kind == 3 and count == owners:
        return Sizes(sizes), contract, owners
    ends = [0]
    for size in sizes:
        ends.append(ends[-1] + size)
    if kind == 4:
        cuts = sorted(random.randrange(count + 1) for _ in range(owners - 1))
        return (
            Sizes(sum(sizes[low:high]) for low, high in pairwise((0, *cuts, count))),
            contract,
            owners,
        )
    holders = [random.randrange(owners) for _ in sizes]
    items: list[Selection] = []
    for role in range(owners):
        has = [g for g in range(count) if holders[g] == role and sizes[g]]
        strides = tuple(Stride(ends[g], 1, sizes[g]) for g in has)
        items.append(Join(strides) if strides else Empty())
    return Explicit(tuple(items)), contract, owners


def combined(case: Case, role: int) -> Handed:
    """What combining ends with in the subtree of a role, of which it is the root."""
    subtree = case.tree.subtree(role)
    tree = PreorderTree(len(subtree), case.tree.fan_out)
    held = parts_of(case)[subtree.start : subtree.stop]
    left = combine_up(tree, held, case.contract, Expressions(), lambda *_: None)
    return tuple((group, left[group].count) for group in sorted(left))


def found_by_search(case: Case, role: int) -> Handed:
    """The same by adding what can be added; the text of a sum begins with its least group."""
    sums = [[int(group) for group in re.findall("[0-9]+", text)] for text in searched(case, role)]
    counts = case.contract.groups
    return tuple(sorted((sum[0], _total(counts, sum)) for sum in sums))


def _total(counts: Runs, groups: list[int]) -> int:
    return sum(counts[group] for group in groups)


@pytest.mark.parametrize("seed", range(3))
def test_parts_equal_combining(seed: int) -> None:
    random = Random(seed)
    closed = simulated = 0
    while closed + simulated < CASES // 3:
        map, contract, owners = random_setting(random)
        tree = PreorderTree(owners, random.randrange(1, 6))
        try:
            case = Case(contract, tree, groups_by_owner(map, contract, owners))
        except Refusal:
            continue
        up = PartsUp(tree, map, contract, owners)
        closed, simulated = closed + up.as_combined, simulated + (not up.as_combined)
        low = random.randrange(owners)
        roles = range(low, random.randrange(low, owners) + 1)
        dealt = {role: case.deal[role] for role in roles if case.deal[role]}
        assert {role: has for role, has in up.deal(roles).items() if has} == dealt
        for role in range(owners):
            found = up.of(role)
            assert found == combined(case, role), (str(map), contract, tree, role)
            assert found == found_by_search(case, role)
            assert parts_up(tree, map, contract, owners, role) == found
    assert closed > CASES // 20 and simulated > CASES // 10


def test_200_000_owners_are_never_visited(monkeypatch: pytest.MonkeyPatch) -> None:
    """A group an owner, combined as they exchange: one part each, from a few runs."""
    topology = Topology.parse("tree<64>")
    contract = Contract.from_owners(200_000, 6, topology)
    monkeypatch.setattr(parts, "GROUPS_VISITED_MAX", 0)
    for map in (Block(), Cyclic(), Sizes(contract.groups)):
        up = PartsUp(topology.tree(200_000), map, contract, 200_000)
        assert up.of(0) == ((0, 6),)
        assert up.of(1) == ((1, 5),)
        assert up.of(3) == ((3, 1),)
        assert up.of(3126) == ((3126, 0),) and up.of(199_999) == ((199_999, 0),)
    with pytest.raises(IndexError):
        up.of(200_000)


def test_other_orders_cost_the_groups_below() -> None:
    """The sums of 200,000 owners in another order than they exchange: each role's own subtree."""
    topology = Topology.parse("tree<64>")
    tree = topology.tree(200_000)
    one_each = Runs(((200_000, 1),))
    up = PartsUp(tree, Block(), Contract(one_each, Tree(8)), 200_000)
    assert up.of(199_999) == ((199_999, 1),)
    some = up.of(2)
    assert sum(count for _, count in some) == len(tree.subtree(2)) and len(some) < 49
    left = PartsUp(tree, Block(), Contract(one_each, Left()), 200_000)
    assert left.of(1) == tuple((group, 1) for group in tree.subtree(1))
    assert left.of(0) == ((0, 200_000),)
    # Four groups, as they were before, among as many owners: all with the first roles.
    few = Contract((1, 2, 3, 0), Left())
    up = PartsUp(tree, Sizes((*few.groups, *[0] * 199_996)), few, 200_000)
    assert up.of(1) == ((1, 2), (2, 3), (3, 0)) and up.of(2) == ((2, 3), (3, 0))
    assert up.of(4) == () and up.of(3126) == ()


def test_nothing_travels_above_the_top() -> None:
    """Roles that have something, each once and in descending order, up to the one asked for."""
    tree, contract = PreorderTree(20, 2), Contract([1] * 5, Left())
    for top in (0, 1, 11):
        below = tree.subtree(top)
        last, middle = below[-1], below[len(below) // 2]
        deal = {last: [1], middle: [4, 2]}
        found = [(role, dict(parts)) for role, parts in parts_upwards(tree, deal, contract, top)]
        ways = {*tree.path(last), *tree.path(middle)} & {*below}
        assert [role for role, _ in found] == sorted(ways, reverse=True)
        assert found[-1] == (top, {1: 1, 2: 1, 4: 1})


def test_what_is_refused() -> None:
    tree = PreorderTree(3, 2)
    with pytest.raises(ValueError):
        PartsUp(tree, Block(), Contract((1, 1), Left()), 2)
    for map, code in ((Block(), "region-contract-groups"), (Sizes((3, 0, 0)), "")):
        try:
            PartsUp(tree, map, Contract((3,), Left()), 3)
        except Refusal as refusal:
            assert refusal.code == code
        else:
            assert not code
    missing = Explicit((Stride(0, 1, 2), Empty(), Stride(3, 1, 1)))
    with pytest.raises(Refusal) as caught:
        PartsUp(tree, missing, Contract((1, 1, 1, 1), Left()), 3)
    assert caught.value.code == "shard-coverage-missing"


@pytest.mark.parametrize("map", [Block(), Cyclic(), Sizes([1] * 40)], ids=str)
def test_a_simulation_has_a_budget(map: ShardMap, monkeypatch: pytest.MonkeyPatch) -> None:
    topology = PreorderTree(20 if map != Sizes([1] * 40) else 40, 3)
    contract = Contract([1] * 40, Tree(2))
    up = PartsUp(topology, map, contract, topology.count)
    first, last = up.of(1), up.of(topology.count - 1)
    monkeypatch.setattr(parts, "GROUPS_VISITED_MAX", 5)
    again = PartsUp(topology, map, contract, topology.count)
    with pytest.raises(Refusal) as caught:
        again.of(1)
    assert caught.value.code == "select-budget"
    if map == Cyclic():
        return
    assert again.of(topology.count - 1) == last and first
