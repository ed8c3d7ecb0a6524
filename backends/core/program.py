"""A function of machine instructions on values: what selection makes and the allocator places.

Values are numbers, blocks are numbers, and an instruction names its row. Plain lists of integers
stand here rather than operations, since allocation walks them many times.

Invariant: every value is defined once, by an instruction, as a parameter of a block or as one of
    the function (those of block 0); a block ends with its only jump, branch, return or stop; an
    edge brings one argument for each parameter of its block.
Entry: `Function`, `Block`, `Instruction`, `Edge`, `Address`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from alpha.backends.core.registers import Register, View
from alpha.backends.core.rows import Row, Slot

Value = int


class Address(NamedTuple):
    """The shape of an address: base + index * scale + offset, in bytes.

    The registers stand among the uses of the instruction: first the base if `based`, then the index
    if `indexed`. `area` says what else is added: the place of the frame's slot `number` ("slot"),
    the start of the arguments that this function passes on the stack ("out") or was passed ("in"),
    or the address of `symbol` ("symbol").
    """

    based: bool = True
    indexed: bool = False
    scale: int = 1
    offset: int = 0
    area: str = ""
    number: int = 0
    symbol: str = ""

    @property
    def registers(self) -> int:
        """How many registers it reads."""
        return self.based + self.indexed


Extra = int | str | Address
"""An operand that is no register: an immediate, a symbol or condition, an address."""


@dataclass(slots=True)
class Edge:
    """Where a block goes on to, with one value for each parameter of that block."""

    block: int
    arguments: list[Value]


@dataclass(slots=True)
class Instruction:
    """A row with its operands.

    `defs` and `uses` have one value for each register in the order of the row's slots; an address
    gives its registers in the place of its slot. A call has its arguments behind those of the row,
    and its results likewise, each in a register of `fixed_uses` and `fixed_defs`, which have an
    entry (or None) for each use and def, or none at all. `clobbers` are lost beside what is written
    and what the row says.
    """

    row: Row
    defs: list[Value]
    uses: list[Value]
    extras: tuple[Extra, ...] = ()
    edges: tuple[Edge, ...] = ()
    fixed_defs: tuple[int | None, ...] = ()
    fixed_uses: tuple[int | None, ...] = ()
    clobbers: tuple[Register, ...] = ()
    origin: str = ""

    def tied(self) -> Iterator[tuple[int, int]]:
        """Positions of defs and uses that have to share a register."""
        for position, slot in enumerate(self.row.defs):
            if slot.tied is not None:
                yield position, self.use_position(slot.tied)

    def use_position(self, name: str) -> int:
        """Where the register of this slot stands among the uses."""
        return next(at for slot, at, _ in self.read_slots() if slot.name == name)

    def read_slots(self) -> Iterator[tuple[Slot, int, int]]:
        """Each slot with registers that are read: the slot, their first position, their number.

        An address that is written to has registers too, and those are read.
        """
        at, extra = 0, 0
        for slot in self.row.slots:
            if slot.is_register:
                if slot in self.row.reads:
                    yield slot, at, 1
                    at += 1
            elif slot in self.row.extras:
                operand = self.extras[extra]
                extra += 1
                if isinstance(operand, Address):
                    yield slot, at, operand.registers
                    at += operand.registers


@dataclass(slots=True)
class Block:
    """Instructions in order; the last one is the only one with edges, or ends the function."""

    parameters: list[Value]
    instructions: list[Instruction] = field(default_factory=list)

    @property
    def edges(self) -> tuple[Edge, ...]:
        """Where it goes on to."""
        return self.instructions[-1].edges


class Slice(NamedTuple):
    """A part of the frame: so many bytes, at a multiple of `alignment`."""

    bytes: int
    alignment: int


@dataclass(slots=True)
class Function:
    """A function before allocation.

    `views` has the view of each value. The parameters of block 0 come in the registers `arrivals`.
    `slots` are the parts of the frame that addresses of area "slot" name; `bytes_out` is the most
    that it passes on the stack in one call.
    """

    name: str
    blocks: list[Block]
    views: list[View]
    arrivals: list[Register]
    slots: list[Slice] = field(default_factory=list)
    bytes_out: int = 0
    exported: bool = True

    def value(self, view: View) -> Value:
        """A new value."""
        self.views.append(view)
        return len(self.views) - 1
