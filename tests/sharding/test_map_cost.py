"""What deciding on 200,000 owners of 10^12 coordinates takes: visits, time and memory.

Why: the limits of time and memory are requirements, so they are measured; that the cost doesn't
    grow with the coordinates or the owners is counted.
"""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
from random import Random

import pytest

from alpha.ir.refusals import Refusal
from alpha.ir.selections import Join, Repeat, Selection, Stride
from alpha.ir.selections.budget import Budget
from alpha.ir.sharding.covers import check_shares
from alpha.ir.sharding.families import moved
from alpha.ir.sharding.maps import Block, BlockCyclic, Cyclic, Explicit, Family, ShardMap

SIZE = 10**12
OWNERS = 200_000

Items = list[Selection | Family]


def columns(side: int, groups: int, owners: int, width: int) -> Items:
    """Columns of a square matrix, `width` an owner, a family for each group of owners."""
    return [
        Family(owners, width, Repeat(side, side, Stride(owners * width * group, 1, width)))
        for group in range(groups)
    ]


def tiles(side: int, down: int, across: int) -> Items:
    """Tiles of a square matrix for a grid of owners: a family of families."""
    high, width = side // down, side // across
    tile = Repeat(high, side, Stride(0, 1, width))
    return [Family(down, high * side, Family(across, width, tile))]


def residues(size: int, count: int, owners: int) -> Items:
    """Every residue is cut into blocks of its own owners: all families interleave."""
    turns = size // count // owners
    return [
        Family(owners, turns * count, Stride(residue, count, turns)) for residue in range(count)
    ]


def random_residues(size: int, count: int, groups: int, owners: int) -> Items:
    """As `residues`, with several residues, by chance, for each group of owners."""
    random = Random(5)
    dealt: list[list[int]] = [[residue] for residue in range(groups)]
    for residue in range(groups, count):
        random.choice(dealt).append(residue)
    turns = size // count // owners
    return [
        Family(
            owners,
            turns * count,
            Repeat(turns, count, Join(tuple(Stride(residue, 1, 1) for residue in has))),
        )
        for has in dealt
    ]


def segments(size: int, count: int, owners: int) -> Items:
    """Segments that aren't divisible, shared out in turn by blocks, cyclic and by blocks dealt."""
    items: Items = []
    low = 0
    for number in range(count):
        own = owners // count + (number < owners % count)
        end = size * (number + 1) // count
        kind = (Block(), Cyclic(), BlockCyclic(977))[number % 3]
        for share in kind.shares(own, end - low):
            piece = moved(share.piece, low)
            level = share.levels[0] if share.levels else None
            items.append(Family(level.count, level.step, piece) if level else piece)
        low = end
    return items


def staggered(size: int, count: int, owners: int) -> Items:
    """Every residue changes hands once, each at another time, between families of owners."""
    items: Items = []
    turns = size // count
    for residue in range(count):
        early = residue + 1
        late, rest = divmod(turns - early * owners, owners)
        start = residue + early * owners * count
        items.append(Family(owners, early * count, Stride(residue, count, early)))
        items.append(Family(owners - 1, late * count, Stride(start, count, late)))
        start += (owners - 1) * late * count
        items.append(Stride(start, count, late + rest))
    return items


