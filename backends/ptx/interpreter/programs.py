"""A module of PTX once it is read: kernels, their instructions, and variables.

Entry: `Program`, `Kernel`, `Instruction`, `Variable`, `Held`, `Place`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from alpha.backends.core.rows import Row


@dataclass(frozen=True)
class Variable:
    """Memory with a name, global or shared by a block; `data` is what global memory starts with."""

    name: str
    space: str
    alignment: int
    bytes: int
    data: bytes
    line: int


@dataclass(frozen=True)
class Held:
    """An operand in a register, by its number among those of the kernel."""

    number: int


@dataclass(frozen=True)
class Place:
    """An operand in memory: a register or a symbol, and an offset in bytes."""

    register: int | None
    symbol: str
    offset: int


Operand = Held | Place | int | str
"""An immediate is an integer, a condition a string."""


@dataclass(frozen=True)
class Guard:
    """The truth that a thread must hold for an instruction to concern it."""

    number: int
    wanted: bool


@dataclass(frozen=True)
class Instruction:
    """A row with its operands, in the order of its slots; labels are left out.

    `target` is the number of the instruction that a jump or branch goes to.
    """

    row: Row
    line: int
    text: str
    writes: tuple[Operand, ...]
    reads: tuple[Operand, ...]
    target: int | None
    guard: Guard | None


@dataclass(frozen=True)
class Kernel:
    """A kernel: `views` has the view of each register, `threads` the most a block may have.

    `exact` says that a block must have just as many. `shared` is what each block has for itself.
    """

    name: str
    parameters: tuple[str, ...]
    threads: int
    exact: bool
    registers: tuple[str, ...]
    views: tuple[str, ...]
    shared: tuple[Variable, ...]
    instructions: tuple[Instruction, ...]


@dataclass(frozen=True)
class Program:
    """A module: kernels by name, and variables in global memory."""

    kernels: Mapping[str, Kernel]
    variables: tuple[Variable, ...]
