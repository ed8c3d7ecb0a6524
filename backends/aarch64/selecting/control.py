"""Jumps, branches, calls, returns, and calls of the system."""

from __future__ import annotations

from collections.abc import Iterator

from alpha.backends.aarch64.selecting.comparisons import TESTS
from alpha.backends.aarch64.selecting.constants import integer
from alpha.backends.core.selection.control_rules import control_rules
from alpha.backends.core.selection.matching import Rule


def control() -> Iterator[Rule]:
    """Rules for what ends a block, and for calls."""
    yield from control_rules(TESTS, "svc", integer)
