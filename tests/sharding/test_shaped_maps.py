"""Maps of sizes and of rows agree with lists of coordinates, and say what is wrong with them."""

from __future__ import annotations

from random import Random

import pytest

from alpha.ir.refusals import Refusal
from alpha.ir.sharding.fragments import members
from alpha.ir.sharding.maps import Block, BlockCyclic, Cyclic, Explicit, ShardMap
from alpha.ir.sharding.shaped_maps import Rows, Sizes, widened

OWNERS_MAX = 6


def held(shard_map: ShardMap, owners: int, size: int) -> list[list[int]]:
    """The coordinates of each role, listed."""
    return [members(shard_map.piece(role, owners, size)).tolist() for role in range(owners)]


def test_sizes_are_blocks_in_role_order() -> None:
    random = Random(5)
    for _ in range(300):
        sizes = [random.choice((0, 0, 1, 2, 5)) for _ in range(random.randint(1, OWNERS_MAX))]
        owners, size = len(sizes), sum(sizes)
        shard_map = Sizes(tuple(sizes))
        shard_map.check(owners, size)
        coordinates = iter(range(size))
        expected = [[next(coordinates) for _ in range(count)] for count in sizes]
        assert held(shard_map, owners, size) == expected
        assert [shard_map.piece_size(role, owners, size) for role in range(owners)] == sizes
        for role, mine in enumerate(expected):
            assert all(shard_map.owner(at, owners, size) == role for at in mine)
        assert ShardMap.parse(str(shard_map)) == shard_map
        offsets = [sum(sizes[:role]) for role in range(owners + 1)]
        assert shard_map.same_pieces(Explicit.from_offsets(offsets), owners, size)


def test_rows_belong_to_the_owner_of_their_number() -> None:
    random = Random(6)
    for _ in range(300):
        owners = random.randint(1, OWNERS_MAX)
        width, rows = random.randint(1, 4), random.randint(0, 9)
        inner = random.choice((Cyclic(), Block(), BlockCyclic(random.randint(1, 3))))
        if random.random() < 0.3:
            cuts = sorted(random.randint(0, rows) for _ in range(owners - 1))
            inner = Explicit.from_offsets([0, *cuts, rows])
        shard_map = Rows(width, inner)
        shard_map.check(owners, width * rows)
        expected = [
            [row * width + at for row in mine for at in range(width)]
            for mine in held(inner, owners, rows)
        ]
        assert held(shard_map, owners, width * rows) == expected
        for role, mine in enumerate(expected):
            assert all(shard_map.owner(at, owners, width * rows) == role for at in mine)
        assert ShardMap.parse(str(shard_map)) == shard_map


def test_rows_of_rows_are_wider_rows() -> None:
    wide = Rows(3, Rows(2, Cyclic()))
    assert ShardMap.parse(str(wide)) == wide
    assert wide.same_pieces(Rows(6, Cyclic()), 4, 60)
    assert str(widened(Cyclic().piece(1, 4, 10), 6)) == "repeat(3, 24, stride(6, 1, 6))"


@pytest.mark.parametrize(
    ("shard_map", "owners", "size", "code", "found"),
    [
        (Sizes((1, 2)), 2, 4, "shard-coverage-missing", "none for coordinate 3"),
        (Sizes((1, 2)), 2, 2, "select-universe", "coordinate 2, with owner 1"),
        (Sizes((1, 0, 2)), 3, 1, "select-universe", "coordinate 1, with owner 2"),
        (Sizes((1, 2)), 3, 3, "shard-owner-range", "2 sizes for 3 owners"),
        (Rows(3, Cyclic()), 2, 7, "shard-coverage-missing", "7 words"),
        (Rows(3, Sizes((1, 2))), 2, 6, "select-universe", "coordinate 2, with owner 1"),
    ],
)
def test_what_does_not_fit_is_refused(
    shard_map: ShardMap, owners: int, size: int, code: str, found: str
) -> None:
    with pytest.raises(Refusal) as refused:
        shard_map.check(owners, size)
    assert (refused.value.code, refused.value.found) == (code, found)


def test_coordinates_and_roles_outside_are_index_errors() -> None:
    for shard_map in (Sizes((2, 4)), Rows(2, Block())):
        for index in (-1, 6):
            with pytest.raises(IndexError):
                shard_map.owner(index, 2, 6)
        for role in (-1, 2):
            with pytest.raises(IndexError):
                shard_map.piece(role, 2, 6)


def test_a_map_needs_an_owner_and_a_width() -> None:
    for text, code in (("rows<0, block>", "select-overflow"), ("[]", "shard-owner-range")):
        with pytest.raises(Refusal) as refused:
            ShardMap.parse(text)
        assert refused.value.code == code
