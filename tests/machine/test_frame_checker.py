"""The checker of frames: each requirement of its statement broken alone, beside its right twin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from machine.generating import random_function
from machine.trials import TARGETS, target_of
from machine.writing import Writer

from alpha.backends.core.allocation.allocate import allocate
from alpha.backends.core.checker import AllocationError
from alpha.backends.core.frame_checker import check_frame
from alpha.backends.core.frames import add_frame
from alpha.backends.core.placed import Placed, PlacedBlock, PlacedFunction
from alpha.backends.core.program import Address, Instruction, Slice

W = Writer(6)
POINTER = 6


def line(row: str, *registers: int, extras: Sequence = (), defs: int = 0) -> Placed:
    """A step of a row in registers."""
    numbers = list(range(len(registers)))
    made = Instruction(W.target.rows[row], numbers[:defs], numbers[defs:], tuple(extras))
    return Placed(made, registers)


def function(*blocks: PlacedBlock, bytes_out: int = 0, slots: Sequence[int] = ()) -> PlacedFunction:
    """A placed function."""
    made = [Slice(bytes, 8) for bytes in slots]
    return PlacedFunction("f", list(blocks), made, bytes_out, True)


def at(area: str, number: int = 0, offset: int = 0) -> Address:
    """A part of the frame."""
    return Address(False, area=area, number=number, offset=offset)


BODY = [
    line("load", 5, extras=[at("in")], defs=1),
    line("store", 5, extras=[at("slot", 0)]),
    line("store", 0, extras=[at("slot", 1, 8)]),
    line("store", 0, extras=[at("out")]),
    Placed(W.line("call", [], [], "g"), ()),
    line("return"),
]
PLACED = function(PlacedBlock(0, BODY), bytes_out=8, slots=[8, 16])
FRAMED = add_frame(PLACED, W.target)


def with_steps(*changes: tuple[int, Placed | None], block: int = 0) -> PlacedFunction:
    """The framed function with steps exchanged, or left out."""
    steps: list[Placed | None] = list(FRAMED.blocks[block].instructions)
    for place, step in changes:
        steps[place] = step
    kept = [step for step in steps if step is not None]
    return replace(FRAMED, blocks=[PlacedBlock(0, kept)])


def addressed(place: int, offset: int) -> tuple[int, Placed]:
    """A step of the framed function whose address is so many bytes further."""
    step = FRAMED.blocks[0].instructions[place]
    address = step.instruction.extras[0]
    assert isinstance(address, Address)
    moved = address._replace(offset=address.offset + offset)
    return place, replace(step, instruction=replace(step.instruction, extras=(moved,)))


def refuses(framed: PlacedFunction, message: str, placed: PlacedFunction = PLACED) -> None:
    """It is wrong, for this reason."""
    with pytest.raises(AllocationError) as caught:
        check_frame(placed, framed, W.target)
    assert message in str(caught.value)


def test_the_frame_of_the_core_passes() -> None:
    check_frame(PLACED, FRAMED, W.target)
    rows = [step.instruction.row.name for step in FRAMED.blocks[0].instructions]
    assert rows[:3] == ["add_imm", "store_r", "load"] and rows[-3:] == [
        "load_r",
        "add_imm",
        "return",
    ]


def test_the_steps_are_those_of_the_placed_function() -> None:
    refuses(replace(FRAMED, name="g"), "name: expected f, found g")
    refuses(replace(FRAMED, blocks=[]), "expected 1 blocks, found 0")
    refuses(with_steps((3, None)), "step: expected store")
    refuses(with_steps((8, None), (9, None), (7, None)), "expected a step, found its end")
    refuses(with_steps((5, line("store", 1, POINTER, extras=[Address()]))), "step: expected store")
    doubled = with_steps()
    doubled.blocks[0].instructions.append(BODY[-1])
    refuses(doubled, "expected its end, found a step")
    refuses(replace(FRAMED, blocks=[PlacedBlock(0, FRAMED.blocks[0].instructions, [0])]), "targets")


def test_parts_of_the_frame_are_at_one_place_each() -> None:
    refuses(with_steps(addressed(2, 8)), "step: expected load")  # incoming arguments
    refuses(with_steps(addressed(5, 8)), "step: expected store")  # outgoing ones
    twice = [*BODY[:2], line("load", 5, extras=[at("slot", 0)], defs=1), *BODY[2:]]
    placed = function(PlacedBlock(0, twice), bytes_out=8, slots=[8, 16])
    framed = add_frame(placed, W.target)
    check_frame(placed, framed, W.target)
    step = framed.blocks[0].instructions[4]
    address = step.instruction.extras[0]
    assert isinstance(address, Address)
    other = replace(step.instruction, extras=(address._replace(offset=address.offset + 8),))
    framed.blocks[0].instructions[4] = replace(step, instruction=other)
    refuses(framed, "step: expected load", placed)


def test_parts_of_the_frame_dont_overlap_and_are_aligned() -> None:
    refuses(with_steps(addressed(3, 8)), "slot 0: expected no overlap, found 8 bytes at")
    refuses(with_steps(addressed(3, -8)), "outgoing arguments: expected no overlap")
    refuses(with_steps(addressed(4, 8)), "slot 1: expected no overlap")
    refuses(with_steps(addressed(3, 4)), "slot 0: expected a multiple of 8")
    refuses(with_steps(addressed(3, -16)), "frame: expected a place from")
    both = with_steps(addressed(1, 8), addressed(7, 8))
    refuses(both, "saved gpr 5: expected no overlap, found 8 bytes at")


def test_the_stack_pointer_is_aligned_at_calls_and_back_at_returns() -> None:
    first, last = FRAMED.blocks[0].instructions[0], FRAMED.blocks[0].instructions[-2]

    def grown(bytes: int) -> Placed:
        return replace(first, instruction=replace(first.instruction, extras=(bytes,)))

    (amount,) = first.instruction.extras
    assert isinstance(amount, int) and amount < 0
    refuses(with_steps((8, grown(-amount + 8))), "stack pointer: expected as at entry, found +8")
    refuses(with_steps((8, None)), f"stack pointer: expected as at entry, found {amount}")
    lower = with_steps((0, grown(amount - 8)), (8, grown(-amount + 8)))
    refuses(lower, "step: expected load")  # what came in is not where it was
    body = [BODY[4], BODY[5]]
    placed = function(PlacedBlock(0, body))
    check_frame(placed, add_frame(placed, W.target), W.target)
    refuses(placed, "stack pointer: expected a multiple of 16, found 0", placed)
    assert last.kind == "frame"


def test_kept_registers_are_saved_and_loaded_again() -> None:
    refuses(with_steps((1, None)), "gpr 5: expected a place where it is saved")
    refuses(with_steps((7, None)), "gpr 5: expected what it held at entry, found something else")
    order = list(FRAMED.blocks[0].instructions)
    late = [order[0], order[2], order[1], *order[3:]]
    refuses(replace(FRAMED, blocks=[PlacedBlock(0, late)]), "gpr 5: expected a place where it is")
    refuses(with_steps(addressed(7, 8)), "gpr 5: expected a place where it is saved")


def test_a_kept_register_that_is_clobbered_isnt_kept() -> None:
    lossy = replace(W.line("add_imm", [0], [0], 1), clobbers=(W.register("r5"),))
    placed = function(PlacedBlock(0, [Placed(lossy, (0, 0)), BODY[-1]]))
    check_frame(placed, add_frame(placed, W.target), W.target)
    refuses(placed, "gpr 5: expected what it held at entry", placed)


def test_only_the_frame_moves_the_stack_pointer() -> None:
    moved = Placed(W.line("add_imm", [0], [0], 0), (POINTER, POINTER))
    placed = function(PlacedBlock(0, [moved, BODY[-1]]))
    refuses(placed, "stack pointer: expected no change, found one", placed)
    other = Placed(W.line("add_imm", [0], [0], 8), (1, 1), "frame")
    refuses(function(PlacedBlock(0, [other, BODY[-1]])), "one that moves the stack pointer")


def test_ways_join_with_the_same_stack_pointer_and_what_both_keep() -> None:
    """The prologue of a first block that is a loop would be done in every turn."""
    ends = [line("add_imm", 5, 0, extras=[1], defs=1), line("branch", 5)]
    placed = function(PlacedBlock(0, ends, [0, 1]), PlacedBlock(1, [BODY[-1]]))
    refuses(add_frame(placed, W.target), "stack pointer: expected 0, found", placed)
    fork = PlacedBlock(0, [line("branch", 0)], [1, 2])
    writes = PlacedBlock(1, [ends[0], line("jump")], [2])
    placed = function(fork, writes, PlacedBlock(2, [BODY[-1]]))
    framed = add_frame(placed, W.target)
    check_frame(placed, framed, W.target)
    refuses(placed, "gpr 5: expected what it held at entry", placed)


def test_random_functions_get_right_frames_on_every_target() -> None:
    for seed in range(60):
        name = TARGETS[seed % len(TARGETS)]
        target = target_of(name, 5)
        function_ = random_function(Random(seed), target, 5)
        placed = allocate(function_, target)
        check_frame(placed, add_frame(placed, target), target)
