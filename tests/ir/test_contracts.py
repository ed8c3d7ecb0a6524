"""Contracts: what they refuse, and the bits that their orders give in plain Python floats."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from random import Random

import pytest

from alpha.ir.contracts import Contract, Left, Tree
from alpha.ir.refusals import Refusal
from alpha.ir.runs import Runs
from alpha.ir.topologies import Topology

Combine = Left | Tree


def bits(value: float) -> str:
    """The binary64 bits of a float."""
    return struct.pack(">d", value).hex()


def carried_out(contract: Contract, sums: Sequence[float]) -> float:
    """The total of the groups' sums by the contract's schedule."""
    totals = list(sums)
    for into, of in contract.schedule():
        totals[into] = totals[into] + totals[of]
    return totals[0]


def recursive(sums: Sequence[float], fan_out: int) -> float:
    """The total over an explicit tree: own sum, then each child's total in order."""
    total, rest = sums[0], list(sums[1:])
    for child in range(min(fan_out, len(rest)), 0, -1):
        size = -(-len(rest) // child)
        total, rest = total + recursive(rest[:size], fan_out), rest[size:]
    return total


@pytest.mark.parametrize(
    ("sums", "combine", "expected"),
    [
        ([1.0, 1e16, -1e16, 1.0], Left(), "3ff0000000000000"),
        ([1.0, 1e16, -1e16, 1.0], Tree(2), "4000000000000000"),
        ([0.2, 0.4, 0.3, 0.1], Left(), "3ff0000000000001"),
        ([0.2, 0.4, 0.3, 0.1], Tree(2), "3fefffffffffffff"),
        ([1e16, 1.0, -1e16, 1.0], Left(), "3ff0000000000000"),
        ([1e16, 1.0, -1e16, 1.0], Tree(1), "0000000000000000"),
    ],
)
def test_the_order_decides_the_bits(sums: list[float], combine: Combine, expected: str) -> None:
    """The same four groups under two orders; a chain adds from right to left."""
    assert bits(carried_out(Contract((1, 1, 1, 1), combine), sums)) == expected


def test_schedules_equal_explicit_orders() -> None:
    """Sums of mixed signs and magnitudes; every number of groups to 200, fan-outs 2 to 8."""
    random = Random(5)
    for count in range(1, 201):
        sums = [random.uniform(-1, 1) * 10.0 ** random.randrange(-12, 12) for _ in range(count)]
        flat = sums[0]
        for value in sums[1:]:
            flat = flat + value
        assert bits(carried_out(Contract((0,) * count, Left()), sums)) == bits(flat)
        for fan_out in range(2, 9):
            total = carried_out(Contract((0,) * count, Tree(fan_out)), sums)
            assert bits(total) == bits(recursive(sums, fan_out))


def test_schedules_as_they_are_written() -> None:
    """One group has nothing to add; operands stand in the order of the groups."""
    assert list(Contract((5,), Left()).schedule()) == []
    assert list(Contract((5,), Tree(2)).schedule()) == []
    assert list(Contract((1, 1, 1, 1), Left()).schedule()) == [(0, 1), (0, 2), (0, 3)]
    assert list(Contract((1, 1, 1, 1), Tree(2)).schedule()) == [(1, 2), (0, 1), (0, 3)]


def test_groups_without_samples_change_no_bit() -> None:
    """Their sum is -0.0, wherever they stand; +0.0 would change a total of -0.0."""
    for combine in (Left(), Tree(2)):
        contract = Contract((0, 1, 0, 2, 0), combine)
        assert bits(carried_out(contract, [-0.0] * 5)) == bits(-0.0)
        assert bits(carried_out(contract, [-0.0, -0.0, 0.0, -0.0, -0.0])) == bits(0.0)


@pytest.mark.parametrize(
    ("groups", "says"),
    [((), "at least one group"), ((1, -1, 2), "found -1")],
)
def test_refused_groups(groups: tuple[int, ...], says: str) -> None:
    """There is a group, and none has fewer than 0 samples."""
    with pytest.raises(Refusal, match=says) as caught:
        Contract(groups, Left())
    assert caught.value.code == "region-contract-groups"


def test_the_groups_hold_all_samples() -> None:
    """Both numbers are in the message."""
    contract = Contract((1, 2, 3, 0), Left())
    contract.check(6)
    for samples in (5, 7, 0):
        with pytest.raises(Refusal, match=f"add up to {samples} samples, found 6") as caught:
            contract.check(samples)
        assert caught.value.code == "region-contract-groups"
    Contract.single(0).check(0)


@pytest.mark.parametrize("fan_out", [0, -1, (1 << 24) + 1])
def test_refused_fan_outs(fan_out: int) -> None:
    """A tree of contracts has the fan-outs of a tree of roles."""
    with pytest.raises(Refusal) as caught:
        Tree(fan_out)
    assert caught.value.code == "region-tree-fan-out"


def test_contracts_of_owners() -> None:
    """One group an owner, combined as they exchange; even sizes where none are given."""
    pair, star, tree = (Topology.parse(text) for text in ("pair", "star", "tree<3>"))
    assert Contract.from_owners(2, 5, pair) == Contract((3, 2), Left())
    assert Contract.from_owners(4, 6, star) == Contract((2, 2, 1, 1), Left())
    assert Contract.from_owners(4, 6, star, (1, 2, 3, 0)) == Contract((1, 2, 3, 0), Left())
    assert Contract.from_owners(5, 3, tree, [0, 0, 3, 0, 0]) == Contract((0, 0, 3, 0, 0), Tree(3))
    assert Contract.from_owners(1, 7, star) == Contract.single(7)


@pytest.mark.parametrize(
    ("count", "topology", "split", "code"),
    [
        (3, "pair", None, "shard-owner-range"),
        (0, "star", None, "shard-owner-range"),
        (3, "star", (3, 3), "shard-owner-range"),
        (2, "star", (3, 4), "region-contract-groups"),
        (2, "star", (7, -1), "region-contract-groups"),
    ],
)
def test_refused_owners(
    count: int, topology: str, split: tuple[int, ...] | None, code: str
) -> None:
    """Owners, their topology and their samples fit one another."""
    with pytest.raises(Refusal) as caught:
        Contract.from_owners(count, 6, Topology.parse(topology), split)
    assert caught.value.code == code


def test_text() -> None:
    """As it stands in IR."""
    assert str(Contract((1, 2, 3, 0), Left())) == "groups = [1, 2, 3, 0], combine = left"
    assert str(Contract((4,), Tree(2))) == "groups = [4], combine = tree<2>"
    many = Contract.from_owners(200_000, 6, Topology.parse("tree<64>"))
    groups = "1, 1, 1, 1, 1, 1, repeat(199994, 0)"
    assert str(many) == f"groups = [{groups}], combine = tree<64>"


def test_digests() -> None:
    """One a contract, frozen, and none for two."""
    contracts = [
        Contract(groups, combine)
        for groups in ((6,), (1, 2, 3), (1, 2, 3, 0), (3, 2, 1), (1, 1), (1, 1, 1), (2,), (11,))
        for combine in (Left(), Tree(2), Tree(3))
    ]
    assert len({contract.digest() for contract in contracts}) == len(contracts)
    assert (
        contracts[0].digest() == "8473d1b8eadcc4e7880bef9c9a2ae7d4e7863d76b0667240eb5220d68487b2c1"
    )
    many = Contract.from_owners(200_000, 6, Topology.parse("tree<64>"))
    assert many.digest() == "5322968deae424d99ce0e3323c526df6775824e534048e6b2387dd654e683a6f"
    assert many == Contract([1] * 6 + [0] * 199_994, Tree(64))


def test_as_many_groups_as_there_can_be_owners() -> None:
    """A few letters can say more groups than anybody can visit."""
    assert len(Contract(Runs(((1 << 24, 0),)), Left()).groups) == 1 << 24
    with pytest.raises(Refusal, match="at most 16777216 groups, found 16777217") as caught:
        Contract(Runs(((1 << 24, 0), (1, 1))), Left())
    assert caught.value.code == "region-contract-groups"
