"""Whether an update can be computed coordinate by coordinate, and what stands against it."""

from alpha.ir.separability.analysis import explain, require_separable

__all__ = ["explain", "require_separable"]
