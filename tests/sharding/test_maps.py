"""Shard maps of every kind against lists of coordinates; their texts and their parameters."""

from __future__ import annotations

from random import Random

import pytest
from sharding.map_agreement import agrees_alone, agrees_in_kind, made_map
from sharding.plain_maps import random_item

from alpha.ir.refusals import Refusal
from alpha.ir.selections import Empty, Join, Repeat, Stride
from alpha.ir.sharding import covers
from alpha.ir.sharding.maps import Block, BlockCyclic, Cyclic, Explicit, Family, ShardMap
from alpha.ir.sharding.shaped_maps import Rows, Sizes

KINDS = (Cyclic(), Block(), *(BlockCyclic(block) for block in (1, 2, 3, 7, 50)))


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_regular_maps(kind: ShardMap) -> None:
    """Sizes that owners and blocks don't divide, more owners than coordinates, no coordinates."""
    for owners in (1, 2, 3, 7, 12):
        for size in (*range(16), 29, 48, 97):
            agrees_in_kind(kind, owners, size)


def test_pieces_that_users_see() -> None:
    """The uneven splits of the cases: sizes as declared, empty owners recorded as empty."""
    assert [str(Block().piece(role, 4, 6)) for role in range(4)] == [
        "stride(0, 1, 2)",
        "stride(2, 1, 2)",
        "stride(4, 1, 1)",
        "stride(5, 1, 1)",
    ]
    assert [Block().piece_size(role, 8, 2) for role in range(8)] == [1, 1, 0, 0, 0, 0, 0, 0]
    assert [Cyclic().piece(role, 3, 0) for role in range(3)] == [Empty()] * 3
    assert str(Cyclic().piece(1, 4, 10)) == "stride(1, 4, 3)"
    assert BlockCyclic(2).piece(0, 2, 9) == Join((Repeat(2, 4, Stride(0, 1, 2)), Stride(8, 1, 1)))
    widths = Sizes((2, 3, 4, 5))
    widths.check(4, 14)
    assert [widths.piece_size(role, 4, 14) for role in range(4)] == [2, 3, 4, 5]


@pytest.mark.parametrize("batch", range(4))
def test_explicit_maps(batch: int) -> None:
    """Pieces, owners and texts of any items, whether the map is right or not."""
    random = Random(batch)
    for _ in range(250):
        agrees_alone([random_item(random, 3) for _ in range(random.randrange(1, 4))])


def test_owners_without_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where (coordinate, role) pairs don't fit 63 bits, the roles are looked at one by one."""
    monkeypatch.setattr(covers, "LIMIT", 1)
    random = Random(9)
    for _ in range(250):
        agrees_alone([random_item(random, 2) for _ in range(random.randrange(1, 4))])


def test_a_family_of_families() -> None:
    """Tiles of a 4 x 6 matrix for a 2 x 3 grid of owners: role 4 has rows 2, 3 and columns 2, 3."""
    tiles = ShardMap.parse("[family(2, 12, family(3, 2, repeat(2, 6, stride(0, 1, 2))))]")
    tiles.check(6, 24)
    assert list(tiles.piece(4, 6, 24)) == [14, 15, 20, 21]
    assert [tiles.owner(at, 6, 24) for at in (0, 2, 4, 6, 14, 23)] == [0, 1, 2, 0, 4, 5]


@pytest.mark.parametrize(
    "text",
    [
        "cyclic",
        "block",
        "block_cyclic<2>",
        "[stride(0, 1, 3), empty, stride(3, 1, 3)]",
        "[family(100000, 5, repeat(10, 500000, stride(0, 1, 5)))]",
        "[family(2, 12, family(3, 2, repeat(2, 6, stride(0, 1, 2)))), empty]",
        "[family(1, 1, empty), join(stride(0, 1, 1), stride(5, 2, 2))]",
        "[1, 2, 3, 0]",
        "rows<3, block>",
        "rows<4, [stride(0, 1, 3), empty]>",
        "rows<2, rows<3, cyclic>>",
    ],
)
def test_texts(text: str) -> None:
    """What is printed reads back as an equal map, whatever white space there is."""
    shard_map = ShardMap.parse(text)
    assert str(shard_map) == text
    spaced = text.replace("(", " ( ").replace(",", " ,\n").replace("[", "\t[ ").replace("<", " < ")
    assert ShardMap.parse(f" {spaced} ") == shard_map
    assert ShardMap.parse(spaced).digest() == shard_map.digest()


def test_digests_are_of_the_expression() -> None:
    """Equal maps in other words, and other maps, have other digests."""
    maps: list[ShardMap] = [
        *KINDS,
        Explicit((Stride(0, 1, 2), Stride(2, 1, 2))),
        Explicit((Family(2, 2, Stride(0, 1, 2)),)),
        Explicit((Family(1, 2, Stride(0, 1, 2)), Stride(2, 1, 2))),
        Sizes((2, 2)),
        Rows(2, Block()),
    ]
    assert len({shard_map.digest() for shard_map in maps}) == len(maps)


