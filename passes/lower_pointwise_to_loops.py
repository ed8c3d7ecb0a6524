"""Turns programs into functions of loops over words in memory, in every declared order.

Before:
    pointwise.update @step(%w : tensor<9xf64>, %r : f64) -> (tensor<9xf64>) { ... }
After:
    func.func @step(%w: memref<?xf64>, %r: memref<f64>, %w1: memref<?xf64>, %n: i64) {
      %r_1 = memref.load %r[] : memref<f64>
      scf.for %i = %0 to %n_1 step %1 { ... }
    }

Preserves: the bits of every program, whatever the extents and wherever results lie that the
    function's callers may choose. A learner, its distribution and its protocol are replaced by the
    functions of its programs.
Refuses: target-unsupported, region-identity (two functions of one name, a global of a buffer's).

A fold in `lanes<L>` works on vectors of L lanes, whatever the target has; `--vectorize` makes them
vectors of the target, or words. `samples` is how many samples a contribution has in flight. With
the number of the target's vector `registers`, and their `bits`, rows that fit into them are held
there with their sums, and the end of a sample is worked on beside the beginning of another.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from alpha.ir.dialects.pointwise_programs import ProgramOp
from alpha.ir.refusals import Refusal
from alpha.passes.loops.functions import function_of
from alpha.passes.loops.replacing import replace_programs
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
        room = check_room(op, self.samples, self.registers, self.bits)
        symbols = _symbols(op)

        def write(program: ProgramOp, learner: str | None) -> list[Operation]:
            written = function_of(program, learner, room)
            _check_buffers(written, symbols)
            return written

        replace_programs(op, write)


def check_room(op: Operation, samples: int, registers: int, bits: int) -> Room:
    """What the samples of a contribution may take, of options of passes.

    Raises:
        Refusal: `target-unsupported` for numbers that no target has.
    """
    if not 1 <= samples <= SAMPLES_MAX:
        wanted = f"1 to {SAMPLES_MAX} samples in flight"
        raise Refusal("target-unsupported", wanted, str(samples), op)
    known = bits in BITS or (registers == 0 and bits == 0)
    if registers < 0 or not known:
        wanted = f"registers of {', '.join(map(str, BITS))} bits"
        raise Refusal("target-unsupported", wanted, f"{registers} of {bits}", op)
    return Room(samples, registers, bits)


def _symbols(module: ModuleOp) -> dict[str, memref.GlobalOp]:
    """The globals of a module, by name."""
    parts = module.body.block.ops
    return {part.sym_name.data: part for part in parts if isinstance(part, memref.GlobalOp)}


def _check_buffers(written: Iterable[Operation], symbols: Mapping[str, memref.GlobalOp]) -> None:
    """See that the buffers of a program have names that no global has."""
    for each in written:
        if isinstance(each, memref.GlobalOp) and (held := symbols.get(each.sym_name.data)):
            wanted = "globals of other names than the buffers of programs"
            raise Refusal("region-identity", wanted, f"@{each.sym_name.data}", held)
