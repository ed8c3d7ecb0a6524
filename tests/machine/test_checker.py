"""The checker of register allocation: each requirement of its statement, broken alone.

Each test has a right placement, which passes, and a wrong one that differs in what it breaks.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from machine.verdicts import LESS, ONE, STOP, STOPS, SUM, TIED, TWO, W, straight, verdicts

from alpha.backends.core.checker import AllocationError, check_allocation
from alpha.backends.core.placed import Placed, PlacedFunction
from alpha.backends.core.program import Address, Function, Slice

# W: the whole


def test_name_export_and_slots_are_the_functions() -> None:
    right = straight(TWO, Placed(SUM, (0, 0, 1)), Placed(STOP, (0,)))
    verdicts(TWO, right, replace(right, name="g"), "name: expected f, found g")
    verdicts(TWO, right, replace(right, exported=False), "export")
    verdicts(TWO, right, replace(right, bytes_out=8), "outgoing bytes")
    own = replace(TWO, slots=[Slice(8, 8)])
    right = straight(own, Placed(SUM, (0, 0, 1)), Placed(STOP, (0,)))
    verdicts(own, right, replace(right, slots=[Slice(16, 8)]), "slots")
    verdicts(own, right, replace(right, slots=[]), "slots")


GOES = W.line("jump", edges=[(1, [])])
CHAIN = W.function("r", ([0], [GOES]), ([], ONE.blocks[0].instructions), arrivals="r0")


def test_the_entry_comes_first() -> None:
    first, second = (0, [Placed(GOES, ())], [1]), (1, [STOPS], [])
    wrong = W.placed(second, (0, [Placed(GOES, ())], [0]))
    verdicts(CHAIN, W.placed(first, second), wrong, "source: expected 0, found 1")


def test_blocks_are_placed_once_and_none_is_missing() -> None:
    first, second = (0, [Placed(GOES, ())], [1]), (1, [STOPS], [])
    right = W.placed(first, second)
    verdicts(CHAIN, right, W.placed(first, second, second), "block 1 alone, found block 2 too")
    lost = W.function("r", ([0], [STOPS.instruction]), ([], [STOPS.instruction]), arrivals="r0")
    check_allocation(lost, W.placed((0, [STOPS], [])), W.target)  # block 1 can't be reached
    with pytest.raises(AllocationError, match=r"way to block 1: expected the function's block 1"):
        check_allocation(CHAIN, W.placed(first), W.target)
    verdicts(CHAIN, right, W.placed(first, (2, [STOPS], [])), "a block of the function, found 2")


def test_every_reachable_block_is_placed_even_if_no_way_leads_there() -> None:
    ways = W.line("branch", [], [0], edges=[(1, []), (1, [])])
    function = W.function("r", ([0], [ways]), ([], [STOPS.instruction]), arrivals="r0")
    right = W.placed((0, [Placed(ways, (0,))], [1, 1]), (1, [STOPS], []))
    wrong = W.placed((0, [Placed(ways, (0,))], [1, 2]), (1, [STOPS], []), (None, [W.jump()], [2]))
    verdicts(function, right, wrong, "way to block 2: expected the function's block 1")


def test_instructions_stand_once_in_order_as_they_are() -> None:
    add, stop = Placed(SUM, (0, 0, 1)), Placed(STOP, (0,))
    right = straight(TWO, add, stop)
    verdicts(TWO, right, straight(TWO, stop), "expected add, found stop")
    verdicts(TWO, right, straight(TWO, add), "expected stop, found its end")
    verdicts(TWO, right, straight(TWO, add, add, stop), "expected stop, found add")
    verdicts(TWO, right, straight(TWO, add, stop, stop), "its end, found an instruction behind")
    verdicts(TWO, right, straight(TWO, add, stop, W.move("r", 1, 0)), "an instruction behind")
    other = Placed(replace(SUM, row=W.target.rows["sub_early"]), (2, 0, 1))
    verdicts(TWO, right, straight(TWO, other, stop), "expected add, found sub_early")


def test_extras_stay_as_they_are() -> None:
    adds = W.line("add_imm", [1], [0], 5)
    function = W.function("rr", ([0], [adds, W.line("stop", [], [1])]), arrivals="r0")
    stop = Placed(function.blocks[0].instructions[1], (0,))
    right = straight(function, Placed(adds, (0, 0)), stop)
    wrong = straight(function, Placed(replace(adds, extras=(6,)), (0, 0)), stop)
    verdicts(function, right, wrong, "expected add_imm 5, found add_imm 6")


def test_between_them_are_only_moves() -> None:
    add, stop = Placed(SUM, (0, 0, 1)), Placed(STOP, (0,))
    right = straight(TWO, W.move("r", 2, 1), add, stop)
    instruction = replace(W.move("r", 2, 1).instruction, row=W.target.rows["lower"])
    wrong = straight(TWO, Placed(instruction, (2, 1), "move"), add, stop)
    verdicts(TWO, right, wrong, "a row of the target's moves, found lower")
    wrong = straight(TWO, Placed(W.move("r", 2, 1).instruction, (2, 1), "jump"), add, stop)
    verdicts(TWO, right, wrong, "one that only moves values, found jump")
    loads = replace(W.load("r", 2, 0), kind="store")
    wrong = straight(TWO, loads, add, stop, slots=(8,))
    verdicts(TWO, right, wrong, "a row of the target's moves, found load_r")


BRANCH = W.line("branch", [], [0], edges=[(1, [0]), (2, [0])])
LEFT, RIGHT = W.line("stop", [], [1]), W.line("stop", [], [2])
FORK = W.function("rrr", ([0], [BRANCH]), ([1], [LEFT]), ([2], [RIGHT]), arrivals="r0")


def test_ways_lead_to_the_blocks_of_their_edges() -> None:
    fork = [Placed(BRANCH, (0,))]
    left, right = (1, [Placed(LEFT, (0,))], []), (2, [Placed(RIGHT, (0,))], [])
    good = W.placed((0, fork, [1, 2]), left, right)
    verdicts(
        FORK, good, W.placed((0, fork, [2, 1]), left, right), "expected the function's block 1"
    )
    verdicts(FORK, good, W.placed((0, fork, [1]), left, right), "expected 2 ways on, found 1")
    through = W.placed(
        (0, fork, [3, 2]), left, right, (None, [W.jump()], [4]), (None, [W.jump()], [1])
    )
    wrong = W.placed(
        (0, fork, [3, 2]), left, right, (None, [W.jump()], [4]), (None, [W.jump()], [2])
    )
    verdicts(FORK, through, wrong, "the function's block 1, found block 2")
    wrong = W.placed(
        (0, fork, [3, 2]), left, right, (None, [W.jump()], [4]), (None, [W.jump()], [3])
    )
    verdicts(FORK, through, wrong, "the function's block 1, found block 3")
    wrong = W.placed((0, fork, [3, 2]), left, right, (None, [W.jump()], [9]))
    verdicts(FORK, good, wrong, "the function's block 1, found block 9")


def test_inserted_blocks_end_with_a_jump() -> None:
    fork = [Placed(BRANCH, (0,))]
    left, right = (1, [Placed(LEFT, (0,))], []), (2, [Placed(RIGHT, (0,))], [])
    good = W.placed((0, fork, [3, 2]), left, right, (None, [W.jump()], [1]))

    def with_block(*steps: Placed, ways: tuple[int, ...] = (1,)) -> PlacedFunction:
        return W.placed((0, fork, [3, 2]), left, right, (None, steps, ways))

    verdicts(FORK, good, with_block(), "moves and one way on")
    verdicts(FORK, good, with_block(W.jump(), ways=(1, 2)), "moves and one way on")
    verdicts(FORK, good, with_block(W.move("r", 1, 0)), "expected a jump at its end, found move_r")
    early = with_block(W.jump(), W.jump())
    verdicts(FORK, good, early, "one that only moves values, found jump")
    early = with_block(Placed(W.jump().instruction, ()), W.jump())
    verdicts(FORK, good, early, "expected a move, found an original instruction")


def test_edges_bring_an_argument_for_each_parameter() -> None:
    fork = [Placed(BRANCH, (0,))]
    blocks = (1, [Placed(LEFT, (0,))], []), (2, [Placed(RIGHT, (0,))], [])
    good = W.placed((0, fork, [1, 2]), *blocks)
    check_allocation(FORK, good, W.target)
    for arguments, found in (
        ([], "expected 1 arguments, found 0"),
        ([3], "%1: expected a value within r"),
    ):
        branch = replace(BRANCH, edges=W.line("jump", edges=[(1, arguments), (2, [0])]).edges)
        function = W.function("rrrv", ([0], [branch]), ([1], [LEFT]), ([2], [RIGHT]), arrivals="r0")
        with pytest.raises(AllocationError, match=found):
            check_allocation(function, good, W.target)
    narrow = replace(FORK, views=[W.target.views[each] for each in "rhr"])
    with pytest.raises(AllocationError, match="%1: expected a value within h, found %0: r"):
        check_allocation(narrow, good, W.target)


def test_values_are_defined_once_by_a_view_within_their_own() -> None:
    right = straight(TWO, Placed(SUM, (0, 0, 1)), Placed(STOP, (0,)))
    for lines, views, message in (
        ([SUM, SUM, STOP], "rrr", "one definition, found a second one"),
        ([replace(SUM, defs=[1]), STOP], "rrr", "one definition"),
        ([SUM, STOP], "rrh", "%2: expected a view within h, found r"),
        ([SUM, STOP], "rrv", "%2: expected a view within v, found r"),
    ):
        function = W.function(views, ([0, 1], lines), arrivals="r0 r1")
        with pytest.raises(AllocationError, match=message):
            check_allocation(function, right, W.target)
    for arrivals, message in (("r0", "expected 2 registers"), ("r0 v1", "%1: expected gpr")):
        with pytest.raises(AllocationError, match=message):
            check_allocation(
                replace(TWO, arrivals=[W.register(each) for each in arrivals.split()]),
                right,
                W.target,
            )


# I: instructions


def test_operands_have_a_register_each() -> None:
    stop = Placed(STOP, (0,))
    right = straight(TWO, Placed(SUM, (0, 0, 1)), stop)
    verdicts(TWO, right, straight(TWO, Placed(SUM, (0, 0)), stop), "expected 3 registers, found 2")


def test_values_have_the_class_of_their_slots() -> None:
    right = straight(TWO, Placed(SUM, (0, 0, 1)), Placed(STOP, (0,)))
    check_allocation(TWO, right, W.target)
    vectors = W.function("rvr", ([0, 1], [SUM, STOP]), arrivals="r0 v1")
    with pytest.raises(AllocationError, match="%1: expected a value of class gpr, found vec"):
        check_allocation(vectors, right, W.target)


def test_uses_are_where_their_values_are() -> None:
    stop = Placed(STOP, (0,))
    right = straight(TIED, Placed(LESS, (0, 0, 1)), stop)
    wrong = straight(TIED, Placed(LESS, (0, 0, 2)), stop)
    verdicts(TIED, right, wrong, "r2: expected %1, 8 bytes, found nothing known")
    wrong = straight(TIED, Placed(LESS, (1, 1, 0)), W.move("r", 0, 1), stop)
    verdicts(TIED, right, wrong, "r1: expected %0, 8 bytes, found %1 (8 bytes)")


def test_commuting_uses_may_be_exchanged_and_others_not() -> None:
    stop = Placed(STOP, (0,))
    right = straight(TWO, Placed(SUM, (0, 1, 0)), stop)
    wrong = straight(TWO, Placed(SUM, (0, 1, 1)), stop)
    verdicts(TWO, right, wrong, "r1: expected %0")
    function = replace(TIED)
    check_allocation(function, straight(TIED, Placed(LESS, (0, 0, 1)), stop), W.target)
    with pytest.raises(AllocationError, match="r1: expected %0"):
        check_allocation(
            function, straight(TIED, Placed(LESS, (1, 1, 0)), W.move("r", 0, 1), stop), W.target
        )


def test_tied_defs_are_in_the_register_of_their_use() -> None:
    right = straight(TIED, Placed(LESS, (0, 0, 1)), Placed(STOP, (0,)))
    wrong = straight(TIED, Placed(LESS, (2, 0, 1)), W.move("r", 0, 2), Placed(STOP, (0,)))
    verdicts(TIED, right, wrong, "def 0: expected r0, found r2")


def test_fixed_registers_of_rows_and_of_calls() -> None:
    right = straight(TWO, Placed(SUM, (0, 0, 1)), Placed(STOP, (0,)))
    wrong = straight(TWO, Placed(SUM, (1, 0, 1)), Placed(STOP, (1,)))
    verdicts(TWO, right, wrong, "%2: expected r0, found r1")
    call = W.line(
        "call", [1], [0], "g",
        fixed_defs=(0,), fixed_uses=(1,), clobbers=W.target.convention.clobbered(),
    )  # fmt: skip
    function = W.function("rr", ([0], [call, W.line("stop", [], [1])]), arrivals="r1")
    stop = Placed(function.blocks[0].instructions[1], (0,))
    right = straight(function, Placed(call, (0, 1)), stop)
    wrong = straight(function, W.move("r", 2, 1), Placed(call, (0, 2)), stop)
    verdicts(function, right, wrong, "%0: expected r1, found r2")
    wrong = straight(function, Placed(call, (1, 1)), W.move("r", 0, 1), stop)
    verdicts(function, right, wrong, "%1: expected r0, found r1")


def test_registers_are_those_that_may_be_allocated() -> None:
    through = Placed(SUM, (3, 0, 1)), W.move("r", 0, 3), Placed(STOP, (0,))
    check_allocation(TWO, straight(TWO, *through), W.target)
    right = straight(TWO, Placed(SUM, (1, 0, 1)), W.move("r", 0, 1), Placed(STOP, (0,)))
    found = "%2: expected a register to allocate, found r3"
    verdicts(TWO, right, straight(TWO, *through), found, {"gpr": 2})
    pointer = Placed(SUM, (4, 0, 1)), W.move("r", 0, 1), Placed(STOP, (0,))
    verdicts(TWO, right, straight(TWO, *pointer), "a register to allocate, found r4")
    beyond = Placed(SUM, (-3, 0, 1)), W.move("r", 0, 1), Placed(STOP, (0,))
    verdicts(TWO, right, straight(TWO, *beyond), "a register to allocate, found no register")


def test_defs_are_in_different_registers() -> None:
    twice = W.line("twice", [1, 2], [0])
    function = W.function("rrr", ([0], [twice, STOP]), arrivals="r0")
    right = straight(function, Placed(twice, (1, 0, 0)), Placed(STOP, (0,)))
    wrong = straight(function, Placed(twice, (0, 0, 0)), Placed(STOP, (0,)))
    verdicts(function, right, wrong, "defs: expected different registers, found r0, r0")


def test_early_defs_are_in_no_register_of_a_use() -> None:
    early = W.line("sub_early", [2], [0, 1])
    function = W.function("rrr", ([0, 1], [early, STOP]), arrivals="r0 r1")
    stops = W.move("r", 0, 2), Placed(STOP, (0,))
    right = straight(function, Placed(early, (2, 0, 1)), *stops)
    wrong = straight(function, Placed(early, (1, 0, 1)), W.move("r", 0, 1), Placed(STOP, (0,)))
    verdicts(function, right, wrong, "r1: expected no use beside the early def 0, found use 1")
    tied = W.line("early_tied", [2], [0, 1])
    function = W.function("rrr", ([0, 1], [tied, STOP]), arrivals="r0 r1")
    right = straight(function, Placed(tied, (0, 0, 1)), Placed(STOP, (0,)))
    same = W.line("early_tied", [2], [0, 0])
    doubled = W.function("rrr", ([0, 1], [same, STOP]), arrivals="r0 r1")
    check_allocation(function, right, W.target)
    good = straight(doubled, W.move("r", 2, 0), Placed(same, (0, 0, 2)), Placed(STOP, (0,)))
    wrong = straight(doubled, Placed(same, (0, 0, 0)), Placed(STOP, (0,)))
    verdicts(doubled, good, wrong, "r0: expected no use beside the early def 0, found use 1")


def test_defs_are_in_no_clobbered_register() -> None:
    trash = W.line("trash", [2], [0])
    function = W.function("rrr", ([0, 1], [trash, STOP]), arrivals="r0 r1")
    right = straight(function, Placed(trash, (0, 0)), Placed(STOP, (0,)))
    wrong = straight(function, Placed(trash, (2, 0)), W.move("r", 0, 2), Placed(STOP, (0,)))
    verdicts(function, right, wrong, "r2: expected no clobber of what is written")


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ({"number": 1}, "one of the function's 1 slots, found slot 1"),
        ({"offset": 9}, "within 16 bytes of slot 0, found 8 bytes at 9"),
        ({"offset": -1}, "8 bytes at -1"),
        ({"area": "out", "offset": 4}, "within 8 bytes of out 0, found 8 bytes at 4"),
    ],
)
def test_addresses_in_the_frame_are_within_their_part(address: dict, message: str) -> None:
    def function(place: Address) -> tuple[Function, PlacedFunction]:
        load = W.line("load", [2], [], place)
        made = W.function("rrr", ([0, 1], [load, STOP]), arrivals="r0 r1", slots=[16], bytes_out=8)
        return made, straight(made, Placed(load, (0,)), Placed(STOP, (0,)), slots=(8,))

    good = Address(based=False, area="slot", number=0, offset=8)
    check_allocation(*function(good), W.target)
    with pytest.raises(AllocationError, match=message):
        check_allocation(*function(good._replace(**address)), W.target)


def test_what_is_clobbered_or_written_holds_nothing_else() -> None:
    trash = W.line("trash", [2], [0])
    both = W.line("add", [3], [1, 2])
    stop = W.line("stop", [], [3])
    function = W.function("rrrr", ([0, 1], [trash, both, stop]), arrivals="r0 r1")
    ends = Placed(both, (0, 1, 0)), Placed(stop, (0,))
    right = straight(function, Placed(trash, (0, 0)), *ends)
    wrong = straight(function, Placed(trash, (1, 0)), Placed(both, (0, 1, 1)), Placed(stop, (0,)))
    verdicts(function, right, wrong, "r1: expected %1, 8 bytes, found %2")
    lost = W.move("r", 2, 1), Placed(trash, (0, 0)), Placed(both, (0, 2, 0)), Placed(stop, (0,))
    verdicts(function, right, straight(function, *lost), "r2: expected %1, 8 bytes, found nothing")
