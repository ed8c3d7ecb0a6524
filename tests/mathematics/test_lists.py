"""The lists are lists: each step reads earlier ones, of the types that its operation takes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from alpha.ir.mathematics.lists import FUNCTIONS, operation_list
from alpha.ir.mathematics.steps import CONSTANT, OPERAND, OPERATIONS, TYPES, Step

PAGE = Path(__file__).resolve().parents[2] / "docs" / "mathematics.md"
LISTS = [(operation, element) for operation in FUNCTIONS for element in ("f64", "f32")]

CONVERSIONS: Mapping[str, set[tuple[str, str]]] = {
    "arith.bitcast": {("f64", "i64"), ("i64", "f64")},
    "arith.extf": {("f32", "f64")},
    "arith.truncf": {("f64", "f32")},
}


def _fits(step: Step, types: list[str]) -> bool:
    name = step.operation
    if name in CONVERSIONS:
        return (types[0], step.type) in CONVERSIONS[name]
    if name.startswith("arith.cmpf."):
        return step.type == "i1" and types[0] == types[1] and types[0] in ("f32", "f64")
    if name == "arith.select":
        return types == ["i1", step.type, step.type]
    integers = name in ("arith.addi", "arith.subi", "arith.andi", "arith.ori") or name in (
        "arith.shli",
        "arith.shrui",
    )
    return set(types) == {step.type} and (step.type == "i64") == integers


@pytest.mark.parametrize(("operation", "element"), LISTS)
def test_each_step_takes_what_it_reads(operation: str, element: str) -> None:
    steps = operation_list(operation, element).steps
    assert steps[0] == Step(OPERAND, (), element)
    assert steps[-1].type == element
    for number, step in enumerate(steps[1:], 1):
        assert step.type in TYPES
        assert len(step.operands) == OPERATIONS[step.operation]
        assert all(0 <= operand < number for operand in step.operands)
        assert (step.value is not None) == (step.operation == CONSTANT)
        if step.operation != CONSTANT:
            assert _fits(step, [steps[operand].type for operand in step.operands]), step
        if step.operation in ("arith.shli", "arith.shrui"):
            amount = steps[step.operands[1]].value
            assert isinstance(amount, int)
            assert 0 <= amount < 64


@pytest.mark.parametrize(("operation", "element"), LISTS)
def test_no_step_is_idle(operation: str, element: str) -> None:
    steps = operation_list(operation, element).steps
    used = {operand for step in steps for operand in step.operands}
    assert used == set(range(len(steps) - 1))


@pytest.mark.parametrize("operation", FUNCTIONS)
def test_the_page_counts_the_operations(operation: str) -> None:
    row = re.search(rf"^\| `{operation}` \|(.*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert row is not None
    wide, _, _, narrow, _ = (cell.strip() for cell in row[1].strip("|").split("|"))
    for element, count in (("f64", wide), ("f32", narrow)):
        steps = operation_list(operation, element).steps
        assert int(count) == sum(step.operation not in (OPERAND, CONSTANT) for step in steps)
