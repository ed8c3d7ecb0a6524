"""The error of an allocation that can't be done: a fault of a row, a selection or a limit.

Entry: `NoPlacement`.
"""

from __future__ import annotations


class NoPlacement(ValueError):
    """A function breaks its invariants, or an instruction needs more registers than there are."""
