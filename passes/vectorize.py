"""Makes vectors of loops whose iterations may run at once, and fits all vectors to the target.

Before:
    scf.for %i = %0 to %n step %1 {
      %x = memref.load %w[%i] : memref<?xf64>
      %y = arith.mulf %r, %x : f64
      memref.store %y, %w1[%i] : memref<?xf64>
    } {parallel}
After, with bits=256 and unroll=1, and the loop as it was for the rest:
    %2 = vector.broadcast %r : f64 to vector<4xf64>
    scf.for %i = %0 to %n4 step %4 {
      %x = vector.load %w[%i] : memref<?xf64>, vector<4xf64>
      %y = arith.mulf %2, %x : vector<4xf64>
      vector.store %y, %w1[%i] : memref<?xf64>, vector<4xf64>
    } {parallel}

Preserves: the bits: an operation on vectors is the same operation on each lane, and nothing is
    added in another order; and which words of memory are touched. What can't be vectorized, and
    functions with other control flow than loops, are left alone.
Refuses: target-unsupported (bits or unroll that aren't built, an operation on other vectors than
    the target's that has no parts).

`bits` is the width of the target's vectors; with 64 it has none, and all vectors become words. A
vector of other lanes than a power of two becomes parts that have its lanes together: of 7 words of
64 bits with 256 bits, one of 4, one of 2 and a word. A loop of known bounds that is also marked
`backwards` begins with its last whole vectors.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from alpha.ir.refusals import Refusal
from alpha.passes.loops.rebuilding import is_rebuildable
from alpha.passes.loops.splitting import Splitter
from alpha.passes.loops.vector_loops import VectorLoops
from alpha.passes.loops.vector_parts import has_other_vectors

BITS = (64, 128, 256, 512)
UNROLL = (1, 2, 4, 8)


@dataclass(frozen=True)
class VectorizePass(ModulePass):
    """Runs marked loops on vectors of the target."""

    name = "vectorize"
    bits: int = 256
    unroll: int = 2

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite every function that has a body of loops."""
        for found, known, what in ((self.bits, BITS, "bits"), (self.unroll, UNROLL, "unroll")):
            if found not in known:
                wanted = f"{what} of {', '.join(map(str, known))}"
                raise Refusal("target-unsupported", wanted, str(found), op)
        functions = [part for part in op.body.block.ops if isinstance(part, func.FuncOp)]
        for function in functions:
            if function.body.blocks and is_rebuildable(function):
                if self.bits > BITS[0]:
                    VectorLoops(function, self.bits, self.unroll).run()
                if has_other_vectors(function, self.bits):
                    Splitter(function, self.bits).run()
