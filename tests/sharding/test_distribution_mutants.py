"""The comparisons of distributions aren't vacuous: each notices mutants of the implementation.

Each mutant is a mistake that an implementation can make. The check that is named passes without it
and fails with it; a check fails also where the package refuses what the mutant has made.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import numpy as np
import pytest
from sharding import broken_implementations as broken
from sharding import test_contracts_of_groups, test_costs, test_interpreter
from sharding.contract_reading import agrees_in_combining, random_case
from sharding.fixed_groups import CONTRACTS, digests_of, wanted_digest
from sharding.level_agreement import agrees
from sharding.product import CHOICES, SUBSETS, Choice, Setting, distributed, examine, partitioned
from sharding.product import terms_differences as differences_of_terms
from sharding.random_learners import random_distribution, random_learner

from alpha.interpreters.locality import LocalityError
from alpha.ir.refusals import Refusal
from alpha.passes.sharding import mutants

Patch = pytest.MonkeyPatch
Check = Callable[[], None]
ALL = Choice("cyclic", SUBSETS[-1])
NOTICED = (AssertionError, Refusal, LocalityError, ValueError, pytest.fail.Exception)
OPTIMIZER = Choice("block", ("optimizer",))


# Checks


def a_product_case() -> None:
    for topology, owners in (("tree<2>", 4), ("star", 7)):
        found = examine(Setting("adam", topology, owners, "uneven"), [ALL, OPTIMIZER])
        assert not any(found.values()), found


def random_ones() -> None:
    for seed in (0, 3, 8, 14, 21):
        random = Random(seed)
        file = random_learner(random)
        agrees(file, random_distribution(random, file), 2)


def combining() -> None:
    random = Random(7)
    for _ in range(80):
        agrees_in_combining(random_case(random))


def one_digest() -> None:
    contract = CONTRACTS[1]
    assert {*digests_of(contract, 3, CHOICES[::5]).values()} == {wanted_digest(contract)}


def minus_zeros() -> None:
    test_contracts_of_groups.test_minus_zeros_stay_minus_zero([2, 1, 0], "tree<2>", "f64")


def costs_by_hand() -> None:
    test_costs.test_a_pair_by_hand()
    test_costs.test_a_chain_relays()
    test_costs.test_a_star_has_one_message_a_role()


def random_costs() -> None:
    for seed in range(6):
        test_costs.test_random_distributions_cost_what_they_take(seed)


def transfers() -> None:
    test_costs.test_a_transfer_takes_the_way_along_the_tree("4, tree<2>")


def divergence() -> None:
    test_interpreter.test_a_copy_that_is_another_publishes_nothing("w", "tree<2>")
    test_interpreter.test_shared_words_are_compared_in_every_mode(SUBSETS[-1])


def finiteness() -> None:
    test = test_interpreter.test_a_word_that_is_not_finite_publishes_nothing
    test(SUBSETS[-1], "cyclic", 1e150, 1)
    test((), "cyclic", 1e200, 0)


def locality() -> None:
    for name in test_interpreter.WRONG:
        test_interpreter.test_a_read_of_another_owners_word_is_an_internal_error(name)


def a_wrong_order_is_noticed() -> None:
    file = distributed(Setting("adam", "tree<2>", 4, "even"))
    levels = {
        "replicated": partitioned(file, Choice("cyclic", ())),
        "wrong": partitioned(file, ALL),
    }
    assert mutants.swap_combine_order(levels["wrong"])
    found = differences_of_terms(file, levels)
    assert found["replicated"] is None and found["wrong"] is not None


KILLED: Sequence[tuple[Callable[[Patch], None], Check]] = (
    (broken.operands_exchanged_where_parts_arrive, combining),
    (broken.added_before_it_is_complete, combining),
    (broken.added_before_it_is_complete, one_digest),
    (broken.added_with_another_order, combining),
    (broken.added_with_another_order, one_digest),
    (broken.a_total_added_twice, a_product_case),
    (broken.a_count_left_behind, random_ones),
    (broken.a_count_left_behind, combining),
    (broken.parts_sent_twice, random_ones),
    (broken.the_fragment_of_the_neighbour, a_product_case),
    (broken.the_fragment_of_the_neighbour, random_ones),
    (broken.coordinates_of_the_neighbour, random_ones),
    (broken.the_last_piece_left_out, a_product_case),
    (broken.the_last_piece_left_out, one_digest),
    (broken.groups_of_the_neighbour, a_product_case),
    (broken.the_version_before, a_product_case),
    (broken.everyone_agrees, divergence),
    (broken.anything_is_finite, finiteness),
    (broken.published_before_it_is_looked_at, finiteness),
    (broken.nothing_is_asked_of_updates, locality),
    (broken.nothing_is_asked_of_reads, locality),
    (broken.nothing_is_asked_of_contributions, locality),
    (broken.observed_a_version_later, random_ones),
    (broken.groups_that_start_at_plus_zero, minus_zeros),
    (broken.groups_that_run_into_one_another, one_digest),
    (broken.groups_that_run_into_one_another, random_ones),
    (broken.no_term_differs, a_wrong_order_is_noticed),
    (broken.the_contract_of_no_owners, a_product_case),
    (broken.sums_delivered_by_another_map, a_product_case),
    (broken.counts_cost_nothing, random_ones),
    (broken.every_role_sends_one_part, costs_by_hand),
    (broken.nothing_is_relayed, random_costs),
    (broken.agreement_is_free, costs_by_hand),
    (broken.a_transfer_goes_straight, transfers),
)


@pytest.mark.parametrize(
    ("mutant", "check"), KILLED, ids=[f"{m.__name__}-{c.__name__}" for m, c in KILLED]
)
def test_a_mutant_is_noticed(mutant: Callable[[Patch], None], check: Check, monkeypatch) -> None:
    with monkeypatch.context() as patch, np.errstate(all="ignore"):
        mutant(patch)
        with pytest.raises(NOTICED):
            check()


@pytest.mark.parametrize("check", dict.fromkeys(check for _, check in KILLED))
def test_a_check_passes_without_a_mutant(check: Check) -> None:
    check()
