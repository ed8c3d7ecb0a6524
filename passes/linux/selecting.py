"""Copies words of some coordinates out of a whole value, or into it, by loops over a selection.

Invariant: words of a fragment lie in the ascending order of their coordinates. What is written
    grows with the nodes of the expression, never with its members.
Entry: `cut`, `put`, `selection_of`, `run_of`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from xdsl.ir import SSAValue

from alpha.ir.refusals import Refusal
from alpha.ir.selections import Empty, Join, Repeat, Selection, Stride
from alpha.passes.linux.data_layout import WORD_BYTES
from alpha.passes.linux.emitting import Emitter
from alpha.passes.linux.memory import Place

PARTS_MAX = 4096
"""Most runs of equal distances that a selection found from its members may have."""

_Run = Callable[[SSAValue, Stride, SSAValue], None]


def cut(emitter: Emitter, whole: Place, selection: Selection, fragment: Place) -> None:
    """The fragment becomes the words of the whole value at these coordinates."""

    def take(at: SSAValue, run: Stride, into: SSAValue) -> None:
        if _is_contiguous(run):
            _copy(emitter, at, into, run, whole.element)
        else:
            operands = (at, emitter.number(run.step), emitter.number(run.count), into)
            emitter.call(f"alpha_take_{_words(whole.element)}", operands)

    _each(emitter, selection, whole, fragment, take)


def put(emitter: Emitter, fragment: Place, selection: Selection, whole: Place) -> None:
    """The words of the whole value at these coordinates become those of the fragment."""

    def give(at: SSAValue, run: Stride, from_: SSAValue) -> None:
        if _is_contiguous(run):
            _copy(emitter, from_, at, run, whole.element)
        else:
            operands = (from_, at, emitter.number(run.step), emitter.number(run.count))
            emitter.call(f"alpha_put_{_words(whole.element)}", operands)

    _each(emitter, selection, whole, fragment, give)


def _is_contiguous(run: Stride) -> bool:
    return run.step == 1 or run.count == 1


def _copy(emitter: Emitter, from_: SSAValue, to: SSAValue, run: Stride, element: str) -> None:
    size = emitter.number(run.count * WORD_BYTES[element])
    emitter.call("alpha_copy", (from_, to, size))


def _words(element: str) -> str:
    """Words are moved as those of the floating-point type of their width."""
    return "f32" if element == "f32" else "f64"


def _each(emitter: Emitter, selection: Selection, whole: Place, fragment: Place, run: _Run) -> None:
    assert selection.size == fragment.words
    if selection.size:
        assert selection.max < whole.words
        bases = emitter.pointer(whole), emitter.pointer(fragment)
        _walk(emitter, selection, bases, WORD_BYTES[whole.element], run)


def _walk(
    emitter: Emitter,
    selection: Selection,
    bases: tuple[SSAValue, SSAValue],
    width: int,
    run: _Run,
) -> None:
    """Do `run` with each run of equal distances: where it is in the whole, and in the fragment."""
    whole, fragment = bases
    match selection:
        case Empty():
            return
        case Stride():
            run(emitter.offset(whole, selection.start * width), selection, fragment)
        case Join():
            done = 0
            for part in selection.parts:
                at = whole, emitter.offset(fragment, done * width)
                _walk(emitter, part, at, width, run)
                done += part.size
        case Repeat():
            inner = selection.inner

            def turn(number: SSAValue) -> None:
                at = (
                    emitter.further(whole, number, selection.step * width),
                    emitter.further(fragment, number, inner.size * width),
                )
                _walk(emitter, inner, at, width, run)

            emitter.loop(selection.count, turn)
        case _:
            raise AssertionError(f"a selection of kind {type(selection).__name__}")


def run_of(selection: Selection) -> tuple[int, int] | None:
    """The first coordinate and the number of those that follow one another, if all do."""
    if not selection.size:
        return 0, 0
    if selection.max - selection.min + 1 == selection.size:
        return selection.min, selection.size
    return None


def selection_of(members: np.ndarray[Any, Any]) -> Selection:
    """An expression of ascending coordinates: runs of equal distances, and repeats of such.

    Raises:
        Refusal: `target-unsupported` if they are too irregular.
    """
    runs = _runs([int(each) for each in members])
    if not runs:
        return Empty()
    if len(runs) > PARTS_MAX:
        wanted = f"coordinates in at most {PARTS_MAX} runs of equal distances"
        raise Refusal("target-unsupported", wanted, str(len(runs)))
    period = _period(runs)
    if period is None:
        return runs[0] if len(runs) == 1 else Join(tuple(runs))
    shape, step = runs[:period], runs[period].start - runs[0].start
    inner = shape[0] if period == 1 else Join(tuple(shape))
    return Repeat(len(runs) // period, step, inner)


def _runs(members: Sequence[int]) -> list[Stride]:
    """The longest runs of equal distances, from the first member on."""
    found: list[Stride] = []
    at = 0
    while at < len(members):
        if at + 1 == len(members):
            found.append(Stride(members[at], 1, 1))
            break
        step, end = members[at + 1] - members[at], at + 2
        while end < len(members) and members[end] - members[end - 1] == step:
            end += 1
        # A pair that is far apart may be the end of one run and the beginning of the next.
        if end - at == 2 and step > 1:
            found.append(Stride(members[at], 1, 1))
            at += 1
            continue
        found.append(Stride(members[at], step, end - at))
        at = end
    return found


def _period(runs: Sequence[Stride]) -> int | None:
    """After how many runs all come again, at one distance that is above what one turn spans."""
    for period in range(1, len(runs) // 2 + 1):
        if len(runs) % period:
            continue
        distance = runs[period].start - runs[0].start
        if distance > runs[period - 1].max - runs[0].start and all(
            (later.start - run.start, later.step, later.count) == (distance, run.step, run.count)
            for run, later in zip(runs, runs[period:], strict=False)
        ):
            return period
    return None
