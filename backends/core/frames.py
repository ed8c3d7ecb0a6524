"""The frame of a placed function: where everything on the stack lies, and what saves and restores.

From the stack pointer upwards lie the arguments that the function passes on the stack, its slots
(those it declared, then spilled values), and the kept registers that it writes. Above the frame
lies what the call itself put there, then the arguments that the function was passed.

    out | slots | kept registers | (return address) | in

Invariant: afterwards every address of the function is one of registers or symbols; the stack
    pointer is at a multiple of the convention's alignment at every call; it and all kept registers
    are at each return what they were at entry.
Entry: `add_frame`, `FrameTooLarge`, `FRAME_BYTES_MAX`, `Layout`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from alpha.backends.core.placed import Placed, PlacedBlock, PlacedFunction
from alpha.backends.core.program import Address, Instruction
from alpha.backends.core.registers import Register, View
from alpha.backends.core.target import Target

FRAME_BYTES_MAX = 1 << 23
"""A stack has 8 MiB as a rule, so a function with a larger frame would never run."""


class FrameTooLarge(Exception):
    """A frame of so many `bytes`, more than `FRAME_BYTES_MAX`."""

    def __init__(self, bytes: int) -> None:
        super().__init__(f"a frame of {bytes} bytes")
        self.bytes = bytes


@dataclass(frozen=True)
class Layout:
    """Offsets in bytes from the stack pointer inside the function."""

    slots: tuple[int, ...]
    kept: tuple[tuple[Register, int], ...]
    bytes: int
    """By how much the stack pointer is lower than at entry."""
    arguments: int
    """Where the arguments on the stack begin that the function was passed."""


def add_frame(function: PlacedFunction, target: Target) -> PlacedFunction:
    """The function with its prologue and epilogues, and real addresses. Raises FrameTooLarge."""
    layout = lay_out(function, target)
    if layout.bytes > FRAME_BYTES_MAX:
        raise FrameTooLarge(layout.bytes)
    blocks: list[PlacedBlock] = []
    for number, block in enumerate(function.blocks):
        made = PlacedBlock(block.source, [], list(block.targets))
        if number == 0:
            made.instructions += _prologue(layout, target)
        for placed in block.instructions:
            if placed.instruction.row.role == "return":
                made.instructions += _epilogue(layout, target)
            made.instructions.append(_resolved(placed, layout, target))
        blocks.append(made)
    return PlacedFunction(function.name, blocks, [], 0, function.exported)


def lay_out(function: PlacedFunction, target: Target) -> Layout:
    """Where everything of the frame lies."""
    convention = target.convention
    at = function.bytes_out
    slots: list[int] = []
    for slot in function.slots:
        at = _rounded(at, slot.alignment)
        slots.append(at)
        at += slot.bytes
    kept: list[tuple[Register, int]] = []
    for register in _kept_and_written(function, target):
        size = target.views[convention.kept_view[register.of]].bytes
        at = _rounded(at, size)
        kept.append((register, at))
        at += size
    calls = any(
        placed.instruction.row.role == "call"
        for block in function.blocks
        for placed in block.instructions
    )
    if at or calls:
        at = _rounded(at + convention.bytes_at_entry, convention.alignment)
        at -= convention.bytes_at_entry
    return Layout(tuple(slots), tuple(kept), at, at + convention.bytes_at_entry)


def _rounded(offset: int, alignment: int) -> int:
    return (offset + alignment - 1) // alignment * alignment


def _kept_and_written(function: PlacedFunction, target: Target) -> list[Register]:
    """The registers that a function has to leave as they were and changes, in order."""
    written: set[Register] = set()
    for block in function.blocks:
        for placed in block.instructions:
            written.update(written_registers(placed))
    return [
        Register(of, number)
        for of, numbers in target.convention.kept.items()
        for number in numbers
        if Register(of, number) in written
    ]


def written_registers(placed: Placed) -> set[Register]:
    """What an instruction changes: its results, and what it clobbers."""
    instruction = placed.instruction
    row = instruction.row
    found = set(row.clobbers) | set(instruction.clobbers)
    for slot, number in zip(row.defs, placed.written, strict=False):
        assert isinstance(slot.kind, View)
        found.add(Register(slot.kind.of.name, number))
    return found


def _saved(register: Register, offset: int, target: Target, load: bool) -> Placed:
    """A kept register to its place in the frame, or back."""
    view = target.convention.kept_view[register.of]
    row = (target.moves.load if load else target.moves.store)[view]
    address = Address(based=True, offset=offset)
    stack = target.convention.stack_pointer.number
    if load:
        return Placed(Instruction(row, [0], [0], (address,)), (register.number, stack), "frame")
    return Placed(Instruction(row, [], [0, 0], (address,)), (stack, register.number), "frame")


def _prologue(layout: Layout, target: Target) -> list[Placed]:
    grown = list(target.frame(-layout.bytes)) if layout.bytes else []
    return grown + [_saved(register, at, target, False) for register, at in layout.kept]


def _epilogue(layout: Layout, target: Target) -> list[Placed]:
    restored = [_saved(register, at, target, True) for register, at in layout.kept]
    return restored + (list(target.frame(layout.bytes)) if layout.bytes else [])


def _resolved(placed: Placed, layout: Layout, target: Target) -> Placed:
    """An instruction whose address, if it names a part of the frame, is based on the pointer."""
    instruction = placed.instruction
    named = (
        (position, extra)
        for position, extra in enumerate(instruction.extras)
        if isinstance(extra, Address) and extra.area in ("slot", "out", "in")
    )
    position, extra = next(named, (0, None))
    if extra is None:
        return placed
    if extra.based:
        raise ValueError(f"{instruction.row.name}: a part of the frame with a base of its own")
    start = {"out": 0, "in": layout.arguments}.get(extra.area)
    if start is None:
        start = layout.slots[extra.number]
    resolved = Address(True, extra.indexed, extra.scale, extra.offset + start)
    slot = instruction.row.extras[position]
    at = next(first for each, first, _ in instruction.read_slots() if each is slot)
    extras = (*instruction.extras[:position], resolved, *instruction.extras[position + 1 :])
    uses = [*instruction.uses[:at], -1, *instruction.uses[at:]]
    made = replace(instruction, uses=uses, extras=extras)
    at += len(instruction.defs)
    stack = target.convention.stack_pointer.number
    registers = (*placed.registers[:at], stack, *placed.registers[at:])
    return Placed(made, registers, placed.kind)
