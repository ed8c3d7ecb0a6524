"""Each row's meaning on terms, where it has one: evaluated, it is the meaning on words."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from typing import Any

import numpy as np
import pytest
from aarch64.assembled import TARGET
from aarch64.comparing import DOUBLES
from aarch64.instances import instances_of
from aarch64.symbols import bytes_of, compared_with_words

from alpha.backends.core.carriers import BYTES, NotModelled
from alpha.backends.core.rows import Row
from alpha.backends.core.symbolic import MachineTerms
from alpha.backends.core.truths import TruthBits

INSTANCES = 6

with np.errstate(all="ignore"):
    POOLS = {"f64": np.array(DOUBLES), "f32": np.array(DOUBLES).astype("<f4")}

MODELLED = re.compile(
    r"f(abs|neg|sqrt|add|sub|mul|div|n?m(add|sub)|ml[as]|addp|addp_scalar)_(d|s|2d|4s)"
    r"|(min|max|copysign)_(d|s|2d|4s)|fcm(eq|ge|gt|le|lt)(_zero)?_(2d|4s)"
    r"|(cset|fcsel)_fcmp_(zero_|one_|ueq_)?[ds]|fcsel_[ds]_(cmp|tst)(_imm)?(_32)?"
    r"|(load|store|literal)_[dsq]|(load|store)_lane_[ds]|load_dup_(2d|4s)|widen_[ds]"
    r"|mov_q|swap_q|fmov_[ds]|ext_16b|(uzp|trn|zip)[12]_(2d|4s)|dup_(lane_)?(2d|4s)"
    r"|lane_[ds]|ins_(lane_)?[ds]|rev64_4s"
    r"|(negative_)?zero_[dsq]|negative_zero_(2d|4s)|high_(d|s|2d|4s)|ones_q"
)
"""Arithmetic on floats, the sign, choices by a comparison, and what only moves them."""


@cache
def outcomes() -> dict[str, list[Any]]:
    """For each row, of some instances for each element: both results, or why there are none."""
    draw = np.random.default_rng(1)
    found: dict[str, list[Any]] = defaultdict(list)
    for row in TARGET.rows.values():
        for element, pool in POOLS.items():
            if not _holds(row, element):
                continue
            for instance in instances_of(row, INSTANCES, seed=9):
                try:
                    made = compared_with_words(instance, element, draw, pool)
                except NotModelled as reason:
                    made = reason
                found[row.name].append(made)
    return found


def _holds(row: Row, element: str) -> bool:
    """Whether all vectors of a row have whole lanes of the element, and there are any."""
    sizes = [bytes for slot in row.slots if (bytes := bytes_of(slot))]
    return bool(sizes) and min(sizes) >= BYTES[element]


def test_terms_evaluate_to_the_words_of_a_meaning():
    pairs = {
        name: [each for each in found if isinstance(each, tuple)]
        for name, found in outcomes().items()
    }
    assert sum(map(len, pairs.values())) > 1000
    for name, found in pairs.items():
        for terms, words in found:
            assert terms == words, name


def test_floats_are_followed_by_every_row_that_computes_with_them():
    followed = {
        name for name, found in outcomes().items() if any(isinstance(each, tuple) for each in found)
    }
    meant = {name for name in TARGET.rows if MODELLED.fullmatch(name)}
    assert meant - followed == set()
    assert len(meant) > 140


def _a_truth(carrier: MachineTerms) -> tuple[Any, Any]:
    """What `cset_fcmp_d` gives of two symbols, and two words to choose from."""
    logic = carrier.logic
    a, b, x, y = (carrier.vector(logic.symbol_array(name, (1,), "f64"), "f64") for name in "abxy")
    truth = TARGET.rows["cset_fcmp_d"].meaning(carrier, a, b, "mi")
    assert isinstance(truth, TruthBits)
    return truth, (x, y)


@pytest.mark.parametrize(
    ("row", "second", "condition", "exchanged"),
    [
        ("cmp_imm", 0, "ne", False),
        ("cmp_imm_32", 0, "eq", True),
        ("tst_imm", 1, "ne", False),
        ("tst_imm_32", 1, "eq", True),
    ],
)
def test_a_truth_of_terms_chooses_as_the_comparison_would(row, second, condition, exchanged):
    carrier = MachineTerms()
    truth, (x, y) = _a_truth(carrier)
    a, b = (carrier.vector(carrier.logic.symbol_array(name, (1,), "f64"), "f64") for name in "ab")
    chosen = TARGET.rows[f"fcsel_d_{row}"].meaning(carrier, truth, second, x, y, condition)
    first, other = (y, x) if exchanged else (x, y)
    assert chosen == TARGET.rows["fcsel_fcmp_d"].meaning(carrier, a, b, first, other, "mi")
    again = TARGET.rows[f"cset_{row}"].meaning(carrier, truth, second, condition)
    assert again == (truth ^ 1 if exchanged else truth)


@pytest.mark.parametrize(
    ("row", "operands"),
    [
        ("csel_cmp_imm", (0, 1, 2, "ne")),
        ("cset_cmp_imm", (1, "ne")),
        ("cset_cmp_imm", (0, "gt")),
        ("cset_cmp", (5, "ne")),
        ("branch_cmp_imm", (0, "ne")),
        ("cb", ("z",)),
    ],
)
def test_what_a_truth_of_terms_does_not_decide_is_not_modelled(row, operands):
    carrier = MachineTerms()
    with pytest.raises(NotModelled):
        TARGET.rows[row].meaning(carrier, _a_truth(carrier)[0], *operands)
