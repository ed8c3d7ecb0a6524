"""Coverage of shard maps against a count of every coordinate's owners, and what is refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from unittest.mock import Mock

import pytest
from plain_sets.enumeration import form_of, periodic_form
from sharding.map_agreement import agrees_in_check, agrees_in_pair, made_map
from sharding.plain_maps import (
    CROSSING,
    Item,
    first_flaw,
    pieces_of_items,
    random_cover,
    random_item,
    rescaled,
    roles_of,
)

from alpha.ir.refusals import Refusal
from alpha.ir.selections import Empty, Repeat, Stride
from alpha.ir.sharding import covers, residues
from alpha.ir.sharding.maps import Block, Explicit, Family, ShardMap


@pytest.mark.parametrize("batch", range(4))
def test_right_maps(batch: int) -> None:
    """Accepted for their own domain, refused for one coordinate more or less."""
    random = Random(batch)
    for _ in range(500):
        items, size = random_cover(random)
        assert agrees_in_check(items, size) is None
        assert agrees_in_check(items, size + 1) == (
            "shard-coverage-missing",
            f"none for coordinate {size}",
        )
        flaw = agrees_in_check(items, size - 1)
        assert flaw is not None and flaw.code == "select-universe"


@pytest.mark.parametrize("least", [1, 3])
def test_parts_that_are_decided_on_their_own(least: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever a few parts lie inside one another; with some coordinates taken away or added."""
    monkeypatch.setattr(residues, "CLUSTER_PARTS_MIN", least)
    assert agrees_in_check(CROSSING, 25) is None
    random = Random(least)
    for _ in range(700):
        items, size = random_cover(random)
        assert agrees_in_check(items, size) is None
        pieces = pieces_of_items(items)
        for _ in range(random.randrange(1, 3)):
            at, role = random.randrange(size), random.randrange(len(pieces))
            pieces[role] = sorted({*pieces[role]} ^ {at})
        agrees_in_check([periodic_form(random, has) for has in pieces], size)


@pytest.mark.parametrize("batch", range(4))
def test_maps_of_any_items(batch: int) -> None:
    """Mostly wrong: families that overlap themselves, each other, or leave gaps."""
    random = Random(batch)
    kinds: Counter[str | None] = Counter()
    for _ in range(1000):
        items = [random_item(random, 2) for _ in range(random.randrange(1, 4))]
        top = max((has[-1] for has in pieces_of_items(items) if has), default=0)
        flaw = agrees_in_check(items, top + random.choice((0, 1, 1, 1, 1, 2)))
        kinds[flaw.code if flaw else None] += 1
    assert len(kinds) == 4 and min(kinds.values()) >= 5


def moved_piece(random: Random, items: list[Item], size: int) -> list[Item] | None:
    """An item's coordinates are moved within the domain."""
    number = random.randrange(len(items))
    tops = [has[-1] for has in roles_of(items[number]) if has]
    lows = [has[0] for has in roles_of(items[number]) if has]
    offsets = [by for by in range(-min(lows, default=0), size - max(tops, default=size)) if by]
    if not offsets:
        return None
    return [
        *items[:number],
        rescaled(items[number], 1, random.choice(offsets)),
        *items[number + 1 :],
    ]


def doubled_piece(random: Random, items: list[Item], size: int) -> list[Item] | None:
    """A role has what another one has that is as large, in the place of its own."""
    pieces = pieces_of_items(items)
    one, other = random.randrange(len(pieces)), random.randrange(len(pieces))
    if len(pieces[one]) != len(pieces[other]) or pieces[one] == pieces[other]:
        return None
    pieces[one] = pieces[other]
    return [form_of(random, has) for has in pieces]


def swapped_coordinates(random: Random, items: list[Item], size: int) -> list[Item] | None:
    """A role has some coordinates of others in the place of as many of its own."""
    pieces = pieces_of_items(items)
    role = random.randrange(len(pieces))
    others = sorted({*range(size)} - {*pieces[role]})
    count = min(len(others), len(pieces[role]), random.randrange(1, 4))
    if not count:
        return None
    kept = random.sample(pieces[role], len(pieces[role]) - count)
    pieces[role] = sorted([*kept, *random.sample(others, count)])
    return [periodic_form(random, has) for has in pieces]


