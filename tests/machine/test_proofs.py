"""Emitted code is proved equal to what it is for: run on terms, it gives the very same terms."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from alpha.backends.aarch64.target import target as a64
from alpha.backends.core.allocation.allocate import allocate
from alpha.backends.core.carriers import NotModelled
from alpha.backends.core.checker import check_allocation
from alpha.backends.core.frames import add_frame
from alpha.backends.core.interpreter.machine import Machine
from alpha.backends.core.interpreter.terms_memory import TermsMemory
from alpha.backends.core.program import Address, Block, Edge, Extra, Function, Instruction
from alpha.backends.core.registers import Register
from alpha.backends.core.symbolic import MachineTerms
from alpha.backends.core.target import Target
from alpha.backends.x86.target import target as x64

SAMPLES = 7

Ways = Sequence[tuple[int, Sequence[int]]]

NAMES = {
    "constant": ("mov_immS32", "mov_imm"),
    "jump": ("jmp", "b"),
    "load": ("vmovsd_load", "load_d"),
    "multiply": ("vmulsd", "fmul_d"),
    "add": ("vaddsd", "fadd_d"),
    "store": ("vmovsd_store", "store_d"),
    "count": ("add_imm", "add_imm"),
    "branch": ("cmp_branch", "branch_cmp"),
    "return": ("ret", "ret"),
    "less": ("b", "lo"),
    "general": ("r64", "x"),
    "float": ("d", "d"),
}
"""What x86-64 and AArch64 call it: rows, a condition, views."""


def contribution(target: Target) -> Function:
    """The sum of x[i] * y[i] over the samples in order, from the word at z on, to z."""
    names = {what: both[target.name == "aarch64"] for what, both in NAMES.items()}
    scaled, plain = Address(True, True, 8, 0), Address()

    def line(
        what: str, defs: Sequence[int], uses: Sequence[int], *extras: Extra, ways: Ways = ()
    ) -> Instruction:
        edges = tuple(Edge(block, list(arguments)) for block, arguments in ways)
        return Instruction(target.rows[names[what]], list(defs), list(uses), extras, edges)

    x, y, z, samples, at, start, sum_, a, b, product, total, zero, next_, end = range(14)
    blocks = [
        Block(
            [x, y, z, samples],
            [
                line("load", [start], [z], plain),
                line("constant", [zero], [], 0),
                line("jump", [], [], ways=[(1, [zero, start])]),
            ],
        ),
        Block(
            [at, sum_],
            [
                line("load", [a], [x, at], scaled),
                line("load", [b], [y, at], scaled),
                line("multiply", [product], [a, b]),
                line("add", [total], [sum_, product]),
                line("count", [next_], [at], 1),
                line(
                    "branch",
                    [],
                    [next_, samples],
                    names["less"],
                    ways=[(1, [next_, total]), (2, [total])],
                ),
            ],
        ),
        Block([end], [line("store", [], [z, end], plain), line("return", [], [])]),
    ]
    floats = {start, sum_, a, b, product, total, end}
    return Function(
        "f",
        blocks,
        [target.views[names["float" if each in floats else "general"]] for each in range(14)],
        [Register("gpr", number) for number in target.convention.arguments["gpr"][:4]],
    )


@pytest.mark.parametrize("target", [x64(frozenset()), a64(frozenset())], ids=["x64", "a64"])
def test_a_loop_over_samples_gives_the_terms_of_its_sum(target: Target) -> None:
    function = contribution(target)
    placed = allocate(function, target)
    check_allocation(function, placed, target)
    carrier = MachineTerms()
    memory = TermsMemory(carrier)
    terms = carrier.logic
    inputs = [terms.symbol_array(each, (SAMPLES,), "f64") for each in "xy"]
    start = terms.symbol_array("z", (1,), "f64")
    places = [memory.allocate(8 * len(each)) for each in (*inputs, start)]
    for address, array in zip(places, (*inputs, start), strict=True):
        memory.store(address, carrier.vector(array, "f64"), 8 * len(array))
    machine = Machine([add_frame(placed, target)], target, memory)
    given = dict(zip(function.arrivals, (*places, SAMPLES), strict=True))
    machine.run("f", given)
    products = terms.apply("arith.mulf", *inputs)
    expected = terms.accumulate_from(start[0], products, 0)
    assert carrier.lanes(memory.load(places[2], 8), "f64")[0] == expected
    other = terms.accumulate_from(start[0], products[::-1], 0)
    assert carrier.lanes(memory.load(places[2], 8), "f64")[0] != other
    with pytest.raises(NotModelled):
        memory.integer(places[2])
    assert np.all(carrier.lanes(memory.load(places[0], 8 * SAMPLES), "f64") == inputs[0])
