"""Calls on the real targets: more arguments than registers, values that live on, a real stack."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from alpha.backends.aarch64.target import target as a64
from alpha.backends.core.allocation.allocate import allocate
from alpha.backends.core.carriers import MachineWords
from alpha.backends.core.checker import check_allocation
from alpha.backends.core.frame_checker import check_frame
from alpha.backends.core.frames import add_frame
from alpha.backends.core.interpreter.machine import Machine
from alpha.backends.core.interpreter.memory import WordsMemory
from alpha.backends.core.placed import PlacedFunction
from alpha.backends.core.program import Address, Block, Extra, Function, Instruction
from alpha.backends.core.registers import Register
from alpha.backends.core.target import Target
from alpha.backends.x86.target import target as x64

STACKED = 3
"""Arguments on the stack."""


def line(
    target: Target, row: str, defs: Sequence[int], uses: Sequence[int], *extras: Extra
) -> Instruction:
    """An instruction on values."""
    return Instruction(target.rows[row], list(defs), list(uses), extras)


def callee(target: Target) -> Function:
    """The sum of all arguments, each times one more than the one before."""
    registers = target.convention.arguments["gpr"]
    count = len(registers) + STACKED
    lines = [
        line(target, "load_64", [at], [], Address(False, area="in", offset=8 * number))
        for number, at in enumerate(range(len(registers), count))
    ]
    total, fresh = count - 1, count
    for at in range(count - 2, -1, -1):
        # a, a + b, (a + b) + (a + b + c), ...: every place counts differently
        lines.append(line(target, "add", [fresh], [total, at]))
        lines.append(line(target, "add", [fresh + 1], [fresh, total]))
        total, fresh = fresh + 1, fresh + 2
    result = target.convention.results["gpr"][0]
    lines.append(replace(line(target, "ret", [], [total]), fixed_uses=(result,)))
    view = target.views[target.convention.kept_view["gpr"]]
    arrivals = [Register("gpr", number) for number in registers]
    return Function("g", [Block(list(range(len(registers))), lines)], [view] * fresh, arrivals)


def caller(target: Target) -> Function:
    """g(x, x + 1, ...) + x."""
    convention = target.convention
    registers, result = convention.arguments["gpr"], convention.results["gpr"][0]
    count = len(registers) + STACKED
    lines = [line(target, "add_imm", [1 + at], [0], at) for at in range(count)]
    for number in range(STACKED):
        place = Address(False, area="out", offset=8 * number)
        lines.append(line(target, "store_64", [], [1 + len(registers) + number], place))
    row = next(each.name for each in target.rows.values() if each.role == "call")
    call = line(target, row, [count + 1], list(range(1, 1 + len(registers))), "g")
    call = replace(
        call,
        fixed_defs=(result,),
        fixed_uses=tuple(registers),
        clobbers=convention.clobbered(),
    )
    ends = [
        call,
        line(target, "add", [count + 2], [count + 1, 0]),
        replace(line(target, "ret", [], [count + 2]), fixed_uses=(result,)),
    ]
    view = target.views[convention.kept_view["gpr"]]
    arrival = Register("gpr", registers[0])
    return Function(
        "f", [Block([0], lines + ends)], [view] * (count + 3), [arrival], [], 8 * STACKED
    )


def expected(x: int, count: int) -> int:
    """What `caller` gives, in plain integers."""
    total = x + count - 1
    for at in range(count - 2, -1, -1):
        total = total + x + at + total
    return (total + x) & ((1 << 64) - 1)


def placed(target: Target) -> list[PlacedFunction]:
    """Both functions, allocated and checked."""
    found: list[PlacedFunction] = []
    for function in (callee(target), caller(target)):
        found.append(allocate(function, target))
        check_allocation(function, found[-1], target)
    return found


@pytest.mark.parametrize("target", [x64(frozenset()), a64(frozenset())], ids=["x64", "a64"])
def test_arguments_that_registers_dont_hold_are_on_the_stack(target: Target) -> None:
    convention = target.convention
    functions = placed(target)
    framed = [add_frame(function, target) for function in functions]
    for before, after in zip(functions, framed, strict=True):
        check_frame(before, after, target)
    argument = Register("gpr", convention.arguments["gpr"][0])
    count = len(convention.arguments["gpr"]) + STACKED
    for with_frames in (False, True):
        memory = WordsMemory(MachineWords())
        made = framed if with_frames else functions
        machine = Machine(made, target, memory, (), with_frames)
        for x in (0, 1, 12345, (1 << 64) - 3):
            machine.run("f", {argument: x})
            result = machine.registers["gpr"][convention.results["gpr"][0]]
            assert result == expected(x, count)
    with pytest.raises(ValueError, match="f has no frame yet"):
        Machine([framed[0], functions[1]], target, WordsMemory(MachineWords()))
