"""Single instructions and graphs that are easy to get wrong, one a test; and clear errors."""

from __future__ import annotations

import pytest
from allocation.runs import Machine, run_function
from allocation.toy import CONVENTION, ROWS, TARGET, VIEWS

from alpha.backends.core.allocation.allocate import allocate
from alpha.backends.core.allocation.faults import NoPlacement
from alpha.backends.core.placed import PlacedFunction
from alpha.backends.core.program import Block, Edge, Function, Instruction, Value
from alpha.backends.core.registers import Register
from alpha.backends.core.rows import row


def op(name: str, defs: list[Value], uses: list[Value], *edges: Edge) -> Instruction:
    extras = (7,) if "const" in name else ()
    return Instruction(ROWS[name], defs, uses, extras, edges)


def function(views: str, arrivals: str, *blocks: Block) -> Function:
    """A function whose values have these views, a letter each, and arrive in these registers."""
    vectors = "xyzw"
    places = [
        Register("vec", vectors.index(name))
        if name in vectors
        else Register("gpr", "abcdef".index(name))
        for name in arrivals
    ]
    return Function("f", list(blocks), [VIEWS[view] for view in views], places)


def check(made: Function, limits: dict[str, int] | None = None) -> PlacedFunction:
    """Allocate and run from several arguments."""
    placed = allocate(made, TARGET, limits)
    for seed in range(20):
        arguments = [seed * 1000 + at for at in range(len(made.arrivals))]
        expected = run_function(made, arguments, 60)
        assert Machine(made, placed, TARGET, limits).run(arguments, 60) == expected
    return placed


def kinds(placed: PlacedFunction) -> list[str]:
    return [each.kind for block in placed.blocks for each in block.instructions]


def test_a_tied_operand_that_lives_on_is_copied() -> None:
    block = Block([0, 1], [op("sub2", [2], [0, 1]), op("add3", [3], [2, 0]), op("ret", [], [3])])
    assert kinds(check(function("gggg", "ab", block))).count("move") == 1


def test_what_a_loop_makes_keeps_the_register_and_what_it_was_made_of_moves_away() -> None:
    entry = Block([0, 1], [op("jump", [], [], Edge(1, [0]))])
    steps = [op("sub2", [3], [2, 1]), op("effect", [], [2])]
    last = op("branch", [], [3], Edge(1, [3]), Edge(2, []))
    end = Block([], [op("ret", [], [3])])
    placed = check(function("gggg", "ab", entry, Block([2], [*steps, last]), end))
    assert kinds(placed).count("move") == 1 and len(placed.blocks) == 3


def test_what_comes_between_leaves_a_loop_its_register() -> None:
    entry = Block([0, 1], [op("jump", [], [], Edge(1, [0]))])
    steps = [op("add3", [3], [2, 1]), op("none", [4], []), op("add3", [5], [3, 1])]
    uses = [op("effect", [], [value]) for value in (3, 4)]
    last = op("branch", [], [5], Edge(1, [5]), Edge(2, []))
    end = Block([], [op("ret", [], [5])])
    placed = check(function("gggggg", "ab", entry, Block([2], [*steps, *uses, last]), end))
    assert "move" not in kinds(placed)


def test_a_row_that_commutes_ties_the_operand_that_ends() -> None:
    block = Block([0, 1], [op("add2", [2], [0, 1]), op("sub2", [3], [2, 0]), op("ret", [], [3])])
    placed = check(function("gggg", "ba", block))
    assert "move" not in kinds(placed)
    first = placed.blocks[0].instructions[0]
    assert first.instruction is block.instructions[0]
    assert first.registers == (0, 0, 1)


def test_the_same_value_twice_in_a_tied_pair() -> None:
    for last in ([3, 0], [3, 3]):
        steps = [op("pair", [1, 2], [0, 0]), op("sub2", [3], [1, 2]), op("add3", [4], last)]
        check(function("ggggg", "a", Block([0], [*steps, op("ret", [], [4])])))


