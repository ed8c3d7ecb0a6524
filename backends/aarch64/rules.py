"""Which rows of AArch64 an operation of the code level becomes.

Invariant: rules of one operation stand most specific first.
Entry: `RULES`.
"""

from __future__ import annotations

from collections.abc import Iterator

from alpha.backends.aarch64.selecting.comparisons import comparisons
from alpha.backends.aarch64.selecting.constants import constants
from alpha.backends.aarch64.selecting.control import control
from alpha.backends.aarch64.selecting.conversions import conversions
from alpha.backends.aarch64.selecting.exact import exact
from alpha.backends.aarch64.selecting.floats import floats
from alpha.backends.aarch64.selecting.integers import ROWS_OF_WIDTHS, integers
from alpha.backends.aarch64.selecting.lanes import lanes
from alpha.backends.aarch64.selecting.masks import masks
from alpha.backends.aarch64.selecting.memory import memory
from alpha.backends.aarch64.selecting.sha256 import sha256
from alpha.backends.aarch64.selecting.vectors import vectors
from alpha.backends.core.selection.matching import Rule, RuleSet


def _rules() -> Iterator[Rule]:
    yield from constants()
    yield from integers()
    yield from floats()
    yield from exact()
    yield from comparisons()
    yield from conversions()
    yield from memory()
    yield from vectors()
    yield from lanes()
    yield from masks()
    yield from sha256()
    yield from control()


RULES = RuleSet.of(_rules(), {**ROWS_OF_WIDTHS.cut, "i1": "uxtb"})
"""The rules of AArch64, a file for each kind of operation."""
