"""Cases of order and bits: the declared order decides every sum, whoever holds what.

Sums are written out as Python expressions, or added one by one by the oracle's plain functions.
"""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from cases.plain_sums import ordered
from cases.running import (
    EVERY_MODES,
    EVERY_TOPOLOGY,
    MODES,
    bits,
    edited,
    everywhere,
    hexes,
    learner_run,
    mutant,
    printed,
    proved,
    read,
    refusal,
    shard_run,
    spread,
    totals,
    written,
)
from cases.texts import contract, folds, means
from oracle.orders import Order, total

from alpha.ir.digests import state_digest

SEVEN = [0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 0.6]
HIDING = [1e16, 1.0, -1e16, 1.0]
EIGHT = [0.1, 1e16, -0.3, 7.0, -1e16, 1e-3, 2.5, -0.7, 1.0 / 3.0]
EIGHT_GROUPS = (1, 1, 0, 2, 1, 1, 2, 1)


@pytest.mark.parametrize("combine", ["left", "tree<1>", "tree<2>", "tree<3>"])
def test_B01_a_rack_is_no_order(combine: str) -> None:
    """Megatron-LM #1881: the same eight GPUs in one rack or two had another loss.

    The contract names the order; who exchanges with whom changes no bit.
    """
    wanted = {bits(ordered(EIGHT, EIGHT_GROUPS, combine))}
    text = means(EIGHT, order=contract(EIGHT_GROUPS, combine))
    assert totals(text, [(2, 3, 4), EIGHT_GROUPS], EVERY_TOPOLOGY) == wanted


def test_B01_another_order_is_refused() -> None:
    """A distribution that combines in another order than the learner declares isn't accepted."""
    text = printed(means(SEVEN, owners="7, star"))
    case, distribution = written(text)
    assert proved(case, distribution)
    declared = "groups = [1, 1, 1, 1, 1, 1, 1], combine = left"
    for other in (
        declared.replace("left", "tree<2>"),
        "groups = [7, 0, 0, 0, 0, 0, 0], combine = left",
        "groups = [1, 1, 1, 1, 1, 2], combine = left",
    ):
        # The other combine is that of the observation.
        changed = text.replace(f"{declared}> deliver all", f"{other}> deliver all")
        assert changed != text
        caught = refusal(changed)
        assert caught.code == "shard-combine-order"
        assert (caught.expected, caught.found) == (declared, other)


RUN = "from alpha.tools.alpha import script; script()"


