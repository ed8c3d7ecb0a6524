"""The interpreter of machine code, with words: instructions, memory, calls, frames, by hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from machine.writing import Writer

from alpha.backends.core.carriers import MachineWords
from alpha.backends.core.frames import add_frame
from alpha.backends.core.interpreter.faults import MachineFault
from alpha.backends.core.interpreter.machine import STEPS_MAX, Machine
from alpha.backends.core.interpreter.memory import WordsMemory
from alpha.backends.core.placed import Placed, PlacedBlock, PlacedFunction
from alpha.backends.core.printing import Data
from alpha.backends.core.program import Address, Instruction, Slice

W = Writer(6)
R0, R1, R2, R3 = (W.register(f"r{n}") for n in range(4))
V0 = W.register("v0")


def on(row: str, *registers: int, extras: Sequence = (), defs: int = 1) -> Placed:
    """An instruction of a row in registers."""
    numbers = list(range(len(registers)))
    made = Instruction(W.target.rows[row], numbers[:defs], numbers[defs:], tuple(extras))
    return Placed(made, registers)


def back() -> Placed:
    """A return."""
    return on("return", defs=0)


def call(name: str, clobbers: bool = True) -> Placed:
    """A call."""
    made = W.line("call", [], [], name)
    lost = W.target.convention.clobbered() if clobbers else ()
    return Placed(replace(made, clobbers=tuple(each for each in lost if each != R0)), ())


def function(
    name: str, *blocks: Iterable[Placed], targets: Sequence[list[int]] = (), **more: int
) -> PlacedFunction:
    """A placed function."""
    ways = [*targets, *([[]] * (len(blocks) - len(targets)))]
    made = [PlacedBlock(at, list(block), ways[at]) for at, block in enumerate(blocks)]
    slots = [Slice(more.get("slot", 0), 8)] if "slot" in more else []
    return PlacedFunction(name, made, slots, more.get("out", 0), True)


def machine(
    *functions: PlacedFunction,
    framed: bool = False,
    steps: int = STEPS_MAX,
    data: Sequence[Data] = (),
) -> Machine:
    """A machine that has these functions."""
    memory = WordsMemory(MachineWords())
    return Machine(functions, W.target, memory, data, framed, steps)


def result(*steps: Placed, **given: int) -> int:
    """What is in r0 behind these instructions, given contents of registers."""
    made = machine(function("f", [*steps, back()]))
    made.run("f", {W.register(name): value for name, value in given.items()})
    return made.registers["gpr"][0]


def test_integers_wrap_and_narrow_views_read_and_zero() -> None:
    top = (1 << 64) - 1
    assert result(on("add", 0, 1, 2), r1=top, r2=3) == 2
    assert result(on("sub_tied", 0, 0, 1), r0=2, r1=3) == top
    assert result(on("add_half", 0, 1, 2), r1=top, r2=(7 << 32) + 2) == 1
    assert result(on("add_imm", 0, 1, extras=(-5,)), r1=3) == top - 1
    assert result(on("twice", 1, 0, 1, defs=2), r1=21) == 42
    assert result(on("divide", 0, 1, 0, 2, defs=2), r0=17, r2=5) == 3
    assert result(on("constant", 0, extras=(-1,))) == top


def test_inserted_steps_move_values() -> None:
    assert result(W.move("r", 0, 1), r1=5) == 5
    assert result(W.move("h", 0, 1), r1=(1 << 40) + 5) == 5
    assert result(W.swap("r", 0, 1, 0, 1), r0=1, r1=2) == 2
    spilled = function("f", [W.store("r", 0, 1), W.load("r", 0, 0), back()], slot=8)
    made = machine(spilled)
    made.run("f", {R1: 77})
    assert made.registers["gpr"][0] == 77


def test_vectors_hold_their_view_with_zeros_above() -> None:
    made = machine(
        function("f", [on("vadd", 1, 0, 0), on("low", 2, 1), on("vadd", 0, 2, 1), back()])
    )
    made.run("f", {V0: np.array([1.5, 2.5])})
    assert made.registers["vec"][0].view(np.float64).tolist() == [6.0, 5.0]
    assert made.registers["vec"][2].nbytes == 8


def test_memory_has_bounds_and_remembers_what_was_written() -> None:
    memory = WordsMemory(MachineWords())
    address = memory.allocate(24, skew=3)
    assert address % 64 == 3
    memory.put_integer(address + 1, 0x1122334455667788)
    assert memory.integer(address + 1) == 0x1122334455667788
    assert memory.integer(address + 3, 16) == 0x5566
    memory.store(address + 9, np.array([2.5]), 8)
    assert memory.load(address + 9, 8).view(np.float64)[0] == 2.5
    for at, message in (
        (address + 16, "8 bytes at 16, not all of them written"),
        (address, "8 bytes at 0, not all of them written"),
        (address + 17, "8 bytes at 17 of a buffer of 24"),
        (address - 1, "8 bytes at -1 of a buffer of 24"),
        (address + (1 << 32), "where there is no memory"),
        (0, "where there is no memory"),
    ):
        with pytest.raises(MachineFault, match=message):
            memory.load(at, 8)
    held = memory.load(address + 1, 8)
    memory.put_integer(address + 1, 1)
    assert int(held.view(np.uint64)[0]) == 0x1122334455667788
    memory.free(address)
    with pytest.raises(MachineFault, match="where there is no memory"):
        memory.load(address + 1, 8)
    with pytest.raises(MachineFault, match="writes 8 bytes at 0 of a constant"):
        memory.put_integer(memory.constant(bytes(8)), 1)
    with pytest.raises(MachineFault, match="writes 4 bytes where 8 are meant"):
        memory.store(memory.allocate(8), np.zeros(1, np.float32), 8)


def test_addresses_are_made_of_registers_offsets_slots_and_symbols() -> None:
    words = Data("words", 8, bytes(range(64)), 64, exported=False, writable=False)
    zeros = Data("zeros", 8, None, 16, exported=False, writable=True)
    symbol = Address(False, True, 8, 8, "symbol", symbol="words")
    literal = Address(False, area="symbol", symbol="lit.0500000000000000")
    writable = Address(False, area="symbol", offset=8, symbol="zeros")
    slot = Address(False, False, 1, 8, "slot", 0)
    steps = [
        on("load", 3, 1, extras=(symbol,)),
        on("load", 4, extras=(literal,)),
        on("store", 4, extras=(writable,), defs=0),
        on("store", 3, extras=(slot,), defs=0),
        on("load", 2, extras=(slot,)),
        on("sub_tied", 2, 2, 3),
        on("load", 0, extras=(writable,)),
        on("where", 1, 1, extras=(symbol,)),
        back(),
    ]
    made = machine(function("f", steps, slot=16), data=(words, zeros))
    made.run("f", {R1: 2})
    found = made.registers["gpr"]
    assert found[3] == int.from_bytes(bytes(range(24, 32)), "little")
    assert found[2] == 0  # what was stored in the slot and loaded again, less what was stored
    assert found[0] == 5
    assert found[1] == made.symbol("words") + 24
    with pytest.raises(MachineFault, match="nothing is called other"):
        made.symbol("other")


def test_an_address_may_have_two_registers_a_scale_and_an_offset() -> None:
    made = machine(
        function("f", [on("load", 0, 0, 1, extras=(Address(True, True, 8, -8),)), back()])
    )
    held = made.memory.given(bytes(range(100, 132)))
    made.run("f", {R0: held, R1: 2})
    assert made.registers["gpr"][0] == int.from_bytes(bytes(range(108, 116)), "little")


def test_masked_lanes_alone_are_touched() -> None:
    plain = Address()
    steps = [on("vload_partly", 0, 1, 0, extras=(plain,)), back()]
    made = machine(function("f", steps))
    held = made.memory.given(np.array([1.5]).tobytes())
    made.run("f", {R0: held, R1: 1})
    assert made.registers["vec"][0].view(np.float64).tolist() == [1.5, 0.0]
    steps = [on("vstore_partly", 0, 1, 0, extras=(plain,), defs=0), back()]
    made = machine(function("f", steps))
    held = made.memory.given(bytes(8))
    made.run("f", {R0: held - 8, R1: 2, V0: np.array([1.5, 2.5])})
    assert made.memory.load(held, 8).view(np.float64)[0] == 2.5
    with pytest.raises(MachineFault, match="8 bytes at -8"):
        made.run("f", {R0: held - 8, R1: 3, V0: np.array([1.5, 2.5])})


LOOP = function(
    "sum",
    [on("constant", 1, extras=(0,)), on("jump", defs=0)],
    [on("add", 1, 1, 0), on("add_imm", 0, 0, extras=(-1,)), on("branch", 0, defs=0)],
    [W.move("r", 0, 1), back()],
    targets=([1], [1, 2]),
)


def test_loops_run_and_end() -> None:
    made = machine(LOOP)
    made.run("sum", {R0: 100})
    assert made.registers["gpr"][0] == 5050
    assert made.steps == 2 + 3 * 100 + 2
    with pytest.raises(MachineFault, match="more than 300 steps"):
        machine(LOOP, steps=300).run("sum", {R0: 100})


def test_a_fault_says_where() -> None:
    steps = [W.move("r", 1, 0), on("load", 0, 0, extras=(Address(),)), back()]
    with pytest.raises(MachineFault) as caught:
        machine(function("f", steps)).run("f", {R0: 5})
    assert caught.value.__notes__ == ["in f, block 0, instruction 1: load"]
    outer = function("g", [call("f"), back()])
    with pytest.raises(MachineFault) as caught:
        machine(function("f", steps), outer).run("g", {R0: 5})
    assert caught.value.__notes__[1] == "in g, block 0, instruction 0: call"


def test_calls_take_arguments_from_the_stack_and_lose_registers() -> None:
    arrive = [Address(False, area="in", offset=at) for at in (0, 8)]
    inner = function(
        "g",
        [
            on("load", 0, extras=(arrive[0],)),
            on("load", 1, extras=(arrive[1],)),
            on("sub_tied", 0, 0, 1),
            back(),
        ],
    )
    pass_on = [Address(False, area="out", offset=at) for at in (0, 8)]
    outer = function(
        "f",
        [
            on("store", 0, extras=(pass_on[0],), defs=0),
            on("store", 1, extras=(pass_on[1],), defs=0),
            W.move("r", 5, 1),
            call("g"),
            on("add", 0, 0, 5),
            W.move("r", 2, 1),
            back(),
        ],
        out=16,
    )
    for framed in (False, True):
        functions = [add_frame(each, W.target) if framed else each for each in (inner, outer)]
        made = machine(*functions, framed=framed)
        before = made.registers["gpr"][5]
        made.run("f", {R0: 50, R1: 8})
        assert made.registers["gpr"][0] == 50
        assert made.registers["gpr"][2] not in (8, 50)  # r1 was lost in the call
        assert made.registers["gpr"][5] == before
        made.run("g", stack=(9, 4))
        assert made.registers["gpr"][0] == 5


def test_functions_with_frames_keep_what_they_have_to() -> None:
    keeps = function("f", [on("add_imm", 5, 0, extras=(1,)), W.move("r", 0, 5), back()])
    made = machine(add_frame(keeps, W.target), framed=True)
    made.run("f", {R0: 4})
    assert made.registers["gpr"][0] == 5
    with pytest.raises(MachineFault, match="f doesn't keep register 5 of class gpr"):
        machine(keeps, framed=True).run("f", {R0: 4})
    vectors = function("f", [on("vadd", 5, 0, 0), back()])
    with pytest.raises(MachineFault, match="f doesn't keep register 5 of class vec"):
        machine(vectors, framed=True).run("f", {V0: np.array([1.0, 2.0])})
    machine(add_frame(vectors, W.target), framed=True).run("f", {V0: np.array([1.0, 2.0])})
    leaves = function("f", [*W.target.frame(-16), back()])
    with pytest.raises(MachineFault, match="with the stack pointer -16 bytes off"):
        machine(leaves, framed=True).run("f")
    crooked = function("g", [*W.target.frame(-16), call("f"), *W.target.frame(16), back()])
    with pytest.raises(MachineFault, match="f is called with the stack pointer at"):
        machine(function("f", [back()]), crooked, framed=True).run("g")


def test_what_is_called_is_there_and_calls_end() -> None:
    with pytest.raises(MachineFault, match="nothing is called g"):
        machine(function("f", [call("g"), back()])).run("f")
    with pytest.raises(MachineFault, match="more than 100 calls within calls"):
        machine(function("f", [call("f"), back()])).run("f")
    stops = function("f", [on("stop", 0, defs=0)])
    with pytest.raises(MachineFault, match="goes on behind its end"):
        machine(stops).run("f")
