"""Turns programs into kernels: functions that the threads of a GPU run at once, in every order.

Before:
    pointwise.update @step(%w : tensor<9xf64>, %r : f64) -> (tensor<9xf64>) { ... }
After:
    func.func @step(%w: memref<?xf64>, %r: memref<f64>, %w1: memref<?xf64>, %n: i64)
        attributes {kernel = {...}} {
      %t = gpu.thread_id x
      ...
      scf.for %i = %first to %n_1 step %threads { ... }
    }

A program whose parts need one another's words becomes several kernels, `step`, `step$1` and so on,
which are launched in their order.

Preserves: the bits of every program, for any number of threads and whatever order they run in. A
    learner, its distribution and its protocol are replaced by the kernels of its programs.
Refuses: target-unsupported, region-identity (two functions of one name).
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from alpha.passes.kernels.programs import kernels_of
from alpha.passes.loops.replacing import replace_programs


@dataclass(frozen=True)
class LowerPointwiseToKernelsPass(ModulePass):
    """Makes kernels of every contribution and update."""

    name = "lower-pointwise-to-kernels"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Replace every learner, and every program that stands by itself."""
        replace_programs(op, kernels_of)
