"""A function whose values have registers: what the allocator makes and the checker reads.

Invariant: the original instructions stand in their order, each with one register for each def and
    use; what stands between them only moves values: rows of role `move` and `swap`, loads and
    stores of spilled values, and constants that are made again.
Entry: `PlacedFunction`, `PlacedBlock`, `Placed`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from alpha.backends.core.program import Instruction, Slice


@dataclass(slots=True)
class Placed:
    """An instruction in registers: the number of one for each def, then for each use.

    `original` if it comes from the function that was allocated; `kind` says of any other what it
    does: "move" (def 0 from use 0), "swap" (the two uses), "store" (use 0 to the frame's slot of
    its address), "load" (def 0 from there), "again" (a constant that is made once more),
    "jump" (the end of a block on an edge; its target is that of the block).

    An original instruction is the very object of the function; that of "again" is the defining one.
    Registers stand by the row's slots: where the row commutes, those of the two uses that it names
    may have changed places.
    """

    instruction: Instruction
    registers: tuple[int, ...]
    kind: str = "original"

    @property
    def written(self) -> tuple[int, ...]:
        """The registers of the defs."""
        return self.registers[: len(self.instruction.defs)]

    @property
    def read(self) -> tuple[int, ...]:
        """The registers of the uses."""
        return self.registers[len(self.instruction.defs) :]

    @property
    def original(self) -> bool:
        """Whether it is an instruction of the function that was allocated."""
        return self.kind == "original"


@dataclass(slots=True)
class PlacedBlock:
    """The instructions of a block. `source` is its number before, None if it was put on an edge.

    `targets` are the blocks that its last instruction goes on to, in the order of its edges. A
    block on an edge only moves values and jumps to its one target. The first block is where the
    function is entered: block 0, or one without a source that leads there.
    """

    source: int | None
    instructions: list[Placed] = field(default_factory=list)
    targets: list[int] = field(default_factory=list)


@dataclass(slots=True)
class PlacedFunction:
    """A function after allocation. `slots` begins with those of the function, then the spills."""

    name: str
    blocks: list[PlacedBlock]
    slots: list[Slice]
    bytes_out: int
    exported: bool
