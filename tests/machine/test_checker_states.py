"""The checker's states: how many bytes are known, and what joins, edges, loops and calls leave.

Each test has a right placement, which passes, and a wrong one that differs in what it is about.
"""

from __future__ import annotations

import pytest
from machine.writing import Writer

from alpha.backends.core.checker import AllocationError, check_allocation
from alpha.backends.core.placed import Placed, PlacedFunction
from alpha.backends.core.program import Address, Function, Instruction

W = Writer()


def passes(function: Function, placed: PlacedFunction) -> None:
    """It is right."""
    check_allocation(function, placed, W.target)


def refuses(function: Function, placed: PlacedFunction, message: str) -> None:
    """It is wrong, for this reason."""
    with pytest.raises(AllocationError) as caught:
        check_allocation(function, placed, W.target)
    assert message in str(caught.value)


def on(instruction: Instruction, *registers: int) -> Placed:
    """The instruction in these registers."""
    return Placed(instruction, registers)


# Bytes


def test_a_narrow_move_or_spill_keeps_the_bytes_of_a_wide_value_that_it_moves() -> None:
    stop = W.line("stop", [], [0])
    function = W.function("r", ([0], [stop]), arrivals="r1")
    passes(function, W.placed((0, [W.move("r", 0, 1), on(stop, 0)], [])))
    narrow = W.placed((0, [W.move("h", 0, 1), on(stop, 0)], []))
    refuses(function, narrow, "r0: expected %0, 8 bytes, found %0 (4 bytes)")
    for into, back in (("r", "h"), ("h", "r"), ("h", "h")):
        steps = [W.store(into, 0, 1), W.load(back, 0, 0), on(stop, 0)]
        refuses(function, W.placed((0, steps, []), slots=[8]), "8 bytes, found %0 (4 bytes)")
    steps = [W.store("r", 0, 1), W.load("r", 0, 0), on(stop, 0)]
    passes(function, W.placed((0, steps, []), slots=[8]))


def test_what_is_moved_over_is_gone_also_where_nothing_is_known_of_what_is_moved() -> None:
    stop = W.line("stop", [], [0])
    function = W.function("r", ([0], [stop]), arrivals="r0")
    passes(function, W.placed((0, [W.move("r", 3, 2), on(stop, 0)], [])))
    gone = W.placed((0, [W.move("r", 0, 2), on(stop, 0)], []))
    refuses(function, gone, "r0: expected %0, 8 bytes, found nothing known")


def test_a_narrow_value_has_zeros_above_as_long_as_it_is_moved_by_its_own_width() -> None:
    half, stop = W.line("lower", [1], [0]), W.line("stop", [], [1])
    function = W.function("rh", ([0], [half, stop]), arrivals="r0")  # the stop reads 8 bytes
    passes(function, W.placed((0, [on(half, 0, 0), on(stop, 0)], [])))
    passes(function, W.placed((0, [on(half, 1, 0), W.move("h", 0, 1), on(stop, 0)], [])))
    steps = [on(half, 1, 0), W.store("h", 0, 1), W.load("h", 0, 0), on(stop, 0)]
    passes(function, W.placed((0, steps, []), slots=[4]))
    steps = [on(half, 1, 0), W.store("h", 0, 1), W.load("r", 0, 0), on(stop, 0)]
    refuses(function, W.placed((0, steps, []), slots=[8]), "%1, 8 bytes, found %1 (4 bytes)")


def test_what_arrives_has_only_its_own_bytes() -> None:
    add, stop = W.line("add_half", [1], [0, 0]), W.line("stop", [], [1])
    function = W.function("hh", ([0], [add, stop]), arrivals="r0")
    passes(function, W.placed((0, [on(add, 0, 0, 0), on(stop, 0)], [])))
    wide = W.function("h", ([0], [W.line("stop", [], [0])]), arrivals="r0")
    placed = W.placed((0, [on(wide.blocks[0].instructions[0], 0)], []))
    refuses(wide, placed, "r0: expected %0, 8 bytes, found %0 (4 bytes)")


def test_a_scalar_in_a_vector_register_has_only_its_own_bytes() -> None:
    low, add, stop = W.line("low", [1], [0]), W.line("vadd", [2], [0, 1]), W.line("return")
    function = W.function("vdv", ([0], [low, add, stop]), arrivals="v0")
    placed = W.placed((0, [on(low, 1, 0), on(add, 0, 0, 1), on(stop)], []))
    refuses(function, placed, "v1: expected %1, 16 bytes, found %1 (8 bytes)")
    wide = W.function("vvv", ([0], [W.line("vadd", [1], [0, 0]), add, stop]), arrivals="v0")
    passes(
        wide,
        W.placed(
            (
                0,
                [on(wide.blocks[0].instructions[0], 1, 0, 0), *placed.blocks[0].instructions[1:]],
                [],
            )
        ),
    )


