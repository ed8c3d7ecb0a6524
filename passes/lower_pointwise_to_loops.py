"""Turns programs into functions of loops over words in memory, in every declared order.

Before:
    pointwise.update @step(%w : tensor<9xf64>, %r : f64) -> (tensor<9xf64>) { ... }
After:
    func.func @step(%w: memref<?xf64>, %r: memref<f64>, %w1: memref<?xf64>, %n: i64) {
      %r_1 = memref.load %r[] : memref<f64>
      scf.for %i = %0 to %n_1 step %1 { ... }
    }

Preserves: the bits of every program, whatever the extents and wherever results lie that the
    function's callers may choose. A learner and its distribution are replaced by their programs'
    functions.
Refuses: target-unsupported, region-identity (two functions of one name).

A fold in `lanes<L>` works on vectors of L lanes, whatever the target has; `--vectorize` makes them
vectors of the target, or words. `samples` is how many samples a contribution has in flight. With
the number of the target's vector `registers`, and their `bits`, rows that fit into them are held
there with their sums, and the end of a sample is worked on beside the beginning of another.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from alpha.ir.dialects.pointwise_programs import ProgramOp
from alpha.ir.dialects.region import LearnerOp
from alpha.ir.dialects.shard import ShardLearnerOp
from alpha.ir.refusals import Note, Refusal, place_of
from alpha.passes.loops.functions import function_of
from alpha.passes.loops.samples import Room

SAMPLES_MAX = 16
BITS = (64, 128, 256, 512)


@dataclass(frozen=True)
class LowerPointwiseToLoopsPass(ModulePass):
    """Makes a function of every contribution and update."""

    name = "lower-pointwise-to-loops"
    samples: int = 4
    registers: int = 0
    bits: int = 0

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Replace every learner, and every program that stands by itself."""
        if not 1 <= self.samples <= SAMPLES_MAX:
            wanted = f"1 to {SAMPLES_MAX} samples in flight"
            raise Refusal("target-unsupported", wanted, str(self.samples), op)
        known = self.bits in BITS or (self.registers == 0 and self.bits == 0)
        if self.registers < 0 or not known:
            wanted = f"registers of {', '.join(map(str, BITS))} bits"
            raise Refusal("target-unsupported", wanted, f"{self.registers} of {self.bits}", op)
        room = Room(self.samples, self.registers, self.bits)
        kept = (part for part in op.body.block.ops if isinstance(part, func.FuncOp))
        seen: dict[str, Operation] = {part.sym_name.data: part for part in kept}
        replaced: list[tuple[Operation, list[Operation]]] = []
        for part in op.body.block.ops:
            made: list[Operation] = []
            for program, learner in _programs(part):
                name = program.sym_name.data
                if name in seen:
                    note = Note("the first is here", place_of(seen[name]))
                    wanted = "programs and functions of different names"
                    raise Refusal("region-identity", wanted, f"two of @{name}", program, (note,))
                seen[name] = program
                made += function_of(program, learner, room)
            if made or isinstance(part, LearnerOp | ShardLearnerOp):
                replaced.append((part, made))
        for part, made in replaced:
            op.body.block.insert_ops_before(made, part)
            part.detach()
            part.erase()


def _programs(part: Operation) -> Iterator[tuple[ProgramOp, str | None]]:
    """The programs of a learner, of a distribution, or one by itself; with the learner's name."""
    match part:
        case ProgramOp():
            yield part, None
        case LearnerOp() | ShardLearnerOp():
            name = (
                part.sym_name.data if isinstance(part, LearnerOp) else part.learner.string_value()
            )
            for inner in part.body.block.ops:
                if isinstance(inner, ProgramOp):
                    yield inner, name
        case _:
            return
