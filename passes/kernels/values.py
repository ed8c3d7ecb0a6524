"""What a program's values are to kernels: which depend on the sample, which every thread computes.

Invariant: a value that is `inline` is a scalar made of constants and of scalars that the program
    is given; each thread computes it anew, so that nobody waits for it and it has no memory.
Entry: `Values`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import i1
from xdsl.ir import SSAValue

from alpha.ir.dialects.pointwise_programs import ContributionOp, ProgramOp
from alpha.passes.loops.items import Item


class Values:
    """`giver` has the item of each value that one computes, `sampled` what a sample changes.

    `direct` are those whose sum over the samples computes its addends itself.
    """

    def __init__(self, program: ProgramOp, items: Sequence[Item]) -> None:
        arguments = tuple(program.body.block.args)
        first = len(arguments)
        if isinstance(program, ContributionOp):
            first = len(program.parameter_types())
        self.arguments = arguments
        self.giver: dict[SSAValue, Item] = {}
        self.sampled: set[SSAValue] = set(arguments[first:])
        self.inline: set[SSAValue] = set()
        self.direct: frozenset[SSAValue] = frozenset()
        scalars = {value for value in arguments[:first] if value.type.name != "tensor"}
        for item in items:
            self.giver.update(dict.fromkeys(item.results, item))
            if any(value in self.sampled for value in item.inputs):
                self.sampled.update(item.results)
            elif not item.extents and item.block is None:
                known = self.inline | scalars
                if all(value in known for value in item.inputs):
                    self.inline.update(item.results)

    def is_truth(self, value: SSAValue) -> bool:
        """Whether a value is a comparison's: it has no memory and is made where it is read."""
        return value.type == i1

    def reads(self, item: Item) -> list[SSAValue]:
        """What an item reads, where a comparison stands for what it compares."""
        found: list[SSAValue] = []
        for value in item.inputs:
            found += self.reads(self.giver[value]) if self.is_truth(value) else [value]
        return found

    def is_sampled(self, item: Item) -> bool:
        """Whether what an item computes depends on the sample."""
        return any(value in self.sampled for value in item.inputs)
