"""Conditional branches that don't reach: every one of them by way of a jump, on all targets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from selection import test_floats, test_functions

from alpha.backends.core import emission
from alpha.backends.core.placed import PlacedFunction
from alpha.backends.core.printing import Data, print_module
from alpha.backends.core.target import Target


@pytest.fixture
def printed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is printed from here on, with branches that reach nothing."""
    texts: list[str] = []

    def print_near(
        functions: Sequence[PlacedFunction], data: Sequence[Data], target: Target, source: bool
    ) -> str:
        near = replace(target, syntax=replace(target.syntax, reach=0))
        texts.append(print_module(functions, data, near, source))
        return texts[-1]

    monkeypatch.setattr(emission, "print_module", print_near)
    return texts


def test_loops_calls_and_switches(printed: list[str]) -> None:
    test_functions.test_all_at_once()
    test_functions.test_switches("i64")
    for text in printed:
        assert text.count(".far:") > 4


def test_branches_on_floats_and_their_unordered_cases(printed: list[str]) -> None:
    test_floats.test_every_comparison_with_each_use()
    assert all(text.count(".far:") > 10 for text in printed)
