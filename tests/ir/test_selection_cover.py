"""Covers against an enumeration of holders, and 200,000 parts over 10^12 coordinates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import pytest
from plain_sets.agreement import agrees_in_cover, agrees_in_pair, made
from plain_sets.enumeration import form_of, periodic_form

from alpha.ir.refusals import Refusal
from alpha.ir.selections import Empty, Join, Repeat, Selection, Stride, windows
from alpha.ir.selections.relations import (
    CoverFlaw,
    check_cover,
    contains,
    disjoint,
    first_common,
    first_difference,
    first_outside,
    same_members,
)

SIZE = 10**12
OWNERS = 200_000


def block_cyclic(owners: int, block: int, size: int) -> list[Selection]:
    """Blocks of `block` coordinates dealt out in turn; the last block may be short."""
    period = owners * block
    result: list[Selection] = []
    for start in range(0, period, block):
        whole = max(0, (size - start - block) // period + 1)
        short = min(max(0, size - start - whole * period), block)
        inner = Stride(start, 1, block)
        parts: list[Selection] = [Repeat(whole, period, inner)] if whole else []
        if short:
            parts.append(Stride(start + whole * period, 1, short))
        result.append(Join(tuple(parts)) if len(parts) == 2 else parts[0] if parts else Empty())
    return result


def cyclic(owners: int, size: int) -> list[Selection]:
    """Coordinate i belongs to i mod owners."""
    return [
        Stride(owner, owners, -(-(size - owner) // owners)) if owner < size else Empty()
        for owner in range(owners)
    ]


def block(owners: int, size: int) -> list[Selection]:
    """Contiguous ranges whose sizes differ by at most one, larger first."""
    least, larger = divmod(size, owners)
    result: list[Selection] = []
    start = 0
    for owner in range(owners):
        count = least + (owner < larger)
        result.append(Stride(start, 1, count) if count else Empty())
        start += count
    return result


def random_partition(random: Random, size: int) -> list[list[int]]:
    """Who owns what: by one of the maps, one inside another, or by chance."""
    owners = random.randrange(1, 8)
    kind = random.randrange(5)
    width = random.randrange(1, 5)
    outer = random.randrange(1, 30)
    rules: Sequence[Callable[[int], int]] = (
        lambda at: at % owners,
        lambda at: at * owners // size,
        lambda at: at // width % owners,
        lambda at: at % outer * owners // outer,
        lambda at: random.randrange(owners),
    )
    result: list[list[int]] = [[] for _ in range(owners)]
    for at in range(size):
        result[rules[kind](at)].append(at)
    random.shuffle(result)
    return result


@pytest.mark.parametrize("batch", range(8))
def test_random_partitions(batch: int) -> None:
    """Whole or with one or two coordinates lost, doubled or moved: the first flaw is found."""
    random = Random(batch)
    kinds = {None: 0, True: 0, False: 0}
    for _ in range(1000):
        size = random.randrange(1, random.choice((12, 60, 300)))
        partition = random_partition(random, size)
        for _ in range(random.choice((0, 0, 1, 2))):
            at, owner = random.randrange(size), random.randrange(len(partition))
            if at in partition[owner]:
                partition[owner].remove(at)
            else:
                partition[owner] = sorted([*partition[owner], at])
        make = periodic_form if random.random() < 0.7 else form_of
        flaw = agrees_in_cover([make(random, members) for members in partition], size)
        kinds[flaw.is_missing if flaw else None] += 1
    assert min(kinds.values()) > 100


@pytest.mark.parametrize("batch", range(4))
def test_periodic_pairs(batch: int) -> None:
    """Sets that are alike for long: one pattern in two expressions, and a late exception."""
    random = Random(batch)
    for _ in range(100):
        period, size = random.randrange(2, 25), random.randrange(50, 700)
        kept = [at for at in range(period) if random.random() < 0.5]
        members = [at for at in range(size) if at % period in kept] or [0]
        one = made(periodic_form(random, members))
        other = made(periodic_form(random, members))
        agrees_in_pair(one, other, set(members), set(members))
        changed = sorted({*members} ^ {size - 1 - int(random.expovariate(0.05)) % size})
        third = made(periodic_form(random, changed))
        agrees_in_pair(one, third, set(members), set(changed))
        agrees_in_pair(third, one, set(changed), set(members))
        rest = sorted({*range(size)} - {*changed})
        agrees_in_pair(made(periodic_form(random, rest)), other, set(rest), set(members))


@pytest.mark.parametrize("owners", [1, 2, 3, 7, 20, 64])
def test_families_of_every_size(owners: int) -> None:
    """Sizes that the owners and blocks don't divide, also with more owners than coordinates."""
    for size in (0, 1, 2, 5, 19, 20, 63, 64, 65, 200, 1000):
        for parts in (
            block(owners, size),
            cyclic(owners, size),
            block_cyclic(owners, 1, size),
            block_cyclic(owners, 3, size),
            block_cyclic(owners, 17, size),
        ):
            assert sorted(member for part in parts for member in part) == list(range(size))
            assert check_cover(parts, size) is None
            assert check_cover(parts, size + 1) == CoverFlaw(size, ())