WRONG: dict[str, Callable[[Random, list[Item], int], list[Item] | None]] = {
    "moved": moved_piece,
    "doubled": doubled_piece,
    "swapped": swapped_coordinates,
}


@pytest.mark.parametrize("batch", range(2))
@pytest.mark.parametrize("kind", WRONG)
def test_maps_of_the_right_total(kind: str, batch: int) -> None:
    """10,000 wrong maps whose sizes add up: all refused, with the first wrong coordinate."""
    random = Random(f"{kind} {batch}")
    refused = 0
    while refused < 1667:
        items, size = random_cover(random, 1)
        wrong = WRONG[kind](random, items, size)
        if wrong is None:
            continue
        assert sum(len(has) for has in pieces_of_items(wrong)) == size
        assert agrees_in_check(wrong, size) is not None
        refused += 1


def test_pieces_of_two_owners_swapped() -> None:
    """Still a cover; that it is another map, and where, is what the comparison says."""
    random = Random(4)
    for _ in range(500):
        items, size = random_cover(random, 1)
        pieces = pieces_of_items(items)
        one, other = random.randrange(len(pieces)), random.randrange(len(pieces))
        pieces[one], pieces[other] = pieces[other], pieces[one]
        swapped = [form_of(random, has) for has in pieces]
        assert agrees_in_check(swapped, size) is None
        agrees_in_pair(items, swapped)


