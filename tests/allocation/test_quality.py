"""What the allocator has to do without: moves and spills in loops, and time."""

from __future__ import annotations

from collections import Counter

import pytest
from allocation.kernels import (
    A64,
    X64,
    X64_WIDE,
    Names,
    calling_loop,
    long_block,
    nested_loops,
    sha256_block,
    update_loop,
)
from allocation.runs import Machine, run_function

from alpha.backends.aarch64.target import target as aarch64
from alpha.backends.core.allocation.allocate import allocate
from alpha.backends.core.placed import PlacedFunction
from alpha.backends.core.program import Function
from alpha.backends.core.target import Target
from alpha.backends.x86.target import target as x86

NARROW, WIDE, ARM = x86(), x86(frozenset({"avx512"})), aarch64()


def added(placed: PlacedFunction, *sources: int | None) -> Counter[str]:
    """What was added to the blocks of these numbers; None stands for those on edges."""
    return Counter(
        each.kind
        for block in placed.blocks
        if block.source in sources
        for each in block.instructions
        if not each.original
    )


def placed_and_run(function: Function, target: Target) -> PlacedFunction:
    placed = allocate(function, target)
    arguments = list(range(len(function.arrivals)))
    expected = run_function(function, arguments, 3000)
    assert Machine(function, placed, target).run(arguments, 3000) == expected
    return placed


@pytest.mark.parametrize(
    ("target", "names", "sums", "fixed"),
    [
        (NARROW, X64, 12, 1),
        (NARROW, X64, 14, 1),
        (NARROW, X64, 8, 7),
        (WIDE, X64_WIDE, 30, 1),
        (WIDE, X64_WIDE, 12, 19),
        (ARM, A64, 30, 1),
        (ARM, A64, 16, 15),
    ],
)
def test_a_loop_that_fits_into_registers_moves_nothing(
    target: Target, names: Names, sums: int, fixed: int
) -> None:
    placed = placed_and_run(update_loop(target, names, sums, fixed), target)
    assert not added(placed, 1, None)
    assert added(placed, 0, 2).keys() <= {"move"}
    assert not placed.slots


@pytest.mark.parametrize("check_first", (False, True))
@pytest.mark.parametrize("through", (0, 1, 20))
def test_what_only_lives_through_a_loop_is_spilled_outside(through: int, check_first: bool) -> None:
    function = update_loop(NARROW, X64, 14, 1, through, check_first)
    placed = placed_and_run(function, NARROW)
    assert not added(placed, *((1, 2) if check_first else (1,)), None)
    assert added(placed, 0)["store"] == added(placed, 2, 3)["load"] == through


@pytest.mark.parametrize("through", (1, 4, 20))
def test_what_only_lives_through_nested_loops_is_spilled_outside(through: int) -> None:
    placed = placed_and_run(nested_loops(NARROW, X64, 14, through), NARROW)
    assert not {"load", "store"} & added(placed, 1, 2, 3, None).keys()
    assert added(placed, 4)["load"] == max(0, through - 1)


def test_each_vector_too_many_costs_a_load_and_a_store() -> None:
    """20 sums, a factor, a word, 16 registers; a sum in memory needs one when it is used."""
    placed = placed_and_run(update_loop(NARROW, X64, 20), NARROW)
    assert added(placed, 1, None) - Counter(jump=1) == {"load": 7, "store": 7}


@pytest.mark.parametrize("check_first", (False, True))
def test_a_loop_loads_what_it_does_not_change_rather_than_storing_what_it_does(
    check_first: bool,
) -> None:
    function = update_loop(NARROW, X64, 12, 8, check_first=check_first)
    placed = placed_and_run(function, NARROW)
    inside = added(placed, *((1, 2) if check_first else (1,)), None)
    assert inside["store"] <= 1 and inside["load"] <= 8


def test_what_loops_of_many_pressures_cost() -> None:
    """Measured when it was written: 276 loads and 102 stores in 32 loops."""
    found: Counter[str] = Counter()
    for check_first in (False, True):
        for sums in (8, 12, 16, 20):
            for fixed in (1, 4, 8, 12):
                function = update_loop(NARROW, X64, sums, fixed, check_first=check_first)
                sources = (1, 2, None) if check_first else (1, None)
                found += added(allocate(function, NARROW), *sources)
    assert found["load"] + found["store"] <= 380


@pytest.mark.parametrize(("target", "names"), [(NARROW, X64), (ARM, A64)], ids=("x64", "a64"))
def test_what_lives_across_a_call_in_a_loop_is_in_kept_registers(
    target: Target, names: Names
) -> None:
    placed = placed_and_run(calling_loop(target, names, 2), target)
    # Only the two arguments are moved; nothing is spilled, and nothing moves on the way back.
    assert added(placed, 1, None) == {"move": 2}
    assert not placed.slots


def test_more_than_the_kept_registers_is_spilled_around_a_call() -> None:
    placed = placed_and_run(calling_loop(NARROW, X64, 6), NARROW)
    # The counter, six sums, the pointer and the limit live across it, in six registers.
    inside = added(placed, 1, None)
    assert inside["load"] <= 5 and inside["store"] <= 3


def test_constants_are_made_again_and_never_stored() -> None:
    function = long_block(NARROW, 0, 1)
    block = function.blocks[0]
    row = NARROW.rows["mov_immS32"]
    view = NARROW.views["r64"]
    last = block.instructions.pop()
    constants = []
    for number in range(40):
        value = function.value(view)
        block.instructions.append(type(last)(row, [value], [], (number,)))
        constants.append(value)
    for value in constants:
        address = block.instructions[1].extras
        uses = [block.parameters[0], value]
        block.instructions.append(type(last)(NARROW.rows["store_64"], [], uses, address))
    block.instructions.append(last)
    placed = placed_and_run(function, NARROW)
    assert added(placed, 0).keys() == {"again"}
    assert not placed.slots


def test_sha256_has_few_moves_and_spills() -> None:
    """Measured when it was written: 282 moves, 110 loads and 56 stores for 2209 instructions."""
    placed = placed_and_run(sha256_block(NARROW), NARROW)
    found = added(placed, 0)
    assert found["move"] <= 300 and found["load"] <= 120 and found["store"] <= 60
    assert len(placed.slots) <= 18


def test_the_same_function_is_placed_the_same_way_again() -> None:
    """Nothing depends on where objects lie in memory."""
    function = update_loop(NARROW, X64, 20, 3, 4)
    assert repr(allocate(function, NARROW)) == repr(allocate(function, NARROW))