FAMILIES: dict[str, Callable[[int], list[Selection]]] = {
    "block": lambda owners: block(owners, SIZE),
    "cyclic": lambda owners: cyclic(owners, SIZE),
    "cyclic, not divisible": lambda owners: cyclic(owners - 1, SIZE),
    "block_cyclic<1000>": lambda owners: block_cyclic(owners, 1000, SIZE),
    "block_cyclic<977>": lambda owners: block_cyclic(owners, 977, SIZE),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_200_000_owners_of_a_million_million_coordinates(family: str) -> None:
    """Decided within 12 visits an owner, whatever the number of coordinates is."""
    parts = FAMILIES[family](OWNERS)
    assert check_cover(parts, SIZE, visits_max=12 * OWNERS) is None


@pytest.mark.parametrize("family", FAMILIES)
def test_the_last_coordinate_of_a_large_family(family: str) -> None:
    """Missing or doubled, it is found as fast as that nothing is wrong."""
    parts = FAMILIES[family](5000)
    visits = 12 * len(parts) + 100
    assert check_cover(parts, SIZE + 1, visits) == CoverFlaw(SIZE, ())
    last = next(number for number, part in enumerate(parts) if SIZE - 1 in part)
    doubled = [*parts, Stride(SIZE - 1, 1, 1)]
    assert check_cover(doubled, SIZE, visits) == CoverFlaw(SIZE - 1, (last, len(parts)))
    first = parts[last].min
    parts[last] = Empty()
    assert check_cover(parts, SIZE, visits) == CoverFlaw(first, ())


def test_the_first_flaw_in_a_large_family() -> None:
    """One owner's last turn is missing; one owner's coordinates are another's."""
    owners, owner = 5000, 1234
    parts = block_cyclic(owners, 977, SIZE)
    period, start = owners * 977, owner * 977
    whole = (SIZE - start - 977) // period
    parts[owner] = Repeat(whole, period, Stride(start, 1, 977))
    assert check_cover(parts, SIZE) == CoverFlaw(start + whole * period, ())
    parts = cyclic(owners, SIZE)
    parts[owner] = parts[owner + 2]
    assert check_cover(parts, SIZE) == CoverFlaw(owner, ())
    parts[owner] = Stride(owner, owners, 4)
    parts[7] = Stride(7, 1, 2)
    assert check_cover(parts, SIZE) == CoverFlaw(8, (7, 8))


def staggered(residues: int, turns: int) -> list[Selection]:
    """Residue r modulo `residues` changes hands after r + 1 turns, each at another time."""
    result: list[Selection] = []
    for residue in range(residues):
        change = residue + residues * (residue + 1)
        result.append(Stride(residue, residues, residue + 1))
        result.append(Stride(change, residues, turns - residue - 1))
    return result


def test_a_cover_that_would_take_too_long_is_refused() -> None:
    """As many different cells as parts: right, but decided only if that isn't too much work."""
    size = 10**12
    assert check_cover(staggered(50, size // 50), size) is None
    with pytest.raises(Refusal, match="cover by selections within 2000 visits") as caught:
        check_cover(staggered(50, size // 50), size, visits_max=2000)
    assert caught.value.code == "select-budget"
    with pytest.raises(Refusal) as caught:
        check_cover(staggered(1000, size // 1000), size)
    assert caught.value.code == "select-budget"
    parts = staggered(1000, size // 1000)
    assert check_cover([*parts[:9], *parts[10:]], size) == CoverFlaw(5004, ())


def test_rounds_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A question that nests deeper than any that is known is refused, not a crash."""
    parts = [Repeat(10, 12, Stride(0, 2, 3)), Repeat(10, 12, Stride(1, 2, 3))]
    parts += [Repeat(10, 12, Stride(6 + at, 2, 3)) for at in (0, 1)]
    assert check_cover(parts, 120) is None
    monkeypatch.setattr(windows, "ROUNDS_MAX", 1)
    with pytest.raises(Refusal) as caught:
        check_cover(parts, 120)
    assert caught.value.code == "select-budget"


def test_visits_do_not_grow_with_the_coordinates() -> None:
    """The least budget that is enough is the same for 10^6 and for 10^18 coordinates."""

    def least(size: int) -> int:
        parts = block_cyclic(100, 10, size)
        low, high = 0, 1 << 20
        while low < high:
            middle = (low + high) // 2
            try:
                assert check_cover(parts, size, middle) is None
                high = middle
            except Refusal as refusal:
                assert refusal.code == "select-budget"
                low = middle + 1
        return low

    assert least(10**6) == least(10**18)


def test_members_outside_the_universe() -> None:
    """Refused before anything else is said, with the part and its first such member."""
    with pytest.raises(Refusal, match="below 9, found member 10 in part 1") as caught:
        check_cover([Stride(0, 1, 3), Stride(4, 6, 3)], 9)
    assert caught.value.code == "select-universe"
    with pytest.raises(Refusal):
        check_cover([Stride(0, 1, 1)], 0)
    assert check_cover([], 0) is None and check_cover([Empty()], 0) is None
    assert check_cover([], 1) == CoverFlaw(0, ())


def regular(count: int) -> Selection:
    """The group of 200,000 roles, if repeated 625 times."""
    return Repeat(count, 320, Repeat(8, 40, Repeat(2, 20, Stride(0, 1, 20))))


@pytest.mark.parametrize(
    ("one", "other", "common", "difference", "outside"),
    [
        (regular(625), Stride(0, 1, 200_000), 0, None, None),
        (regular(625), regular(626), 0, 200_000, None),
        (regular(626), regular(625), 0, 200_000, 200_000),
        (Stride(0, 2, 10**17), Repeat(10**8, 2 * 10**9, Stride(0, 2, 10**9)), 0, None, None),
        (Stride(0, 2, 10**17), Stride(1, 2, 10**17), None, 0, 0),
        # 3 + 10^6 a = 5 + (10^6 + 1) b: b is 2 less than a multiple of 10^6, at first 10^6 - 2.
        (Stride(3, 10**6, 10**12), Stride(5, 10**6 + 1, 10**12), 999_999_000_003, 3, 3),
        (Stride(6, 12, 10**15), Stride(0, 6, 10**16), 6, 0, None),
        (Stride(6, 12, 10**15), Stride(0, 6, 10**15), 6, 0, 6 * 10**15 + 6),
        (
            Repeat(10**9, 1000, Stride(0, 1, 10)),
            Repeat(10**9, 1000, Stride(10, 1, 990)),
            None,
            0,
            0,
        ),
    ],
)
def test_large_pairs(
    one: Selection,
    other: Selection,
    common: int | None,
    difference: int | None,
    outside: int | None,
) -> None:
    """Known answers where no enumeration could end."""
    assert first_common(one, other) == common == first_common(other, one)
    assert first_difference(one, other) == difference == first_difference(other, one)
    assert first_outside(one, other) == outside
    assert disjoint(one, other) == (common is None)
    assert same_members(one, other) == (difference is None)
    assert contains(other, one) == (outside is None)


def tangled(odd: int) -> tuple[Selection, Selection]:
    """Two selections that are never apart for long and don't meet if one is moved by an odd number.

    All steps are even, and divided by 2 they have no common divisor.
    """
    one = Repeat(1_000_003, 2_000_006, Repeat(991, 2018, Stride(0, 6, 300)))
    other = Repeat(999_983, 2_000_018, Repeat(997, 2006, Stride(odd, 10, 150)))
    return one, other


def test_a_meeting_that_would_take_too_long_is_refused() -> None:
    """The same question has an early answer if they do meet."""
    one, other = tangled(4)
    assert first_common(one, other) == 24
    with pytest.raises(Refusal, match="common members of two selections within") as caught:
        first_common(*tangled(3), visits_max=5000)
    assert caught.value.code == "select-budget"


def test_a_join_whose_fault_is_hard_to_name_is_out_of_order() -> None:
    """Whether its parts meet isn't decided in a few visits; that they cross is enough."""
    with pytest.raises(Refusal) as caught:
        Join(tangled(3))
    assert caught.value.code == "select-order"
    with pytest.raises(Refusal) as caught:
        Join(tangled(4))
    assert caught.value.code == "select-overlap"
