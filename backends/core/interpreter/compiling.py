"""Blocks of placed functions as Python functions, made once.

A block becomes a function of the machine's registers (a list for each class), of the places of the
frame's slots, and of where the outgoing and incoming arguments on the stack begin. It calls the
meaning of each row in order and returns the number of the block that comes next, or `RETURNED`.

Why: what an operand is, which view it has and what its address is made of doesn't change from one
    execution to the next, so it is decided while the source is written and costs nothing later.
Entry: `compiled`, `CompiledBlock`, `Surroundings`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from alpha.backends.core.carriers import MachineCarrier
from alpha.backends.core.interpreter.memory import Memory
from alpha.backends.core.placed import Placed, PlacedFunction
from alpha.backends.core.program import Address
from alpha.backends.core.registers import View
from alpha.backends.core.rows import Immediate, Slot, Word
from alpha.backends.core.rows import Memory as MemoryKind
from alpha.backends.core.target import Target

RETURNED = -1
"""Instead of a block: the function has returned."""


@dataclass(frozen=True)
class Surroundings:
    """What blocks refer to: the carrier, memory, addresses of symbols, and how to call.

    `call` is given the callee's address and where the outgoing arguments on the stack begin, None
    if that is the stack pointer. `junk` is what a register of a class holds of which nothing is
    known.
    """

    target: Target
    carrier: MachineCarrier
    memory: Memory
    symbol: Callable[[str], int]
    call: Callable[[int, int | None], None]
    stopped: Callable[[], None]
    junk: dict[str, Any]


@dataclass(frozen=True)
class CompiledBlock:
    """`run` takes the lists of registers, then slots, outgoing and incoming arguments."""

    run: Callable[..., int]
    instructions: int
    lines: dict[int, int]
    """Which instruction each line of the source is of."""
    code: CodeType
    """That of `run`, by which a traceback is told to be in this block."""


def compiled(function: PlacedFunction, around: Surroundings) -> list[CompiledBlock]:
    """The blocks of a function."""
    return [_Block(function, number, around).compiled() for number in range(len(function.blocks))]


@dataclass
class _Source:
    lines: list[str] = field(default_factory=list)
    origins: dict[int, int] = field(default_factory=dict)
    names: dict[str, Any] = field(default_factory=dict)

    def add(self, line: str, instruction: int) -> None:
        self.lines.append(f"    {line}")
        self.origins[len(self.lines)] = instruction


class _Block:
    def __init__(self, function: PlacedFunction, number: int, around: Surroundings) -> None:
        self._block, self._around = function.blocks[number], around
        self._label = f"{function.name}, block {number}"
        target = around.target
        self._lists = {each.name: f"R{at}" for at, each in enumerate(target.classes)}
        self._general = target.convention.stack_pointer.of
        widths = {
            each.name: max(view.bytes for view in target.views.values() if view.of == each)
            for each in target.classes
        }
        self._width = widths[self._general]
        self._vectors = {of for of, width in widths.items() if width > self._width}
        self._source = _Source([f"def run({', '.join(self._lists.values())}, S, O, I):"])
        self._temporaries = 0
        self._source.names |= {
            "c": around.carrier,
            "load": around.memory.load,
            "load_partial": around.memory.load_partial,
            "store": around.memory.store,
            "store_partial": around.memory.store_partial,
            "resized": around.carrier.resized,
            "call": around.call,
            "stopped": around.stopped,
        }

    def compiled(self) -> CompiledBlock:
        """The function."""
        source = self._source
        for at, step in enumerate(self._block.instructions):
            self._step(step, at)
        source.add("stopped()", len(self._block.instructions) - 1)
        code = compile("\n".join(source.lines) + "\n", self._label, "exec")
        exec(code, source.names)
        run = source.names["run"]
        return CompiledBlock(run, len(self._block.instructions), source.origins, run.__code__)

    def _name(self, value: Any) -> str:
        """A name for an object that the source refers to."""
        name = f"n{len(self._source.names)}"
        self._source.names[name] = value
        return name

    def _register(self, of: str, number: int) -> str:
        return f"{self._lists[of]}[{number}]"

    def _step(self, step: Placed, at: int) -> None:
        """The lines of one instruction: what it reads, its meaning, what it writes."""
        row = step.instruction.row
        if self._moves_stack_pointer(step):
            pointer = self._register(*self._around.target.convention.stack_pointer)
            self._source.add(f"{pointer} = {pointer} + {step.instruction.extras[0]}", at)
            return
        operands, address = self._operands(step, at)
        if row.role == "call":
            self._source.add(f"call({operands[0]}, O)", at)
            self._lose(step, at)
            return
        value = f"{self._name(row.meaning)}({', '.join(['c', *operands])})"
        match row.role:
            case "jump":
                self._source.add(f"return {self._block.targets[0]}", at)
            case "branch":
                self._source.add(f"return {tuple(self._block.targets)}[{value}]", at)
            case "return":
                self._source.add(value, at)
                self._source.add(f"return {RETURNED}", at)
            case _:
                self._write(step, value, address, at)

    def _moves_stack_pointer(self, step: Placed) -> bool:
        """Whether it is one of a frame's that has no operand but by how much."""
        row, extras = step.instruction.row, step.instruction.extras
        return step.kind == "frame" and not step.registers and len(extras) == 1 and not row.writes

    def _operands(self, step: Placed, at: int) -> tuple[list[str], str]:
        """The text of each slot that is read, but labels; and that of the address, if there is one.

        The registers of an address are read before anything is written.
        """
        instruction, read = step.instruction, step.read
        places = {slot.name: first for slot, first, _ in instruction.read_slots()}
        names = [slot.name for slot in instruction.row.extras]
        extras = dict(zip(names, instruction.extras, strict=True))
        memory = instruction.row.memory
        address = ""
        if memory is not None:
            shape = extras[memory.name]
            assert isinstance(shape, Address)
            first = places[memory.name]
            address = self._address(shape, read[first : first + shape.registers])
            if memory in instruction.row.writes:
                self._source.add(f"a{at} = {address}", at)
                address = f"a{at}"
        found = [
            self._operand(slot, places, extras, read, address)
            for slot in instruction.row.reads
            if slot.kind != Word("label")
        ]
        return found, address

    def _operand(
        self,
        slot: Slot,
        places: dict[str, int],
        extras: dict[str, Any],
        read: Sequence[int],
        address: str,
    ) -> str:
        match slot.kind:
            case View():
                return self._read(slot.kind, read[places[slot.name]])
            case MemoryKind():
                if not slot.kind.bytes:
                    return address
                load = "load_partial" if slot.partial else "load"
                return f"{load}({address}, {slot.kind.bytes})"
            case Immediate():
                return f"({extras[slot.name]})"
        if slot.kind == Word("symbol"):
            return str(self._around.symbol(str(extras[slot.name])))
        return repr(extras[slot.name])

    def _read(self, view: View, number: int) -> str:
        """What a view of a register holds."""
        register = self._register(view.of.name, number)
        if view.of.name == self._general:
            return register if view.bytes == self._width else f"({register} & {_ones(view.bytes)})"
        if view.of.name not in self._vectors:
            return register
        self._temporaries += 1
        held = f"v{self._temporaries}"
        fits = f"({held} := {register}).nbytes == {view.bytes}"
        return f"({held} if {fits} else resized({held}, {view.bytes}))"

    def _address(self, address: Address, registers: Sequence[int]) -> str:
        parts = [self._register(self._general, number) for number in registers]
        if address.indexed:
            parts[-1] = f"{parts[-1]} * {address.scale}"
        offset = address.offset
        match address.area:
            case "slot":
                parts.append(f"S[{address.number}]")
            case "out":
                parts.append("O")
            case "in":
                parts.append("I")
            case "symbol":
                offset += self._around.symbol(address.symbol)
        if offset or not parts:
            parts.append(str(offset))
        return parts[0] if len(parts) == 1 else f"({' + '.join(parts)} & {_ones(8)})"

    def _write(self, step: Placed, value: str, address: str, at: int) -> None:
        """Where the value of the meaning goes; then clobbered registers hold junk."""
        row = step.instruction.row
        stored: list[str] = []
        to: list[str] = []
        registers = iter(step.written)
        for slot in row.writes:
            if isinstance(slot.kind, View):
                to.append(self._register(slot.kind.of.name, next(registers)))
            else:
                to.append(f"w{at}")
                assert isinstance(slot.kind, MemoryKind)
                width = "" if slot.partial else f", {slot.kind.bytes}"
                store = "store_partial" if slot.partial else "store"
                stored.append(f"{store}({address}, w{at}{width})")
        self._source.add(f"{', '.join(to)} = {value}" if to else value, at)
        for line in stored:
            self._source.add(line, at)
        self._lose(step, at)

    def _lose(self, step: Placed, at: int) -> None:
        """Clobbered registers that aren't written hold junk."""
        instruction = step.instruction
        for of, number in dict.fromkeys(instruction.row.clobbers + instruction.clobbers):
            if number not in _written(step, of):
                junk = self._name(self._around.junk[of])
                self._source.add(f"{self._register(of, number)} = {junk}", at)


def _written(step: Placed, of: str) -> set[int]:
    """The registers of a class that are written; of what a call gives, the class isn't said."""
    defs = step.instruction.row.defs
    found = set(step.written[len(defs) :])
    for slot, number in zip(defs, step.written, strict=False):
        if isinstance(slot.kind, View) and slot.kind.of.name == of:
            found.add(number)
    return found


def _ones(bytes: int) -> int:
    return (1 << 8 * bytes) - 1
