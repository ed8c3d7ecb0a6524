"""Turns programs into kernels of PTX for SM86, by all passes between.

Before:
    pointwise.update @step(%w : tensor<9xf64>, %r : f64) -> (tensor<9xf64>) { ... }
After:
    ptx.func @step in () slots [] out 0 attributes {kernel = {...}} { ... }

Preserves: the bits of every program, for any number of threads and whatever order they run in.
Refuses: target-unsupported, and what the passes between refuse.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from alpha.backends.ptx.emission import remaining_passes


@dataclass(frozen=True)
class ConvertPointwiseToPtxPass(ModulePass):
    """Replaces programs, and functions of kernels, by functions of the dialect `ptx`."""

    name = "convert-pointwise-to-ptx"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run the passes that are left."""
        for each in remaining_passes(op):
            each.apply(ctx, op)