def call(defs: list[int], uses: list[int]) -> Instruction:
    """A call of a function of one general argument and result."""
    lost = W.target.convention.clobbered()
    fixed = tuple(0 for _ in defs), tuple(0 for _ in uses)
    return W.line("call", defs, uses, "g", fixed_defs=fixed[0], fixed_uses=fixed[1], clobbers=lost)


def test_a_call_leaves_kept_registers_and_of_vectors_only_what_is_kept() -> None:
    calls = call([1], [0])
    add = W.line("add", [2], [0, 1])
    ends = W.line("stop", [], [2])
    function = W.function("rrr", ([0], [calls, add, ends]), arrivals="r0")

    def kept_in(register: int) -> PlacedFunction:
        steps = [W.move("r", register, 0), on(calls, 0, 0), on(add, 0, register, 0), on(ends, 0)]
        return W.placed((0, steps, []))

    passes(function, kept_in(3))
    refuses(function, kept_in(1), "r1: expected %0, 8 bytes, found nothing known")
    for letter, row, right in (("d", "dadd", True), ("v", "vadd", False)):
        add = W.line(row, [2], [1, 1])
        vector = W.function(
            f"r{letter}{letter}r", ([0, 1], [call([3], [0]), add, W.line("stop", [], [3])]),
            arrivals=f"r0 {letter}3",
        )  # fmt: skip
        lines = vector.blocks[0].instructions
        placed = W.placed((0, [on(lines[0], 0, 0), on(add, 0, 3, 3), on(lines[2], 0)], []))
        if right:
            passes(vector, placed)
        else:
            refuses(vector, placed, "v3: expected %1, 16 bytes, found %1 (8 bytes)")


# Edges and joins

TO = {
    "branch": W.line("branch", [], [0], edges=[(1, []), (2, [])]),
    "left": W.line("jump", edges=[(3, [0])]),
    "right": W.line("jump", edges=[(3, [1])]),
    "stop": W.line("stop", [], [2]),
}
DIAMOND = W.function(
    "rrr",
    ([0, 1], [TO["branch"]]),
    ([], [TO["left"]]),
    ([], [TO["right"]]),
    ([2], [TO["stop"]]),
    arrivals="r0 r1",
)


def diamond(left: list[Placed], right: list[Placed], end: int = 0) -> PlacedFunction:
    """The diamond with these moves on its two ways; its end reads one register."""
    return W.placed(
        (0, [on(TO["branch"], 0)], [1, 2]),
        (1, [*left, on(TO["left"])], [3]),
        (2, [*right, on(TO["right"])], [3]),
        (3, [*([W.move("r", 0, end)] if end else []), on(TO["stop"], 0)], []),
    )


def test_at_a_join_a_register_holds_what_it_holds_on_every_way() -> None:
    passes(DIAMOND, diamond([], [W.move("r", 0, 1)]))
    refuses(DIAMOND, diamond([], []), "r0: expected %2, 8 bytes, found")
    passes(DIAMOND, diamond([W.move("r", 3, 0)], [W.move("r", 3, 1)], 3))
    refuses(DIAMOND, diamond([W.move("r", 3, 0)], [W.move("r", 2, 1)], 3), "r0: expected %2")
    refuses(DIAMOND, diamond([W.move("r", 2, 0)], [W.move("r", 3, 1)], 3), "r0: expected %2")
    narrow = [W.store("h", 0, 0), W.load("h", 0, 0)]
    wrong = diamond(narrow, [W.move("r", 0, 1)])
    wrong.slots.extend(W.placed(slots=[8]).slots)
    refuses(DIAMOND, wrong, "8 bytes, found %2 (4 bytes)")


def test_moves_in_inserted_blocks_are_taken_on_their_way_only() -> None:
    placed = diamond([], [])
    placed.blocks[2].targets = [4]
    placed.blocks += W.placed((None, [W.move("r", 0, 1), W.jump()], [3])).blocks
    passes(DIAMOND, placed)
    placed.blocks[1].targets = [4]
    refuses(DIAMOND, placed, "block 3, instruction 0, stop: r0: expected %2")


LOOP_LINES = {
    "enter": W.line("jump", edges=[(1, [0, 1])]),
    "again": W.line("branch", [], [2], edges=[(1, [3, 2]), (2, [])]),
    "stop": W.line("stop", [], [3]),
}
LOOP = W.function(
    "rrrr",
    ([0, 1], [LOOP_LINES["enter"]]),
    ([2, 3], [LOOP_LINES["again"]]),
    ([], [LOOP_LINES["stop"]]),
    arrivals="r0 r1",
)


