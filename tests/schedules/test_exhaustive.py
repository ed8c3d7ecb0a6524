"""All small protocols, as they are and with any two neighbouring steps exchanged.

`schedules.campaign` goes on to the next size.
"""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product

import pytest
from schedules.exhaustive import protocols
from schedules.plain_protocols import Transfer
from schedules.trials import WRONG, tried_all

NUMBERS = {1: 1, 2: 11, 3: 181, 4: 3760}
"""How many protocols there are of each size."""

PARTS = 4
"""Tests into which the largest size is cut."""


def wrong(found: Counter[str]) -> list[str]:
    return [name for name in found if name.startswith(WRONG)]


@pytest.mark.parametrize("size", [1, 2, 3])
def test_all_small_protocols_with_all_exchanges(size: int) -> None:
    found = tried_all(size)
    assert wrong(found) == []
    assert found["accepted and explored"] == NUMBERS[size]
    assert not any("without need" in name for name in found)


@pytest.mark.parametrize("part", range(PARTS))
def test_all_protocols_of_four_operations_with_all_exchanges(part: int) -> None:
    found = tried_all(4, part, PARTS)
    assert wrong(found) == []
    assert found["accepted and explored"] == NUMBERS[4] // PARTS
    assert found["states"] > 50_000
    refused = sum(number for name, number in found.items() if "protocol-" in name)
    needless = sum(number for name, number in found.items() if "without need" in name)
    assert refused > 900
    assert needless == 0


@pytest.mark.parametrize("count", [1, 2, 3])
def test_no_way_to_name_the_roles_is_left_out(count: int) -> None:
    pairs = list(permutations(range(4), 2))
    distinct = {
        min(
            tuple((names[sender], names[receiver]) for sender, receiver in transfers)
            for names in permutations(range(4))
        )
        for transfers in product(pairs, repeat=count)
    }
    listed = [
        protocol
        for protocol in protocols(count)
        if all(isinstance(step, Transfer) for step in protocol)
    ]
    assert len(listed) == len(distinct)
    assert len({str(protocol) for protocol in protocols(count)}) == NUMBERS[count]