def test_B02_a_run_is_repeated_bit_for_bit() -> None:
    """Megatron-LM #2369, torchtitan #1720 and #1750, detectron2 #4260: flags on, and still other.

    Two processes with other hash seeds print the same digest of all words.
    """
    text = means(EIGHT, owners="4, tree<2>, samples = [2, 0, 3, 4]")
    answers = [
        subprocess.run(
            [sys.executable, "-c", RUN, "run", "-", "--interpret=shard", "--rounds", "2"],
            input=text,
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    ]
    assert answers[0] == answers[1]
    case = read(text)
    types = {name: op.type for name, op in case.learner.states.items()}
    mean = ordered(EIGHT, (2, 0, 3, 4), "tree<2>") / 9
    digest = state_digest(types, {"w": np.array(0.5), "mean": np.array(mean)})
    assert answers[0].splitlines()[-1] == f"state sha256:{digest}"


def test_B03_steps_then_owners_or_owners_then_steps() -> None:
    """Megatron-LM #1162: micro-batches then the group, or the group then micro-batches.

    Both are contracts; they have other bits here, and one can't stand for the other.
    """
    by_owner, by_step = HIDING, [1e16, -1e16, 1.0, 1.0]
    splits = [(2, 2), (4, 0), (1, 1, 1, 1)]
    for samples, wanted in ((by_owner, 1.0), (by_step, 2.0)):
        text = means(samples, order=contract([1, 1, 1, 1]))
        assert totals(text, splits) == {bits(wanted)}
    text = printed(means(by_owner, order=contract([1, 1, 1, 1]), owners="2, pair"))
    there = "combine = left> deliver all"
    caught = refusal(edited(text, (there, there.replace(">", "> order [0, 2, 1, 3]"))))
    assert (caught.code, caught.found) == ("shard-combine-order", "[0, 2, 1, 3]")
    alike = edited(text, (there, there.replace(">", "> order [1, 0, 2, 3]")))
    assert proved(*written(alike))


def test_B03_the_mutant_that_swaps_groups_is_refused() -> None:
    """In every partitioning, also where the data hide it; two operands may change places."""
    case = read(means([1.0, 2.0, 4.0], owners="3, star, samples = [1, 1, 1]"))
    for modes in EVERY_MODES:
        distribution, caught = mutant(case, "swap-combine-order", modes)
        assert caught is not None and caught.code == "shard-combine-order"
        assert hexes(shard_run(case, distribution)[0]["mean"]) == hexes(7.0 / 3)
        assert not proved(case, distribution)
    pair = read(means([1.0, 2.0], owners="2, pair"))
    distribution, caught = mutant(pair, "swap-combine-order", MODES)
    assert caught is None
    assert proved(pair, distribution)


WEIGHTS = [1.0, 1.0, 1.0, 1.0, 0.5]
ROWS = [0.2, 0.4, 0.3, 0.1, 0.0, 0.3, 3.3, -7.7, 0.9, 1.1, 1e3, 2.2, -1e3, 0.6, 5.5]


def test_B04_a_contribution_is_the_same_in_any_company() -> None:
    """torchtitan PR #2994, vllm PR #45683, tt-metal #47238: sums depend on which rank has which
    row, or on how many rows are computed at once. A sample's words are its own.
    """
    dots: list[float] = []
    for row in range(3):
        dot = -0.0
        for weight, word in zip(WEIGHTS, ROWS[5 * row : 5 * row + 5], strict=True):
            dot = dot + weight * word
        dots.append(dot)
    wanted = (-0.0 + dots[0]) + dots[1] + dots[2]
    splits = [(3,), (1, 2), (2, 1), (1, 1, 1), (0, 0, 3, 0)]
    assert totals(folds(ROWS, WEIGHTS, "left", contract([1, 1, 1])), splits) == {bits(wanted)}
    pairwise = folds(ROWS, WEIGHTS, "pairs", contract([1, 1, 1]))
    assert totals(pairwise, splits) != {bits(wanted)}


@pytest.mark.parametrize("element", ["f64", "f32"])
def test_B05_groups_follow_the_contract_and_not_the_owners(element: str) -> None:
    """legion #776, #788, #415, #1728: reductions were grouped by a mapper, and some were lost.

    With declared groups every split of whole groups has the bits of the declared sum.
    """
    dtype = {"f64": np.float64, "f32": np.float32}[element]
    samples = [dtype(each) for each in SEVEN]
    for fan, combine in ((0, "left"), (2, "tree<2>")):
        wanted = total(samples, Order((2, 0, 1, 3, 1), fan)) / dtype(7)
        text = means(SEVEN, element=element, order=contract([2, 0, 1, 3, 1], combine))
        everywhere(text, [(7,), (2, 5), (3, 0, 4), (2, 0, 1, 3, 1)], {"mean": wanted})


def test_B05_a_lost_contribution_doesnt_hide_in_the_rounding() -> None:
    """A contribution that changes no bit of the sum may not be left out nor counted twice."""
    text = printed(means([1.0, 1e-30, 2.0, -1e-30], owners="4, star"))
    assert hexes(shard_run(*written(text))[0]["mean"]) == hexes((1.0 + 2.0) / 4.0)
    lost = "[stride(0, 1, 1), empty, stride(2, 1, 1), stride(3, 1, 1)]"
    twice = "[stride(0, 1, 2), stride(1, 1, 1), stride(2, 1, 1), stride(3, 1, 1)]"
    for work, code, found in (
        (lost, "shard-contribution-missing", "none for sample 1"),
        (twice, "shard-coverage-duplicate", "owners 0 and 1 for sample 1"),
    ):
        part = text.rpartition("shard.contribute")[2].split(" : ", 1)[0]
        owned = part.rpartition(" by ")[2]
        caught = refusal(edited(text, (f"over @data by {owned}", f"over @data by {work}")))
        assert (caught.code, caught.found) == (code, found)


def test_B07_the_number_of_owners_is_not_in_the_bits() -> None:
    """Measured: JAX has 7 sums of 8 for 1 to 8 devices, DDP with Adam 5 of 5 for 5 rank counts.

    With eight fixed groups there is one; where each number of owners declares its own, many.
    """
    wanted = {bits(ordered(EIGHT, EIGHT_GROUPS, "left"))}
    text = means(EIGHT, order=contract(EIGHT_GROUPS))
    case = read(text)
    digests: set[str] = set()
    types = {name: op.type for name, op in case.learner.states.items()}
    for owners in range(1, 9):
        for topology in EVERY_TOPOLOGY:
            for modes in ((), ("optimizer",), MODES):
                distribution = spread(case, modes, owners=owners, topology=topology)
                state, (seen,) = shard_run(case, distribution)
                digests.add(state_digest(types, state))
                assert {hexes(seen.total)[1]} == wanted
    assert len(digests) == 1
    declared = {
        hexes(learner_run(read(means(EIGHT, owners=f"{owners}, star")))[1][0].total)[1]
        for owners in range(1, 9)
    }
    assert len(declared) >= 4