@pytest.mark.parametrize(
    ("text", "code", "says"),
    [
        ("", "source-syntax", "cyclic, block, block_cyclic<B>"),
        ("cyclics", "source-syntax", "found 'cyclics'"),
        ("block_cyclic", "source-syntax", "block_cyclic<B>"),
        ("block_cyclic<-1>", "source-syntax", "block_cyclic<B>"),
        ("block_cyclic<0>", "select-overflow", "from 1 to 2^63 - 1, found 0"),
        (f"block_cyclic<{'9' * 40}>", "source-integer-limit", "40 digits"),
        (f"block_cyclic<{2**63}>", "select-overflow", str(2**63)),
        ("[]", "shard-owner-range", "at least 1 owner"),
        ("[ ]", "shard-owner-range", "at least 1 owner"),
        ("[stride(0, 1, 3)", "source-syntax", "a list in brackets"),
        ("[stride(0, 1, 3),]", "source-syntax", "family(COUNT, STEP, ...)"),
        ("[stride(0, 1, 3), stride(1, 2)]", "source-syntax", "',' at column 13"),
        ("[stride(0, 1, 3)), empty]", "source-syntax", "the end of a selection"),
        ("[[stride(0, 1, 3)]]", "source-syntax", "found '[stride(0, 1, 3)]'"),
        ("[family(2, 3)]", "source-syntax", "found 'family(2, 3)'"),
        ("[family(2, 3, stride(0, 1, 2)]", "source-syntax", "')' at column 16"),
        ("[family(2, 3, stride(0, 1, 2]", "source-syntax", "')' at the end of a family"),
        ("[family(2, 3, stride(0, 1, 2)) empty]", "source-syntax", "')' at the end of a family"),
        ("[family(0, 3, stride(0, 1, 2))]", "select-overflow", "the count of a family"),
        ("[family(2, 0, stride(0, 1, 2))]", "select-overflow", "the step of a family"),
        (f"[family(2, {2**63 - 2}, stride(0, 1, 3))]", "select-overflow", "greatest coordinate"),
        (f"[family({2**62}, 1, family(4, 1, empty))]", "select-overflow", "number of roles"),
        ("[repeat(2, 3, stride(0, 1, 4))]", "select-repeat-span", "a step above 3"),
        (f"[{'family(1, 1, ' * 64}empty{')' * 64}]", None, ""),
        (f"[{'family(1, 1, ' * 65}empty{')' * 65}]", "source-nesting-limit", "64 deep"),
        (f"{'rows<1, ' * 10_000}cyclic{'>' * 10_000}", "source-nesting-limit", "64 deep"),
        ("rows<0, cyclic>", "select-overflow", "found 0"),
        ("rows<2, cyclic", "source-syntax", "rows<W, ...>"),
    ],
)
def test_refused_texts(text: str, code: str | None, says: str) -> None:
    """What isn't the text of a map; what stands in a list is named by the number of its item."""
    if code is None:
        assert str(ShardMap.parse(text)) == text
        return
    with pytest.raises(Refusal) as caught:
        ShardMap.parse(text)
    assert caught.value.code == code
    assert says in caught.value.message


def test_the_item_is_named() -> None:
    """A note says which item of a list is refused."""
    with pytest.raises(Refusal) as caught:
        ShardMap.parse("[empty, stride(0, 1, 3), strid(0, 1, 3)]")
    assert [note.message for note in caught.value.notes] == [
        "in item 2 of the map, 'strid(0, 1, 3)'"
    ]


def test_numbers_out_of_range() -> None:
    """No owner, other owners than an explicit map has, sizes of 2^63; a role that isn't one."""
    explicit = made_map([("stride", 0, 1, 3), ("empty",)])
    for shard_map in (*KINDS, explicit):
        for owners, size, code in (
            (0, 3, "shard-owner-range"),
            (-1, 3, "shard-owner-range"),
            (2, -1, "select-overflow"),
            (2, 2**63, "select-overflow"),
        ):
            with pytest.raises(Refusal) as caught:
                shard_map.check(owners, size)
            assert caught.value.code == code
        for role in (-1, 2):
            with pytest.raises(IndexError):
                shard_map.piece(role, 2, 3)
        for at in (-1, 3):
            with pytest.raises(IndexError):
                shard_map.owner(at, 2, 3)
        shard_map.check(2, 3)
    with pytest.raises(Refusal, match="found 2 pieces for 3 owners"):
        explicit.piece(0, 3, 3)
    with pytest.raises(Refusal, match="none for coordinate 3"):
        explicit.owner(3, 2, 4)


def test_the_largest_domain() -> None:
    """2^63 - 1 coordinates for one owner, for three, and in blocks larger than the domain."""
    size = 2**63 - 1
    for kind in (Cyclic(), Block(), BlockCyclic(size), BlockCyclic(1 << 62), BlockCyclic(3)):
        for owners in (1, 3, 200_000):
            kind.check(owners, size)
            assert size - 1 in kind.piece(kind.owner(size - 1, owners, size), owners, size)
            sizes = sum(share.piece.size * share.roles for share in kind.shares(owners, size))
            assert sizes == size


def test_offsets() -> None:
    """Role r has the coordinates from offset r to offset r + 1; equal offsets are an empty role."""
    shard_map = Explicit.from_offsets([0, 2, 2, 6])
    assert str(shard_map) == "[stride(0, 1, 2), empty, stride(2, 1, 4)]"
    shard_map.check(3, 6)
    for offsets, code in (
        ([], "shard-owner-range"),
        ([0], "shard-owner-range"),
        ([0, 4, 2], "select-order"),
        ([-1, 4], "select-overflow"),
        ([0, 2**63], "select-overflow"),
    ):
        with pytest.raises(Refusal) as caught:
            Explicit.from_offsets(offsets)
        assert caught.value.code == code