FAMILIES: dict[str, Callable[[], Items]] = {
    "block": lambda: [Family(OWNERS, 5 * 10**6, Stride(0, 1, 5 * 10**6))],
    "cyclic": lambda: [Family(OWNERS, 1, Stride(0, OWNERS, 5 * 10**6))],
    "block_cyclic": lambda: [Family(OWNERS, 1000, Repeat(5000, OWNERS * 1000, Stride(0, 1, 1000)))],
    "columns": lambda: columns(10**6, 200, 1000, 5),
    "tiles": lambda: tiles(10**6, 400, 500),
    "residues": lambda: residues(SIZE, 500, 400),
    "random residues": lambda: random_residues(SIZE, 500, 160, 1250),
    "staggered": lambda: staggered(SIZE, 200, 500),
    "staggered before blocks": lambda: [
        *staggered(SIZE // 2, 125, 400),
        Family(OWNERS // 2, 5 * 10**6, Stride(SIZE // 2, 1, 5 * 10**6)),
    ],
    "segments": lambda: segments(SIZE, 150, OWNERS),
}


def nodes_of(shard_map: Explicit) -> int:
    """The index nodes of a map, one for each family included."""
    return sum(
        share.piece.nodes + len(share.levels) for share in shard_map.shares(shard_map.roles, SIZE)
    )


def measured(question: Callable[[], object]) -> tuple[float, int]:
    """Seconds of processor time, the best of five, and bytes at the peak."""
    seconds = []
    for _ in range(5):
        start = time.process_time()
        question()
        seconds.append(time.process_time() - start)
    tracemalloc.start()
    question()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return min(seconds), peak


@pytest.mark.parametrize("family", FAMILIES)
def test_families_of_200_000_owners(family: str) -> None:
    """At most 1,000 index nodes; decided in 50 ms and 50 MB, also with a role too few."""
    shard_map = Explicit(tuple(FAMILIES[family]()))
    assert shard_map.roles == OWNERS and nodes_of(shard_map) <= 1000

    def wrong() -> None:
        with pytest.raises(Refusal) as caught:
            less.check(less.roles, SIZE)
        assert caught.value.code == "shard-coverage-missing"

    first = shard_map.items[0]
    assert isinstance(first, Family)
    shorter = Family(first.count - 1, first.step, first.piece)
    less = Explicit((shorter, *shard_map.items[1:]))
    for question in (lambda: shard_map.check(OWNERS, SIZE), wrong):
        seconds, peak = measured(question)
        assert seconds < 0.05 and peak < 50e6


@pytest.mark.parametrize("kind", [Cyclic(), Block(), BlockCyclic(977)], ids=str)
def test_regular_maps_of_200_000_owners(kind: ShardMap) -> None:
    """Right by construction, and right by the check that explicit maps get; a piece is O(1)."""

    def question() -> None:
        kind.check(OWNERS, SIZE)
        check_shares(kind.shares(OWNERS, SIZE), SIZE)
        assert kind.piece(123_456, OWNERS, SIZE).nodes <= 4
        assert kind.owner(kind.piece(123_456, OWNERS, SIZE).max, OWNERS, SIZE) == 123_456

    seconds, peak = measured(question)
    assert seconds < 0.05 and peak < 50e6


class Visits:
    """Counts what questions spend on index nodes."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.count = 0
        spend = Budget.spend

        def counted(budget: Budget, visits: int) -> None:
            self.count += visits
            spend(budget, visits)

        patch.setattr(Budget, "spend", counted)

    def of(self, question: Callable[[], object]) -> int:
        """What one question spends."""
        self.count = 0
        question()
        return self.count


def test_visits_grow_with_neither_coordinates_nor_owners(monkeypatch: pytest.MonkeyPatch) -> None:
    """10^6 coordinates of 200 owners cost what 10^18 of 200,000 do."""
    visits = Visits(monkeypatch)

    def cost(items: Items, size: int) -> int:
        shard_map = Explicit(tuple(items))
        spent = visits.of(lambda: shard_map.check(shard_map.roles, size))
        assert spent <= 12 * nodes_of(shard_map)
        return spent

    small, large = 10**6, 10**18
    assert cost(columns(10**3, 20, 10, 5), small) == cost(columns(10**9, 20, 10_000, 5000), large)
    assert cost(tiles(10**3, 20, 10), small) == cost(tiles(10**9, 500, 400), large)
    assert cost(residues(small, 20, 10), small) == cost(residues(large, 20, 10_000), large)
    few = random_residues(small, 50, 20, 10)
    assert cost(few, small) == cost(random_residues(large, 50, 20, 10_000), large)
    assert cost(staggered(small, 20, 10), small) == cost(staggered(large, 20, 10_000), large)
    assert cost(segments(small, 12, 200), small) and cost(segments(large, 12, 200_000), large)


def test_comparisons_of_200_000_owners() -> None:
    """Two wordings of one map, and where two maps first differ, without a walk over the owners."""
    whole = {
        Cyclic(): Explicit(tuple(FAMILIES["cyclic"]())),
        Block(): Explicit(tuple(FAMILIES["block"]())),
        BlockCyclic(1000): Explicit(tuple(FAMILIES["block_cyclic"]())),
    }
    for kind, explicit in whole.items():
        for other in whole:
            difference = other.first_difference(explicit, OWNERS, SIZE)
            assert (difference is None) == (other == kind)
            seconds, peak = measured(lambda: other.first_difference(explicit, OWNERS, SIZE))  # noqa: B023
            assert seconds < 0.05 and peak < 50e6
    assert Cyclic().first_difference(Block(), OWNERS, SIZE) == (1, 1, 0)
    assert Block().first_difference(whole[BlockCyclic(1000)], OWNERS, SIZE) == (1000, 0, 1)


def test_a_list_of_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Irregular pieces, one an owner: a few visits each."""
    owners = 40_000
    cuts = [0, *sorted(Random(1).sample(range(1, SIZE), owners - 1)), SIZE]
    visits = Visits(monkeypatch)
    shard_map = Explicit.from_offsets(cuts)
    assert visits.of(lambda: shard_map.check(owners, SIZE)) <= 2 * owners
    cuts[1000] += 1
    difference = shard_map.first_difference(Explicit.from_offsets(cuts), owners, SIZE)
    assert difference == (cuts[1000] - 1, 1000, 999)
    pieces = tuple(Cyclic().piece(role, owners, SIZE) for role in range(owners))
    assert visits.of(lambda: Explicit(pieces).check(owners, SIZE)) <= 2 * owners
    assert Explicit(pieces).same_pieces(Cyclic(), owners, SIZE)
