"""Planted faults are found by the comparison of random functions, each within a few of them.

A row that means something else, a rule that selects another operation, a spilled value that isn't
stored or isn't loaded again.
"""

from __future__ import annotations

import pytest
from functions.batches import Way, what_differs
from functions.executions import Change
from functions.planted import Dropped, Exchanged, with_other_rule
from functions.random_functions import random_function
from selection.compiled import ARM, X86, Target

FUNCTIONS_ROW = 20
FUNCTIONS_RULE = 20
FUNCTIONS_SPILL = 4
"""Within so many random functions a fault is found."""

SECONDS = 10.0
"""A processor may run for ever once a counter is lost."""


def found(target: Target, functions: int, change: Change | None = None) -> list[str]:
    """What the first function shows that shows anything."""
    way = Way(128, [target], change, SECONDS)
    for seed in range(functions):
        lines = what_differs([random_function(seed)], way)
        if lines:
            return lines
    return []


@pytest.mark.parametrize(
    ("target", "row"), [(X86, "idiv"), (X86, "vsubsd"), (ARM, "sub_32"), (ARM, "fsub_d")], ids=str
)
def test_a_row_whose_meaning_exchanges_its_operands(target: Target, row: str) -> None:
    change = Exchanged(row)
    lines = found(target, FUNCTIONS_ROW, change)
    assert lines and all("by rows" in each for each in lines), lines
    assert change.places


@pytest.mark.parametrize(
    ("target", "op", "other"),
    [
        (X86, "arith.shrsi", "arith.shrui"),
        (ARM, "arith.remui", "arith.divui"),
        (X86, "arith.extsi", "arith.extui"),
        (ARM, "math.absf", "arith.negf"),
    ],
    ids=str,
)
def test_a_rule_that_selects_another_operation(
    target: Target, op: str, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_other_rule(monkeypatch, target.dialect, op, other)
    lines = found(target, FUNCTIONS_RULE)
    assert any("by rows" in each for each in lines), lines
    assert any("by rows" not in each for each in lines), lines


@pytest.mark.parametrize("target", [X86, ARM], ids=lambda target: target.name)
@pytest.mark.parametrize("kind", ["store", "load"])
def test_a_spilled_value_that_is_not_stored_or_not_loaded(target: Target, kind: str) -> None:
    by_rows = on_processor = 0
    for seed in range(FUNCTIONS_SPILL):
        change = Dropped(kind)
        lines = what_differs([random_function(seed)], Way(128, [target], change, SECONDS))
        assert change.dropped or not lines
        by_rows += any("by rows" in each for each in lines)
        on_processor += any("by rows" not in each for each in lines)
    assert by_rows and on_processor
