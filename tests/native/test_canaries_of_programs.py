"""Planted faults are found by the comparison of random programs, each within a few of them.

A row that means something else, a rule that selects another operation, a spilled value that isn't
stored or isn't loaded again.
"""

from __future__ import annotations

import pytest
from functions.executions import Change
from functions.planted import Dropped, Exchanged, with_other_rule
from native.batches import of_programs
from selection.compiled import ARM, X86, Target

PROGRAMS_ROW = 30
PROGRAMS_RULE = 30
PROGRAMS_SPILL = 10
"""Within so many random programs a fault is found."""

SECONDS = 10.0


def found(target: Target, programs: int, change: Change | None = None) -> list[str]:
    """What the first program shows that shows anything."""
    for seed in range(programs):
        lines = of_programs([seed], [target], change, SECONDS).wrong
        if lines:
            return lines
    return []


@pytest.mark.parametrize(
    ("target", "row"), [(X86, "vsubsd"), (X86, "vsubpd_y"), (ARM, "fsub_d")], ids=str
)
def test_a_row_whose_meaning_exchanges_its_operands(target: Target, row: str) -> None:
    change = Exchanged(row)
    lines = found(target, PROGRAMS_ROW, change)
    assert lines and all("by rows" in each for each in lines), lines
    assert change.places


@pytest.mark.parametrize(
    ("target", "op", "other"),
    [(X86, "arith.subf", "arith.addf"), (ARM, "math.absf", "arith.negf")],
    ids=str,
)
def test_a_rule_that_selects_another_operation(
    target: Target, op: str, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_other_rule(monkeypatch, target.dialect, op, other)
    lines = found(target, PROGRAMS_RULE)
    assert any("by rows" in each for each in lines), lines
    assert any("by rows" not in each for each in lines), lines


@pytest.mark.parametrize(
    ("target", "first", "kind"), [(X86, 6, "store"), (X86, 6, "load"), (ARM, 33, "store")], ids=str
)
def test_a_spilled_value_that_is_not_stored_or_not_loaded(
    target: Target, first: int, kind: str
) -> None:
    """One program in eight has more values than x86-64 registers, one in thirty than AArch64."""
    lines: list[str] = []
    for seed in range(first, first + PROGRAMS_SPILL):
        lines += of_programs([seed], [target], Dropped(kind), SECONDS).wrong
        by_rows = ["by rows" in each for each in lines]
        if any(by_rows) and not all(by_rows):
            return
    raise AssertionError(lines)
