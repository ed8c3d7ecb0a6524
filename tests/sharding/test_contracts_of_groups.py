"""Groups that differ from owners: the contract says the bits, whoever holds the groups.

Signs of zero, sums that cancel, and eight fixed groups among one to seven owners.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
from oracle.orders import Order
from oracle_comparison.running import DTYPES, with_contract
from oracle_comparison.texts import mean_keeper
from sharding.fixed_groups import CONTRACTS, OWNERS, digests_of, wanted_digest
from sharding.product import (
    CHOICES,
    Choice,
    covering_rows,
    partitioned,
    read,
    terms_differences,
)

from alpha.interpreters.learner import LearnerInterpreter
from alpha.interpreters.shard import ShardInterpreter
from alpha.interpreters.words import Words
from alpha.ir.refusals import Refusal
from alpha.ir.sharding.distribution import Distribution
from alpha.tools.distributing import run_pass
from alpha.tools.learner_file import LearnerFile

TOPOLOGIES = ("star", "tree<1>", "tree<2>", "tree<3>")


def shared_out(text: str, owners: int, topology: str, split: Sequence[int] | None) -> LearnerFile:
    """A learner with its replicated distribution."""
    file = read(text)
    samples = None if split is None else tuple(split)
    options = {"owners": owners, "topology": topology, "samples": samples}
    run_pass(file.context, file.module, "distribute", **options)
    return file


def kept(file: LearnerFile, distribution: Distribution) -> tuple[np.ndarray, np.ndarray]:
    """What the mean keeper keeps after a round, and the total that it observes."""
    running = ShardInterpreter(distribution, file.words, Words())
    (observation,) = running.step()
    assert observation.count == distribution.domain("data")
    return running.state["kept"], observation.total


def levels_of(file: LearnerFile) -> dict[str, Distribution]:
    """Every way to partition it."""
    found = {str(choice): partitioned(file, choice) for choice in CHOICES}
    return {"replicated": partitioned(file, Choice("cyclic", ())), **found}


SPLITS = ((0, 3), (2, 1, 0), (0, 0, 3), (1, 0, 1, 1), (0, 1, 0, 2, 0, 0))
FACTORS = {"split": SPLITS, "topology": TOPOLOGIES, "element": tuple(DTYPES)}
ZEROS = [{name: row[name] for name in FACTORS} for row in covering_rows(2, FACTORS)]
"""Every two values of two factors are met, and each row with all choices of a distribution.

`make verify-product` has all rows.
"""


@pytest.mark.parametrize(("split", "topology", "element"), [tuple(row.values()) for row in ZEROS])
def test_minus_zeros_stay_minus_zero(split: Sequence[int], topology: str, element: str) -> None:
    file = shared_out(mean_keeper([-0.0] * 3, element), len(split), topology, split)
    learner = LearnerInterpreter(file.learner, file.words, Words())
    (undistributed,) = learner.step()
    mixed = shared_out(mean_keeper([-0.0, 0.0, -0.0], element), len(split), topology, split)
    for distribution in levels_of(file).values():
        for word in kept(file, distribution):
            assert word == 0.0 and np.signbit(word)
            assert word.tobytes() == undistributed.total.tobytes()
        for word in kept(mixed, distribution):
            assert word == 0.0 and not np.signbit(word)


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_the_owners_declare_the_order_of_sums_that_cancel(topology: str) -> None:
    """Only tree<2> has a node that holds 1e16 and -1e16 alone: (1 + (1e16 - 1e16)) + 1."""
    total = 2.0 if topology == "tree<2>" else 1.0
    file = shared_out(mean_keeper([1.0, 1e16, -1e16, 1.0]), 4, topology, None)
    for distribution in levels_of(file).values():
        word, seen = kept(file, distribution)
        assert word * 4.0 == total == seen


@pytest.mark.parametrize("owners", range(1, 7))
@pytest.mark.parametrize(("fan", "total"), [(0, 1.0), (1, 1.0), (2, 2.0), (3, 1.0)])
def test_a_declared_order_holds_with_every_exchange(fan: int, total: float, owners: int) -> None:
    text = with_contract(mean_keeper([1.0, 1e16, -1e16, 1.0]), Order((1, 1, 1, 1), fan))
    for topology in (*TOPOLOGIES, *(["pair"] if owners == 2 else [])):
        file = shared_out(text, owners, topology, None)
        turn = fan + owners + TOPOLOGIES.index(topology) if topology in TOPOLOGIES else fan
        for choice in CHOICES[turn % 7 :: 7]:
            word, seen = kept(file, partitioned(file, choice))
            assert word * 4.0 == total == seen, (topology, choice)


@pytest.mark.parametrize("owners", OWNERS)
@pytest.mark.parametrize("contract", CONTRACTS, ids=["left", "tree<2>", "tree<3>"])
def test_eight_groups_have_one_digest(contract: Order, owners: int) -> None:
    first = 8 * CONTRACTS.index(contract) + 5 * owners
    turned = [CHOICES[(first + number) % len(CHOICES)] for number in range(len(CHOICES))]
    found = digests_of(contract, owners, turned)
    assert len(found) >= 9 and {*found.values()} == {wanted_digest(contract)}


def test_the_contracts_have_different_digests() -> None:
    assert len({wanted_digest(contract) for contract in CONTRACTS}) == len(CONTRACTS)


@pytest.mark.parametrize("fan", [0, 1, 2, 3])
def test_eight_groups_are_proved(fan: int) -> None:
    """By terms, so for every word of the samples and of the state."""
    text = with_contract(
        mean_keeper([1.0, 2.0, 3.0, 4.0, 5.0]), Order((1, 0, 1, 1, 0, 0, 1, 1), fan)
    )
    for owners, topology in product((1, 3, 5, 9), TOPOLOGIES):
        file = shared_out(text, owners, topology, None)
        levels = {str(choice): partitioned(file, choice) for choice in CHOICES[owners::8]}
        levels["replicated"] = partitioned(file, Choice("cyclic", ()))
        assert not any(terms_differences(file, levels).values()), (owners, topology)


def test_a_split_that_cuts_a_group_is_refused() -> None:
    text = with_contract(mean_keeper([1.0, 2.0, 3.0, 4.0]), Order((2, 0, 2)))
    with pytest.raises(Refusal) as refused:
        shared_out(text, 2, "star", [1, 3])
    assert refused.value.code == "region-contract-groups"
    for split in ([2, 2], [0, 4], [4, 0], [2, 0, 2], [0, 2, 2, 0]):
        shared_out(text, len(split), "star", split)
