"""The checker of register allocation: each requirement on inserted steps, broken alone.

Each test has a right placement, which passes, and a wrong one that differs in what it breaks.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from machine.verdicts import LESS, STOP, SUM, TIED, TWO, W, straight, verdicts

from alpha.backends.core.checker import AllocationError, check_allocation
from alpha.backends.core.placed import Placed, PlacedFunction
from alpha.backends.core.program import Address, Function, Instruction, Slice


def test_moves_name_registers_that_may_be_written() -> None:
    right = straight(TWO, W.move("r", 3, 1), Placed(SUM, (0, 0, 3)), Placed(STOP, (0,)))
    wrong = straight(TWO, W.move("r", 4, 1), Placed(SUM, (0, 0, 1)), Placed(STOP, (0,)))
    verdicts(TWO, right, wrong, "a register that may be written, found r4")
    kept = {"gpr": 2}
    right = straight(TWO, W.move("r", 1, 1), Placed(SUM, (0, 0, 1)), Placed(STOP, (0,)))
    wrong = straight(TWO, W.move("r", 2, 1), Placed(SUM, (0, 0, 1)), Placed(STOP, (0,)))
    verdicts(TWO, right, wrong, "a register that may be written, found r2", kept)


def test_fixed_registers_may_be_moved_to_although_they_arent_allocated() -> None:
    shift = W.line("shift", [2], [0, 1])  # by r2
    function = W.function("rrr", ([0, 1], [shift, STOP]), arrivals="r0 r1")
    right = straight(function, W.move("r", 2, 1), Placed(shift, (0, 0, 2)), Placed(STOP, (0,)))
    wrong = straight(function, W.move("r", 3, 1), Placed(shift, (0, 0, 3)), Placed(STOP, (0,)))
    verdicts(function, right, wrong, "expected a register that may be written", {"gpr": 2})


def test_swaps_exchange_two_registers() -> None:
    ends = Placed(LESS, (1, 1, 0)), W.move("r", 0, 1), Placed(STOP, (0,))
    right = straight(TIED, W.swap("r", 0, 1, 0, 1), *ends)
    wrong = straight(TIED, W.swap("r", 1, 0, 0, 1), *ends)
    verdicts(TIED, right, wrong, "defs of a swap: expected r0, r1, found r1, r0")
    wrong = straight(TIED, W.swap("r", 0, 0, 0, 0), *ends)
    verdicts(TIED, right, wrong, "swap: expected two registers, found r0")
    verdicts(TIED, right, straight(TIED, *ends), "r1: expected %0")


def test_spills_stay_in_their_slots() -> None:
    own = replace(TWO, slots=[Slice(8, 8)])
    ends = Placed(SUM, (0, 0, 1)), Placed(STOP, (0,))

    def spilled(to: int, bytes: int, **address: int) -> PlacedFunction:
        steps = W.store("r", to, 1, **address), W.load("r", 1, to, **address)
        return straight(own, *steps, *ends, slots=(bytes,))

    right = spilled(1, 8)
    verdicts(own, right, spilled(0, 8), "a spill slot, 1 to 1, found slot 0")
    verdicts(own, right, spilled(2, 8), "a spill slot, 1 to 1, found slot 2")
    verdicts(own, right, spilled(1, 4), "slot 1: expected at most 4 bytes, found 8")
    verdicts(own, right, spilled(1, 16, offset=8), "a slot of the frame by its number")


def test_only_constants_of_the_function_are_made_again() -> None:
    makes = W.line("constant", [1], [], 7)
    function = W.function("rrr", ([0], [makes, SUM, STOP]), arrivals="r0")
    ends = Placed(SUM, (0, 0, 2)), Placed(STOP, (0,))
    right = straight(function, Placed(makes, (1,)), W.again("constant", 2, 7), *ends)
    wrong = straight(function, Placed(makes, (1,)), W.again("constant", 2, 8), *ends)
    verdicts(function, right, wrong, "again: expected a constant of the function, found constant")
    loaded = W.again("load", 2, Address(based=False, area="in"))
    wrong = straight(function, Placed(makes, (1,)), loaded, *ends)
    verdicts(function, right, wrong, "again: expected a constant of the function, found load")


def test_what_is_made_again_is_in_no_clobbered_register_and_others_are_lost() -> None:
    makes = W.line("lossy", [1], [], 7)
    function = W.function("rrr", ([0], [makes, SUM, STOP]), arrivals="r0")

    def again(register: int, keeps: int) -> PlacedFunction:
        first = W.move("r", keeps, 0), Placed(makes, (1,)), W.again("lossy", register, 7)
        return straight(function, *first, Placed(SUM, (0, keeps, register)), Placed(STOP, (0,)))

    right = again(2, 0)
    verdicts(function, right, again(3, 0), "r3: expected no clobber of what is written, found one")
    late = straight(
        function,
        Placed(makes, (1,)),
        W.move("r", 3, 0),
        W.again("lossy", 2, 7),
        Placed(SUM, (0, 3, 2)),
        Placed(STOP, (0,)),
    )
    verdicts(function, right, late, "r3: expected %0, 8 bytes, found nothing known")


def test_equal_constants_are_one_name() -> None:
    one, two = W.line("constant", [0], [], 7), W.line("constant", [1], [], 7)

    def both(second: Instruction) -> tuple[Function, PlacedFunction]:
        ends = W.move("r", 1, 0), Placed(LESS, (0, 0, 1)), Placed(STOP, (0,))
        placed = straight(TWO, Placed(one, (0,)), Placed(second, (2,)), *ends)
        return W.function("rrr", ([], [one, second, LESS, STOP])), placed

    check_allocation(*both(two), W.target)
    with pytest.raises(AllocationError, match="r1: expected %1, 8 bytes, found %0"):
        check_allocation(*both(replace(two, extras=(8,))), W.target)