def test_a_value_in_a_fixed_register_and_anywhere_in_one_instruction() -> None:
    steps = [op("outside", [1], [0, 0]), op("add3", [2], [1, 0]), op("ret", [], [2])]
    check(function("ggg", "d", Block([0], steps)))
    check(function("ggg", "d", Block([0], steps)), {"gpr": 3})


def test_all_registers_fixed_while_others_live() -> None:
    steps = [
        op("div", [3, 4], [0, 1, 2]),
        op("div", [5, 6], [4, 3, 0]),
        *(op("effect", [], [value]) for value in (0, 1, 2, 3, 4, 5)),
        op("ret", [], [6]),
    ]
    check(function("ggggggg", "abc", Block([0, 1, 2], steps)))
    check(function("ggggggg", "dab", Block([0, 1, 2], steps)), {"gpr": 3})


def test_an_early_result_is_in_no_register_that_is_read() -> None:
    steps = [op("early2", [1, 2], [0, 0]), op("add3", [3], [1, 2]), op("ret", [], [3])]
    check(function("gggg", "a", Block([0], steps)), {"gpr": 3})


def call(
    defs: list[Value], uses: list[Value], results: list[int], places: list[int]
) -> Instruction:
    made = op("call", defs, uses)
    made.fixed_uses, made.fixed_defs = tuple(places), tuple(results)
    made.clobbers = CONVENTION.clobbered()
    return made


def test_an_argument_is_made_in_its_register() -> None:
    steps = [op("none", [0], []), op("sub2", [1], [0, 0]), call([], [1], [], [2])]
    assert "move" not in kinds(check(function("gg", "", Block([], [*steps, op("halt", [], [])]))))


def test_one_value_as_two_arguments_of_a_call() -> None:
    steps = [call([1], [0, 0, 0], [0], [0, 1, 2]), op("add3", [2], [0, 1]), op("ret", [], [2])]
    placed = check(function("ggg", "b", Block([0], steps)))
    assert "store" not in kinds(placed)


def test_a_call_keeps_narrow_vectors_and_spills_wide_ones() -> None:
    narrow, made = op("snew", [1], [0]), op("vconst", [2], [])
    last = [op("vget", [3], [2, 1]), op("ret", [], [3])]
    steps = [narrow, call([], [], [], []), made, *last]
    placed = check(function("gsvg", "a", Block([0], steps)))
    assert not {"store", "load"} & set(kinds(placed))
    steps = [narrow, op("vnew", [2], [0]), call([], [], [], []), *last]
    placed = check(function("gsvg", "a", Block([0], steps)))
    assert kinds(placed).count("store") == kinds(placed).count("load") == 1
    assert placed.slots[-1].bytes == 16


def test_a_call_that_leaves_some_registers_alone_keeps_wide_vectors_in_those() -> None:
    """All but x are left, but w only in part: two wide vectors and a narrow one stay."""
    made = [op("snew", [1], [0]), *(op("vnew", [value], [0]) for value in (2, 3, 4))]
    quiet = call([], [], [], [])
    quiet.clobbers = (Register("vec", 0),)
    uses = [*(op("veffect", [], [value]) for value in (2, 3, 4)), op("vget", [5], [2, 1])]
    block = Block([0], [*made, quiet, *uses, op("ret", [], [5])])
    placed = check(function("gsvvvg", "a", block))
    assert kinds(placed).count("store") == kinds(placed).count("load") == 1


def test_the_result_of_an_instruction_that_branches_is_stored_on_its_edges() -> None:
    entry = Block([0], [op("count", [1], [0], Edge(1, []), Edge(2, [1]))])
    busy = [op("none", [value], []) for value in range(3, 9)]
    busy += [op("effect", [], [value]) for value in range(3, 9)]
    first = Block([], [*busy, op("ret", [], [1])])
    second = Block([2], [op("ret", [], [2])])
    made = function("g" * 9, "a", entry, first, second)
    placed = check(made)
    assert kinds(placed).count("store") >= 1


