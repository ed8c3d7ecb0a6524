"""Native participants end in the bits of the shard level: cases that cover the product.

`make verify-participants` runs more of them, by the same functions.
"""

from __future__ import annotations

from itertools import combinations, product

import pytest
from levels.native_product import COVER, MIXES, NATIVE_FACTORS, NativeCase, examine


@pytest.mark.parametrize("case", COVER, ids=map(str, COVER))
def test_processes_end_in_the_same_bits(case: NativeCase) -> None:
    assert examine(case) is None


def test_the_cases_cover_the_product() -> None:
    rows = [
        {
            **case.setting._asdict(),
            **case.choice._asdict(),
            "mix": case.mix,
            "exchange": case.exchange,
        }
        for case in COVER
    ]
    for names in combinations(NATIVE_FACTORS, 2):
        met = {tuple(row[name] for name in names) for row in rows}
        for values in product(*(NATIVE_FACTORS[name] for name in names)):
            given = dict(zip(names, values, strict=True))
            if given.get("topology") != "pair" or given.get("owners", 2) == 2:
                assert values in met, (names, values)
    assert len(MIXES) == 4
