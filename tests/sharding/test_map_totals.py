"""What roles in a row have together, and which maps are blocks or stripes, against lists."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from sharding.map_agreement import made_map
from sharding.plain_maps import pieces_of_items, random_cover, random_item

from alpha.ir.refusals import Refusal
from alpha.ir.selections import Stride
from alpha.ir.sharding.families import Family
from alpha.ir.sharding.maps import Block, BlockCyclic, Cyclic, Explicit, ShardMap
from alpha.ir.sharding.shaped_maps import Rows, Sizes

OWNERS = 200_000


def pieces_of(map: ShardMap, owners: int, size: int) -> list[list[int]]:
    """What each role has, coordinate by coordinate."""
    return [list(map.piece(role, owners, size)) for role in range(owners)]


def agrees(map: ShardMap, pieces: Sequence[Sequence[int]], size: int) -> None:
    """Sizes of all ranges of roles, blocks where there are any, and stripes where they are told."""
    owners = len(pieces)
    sizes = [len(has) for has in pieces]
    assert list(map.piece_sizes(owners, size)) == sizes
    for low in range(owners + 1):
        for high in range(low, owners + 1):
            assert map.range_size(low, high, owners, size) == sum(sizes[low:high])
    blocks = map.blocks(owners, size)
    total = sum(sizes)
    in_order = [at for has in pieces for at in has] == list(range(total))
    assert (None if blocks is None else list(blocks)) == (sizes if in_order else None), str(map)
    stripe = map.stripe(owners, size)
    if stripe is not None:
        for at in range(size):
            assert at in pieces[at // stripe % owners]


def test_regular_maps() -> None:
    for owners in range(1, 8):
        for size in range(25):
            for map in (Cyclic(), Block(), BlockCyclic(1), BlockCyclic(2), BlockCyclic(5)):
                agrees(map, pieces_of(map, owners, size), size)
                wide = Rows(3, map)
                agrees(wide, pieces_of(wide, owners, 3 * size), 3 * size)


def test_sizes() -> None:
    random = Random(1)
    for _ in range(400):
        sizes = [random.choice((0, 0, 1, 1, 2, 5)) for _ in range(random.randrange(1, 9))]
        for map, width in ((Sizes(sizes), 1), (Rows(2, Sizes(sizes)), 2)):
            size = sum(sizes) * width
            ends = [width * sum(sizes[:role]) for role in range(len(sizes) + 1)]
            pieces = [list(range(ends[role], ends[role + 1])) for role in range(len(sizes))]
            assert pieces_of(map, len(sizes), size) == pieces
            agrees(map, pieces, size)
            map.check(len(sizes), size)


def test_explicit_maps() -> None:
    """Right or wrong, with families of families, and roles that have nothing."""
    random = Random(2)
    for _ in range(800):
        items, size = random_cover(random)
        if random.random() < 0.3:
            items, size = [random_item(random, 2) for _ in range(random.randrange(1, 4))], 10**6
        pieces = pieces_of_items(items)
        if len(pieces) <= 40:
            agrees(made_map(items), pieces, size)


def test_blocks_of_families_of_families() -> None:
    """Blocks, said by nests of families whose steps are those of blocks, and by others."""
    seen = 0
    for inner in (2, 3, 4, 5, 6):
        for step in range(8, 40):
            map = Explicit((Family(3, step, Family(inner, 4, Stride(0, 1, 4))),))
            pieces = pieces_of(map, 3 * inner, 10**3)
            agrees(map, pieces, 10**3)
            seen += map.blocks(3 * inner, 10**3) is not None
    assert seen == 5


def test_200_000_owners() -> None:
    for map in (Cyclic(), Block(), BlockCyclic(977), Rows(10**3, Cyclic())):
        size = 10**12
        assert map.range_size(0, OWNERS, OWNERS, size) == size
        low, high = 123_456, 150_001
        middle = map.range_size(low, high, OWNERS, size)
        each = size // OWNERS
        assert abs(middle - (high - low) * each) <= (high - low) * 1000
        rest = map.range_size(0, low, OWNERS, size) + map.range_size(high, OWNERS, OWNERS, size)
        assert middle + rest == size


def test_what_is_not_a_range_of_roles() -> None:
    for map in (Cyclic(), Sizes((1, 2, 3)), Rows(2, Block()), Explicit.from_offsets((0, 1, 3, 6))):
        assert map.range_size(1, 1, 3, 6) == 0
        for low, high in ((-1, 2), (2, 1), (0, 4)):
            with pytest.raises(IndexError):
                map.range_size(low, high, 3, 6)
    with pytest.raises(Refusal) as caught:
        Sizes((1, 2, 3)).range_size(0, 2, 4, 6)
    assert caught.value.code == "shard-owner-range"


def test_the_text_of_sizes() -> None:
    """Runs are written and read as such; a list with a selection in it stays a list of pieces."""
    long = Sizes([1] * 6 + [0] * 199_994)
    assert str(long) == "[1, 1, 1, 1, 1, 1, repeat(199994, 0)]"
    assert ShardMap.parse(str(long)) == long
    assert ShardMap.parse("[ repeat( 2 ,3 ),4, repeat(1, 5)]") == Sizes((3, 3, 4, 5))
    pieces = ShardMap.parse("[repeat(2, 3, stride(0, 1, 1)), stride(1, 1, 1)]")
    assert isinstance(pieces, Explicit)
    # The digest is that of the sizes one by one.
    assert long.structure() == ("sizes", *([1] * 6), *([0] * 199_994))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[repeat(0, 3)]", "source-syntax"),
        ("[repeat(3)]", "source-syntax"),
        ("[repeat(2, 3), stride(0, 1, 1)]", "source-syntax"),
        ("[repeat(16777217, 0)]", "shard-owner-range"),
        (f"[repeat({10**20}, 0)]", "source-integer-limit"),
        ("[repeat(4, 4611686018427387904)]", "select-overflow"),
        ("[repeat(1, 9223372036854775808)]", "select-overflow"),
    ],
)
def test_refused_sizes(text: str, code: str) -> None:
    with pytest.raises(Refusal) as caught:
        ShardMap.parse(text)
    assert caught.value.code == code