def test_such_a_result_that_becomes_a_parameter_in_memory() -> None:
    """On one edge it is spilled for a loop, on the other it goes to its slot by another name."""
    made = [op("none", [value], []) for value in range(1, 7)]
    made += [op("const", [value], []) for value in range(8, 14)]
    count = op("count", [7], [0], Edge(1, []), Edge(2, [7, *range(8, 14)]))
    uses = [op("effect", [], [value]) for value in range(1, 8)]
    loop = Block([], [*uses, op("branch", [], [1], Edge(1, []), Edge(3, []))])
    uses = [op("effect", [], [value]) for value in range(20, 13, -1)]
    other = Block(list(range(14, 21)), [*uses, op("halt", [], [])])
    entry, end = Block([0], [*made, count]), Block([], [op("halt", [], [])])
    placed = check(function("g" * 21, "a", entry, loop, other, end))
    stores = [
        (block.source, each.instruction.uses)
        for block in placed.blocks
        for each in block.instructions
        if each.kind == "store"
    ]
    assert stores.count((None, [7])) == 2


def test_an_argument_in_a_register_whose_store_is_on_another_way() -> None:
    """The parameter's slot is the argument's, but nothing has been stored there on this way."""
    entry = Block([0], [op("none", [1], []), op("branch", [], [0], Edge(1, []), Edge(2, []))])
    busy = [op("none", [value], []) for value in range(2, 8)]
    busy += [op("effect", [], [value]) for value in [*range(2, 8), 1]]
    one = Block([], [*busy, op("halt", [], [])])
    made = [op("const", [value], []) for value in range(8, 14)]
    other = Block([], [*made, op("jump", [], [], Edge(3, [1, *range(8, 14)]))])
    uses = [op("effect", [], [value]) for value in range(20, 13, -1)]
    last = Block(list(range(14, 21)), [*uses, op("halt", [], [])])
    placed = check(function("g" * 21, "a", entry, one, other, last))
    assert len(placed.slots) == 1 and kinds(placed).count("store") == 2


def test_an_entry_that_is_a_loop_gets_a_block_before_it() -> None:
    loop = Block(
        [0, 1], [op("sub2", [2], [0, 1]), op("branch", [], [2], Edge(0, [1, 2]), Edge(1, []))]
    )
    placed = check(function("ggg", "ab", loop, Block([], [op("ret", [], [2])])))
    assert placed.blocks[0].source is None
    assert [placed.blocks[at].source for at in placed.blocks[0].targets] == [0]
    assert placed.blocks[0].instructions[-1].kind == "jump"


def test_blocks_that_cannot_be_reached_are_gone() -> None:
    dead = Block([1], [op("jump", [], [], Edge(2, [1]))])
    last = Block([2], [op("ret", [], [2])])
    entry = Block([0], [op("jump", [], [], Edge(2, [0]))])
    placed = check(function("ggg", "a", entry, dead, last))
    assert [block.source for block in placed.blocks] == [0, 2]


def test_a_loop_without_end() -> None:
    entry = Block([0], [op("jump", [], [], Edge(1, [0]))])
    loop = Block(
        [1], [op("add3", [2], [1, 0]), op("effect", [], [2]), op("jump", [], [], Edge(1, [2]))]
    )
    placed = check(function("ggg", "a", entry, loop))
    assert kinds(placed).count("move") <= 1


def test_both_edges_of_a_branch_to_one_block_with_other_arguments() -> None:
    entry = Block([0, 1], [op("branch", [], [0], Edge(1, [0, 1]), Edge(1, [1, 0]))])
    last = Block([2, 3], [op("sub2", [4], [2, 3]), op("ret", [], [4])])
    check(function("ggggg", "ab", entry, last))


