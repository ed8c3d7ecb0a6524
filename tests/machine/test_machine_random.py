"""Random functions: machine code in registers gives what the rows' meanings give on values.

The functions have no memory of their own and no calls; they spill, loop and branch. They run before
and after they have their frames, as two allocators place them.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from machine.generating import Wanted, random_function
from machine.naive import allocate_naively
from machine.toy import toy

from alpha.backends.core.allocation.allocate import allocate
from alpha.backends.core.carriers import MachineWords, NotModelled
from alpha.backends.core.frames import add_frame
from alpha.backends.core.interpreter.faults import MachineFault
from alpha.backends.core.interpreter.machine import Machine
from alpha.backends.core.interpreter.memory import WordsMemory
from alpha.backends.core.interpreter.terms_memory import TermsMemory
from alpha.backends.core.pieces import Kind
from alpha.backends.core.program import Function
from alpha.backends.core.registers import Register, View
from alpha.backends.core.rows import Word
from alpha.backends.core.symbolic import MachineTerms
from alpha.backends.core.target import Target

BLOCKS_MAX = 200


def computing(target: Target) -> Target:
    """The target without rows for memory and calls."""
    rows = {
        name: row
        for name, row in target.rows.items()
        if row.memory is None and row.role not in ("call", "stop")
    }
    moves = replace(target.moves, store={})
    return replace(target, rows=rows, moves=moves)


def low(value: Any, bytes: int, carrier: MachineWords) -> Any:
    """The low bytes of a value, with zeros above if it has fewer."""
    if isinstance(value, int):
        return value & ((1 << 8 * bytes) - 1)
    return carrier.resized(value, bytes)


def on_values(function: Function, given: list[Any]) -> dict[Register, bytes] | None:
    """What the function returns in which registers, None if it goes on for long."""
    carrier = MachineWords()
    values: dict[int, Any] = dict(zip(function.blocks[0].parameters, given, strict=True))
    number: int = 0
    result: Any = 0
    for _ in range(BLOCKS_MAX):
        block = function.blocks[number]
        for instruction in block.instructions:
            row = instruction.row
            places = {slot.name: at for slot, at, _ in instruction.read_slots()}
            extras = dict(zip([slot.name for slot in row.extras], instruction.extras, strict=True))
            operands = [
                low(values[instruction.uses[places[slot.name]]], slot.kind.bytes, carrier)
                if isinstance(slot.kind, View)
                else extras[slot.name]
                for slot in row.reads
                if slot.kind != Word("label")
            ]
            if row.role == "return":
                views = [function.views[value] for value in instruction.uses]
                return {
                    Register(view.of.name, number or 0): as_bytes(values[value], view.bytes)
                    for value, view, number in zip(
                        instruction.uses, views, instruction.fixed_uses, strict=True
                    )
                }
            result = row.meaning(carrier, *operands)
            if len(instruction.defs) == 1:
                values[instruction.defs[0]] = result
            elif instruction.defs:
                values.update(zip(instruction.defs, result, strict=True))
        edge = block.edges[result if len(block.edges) > 1 else 0]
        brought = [values[argument] for argument in edge.arguments]
        values.update(zip(function.blocks[edge.block].parameters, brought, strict=True))
        number = edge.block
    return None


def as_bytes(value: Any, bytes: int) -> bytes:
    """The low bytes of the contents of a register."""
    if isinstance(value, int):
        return low(value, bytes, MachineWords()).to_bytes(bytes, "little")
    return MachineWords().resized(value, bytes).tobytes()


@pytest.mark.parametrize("registers", [4, 5, 7])
@pytest.mark.parametrize("naive", [False, True])
def test_registers_give_what_values_give(registers: int, naive: bool) -> None:
    target, ran = toy(registers), 0
    for seed in range(60):
        random = Random(seed)
        function = random_function(random, computing(target), registers, Wanted(6, 8))
        given = [
            random.getrandbits(64) & 7 if view.of.name == "gpr" else np.array([0.5 + seed, 2.5])
            for view in (function.views[value] for value in function.blocks[0].parameters)
        ]
        given = [
            value if isinstance(value, int) else MachineWords().resized(value, view.bytes)
            for value, view in zip(given, function.views, strict=False)
        ]
        expected = on_values(function, given)
        if expected is None:
            continue
        placed = (allocate_naively if naive else allocate)(function, target)
        for framed in (False, True):
            made = add_frame(placed, target) if framed else placed
            machine = Machine([made], target, WordsMemory(MachineWords()), (), framed)
            machine.run("f", dict(zip(function.arrivals, given, strict=True)))
            for register, value in expected.items():
                found = as_bytes(machine.registers[register.of][register.number], len(value))
                assert found == value, (seed, framed, register)
        ran += 1
    assert ran > 30


@pytest.mark.parametrize("framed", [False, True])
def test_terms_evaluate_to_what_words_give(framed: bool) -> None:
    """The same code on both carriers: vectors that come in are symbols on the one."""
    target, ran, refused = toy(5), 0, 0
    for seed in range(150):
        function = random_function(Random(seed), computing(target), 5, Wanted(4, 8))
        views = [function.views[value] for value in function.blocks[0].parameters]
        random = Random(seed)
        words, symbols, environment = [], [], {}
        terms, plain = MachineTerms(), MachineWords()
        for at, view in enumerate(views):
            if view.of.name == "gpr":
                words.append(random.getrandbits(3))
                symbols.append(words[-1])
                continue
            environment[f"v{at}"] = np.array([random.random() for _ in range(view.bytes // 8)])
            words.append(environment[f"v{at}"])
            shape = (view.bytes // 8,)
            symbols.append(terms.vector(terms.logic.symbol_array(f"v{at}", shape, "f64"), "f64"))
        placed = allocate(function, target)
        placed = add_frame(placed, target) if framed else placed
        machines = [
            Machine([placed], target, memory, (), framed, 10_000)
            for memory in (WordsMemory(plain), TermsMemory(terms))
        ]
        try:
            for machine, given in zip(machines, (words, symbols), strict=True):
                machine.run("f", dict(zip(function.arrivals, given, strict=True)))
        except (MachineFault, NotModelled) as error:
            refused += 1
            assert isinstance(error, NotModelled) or "steps" in str(error)
            continue
        assert machines[0].registers["gpr"][0] == machines[1].registers["gpr"][0]
        found, expected = (machine.registers["vec"][0] for machine in machines[::-1])
        if all(piece.kind in (Kind.TERM, Kind.BITS) for piece in found.pieces):
            ids = terms.lanes(found, "f64")
            assert terms.logic.evaluate(ids, environment).tobytes() == expected.tobytes()
            ran += any(piece.kind is Kind.TERM for piece in found.pieces)
    assert ran > 25
    assert refused > 5


def test_without_its_frame_a_function_doesnt_keep_registers() -> None:
    """So that the comparison above would tell a frame that saves too little."""
    target, told = toy(4), 0
    for seed in range(40):
        function = random_function(Random(seed), computing(target), 4, Wanted(1, 12))
        placed = allocate(function, target)
        if placed.slots:
            continue
        given = [1 if register.of == "gpr" else np.zeros(2) for register in function.arrivals]
        alone = replace(placed, bytes_out=0)  # nothing is passed on the stack
        machine = Machine([alone], target, WordsMemory(MachineWords()), (), True)
        try:
            machine.run("f", dict(zip(function.arrivals, given, strict=True)))
        except MachineFault as fault:
            assert "doesn't keep register" in str(fault)
            told += 1
    assert told > 0
