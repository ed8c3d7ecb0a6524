"""Exact roots and quotients, which are the plain ones: nothing idles while they are computed.

No quotient is computed with a reciprocal, so there are no rows for it.
"""

from __future__ import annotations

from collections.abc import Iterator

from alpha.backends.aarch64.selecting.floats import FLOATS
from alpha.backends.core.selection.exact_rules import nothing_made
from alpha.backends.core.selection.matching import Rule, rule


def exact() -> Iterator[Rule]:
    """Rules for the exact operations."""
    for form in FLOATS:
        yield rule("exact.sqrt", form.key, f"fsqrt_{form.suffix}", "a")
        yield rule("exact.divide", form.key, f"fdiv_{form.suffix}", "a b _ _ _")
        yield Rule("exact.reciprocal", form.key, nothing_made)
