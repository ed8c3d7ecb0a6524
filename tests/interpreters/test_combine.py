"""Sums that travel up a topology, against the contract read recursively."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from sharding.contract_reading import (
    Case,
    Expressions,
    agrees_in_combining,
    combined,
    parts_of,
    random_case,
    reading,
    searched,
)

from alpha.interpreters.combine import combine_up
from alpha.ir.contracts import Contract, Left, Tree
from alpha.ir.topologies import PreorderTree

CASES = 400


@pytest.mark.parametrize("seed", range(3))
def test_random_exchanges_are_the_reading_of_the_contract(seed: int) -> None:
    random = Random(seed)
    for _ in range(CASES):
        agrees_in_combining(random_case(random))


def test_the_parts_that_are_given_stay_as_they_are() -> None:
    random = Random(4)
    for _ in range(50):
        case = random_case(random)
        parts = parts_of(case)
        before = [dict(held) for held in parts]
        combine_up(case.tree, parts, case.contract, Expressions(), lambda *_: None)
        assert parts == before


def test_a_group_that_is_missing_is_not_made_up() -> None:
    """What is left at the root then are the parts that nothing could be added to."""
    random = Random(5)
    for _ in range(CASES):
        case = random_case(random)
        lost = random.randrange(len(case.contract.groups))
        deal = [[g for g in held if g != lost] for held in case.deal]
        left, _, _ = combined(case._replace(deal=deal))
        words = {str(part.words[()]) for part in left.values()}
        assert words == searched(case._replace(deal=deal), 0)


@pytest.mark.parametrize(
    ("combine", "wanted"),
    [
        (Left(), "((((0 + 1) + 2) + 3) + 4)"),
        (Tree(1), "(0 + (1 + (2 + (3 + 4))))"),
        (Tree(2), "((0 + (1 + 2)) + (3 + 4))"),
        (Tree(3), "(((0 + (1 + 2)) + 3) + 4)"),
        (Tree(4), "((((0 + 1) + 2) + 3) + 4)"),
    ],
)
def test_the_reading_by_hand(combine: Any, wanted: str) -> None:
    contract = Contract((1,) * 5, combine)
    assert reading(contract) == wanted
    for roles in range(1, 7):
        deal = [[g for g in range(5) if g * roles // 5 == role] for role in range(roles)]
        left, _, _ = combined(Case(contract, PreorderTree(roles, 2), deal))
        assert str(left[0].words[()]) == wanted


def test_an_owner_adds_only_what_is_complete() -> None:
    """Of left, a role with groups 1 and 2 hands on both; of tree<2> it adds them: a whole node."""
    for combine, sizes in ((Left(), [0, 2, 2]), (Tree(2), [0, 1, 1])):
        case = Case(Contract((1,) * 5, combine), PreorderTree(3, 2), [[0], [1, 2], [3, 4]])
        _, _, sent = combined(case)
        assert [sent[role][1] for role in (1, 2)] == sizes[1:]