def test_a_branch_to_itself_that_swaps() -> None:
    entry = Block([0, 1], [op("jump", [], [], Edge(1, [0, 1]))])
    loop = Block(
        [2, 3], [op("effect", [], [2]), op("branch", [], [3], Edge(1, [3, 2]), Edge(2, []))]
    )
    check(function("gggg", "ab", entry, loop, Block([], [op("ret", [], [2])])))


def test_a_loop_with_two_entries() -> None:
    entry = Block([0, 1], [op("branch", [], [0], Edge(1, [0]), Edge(2, [1]))])
    one = Block([2], [op("sub2", [3], [2, 1]), op("branch", [], [3], Edge(2, [3]), Edge(3, []))])
    other = Block([4], [op("add3", [5], [4, 0]), op("jump", [], [], Edge(1, [5]))])
    for limits in (None, {"gpr": 3}):
        made = function("gggggg", "ab", entry, one, other, Block([], [op("ret", [], [3])]))
        check(made, limits)


def test_the_function_is_not_changed() -> None:
    block = Block([0, 1], [op("add2", [2], [0, 1]), op("sub2", [3], [2, 0]), op("ret", [], [3])])
    made = function("gggg", "ab", block)
    before = repr(made)
    allocate(made, TARGET)
    assert repr(made) == before


def test_parameters_of_the_function_that_arrive_and_are_not_used() -> None:
    placed = check(function("ggv", "abx", Block([0, 1, 2], [op("ret", [], [1])])))
    assert kinds(placed) == ["move", "original"]


def error(made: Function, limits: dict[str, int] | None = None) -> str:
    with pytest.raises(NoPlacement) as caught:
        allocate(made, TARGET, limits)
    return str(caught.value)


def test_an_instruction_that_needs_more_registers_than_there_are() -> None:
    steps = [op("fma", [3], [0, 1, 2]), op("veffect", [], [3]), op("halt", [], [])]
    made = function("vvvv", "xyz", Block([0, 1, 2], steps))
    assert error(made, {"vec": 2}) == (
        "f: fma needs more than the 2 registers of class vec that it doesn't fix or clobber"
    )


def test_two_values_in_one_fixed_register() -> None:
    made = function("ggg", "ab", Block([0, 1], [op("same", [2], [0, 1]), op("halt", [], [])]))
    assert error(made) == "same: two operands in one register"


def test_two_results_in_one_fixed_register() -> None:
    made = function("gg", "", Block([], [call([0, 1], [], [0, 0], []), op("halt", [], [])]))
    assert error(made) == "call: two results in one register"


def test_operands_that_are_missing() -> None:
    made = function("gg", "a", Block([0], [op("add3", [1], [0]), op("halt", [], [])]))
    assert error(made) == "add3: fewer operands than its row has"


def test_an_edge_that_brings_too_few_or_other_values() -> None:
    last = Block([1], [op("halt", [], [])])
    few = function("gg", "a", Block([0], [op("jump", [], [], Edge(1, []))]), last)
    assert error(few) == "an edge brings 0 of 1 values"
    other = function("gv", "a", Block([0], [op("jump", [], [], Edge(1, [0]))]), last)
    assert error(other) == "an edge brings g for v"


def test_a_register_that_does_not_exist() -> None:
    made = function("g", "", Block([], [call([0], [], [9], []), op("halt", [], [])]))
    assert error(made) == "gpr has no register 9"


def test_an_early_result_in_the_register_of_an_operand() -> None:
    early = row(VIEWS, "early", "d:g@a! = a:g@a", "early", lambda c, a: a)
    last = op("halt", [], [])
    made = function("gg", "a", Block([0], [Instruction(early, [1], [0]), last]))
    assert error(made) == "early: an early result in an operand's register"


def test_two_results_tied_to_one_operand() -> None:
    twins = row(VIEWS, "twins", "d:g/a, e:g/a = a:g", "twins {d} {e}", lambda c, a: (a, a))
    last = op("halt", [], [])
    made = function("ggg", "a", Block([0], [Instruction(twins, [1, 2], [0]), last]))
    assert error(made) == "twins: two results in the register of one operand"