def loop(*back: Placed, end: int = 1) -> PlacedFunction:
    """A loop that exchanges its two parameters, with these moves on the way back."""
    return W.placed(
        (0, [on(LOOP_LINES["enter"])], [1]),
        (1, [on(LOOP_LINES["again"], 0)], [3, 2]),
        (2, [W.move("r", 0, end), on(LOOP_LINES["stop"], 0)], []),
        (None, [*back, W.jump()], [1]),
    )


def test_parameters_are_renamed_all_at_once() -> None:
    passes(LOOP, loop(W.swap("r", 0, 1, 0, 1)))
    passes(LOOP, loop(W.move("r", 2, 0), W.move("r", 0, 1), W.move("r", 1, 2)))
    refuses(LOOP, loop(), "r0: expected %2, 8 bytes, found")
    refuses(LOOP, loop(W.move("r", 0, 1)), "%2, 8 bytes, found nothing known")
    sequential = loop(W.move("r", 0, 1), W.move("r", 1, 0))
    refuses(LOOP, sequential, "8 bytes, found nothing known")


def test_what_a_parameter_was_before_is_forgotten() -> None:
    """r2 holds the parameter of the first turn, a copy that is stale in the second."""
    enter, back = W.line("jump", edges=[(1, [0])]), W.line("sub_tied", [2], [1, 1])
    again, stop = W.line("branch", [], [2], edges=[(1, [2]), (2, [])]), W.line("stop", [], [1])
    function = W.function("rrr", ([0], [enter]), ([1], [back, again]), ([], [stop]), arrivals="r0")

    def placed(*steps: Placed, enters: tuple[Placed, ...] = ()) -> PlacedFunction:
        return W.placed(
            (0, [*enters, on(enter)], [1]),
            (1, [*steps, on(again, 0)], [1, 2]),
            (2, [W.move("r", 0, 2), on(stop, 0)], []),
        )

    passes(function, placed(W.move("r", 2, 0), on(back, 0, 0, 2)))
    stale = placed(on(back, 0, 0, 0), enters=(W.move("r", 2, 0),))
    refuses(function, stale, "expected %1, 8 bytes")


def test_a_value_of_the_turn_before_is_not_that_of_this_turn() -> None:
    """In the loop %1 is made anew; where the copy in r2 is read first, it is the old one."""
    enter, makes = W.line("jump", edges=[(1, [])]), W.line("load", [1], [0], Address())
    reads = W.line("branch", [], [1], edges=[(1, []), (2, [])])
    stop = W.line("stop", [], [1])
    function = W.function("rr", ([0], [enter]), ([], [makes, reads]), ([], [stop]), arrivals="r0")

    def placed(reading: int, *behind: Placed) -> PlacedFunction:
        return W.placed(
            (0, [W.move("r", 3, 0), on(enter)], [1]),
            (1, [on(makes, 1, 3), *behind, on(reads, reading)], [1, 2]),
            (2, [W.move("r", 0, 2), on(stop, 0)], []),
        )

    passes(function, placed(1, W.move("r", 2, 1)))
    late = placed(2)
    late.blocks[1].instructions.insert(0, W.move("r", 2, 1))
    refuses(function, late, "r2: expected %1, 8 bytes, found nothing known")


def test_an_argument_for_two_parameters_has_both_names() -> None:
    enter, stop = W.line("jump", edges=[(1, [0, 0])]), W.line("stop", [], [3])
    less = W.line("sub_tied", [3], [1, 2])
    function = W.function("rrrr", ([0], [enter]), ([1, 2], [less, stop]), arrivals="r0")
    passes(function, W.placed((0, [on(enter)], [1]), (1, [on(less, 0, 0, 0), on(stop, 0)], [])))
    other = W.function(
        "rrrrr", ([0, 4], [W.line("jump", edges=[(1, [0, 4])])]), ([1, 2], [less, stop]),
        arrivals="r0 r1",
    )  # fmt: skip
    placed = W.placed(
        (0, [on(other.blocks[0].instructions[0])], [1]), (1, [on(less, 0, 0, 0), on(stop, 0)], [])
    )
    refuses(other, placed, "r0: expected %2, 8 bytes, found")


def test_the_message_says_where_and_what() -> None:
    with pytest.raises(AllocationError) as caught:
        check_allocation(DIAMOND, diamond([], []), W.target)
    error = caught.value
    assert error.place == ("f", 3, 0, "stop")
    assert (error.location, error.expected) == ("r0", "%2, 8 bytes")
    assert str(error).startswith(
        "f, block 3, instruction 0, stop: r0: expected %2, 8 bytes, found "
    )
