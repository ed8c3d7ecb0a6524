"""Stopped and resumed runs have the bits of uninterrupted ones: cases that cover the product.

`make verify-resuming` runs more of them, by the same functions.
"""

from __future__ import annotations

from itertools import combinations, product

import pytest
from resuming.nine_words import MAPS, coordinates, map_text
from resuming.product import COVER, FACTORS, ROWS, Case, can_be, examine, owners_of_owners

from alpha.ir.sharding.fragments import members
from alpha.ir.sharding.maps import ShardMap


@pytest.mark.parametrize("case", COVER, ids=map(str, COVER))
def test_a_resumed_run_has_the_bits_of_an_uninterrupted_one(case: Case) -> None:
    assert examine(case) is None


def test_the_cases_cover_the_product() -> None:
    for names in combinations(FACTORS, 2):
        met = {tuple(row[name] for name in names) for row in ROWS}
        for values in product(*(FACTORS[name] for name in names)):
            assert (values in met) == can_be(dict(zip(names, values, strict=True))), (names, values)
    pairs = {(case.writer.owners, case.reader.owners) for case in owners_of_owners()}
    assert len(pairs) == 49


def test_maps_give_what_is_counted_out() -> None:
    """What the cases expect of a map is not taken from the package, but is what it does."""
    for map, owners in product(MAPS, range(1, 8)):
        parsed = ShardMap.parse(map_text(map, owners))
        found = [members(parsed.piece(role, owners, 9)).tolist() for role in range(owners)]
        assert found == coordinates(map, owners), (map, owners)