@pytest.mark.parametrize("pairs", ["by pairs", "by role", "by role, beyond 63 bits"])
def test_pairs_of_maps(pairs: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One set of owners in two wordings, with a coordinate taken away, and any two maps."""
    monkeypatch.setattr(covers, "BY_ROLE_FACTOR", 0 if pairs == "by pairs" else 1000)
    if pairs == "by role, beyond 63 bits":
        monkeypatch.setattr(covers, "LIMIT", 1)
    random = Random(6)
    for _ in range(700):
        wild = random.random() < 0.5
        items = [random_item(random, 2)] if wild else random_cover(random)[0]
        pieces = pieces_of_items(items)
        agrees_in_pair(items, [periodic_form(random, has) for has in pieces])
        random.choice(pieces)[0:1] = []
        less: list[Item] = [form_of(random, has) for has in pieces]
        agrees_in_pair(items, less)
        agrees_in_pair(less, items)
        random.shuffle(less)
        agrees_in_pair(items, less)


def test_pairs_without_a_pattern_are_compared_by_role(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the pairs of two maps would take too many visits."""
    monkeypatch.setattr(covers, "BY_ROLE_FACTOR", 0)
    refused = Mock(side_effect=Refusal("select-budget", "few visits", "many"))
    monkeypatch.setattr(covers, "_pairs", refused)
    random = Random(7)
    for _ in range(100):
        items, _ = random_cover(random, 1)
        pieces = pieces_of_items(items)
        random.choice(pieces)[0:1] = []
        agrees_in_pair(items, [form_of(random, has) for has in pieces])
    assert refused.call_count >= 100


def test_an_empty_shard_anywhere() -> None:
    """At every place of a list, alone and as a family; and of a domain without coordinates."""
    for items in (
        [("stride", 0, 1, 2), ("stride", 2, 1, 4)],
        [("family", 3, 2, ("stride", 0, 1, 2))],
    ):
        for nobody in (("empty",), ("family", 3, 7, ("empty",))):
            for at in range(len(items) + 1):
                assert agrees_in_check([*items[:at], nobody, *items[at:]], 6) is None
    assert agrees_in_check([("empty",), ("empty",)], 0) is None


@pytest.mark.parametrize(
    ("offsets", "owners", "code", "message"),
    [
        (
            [0, 2, 4],
            2,
            "shard-coverage-missing",
            "expected an owner for each of 6 coordinates, found none for coordinate 4",
        ),
        (
            [2, 4, 6],
            2,
            "shard-coverage-missing",
            "expected an owner for each of 6 coordinates, found none for coordinate 0",
        ),
        (
            [0, 5, 9],
            2,
            "select-universe",
            "expected coordinates below 6, found coordinate 6 of owner 1",
        ),
        (
            [0, 1, 2, 3, 4, 5, 6],
            8,
            "shard-owner-range",
            "expected one piece for each owner, found 6 pieces for 8 owners",
        ),
        (
            [0, 1, 2, 3, 4, 5, 6, 6],
            8,
            "shard-owner-range",
            "expected one piece for each owner, found 7 pieces for 8 owners",
        ),
    ],
)
def test_offsets_of_six_coordinates(
    offsets: list[int], owners: int, code: str, message: str
) -> None:
    """What MLIR's shard dialect accepts."""
    with pytest.raises(Refusal) as caught:
        Explicit.from_offsets(offsets).check(owners, 6)
    assert (caught.value.code, caught.value.message) == (code, message)


def test_pieces_of_a_copy_plan() -> None:
    """Two pieces of four words that both go to the first two: 0 has two owners, a note each."""
    with pytest.raises(Refusal) as caught:
        ShardMap.parse("[stride(0, 1, 2), stride(0, 1, 2)]").check(2, 4)
    assert caught.value.code == "shard-coverage-duplicate"
    assert caught.value.found == "owners 0 and 1 for coordinate 0"
    assert [note.message for note in caught.value.notes] == [
        "owner 0 has 2 coordinates from 0 to 1",
        "owner 1 has 2 coordinates from 0 to 1",
    ]
    with pytest.raises(Refusal, match="none for coordinate 2") as caught:
        Explicit.from_offsets([0, 2]).check(1, 4)
    assert not caught.value.notes


def test_families_that_interleave_without_a_pattern() -> None:
    """No two copies share a coordinate and none nest: decided copy by copy, or refused."""
    few = Explicit((Family(2, 6, Stride(0, 4, 100)),))
    with pytest.raises(Refusal, match="none for coordinate 1"):
        few.check(2, 500)
    many = Explicit((Family(10**6, 10**6 + 1, Stride(0, 10**6, 10**6)),))
    with pytest.raises(Refusal, match="union of a shard map within") as caught:
        many.check(10**6, 2 * 10**12)
    assert caught.value.code == "select-budget"
    # Copies that do collide are looked at up to the first collision only.
    wrong = Explicit((Family(10**6, 1, Stride(0, 1, 10**6)),))
    with pytest.raises(Refusal, match="owners 0 and 1 for coordinate 1") as caught:
        wrong.check(10**6, 2 * 10**6)
    assert caught.value.code == "shard-coverage-duplicate"


def test_deep_pieces_in_deep_families() -> None:
    """Copies don't nest deeper than selections may; a join is then cut into its parts."""
    piece = Stride(0, 1, 1)
    for _ in range(63):
        piece = Repeat(1, 1, piece)
    families = Family(3, 2, Family(2, 1, piece))
    for shard_map in (Explicit((families,)), ShardMap.parse(f"[{families}]")):
        shard_map.check(6, 6)
        assert shard_map.same_pieces(Block(), 6, 6)
    text = f"{'join(' * 63}stride(0, 1, 1){')' * 63}"
    for levels in range(4):
        text = f"family(2, {2**levels}, {text})"
    shard_map = ShardMap.parse(f"[{text}]")
    shard_map.check(16, 16)
    assert shard_map.same_pieces(Block(), 16, 16)


def test_no_owner_has_two_pieces_of_one_number() -> None:
    """Every item is one owner's, or a family's; a list for one owner is a join."""
    with pytest.raises(Refusal, match="found 2 pieces for 1 owners"):
        Explicit((Stride(0, 1, 3), Empty())).check(1, 3)
    assert first_flaw([[0, 1, 2]], 3) is None
    made_map([("join", ("stride", 0, 1, 1), ("stride", 1, 1, 2))]).check(1, 3)
