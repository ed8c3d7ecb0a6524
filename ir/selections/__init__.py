"""Compact sets of indices: their nodes, what two of them have in common, and their text."""

from alpha.ir.selections.form import Selection
from alpha.ir.selections.nodes import Empty, Join, Repeat, Stride, as_group, check_universe

__all__ = ["Empty", "Join", "Repeat", "Selection", "Stride", "as_group", "check_universe"]
