"""Functions of rows, allocated, framed, printed and called: convention and frame as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from alpha.backends.aarch64.registers import VIEWS
from alpha.backends.aarch64.target import target
from alpha.backends.core.allocation.allocate import allocate
from alpha.backends.core.checker import check_allocation
from alpha.backends.core.frames import add_frame
from alpha.backends.core.printing import print_module
from alpha.backends.core.program import (
    Address,
    Block,
    Edge,
    Extra,
    Function,
    Instruction,
    Slice,
    Value,
)
from alpha.backends.core.registers import Register
from alpha.backends.core.rows import Word
from alpha.backends.toolchain.calling import Caller
from alpha.backends.toolchain.calls import Buffer, Call
from alpha.backends.toolchain.failures import TextRejected

TARGET = target()
BYTES_OF_FRAME = 5000


class _Writer:
    """Writes rows at the end of a function's last block."""

    def __init__(self, name: str, arrivals: Sequence[tuple[str, int]], exported: bool) -> None:
        registers = [Register(VIEWS[view].of.name, number) for view, number in arrivals]
        self.function = Function(name, [], [], registers, exported=exported)
        self.parameters = self.block(*(view for view, _ in arrivals))

    def block(self, *views: str) -> list[Value]:
        parameters = [self.function.value(VIEWS[view]) for view in views]
        self.function.blocks.append(Block(parameters))
        return parameters

    def row(
        self,
        name: str,
        *uses: Value,
        extras: Sequence[Extra] = (),
        edges: Sequence[Edge] = (),
        fixed: Sequence[int] = (),
        results: Sequence[tuple[str, int]] = (),
    ) -> Value:
        """A row; a call and a return have their values in `fixed` registers. Gives the last def."""
        row = TARGET.rows[name]
        calls = row.role == "call"
        views = [slot.kind for slot in row.defs] + [VIEWS[view] for view, _ in results]
        defs = [self.function.value(view) for view in views]  # pyright: ignore[reportArgumentType]
        made = Instruction(
            row,
            defs,
            list(uses),
            tuple(extras),
            tuple(edges),
            fixed_defs=tuple(number for _, number in results),
            fixed_uses=tuple(fixed),
            clobbers=(*row.clobbers, *TARGET.convention.clobbered()) if calls else row.clobbers,
        )
        self.function.blocks[-1].instructions.append(made)
        return defs[-1] if defs else -1


def _halved() -> Function:
    """A function that changes every register that a call may change, and returns x * 0.5."""
    writer = _Writer("halved", [("d", 0)], exported=False)
    (x,) = writer.parameters
    half = writer.row("high_d", extras=(0x3FE0,))
    junk = [writer.row("ones_q") for _ in range(24)]
    numbers = [writer.row("mov_imm", extras=(7,)) for _ in range(16)]
    mixed = junk[0]
    for each in junk[1:]:
        mixed = writer.row("eor_16b", mixed, each)
    total = numbers[0]
    for each in numbers[1:]:
        total = writer.row("add", total, each)
    writer.row("fmov_x_d", writer.row("lane_d", mixed, extras=(0,)))
    writer.row("store_64", total, extras=(Address(False, area="slot"),))
    writer.function.slots.append(Slice(8, 8))
    writer.row("ret", writer.row("fmul_d", x, half), fixed=(0,))
    return writer.function


def _summed() -> Function:
    """sum(words, n): halved words are added up, in a double, in both lanes of a vector, in memory.

    Values of 8 and of 16 bytes and integers live across the call.
    """
    writer = _Writer("summed", [("x", 0), ("x", 1)], exported=True)
    words, count = writer.parameters
    writer.function.slots.append(Slice(BYTES_OF_FRAME, 8))
    last = Address(False, offset=BYTES_OF_FRAME - 8, area="slot")
    zero, lanes = writer.row("zero_d"), writer.row("zero_q")
    start = writer.row("mov_imm", extras=(0,))
    writer.row("store_d", zero, extras=(last,))
    writer.row("b", edges=(Edge(1, [start, zero, lanes]),))

    at, total, vector = writer.block("x", "d", "q")
    writer.row("branch_cmp", at, count, extras=("lo",), edges=(Edge(2, []), Edge(3, [])))

    writer.block()
    word = writer.row("load_d", words, at, extras=(Address(True, True, 8),))
    half = writer.row("bl", word, extras=("halved",), fixed=(0,), results=(("d", 0),))
    more = writer.row("fadd_d", total, half)
    wider = writer.row("fadd_2d", vector, writer.row("dup_2d", half))
    kept = writer.row("fadd_d", writer.row("load_d", extras=(last,)), half)
    writer.row("store_d", kept, extras=(last,))
    following = writer.row("add_imm", at, extras=(1,))
    writer.row("b", edges=(Edge(1, [following, more, wider]),))

    writer.block()
    both = writer.row("faddp_scalar_d", vector)
    rest = writer.row("fsub_d", both, writer.row("load_d", extras=(last,)))
    writer.row("ret", writer.row("fadd_d", total, rest), fixed=(0,))
    return writer.function


def test_values_live_across_calls_in_what_the_convention_keeps():
    placed = []
    for function in (_halved(), _summed()):
        made = allocate(function, TARGET)
        check_allocation(function, made, TARGET)
        placed.append(add_frame(made, TARGET))
    text = print_module(placed, [], TARGET)
    assert "sub sp, sp, #4096" in text
    words = np.arange(1.0, 40.0)
    calls = [Call("summed", [Buffer(words[:n]), n], "f64") for n in (0, 1, 7, 39)]
    with Caller(text, "aarch64") as caller:
        found = [float(result.value) for result in caller.call(calls)]  # pyright: ignore
    assert found == [words[:n].sum() for n in (0, 1, 7, 39)]


def test_a_branch_gets_over_a_long_function():
    """The work of an iteration is longer than what the branch at its head gets over."""
    function = allocate(_summed(), TARGET)
    body = function.blocks[2].instructions
    again = next(each for each in body if each.instruction.row.name == "fadd_2d")
    body[-1:-1] = [again] * (1 << 18)
    placed = [add_frame(each, TARGET) for each in (allocate(_halved(), TARGET), function)]
    text = print_module(placed, [], TARGET)
    near = replace(TARGET, syntax=replace(TARGET.syntax, reach=None))
    calls = [Call("summed", [Buffer(np.zeros(n)), n], "f64") for n in (0, 3)]
    with Caller(text, "aarch64") as caller:
        assert [result.value for result in caller.call(calls)] == [0.0, 0.0]
    with pytest.raises(TextRejected), Caller(print_module(placed, [], near), "aarch64"):
        pass


def test_a_call_row_is_the_one_that_names_its_function():
    called = next(row for row in TARGET.rows.values() if row.role == "call")
    assert [slot.kind for slot in called.reads] == [Word("symbol")]
