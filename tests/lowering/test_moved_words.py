"""Words that a role's code moves: by selections, and several at once; compared with numpy."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from routines.library import MACHINES, assembly, texts
from xdsl.dialects import func
from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.ir import Operation, Region

from alpha.backends.toolchain.calling import Caller
from alpha.backends.toolchain.calls import Buffer, Call
from alpha.ir.frontend.printer import print_module
from alpha.ir.refusals import Refusal
from alpha.ir.selections import Join, Repeat, Selection, Stride
from alpha.ir.sharding.fragments import members
from alpha.passes.linux.carrying import copy_all
from alpha.passes.linux.context import RoleContext
from alpha.passes.linux.emitting import POINTER, Emitter
from alpha.passes.linux.memory import ARENA, Arena, Held, Part, Total
from alpha.passes.linux.selecting import cut, put, run_of, selection_of

DTYPES = {"f64": np.int64, "f32": np.int32, "i64": np.int64}
"""Words are moved as they are, so integers of the same width tell every bit."""

CASES = 24
MEMORY_BYTES = 4096


def random_selection(random: random.Random, depth: int = 3) -> Selection:
    """An expression whose members stay small."""
    kind = random.randrange(3) if depth else 0
    if kind == 0:
        return Stride(random.randrange(4), random.choice((1, 1, 2, 5)), random.randint(1, 6))
    if kind == 1:
        inner = random_selection(random, depth - 1)
        step = inner.max - inner.min + random.randint(1, 3)
        return Repeat(random.randint(2, 3), step, inner)
    parts: list[Selection] = []
    for _ in range(random.randint(2, 3)):
        part = random_selection(random, depth - 1)
        parts.append(shifted(part, parts[-1].max + 1 if parts else 0))
    return Join(tuple(parts))


def shifted(selection: Selection, by: int) -> Selection:
    """The same members, so much higher."""
    match selection:
        case Stride():
            return Stride(selection.start + by, selection.step, selection.count)
        case Repeat():
            return Repeat(selection.count, selection.step, shifted(selection.inner, by))
        case Join():
            return Join(tuple(shifted(part, by) for part in selection.parts))
        case _:
            raise AssertionError(selection)


class Moves:
    """Functions that move words of a memory, each with the memory before and after."""

    def __init__(self) -> None:
        self._functions: list[Operation] = []
        self._declared: dict[str, Operation] = {}
        self._calls: list[Call] = []
        self._wanted: list[np.ndarray] = []

    def add(
        self,
        write: Callable[..., None],
        before: np.ndarray,
        after: np.ndarray,
        given: Sequence[Any],
        bytes: int | None = None,
    ) -> None:
        """What is written with these becomes a function; of the memory so many bytes count."""
        emitter = Emitter(lambda name: False)
        pointer = emitter.block.insert_arg(POINTER, 0)
        emitter.set_base(ARENA, pointer)
        write(emitter, *given)
        emitter.block.add_op(func.ReturnOp())
        name = f"moves{len(self._calls)}"
        type = FunctionType.from_lists([POINTER], [])
        self._functions.append(func.FuncOp(name, type, Region(emitter.block)))
        self._declared = {**emitter.declared, **self._declared}
        self._calls.append(Call(name, [Buffer(before)]))
        self._wanted.append(after[:bytes])

    def check(self, machine: str) -> None:
        module = ModuleOp([*self._declared.values(), *self._functions])
        moving = assembly(print_module(module), machine, "moves.mlir")
        with Caller([moving, *texts(machine, "words")], machine) as caller:
            results = caller.call(self._calls)
        for result, wanted in zip(results, self._wanted, strict=True):
            assert result.buffers[0][: len(wanted)].tobytes() == wanted.tobytes()


def memory_of(arena: Arena, seed: int) -> np.ndarray:
    """What memory holds first: bytes of any kind."""
    return np.random.default_rng(seed).integers(0, 256, arena.bytes, np.uint8)


def view(memory: np.ndarray, place: Any) -> np.ndarray:
    """The words of a place."""
    return memory[place.offset : place.offset + place.bytes].view(DTYPES[place.element])


def carry(emitter: Emitter, arena: Arena, held: Sequence[Held], into: Sequence[Held]) -> None:
    copy_all(RoleContext(0, 1, (), None, {}, emitter, arena), held, into)


@pytest.mark.parametrize("machine", MACHINES)
def test_fragments_are_cut_and_put_together(machine: str) -> None:
    moves, made = Moves(), random.Random(7)
    for case in range(CASES):
        selection, element = random_selection(made), ("f64", "f32", "i64")[case % 3]
        arena = Arena()
        whole = arena.place(selection.max + 1 + case % 2, element)
        fragment = arena.place(selection.size, element)
        before = memory_of(arena, case)
        after = before.copy()
        view(after, fragment)[:] = view(before, whole)[members(selection)]
        moves.add(cut, before, after, (whole, selection, fragment))
        after = before.copy()
        view(after, whole)[members(selection)] = view(before, fragment)
        moves.add(put, before, after, (fragment, selection, whole))
    moves.check(machine)


@pytest.mark.parametrize("machine", MACHINES)
def test_values_that_are_carried_change_places(machine: str) -> None:
    moves = Moves()
    for count in (1, 5):
        arena = Arena()
        places = [arena.place(count, "f64") for _ in range(4)]
        used = arena.bytes
        # Two change places, one keeps its words, and one becomes what another was.
        given = [places[1], places[0], places[2], places[0]]
        held: list[Held] = [*given[:2], Total(given[2], 3), {4: Part(given[3], 2)}]
        into: list[Held] = [*places[:2], Total(places[2], 3), {4: Part(places[3], 2)}]

        before = np.random.default_rng(count).integers(0, 256, MEMORY_BYTES, np.uint8)
        after = before.copy()
        for from_, to in zip(given, places, strict=True):
            view(after, to)[:] = view(before, from_)
        moves.add(carry, before, after, (arena, held, into), used)
    moves.check(machine)


def test_sums_over_other_samples_are_not_carried() -> None:
    arena = Arena()
    context = RoleContext(0, 1, (), None, {}, Emitter(lambda name: False), arena)
    place = arena.place(1, "f64")
    with pytest.raises(Refusal, match="a value of the same samples wherever it comes from"):
        copy_all(context, [Total(place, 3)], [Total(place, 4)])


def test_members_are_said_by_runs() -> None:
    made = random.Random(3)
    for _ in range(300):
        selection = random_selection(made)
        found = selection_of(members(selection))
        assert members(found).tolist() == members(selection).tolist()
    assert selection_of(np.arange(0, 1000, 7)) == Stride(0, 7, 143)
    rows = np.add.outer(6 * np.arange(50), np.arange(3)).reshape(-1)
    assert selection_of(rows) == Repeat(50, 6, Stride(0, 1, 3))
    assert selection_of(np.array([], np.int64)).size == 0


def test_irregular_members_are_refused() -> None:
    squares = np.arange(5000) ** 2
    with pytest.raises(Refusal, match="in at most 4096 runs of equal distances"):
        selection_of(squares)
    assert selection_of(squares[:4000]).size == 4000


def test_a_run_is_noticed() -> None:
    assert run_of(Join((Stride(3, 1, 2), Stride(5, 1, 4)))) == (3, 6)
    assert run_of(Stride(4, 2, 1)) == (4, 1)
    assert run_of(Stride(4, 2, 2)) is None
