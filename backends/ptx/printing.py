"""The text of kernels: declarations of registers and shared arrays, then instructions.

A value keeps a register of its own; where a block is handed values, they are moved into those of
its parameters before the branch, all at once.

Invariant: the text says nothing that depends on anything but the module, so equal modules give
    equal texts.
Entry: `print_kernels`, `Printed`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from alpha.backends.core.program import Address, Block, Edge, Function, Instruction, Value
from alpha.backends.ptx.registers import DECLARED
from alpha.backends.ptx.rows.table import MOVES, ROWS
from alpha.backends.ptx.syntax import SYNTAX, address_text

PARAMETER_BYTES = 8


class Printed(NamedTuple):
    """A kernel, the comments that stand before it, and the most threads of a block, 0 for any."""

    function: Function
    notes: Sequence[str]
    threads: int


def print_kernels(kernels: Sequence[Printed], show_source: bool) -> str:
    """The text of a module: each kernel behind the comments that say how it is launched.

    With `show_source`, comments say what operation of the source instructions come from.
    """
    parts = ["\n".join(SYNTAX.header)]
    for kernel in kernels:
        lines = [f"// {note}" for note in kernel.notes]
        parts.append("\n".join([*lines, *_Kernel(kernel, show_source).lines()]))
    return "\n\n".join(parts) + "\n"


class _Kernel:
    def __init__(self, kernel: Printed, show_source: bool) -> None:
        self._function = kernel.function
        self._threads = kernel.threads
        self._show_source = show_source
        self._counts = dict.fromkeys(DECLARED, 0)
        self._names: dict[Value, str] = {}
        self._origin = ""

    def lines(self) -> list[str]:
        """The lines of the kernel."""
        body = [
            line for number in range(len(self._function.blocks)) for line in self._block(number)
        ]
        limit = [f".maxntid {self._threads}, 1, 1"] if self._threads else []
        return [*self._head(), *limit, "{", *self._declarations(), *body, "}"]

    def _head(self) -> Iterator[str]:
        name, count = self._function.name, self._parameters()
        if not count:
            yield f".visible .entry {name}()"
            return
        yield f".visible .entry {name}("
        for number in range(count):
            yield f"    .param .u64 {self._parameter(number)}{',' * (number < count - 1)}"
        yield ")"

    def _parameters(self) -> int:
        """How many parameters the kernel reads, the last of them counted last."""
        offsets = [
            extra.offset
            for block in self._function.blocks
            for instruction in block.instructions
            for extra in instruction.extras
            if isinstance(extra, Address) and extra.area == "in"
        ]
        return max(offsets, default=-PARAMETER_BYTES) // PARAMETER_BYTES + 1

    def _parameter(self, number: int) -> str:
        return f"{self._function.name}_{number}"

    def _declarations(self) -> Iterator[str]:
        for number, slot in enumerate(self._function.slots):
            yield f"    .shared .align {slot.alignment} .b8 {self._array(number)}[{slot.bytes}];"
        for view, (type, prefix) in DECLARED.items():
            if self._counts[view]:
                yield f"    .reg {type} {prefix}<{self._counts[view]}>;"

    def _array(self, number: int) -> str:
        return f"{self._function.name}_shared{number}"

    def _name(self, value: Value) -> str:
        found = self._names.get(value)
        if found is None:
            found = self._names[value] = self._fresh(self._function.views[value].name)
        return found

    def _fresh(self, view: str) -> str:
        number = self._counts[view]
        self._counts[view] = number + 1
        return f"{DECLARED[view][1]}{number}"

    # Blocks

    def _block(self, number: int) -> Iterator[str]:
        block = self._function.blocks[number]
        if number:
            yield f"{self._label(number)}:"
        for instruction in block.instructions[:-1]:
            yield from self._instruction(instruction)
        yield from self._end(block, number)

    def _label(self, number: int) -> str:
        return f"$L{number}"

    def _end(self, block: Block, number: int) -> Iterator[str]:
        last = block.instructions[-1]
        following = number + 1
        match last.row.role:
            case "jump":
                (edge,) = last.edges
                yield from self._moves(edge)
                if edge.block != following:
                    yield from self._text(last, {"to": self._label(edge.block)})
            case "branch":
                yield from self._branch(last, following)
            case _:
                yield from self._instruction(last)

    def _branch(self, last: Instruction, following: int) -> Iterator[str]:
        """Where a way has words to move, it goes past them or through them."""
        then, other = last.edges
        moved = [list(self._moves(edge)) for edge in (then, other)]
        if last.row.name == "branch_not":
            raise AssertionError("selection writes branches by what holds")
        if not moved[0] and then.block != following:
            yield from self._text(last, {"to": self._label(then.block)})
            yield from self._go(other, moved[1], following)
            return
        past = self._label(other.block)
        if moved[1]:
            past = f"{self._label(following - 1)}_else"
        yield from self._text(last, {"to": past}, "branch_not")
        if moved[1]:
            yield from self._go(then, moved[0], -1)
            yield f"{past}:"
            yield from self._go(other, moved[1], following)
        else:
            yield from self._go(then, moved[0], following)

    def _go(self, edge: Edge, moves: Sequence[str], following: int) -> Iterator[str]:
        yield from moves
        if edge.block != following:
            yield f"    bra {self._label(edge.block)};"

    def _moves(self, edge: Edge) -> Iterator[str]:
        """The moves of an edge, at once: what another move overwrites is kept before."""
        parameters = self._function.blocks[edge.block].parameters
        pairs = [
            (parameter, argument)
            for parameter, argument in zip(parameters, edge.arguments, strict=True)
            if parameter != argument
        ]
        overwritten = {parameter for parameter, _ in pairs}
        kept: dict[Value, str] = {}
        for _, argument in pairs:
            if argument in overwritten and argument not in kept:
                view = self._function.views[argument].name
                kept[argument] = self._fresh(view)
                yield self._move(view, kept[argument], self._name(argument))
        for parameter, argument in pairs:
            view = self._function.views[parameter].name
            source = kept.get(argument) or self._name(argument)
            yield self._move(view, self._name(parameter), source)

    def _move(self, view: str, target: str, source: str) -> str:
        return "    " + MOVES.move[view].text.format(d=target, s=source)

    # Instructions

    def _instruction(self, instruction: Instruction) -> Iterator[str]:
        yield from self._text(instruction, {})

    def _text(
        self, instruction: Instruction, labels: dict[str, str], row_name: str = ""
    ) -> Iterator[str]:
        if self._show_source and instruction.origin not in ("", self._origin):
            self._origin = instruction.origin
            yield f"    // {self._origin}"
        row = ROWS[row_name or instruction.row.name]
        operands: dict[str, object] = dict(labels)
        for slot, value in zip(instruction.row.defs, instruction.defs, strict=True):
            operands[slot.name] = self._name(value)
        for slot, at, count in instruction.read_slots():
            if slot.is_register:
                operands[slot.name] = self._name(instruction.uses[at])
            else:
                registers = [self._name(v) for v in instruction.uses[at : at + count]]
                address = next(e for e in instruction.extras if isinstance(e, Address))
                operands[slot.name] = _Address(self._named(address), registers)
        for slot, extra in zip(instruction.row.extras, instruction.extras, strict=True):
            operands.setdefault(slot.name, extra)
        yield "    " + row.text.format_map(operands)

    def _named(self, address: Address) -> Address:
        """An address with the name of the parameter or array that it is in."""
        if address.area == "in":
            name = self._parameter(address.offset // PARAMETER_BYTES)
            return Address(False, area="symbol", symbol=name)
        if address.area == "slot":
            return Address(False, area="symbol", symbol=self._array(address.number))
        return address


class _Address:
    """An address as rows write it."""

    def __init__(self, address: Address, registers: Sequence[str]) -> None:
        self._address, self._registers = address, registers

    def __format__(self, spec: str) -> str:
        return address_text(self._address, self._registers, spec)
