"""Whether owners have whole groups, told from runs, against a look at every sample."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random

from sharding.map_agreement import made_map
from sharding.plain_maps import random_cover

from alpha.ir.contracts import Contract, Left
from alpha.ir.refusals import Refusal
from alpha.ir.sharding.groups import check_whole_groups, groups_by_owner
from alpha.ir.sharding.maps import Block, BlockCyclic, Cyclic, ShardMap
from alpha.ir.sharding.shaped_maps import Rows, Sizes


def by_sample(holders: Sequence[int | None], groups: Sequence[int]) -> str | None:
    """The code of what is wrong with the first group that isn't one owner's, or None."""
    start = 0
    for size in groups:
        held = holders[start : start + size]
        start += size
        if held and held[0] is None:
            return "shard-coverage-missing"
        if any(each != held[0] for each in held):
            return "region-contract-groups"
    return None


def code_of(work: object, map: ShardMap, contract: Contract, owners: int) -> tuple[str, str] | None:
    """What a function refuses: the code and the message."""
    assert callable(work)
    try:
        work(map, contract, owners)
    except Refusal as refusal:
        return refusal.code, refusal.message
    return None


def random_map(random: Random, groups: Sequence[int]) -> tuple[ShardMap, int, list[int | None]]:
    """A map of the samples, or of most, the number of its owners, and who has which sample."""
    size, owners = sum(groups), random.randrange(1, 9)
    match random.randrange(6):
        case 0:
            return Cyclic(), owners, [at % owners for at in range(size)]
        case 1:
            block = random.randrange(1, 6)
            return BlockCyclic(block), owners, [at // block % owners for at in range(size)]
        case 2 if size % 2 == 0:
            return Rows(2, Cyclic()), owners, [at // 2 % owners for at in range(size)]
        case 3:
            ends = sorted(random.randrange(len(groups) + 1) for _ in range(owners - 1))
            if random.random() < 0.3:
                ends[: random.randrange(owners)] = []
            sizes = [sum(groups[a:b]) for a, b in pairwise([0, *ends, len(groups)])]
            if random.random() < 0.6:
                sizes[random.randrange(len(sizes))] += random.choice((-3, -2, -1, 1, 2))
            sizes = [max(each, 0) for each in sizes]
            dealt: list[int | None] = [at for at, each in enumerate(sizes) for _ in range(each)]
            dealt += [None] * max(0, size - len(dealt))
            return Sizes(sizes), len(sizes), dealt[:size]
        case 4:
            items, _ = random_cover(random)
            map = made_map(items)
            holders: list[int | None] = [None] * size
            for role in range(map.roles):
                for at in map.piece(role, map.roles, size):
                    if at < size:
                        holders[at] = role
            return map, map.roles, holders
        case _:
            least, more = divmod(size, owners)
            dealt = [at for at in range(owners) for _ in range(least + (at < more))]
            return Block(), owners, dealt


def test_whole_groups_of_random_maps() -> None:
    random = Random(1)
    seen: dict[str | None, int] = {}
    for _ in range(6000):
        width = random.choice((1, 1, 1, 2, 3, 4))
        groups = [width if random.random() < 0.8 else 0 for _ in range(random.randrange(1, 12))]
        if random.random() < 0.4:
            groups = [random.choice((0, 1, 1, 2, 3)) for _ in groups]
        map, owners, holders = random_map(random, groups)
        contract = Contract(groups, Left())
        found = code_of(check_whole_groups, map, contract, owners)
        wanted = by_sample(holders, groups)
        assert (found and found[0]) == wanted, (str(map), owners, groups, holders)
        if found is not None:
            assert found == code_of(groups_by_owner, map, contract, owners)
        seen[wanted] = seen.get(wanted, 0) + 1
    assert len(seen) == 3 and all(count > 100 for count in seen.values()), seen


def test_a_million_groups_are_a_few_runs() -> None:
    """Groups of 6 in blocks of 12, and one sample later."""
    owners, groups = 1000, [6] * 10**6
    for map in (Block(), BlockCyclic(12), Rows(6, Cyclic()), Sizes([6000] * 1000)):
        check_whole_groups(map, Contract(groups, Left()), owners)
    late = Contract([5, *groups[1:], 1], Left())
    for map, group in ((Block(), 1000), (BlockCyclic(12), 2), (Rows(6, Cyclic()), 1)):
        code = code_of(check_whole_groups, map, late, owners)
        assert code is not None and code[0] == "region-contract-groups"
        assert f"one owner for all 6 samples of group {group}," in code[1]


def test_without_samples_no_map_is_asked() -> None:
    """Not even one that is a map for other owners."""
    for work in (check_whole_groups, groups_by_owner):
        assert code_of(work, Sizes((0, 0, 0)), Contract((0, 0), Left()), 2) is None
        refused = code_of(work, Sizes((0, 1, 0)), Contract((0, 1), Left()), 2)
        assert refused is not None and refused[0] == "shard-owner-range"
