"""Converts programs written in `linalg` on tensors to maps and folds, to the bit.

Before:
    %zero = arith.constant -0.0 : f64
    %e = tensor.empty() : tensor<3xf64>
    %i = linalg.fill ins(%zero : f64) outs(%e : tensor<3xf64>) -> tensor<3xf64>
    %p = linalg.matvec ins(%A, %x : tensor<3x4xf64>, tensor<4xf64>) outs(%i : tensor<3xf64>)
        -> tensor<3xf64>
After:
    %p = pointwise.fold add left over [i : 3] along [j : 4] (%a = %A[i, j], %b = %x[j]) {
      %0 = arith.mulf %a, %b : f64
      pointwise.yield %0
    } : tensor<3xf64>

Preserves: the bits. The loops of `linalg` run in row-major order and add to the word of `outs`; a
    sum that starts at -0.0 is a fold in the order `left`, one that starts at +0.0 is 0.0 + that
    fold (`alpha.passes.linalg.reductions` has the proof). Nothing else in the module is changed.
Refuses: target-unsupported, pointwise-type, pointwise-footprint: what has no fold of the same bits,
    such as a sum that starts at another word, and bodies that no pointwise program may have.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from alpha.ir.dialects.pointwise_programs import ProgramOp
from alpha.passes.linalg.programs import convert_program


@dataclass(frozen=True)
class ConvertLinalgToPointwisePass(ModulePass):
    """Makes maps and folds of what a contribution or an update says in `linalg`."""

    name = "convert-linalg-to-pointwise"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Convert every program, in a learner or outside of one."""
        for program in [part for part in op.walk() if isinstance(part, ProgramOp)]:
            convert_program(program)
