"""The page that compares shard maps with MLIR's shard dialect says what the project does."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from alpha.ir.refusals import Refusal
from alpha.ir.sharding.maps import Explicit, ShardMap

PAGE = Path(__file__).resolve().parents[2] / "docs" / "mlir_shard.md"
SIZE = 6


def rows(columns: int) -> list[list[str]]:
    """The cells of the rows of the tables with so many columns, without the headings."""
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in PAGE.read_text(encoding="utf-8").splitlines()
        if line.startswith("|")
    ]
    return [row for row in cells if len(row) == columns and "`[" in row[-1] + row[-2]]


def answer(shard_map: ShardMap, owners: int) -> str:
    """What a refusal looks like on the page."""
    try:
        shard_map.check(owners, SIZE)
    except Refusal as refusal:
        return f"`[{refusal.code}] {refusal.message}`"
    return "none"


def offsets_in_mlir(offsets: list[int], extents: list[int]) -> bool:
    """The rule of MLIR's verifier for a dimension that is split along axes of these extents."""
    shards = sum(extents)
    used = offsets[: shards + 1]
    return len(offsets) > shards and used == sorted(used) and used[0] >= 0


@pytest.mark.parametrize("row", rows(6), ids=lambda row: row[0])
def test_offsets(row: list[str]) -> None:
    """Map and refusal of each list of offsets, and that MLIR's rule lets it pass."""
    offsets = [int(offset) for offset in row[0].split(",")]
    owners = int(row[1])
    shard_map = Explicit.from_offsets(offsets)
    assert row[4] == f"`{shard_map}`"
    assert row[5] == answer(shard_map, owners)
    assert offsets_in_mlir(offsets, [2, 4] if owners == 8 else [owners])
    spaces = {after - before for before, after in pairwise(offsets)}
    assert row[3].startswith("no offsets") == (len(spaces) == 1)


def test_a_coordinate_with_two_owners() -> None:
    """The refusal of the second table."""
    ((text, refusal),) = [row for row in rows(2) if row[0].startswith("`")]
    assert answer(ShardMap.parse(text.strip("`")), 2) == refusal


def test_all_rows_are_looked_at() -> None:
    """Neither table is empty, and every refusal of the page is in one of them."""
    assert len(rows(6)) == 6
    shown = re.findall(r"`\[(?:shard|select)-[a-z-]+\] [^`]*`", PAGE.read_text(encoding="utf-8"))
    assert len(shown) == 5


@pytest.mark.parametrize(
    ("text", "owners", "size"),
    [
        ("block", 4, 14),
        ("[2, 3, 4, 5]", 4, 14),
        ("cyclic", 4, 14),
        ("block_cyclic<2>", 4, 14),
        ("[stride(0, 2, 3), stride(1, 2, 3)]", 2, 6),
        ("[family(2, 12, family(3, 2, repeat(2, 6, stride(0, 1, 2))))]", 6, 24),
    ],
)
def test_what_a_map_can_say(text: str, owners: int, size: int) -> None:
    """The maps of the third table are right."""
    assert f"`{text}`" in PAGE.read_text(encoding="utf-8")
    ShardMap.parse(text).check(owners, size)
