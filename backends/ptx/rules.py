"""Which rows of PTX an operation of the code level becomes.

Invariant: rules of one operation stand most specific first.
Entry: `RULES`.
"""

from __future__ import annotations

from collections.abc import Iterator

from alpha.backends.core.selection.matching import Rule, RuleSet
from alpha.backends.ptx.selecting.control import control
from alpha.backends.ptx.selecting.floats import floats
from alpha.backends.ptx.selecting.integers import integers
from alpha.backends.ptx.selecting.memory import memory


def _rules() -> Iterator[Rule]:
    yield from integers()
    yield from floats()
    yield from memory()
    yield from control()


RULES = RuleSet.of(_rules(), {})
"""The rules of PTX. A kernel's parameters have 64 bits, so that none is extended."""
