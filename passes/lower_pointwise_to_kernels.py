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
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from alpha.ir.refusals import Note, Refusal, place_of
from alpha.passes.kernels.programs import kernels_of
from alpha.passes.lower_pointwise_to_loops import programs_of, says_who_does_what


@dataclass(frozen=True)
class LowerPointwiseToKernelsPass(ModulePass):
    """Makes kernels of every contribution and update."""

    name = "lower-pointwise-to-kernels"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Replace every learner, and every program that stands by itself."""
        kept = (part for part in op.body.block.ops if isinstance(part, func.FuncOp))
        seen: dict[str, Operation] = {part.sym_name.data: part for part in kept}
        replaced: list[tuple[Operation, list[Operation]]] = []
        for part in op.body.block.ops:
            made: list[Operation] = []
            programs = list(programs_of(part))
            for program, learner in programs:
                name = program.sym_name.data
                if name in seen:
                    note = Note("the first is here", place_of(seen[name]))
                    wanted = "programs and functions of different names"
                    raise Refusal("region-identity", wanted, f"two of @{name}", program, (note,))
                seen[name] = program
                made += kernels_of(program, learner)
            if programs or says_who_does_what(part):
                replaced.append((part, made))
        for part, made in replaced:
            op.body.block.insert_ops_before(made, part)
            part.detach()
            part.erase()
