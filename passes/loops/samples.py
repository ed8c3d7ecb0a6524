"""How a contribution goes through its samples: how many at once, and what stays in registers.

Invariant: a plan says nothing about the order of additions, which is the program's whatever it is.
Why: a row of samples that fits into registers is loaded once, and the sums of all samples stay in
    registers with it. Of longer rows several are in flight, to hide the time that an addition
    takes, and to share the loads of parameters and the loads and stores of sums; where the cache
    nearest to the processor has room for them, those of two stages. Rows of which four don't fit
    there are gone through backwards the second time: what was read last, and is still there, is
    read first.
Entry: `Room`, `Flight`, `flight_of`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from xdsl.ir import SSAValue

from alpha.ir.index_forms import axis_form
from alpha.ir.shapes import word_bytes
from alpha.passes.loops.fusing import Stages, stages_of
from alpha.passes.loops.items import Item, element_of_value, static_shape
from alpha.passes.loops.schedule import Leaf, Loop, Node, loops_of, stands_alone

SPARE = 6
"""Vector registers that are left for what is computed, beside rows and sums."""

SPARE_FOR_TWO = 4
"""More of them that are left where two rows are held."""

ROW_ALONE = 6
"""Vectors that a row has at least if it is held without another: fewer keep nothing busy."""

SHORT_WIDE = 4
"""Vectors of a row up to which ones wider than a fold's lanes are better, where they are whole."""

NEAREST = 32 << 10
"""Bytes that the nearest cache of processors holds at least."""

LINE_BITS = 512
"""Bits of a line of a cache."""

FUSED_MOST = 4
"""Most samples in flight in each stage where two are fused."""

FUSED_VECTORS = 8
"""Most vectors of the target that the lanes of their folds take."""

FUNCTION_ROW = 1 << 10
"""Bytes of a row from which it pays to write exp and its kin for the first samples, too."""

LONG_ROW = 8 << 10
"""Most bytes of a row of which four fit into 48 KiB with parameters and sums."""

WORK_MAX = 256
"""Operations that a loop of samples may have before its vectors are split for the target."""

FUNCTION_WORK = 40
"""About how many operations exp and its kin become."""

_FUNCTIONS = frozenset({"math.exp", "math.log", "math.tanh", "pointwise.sigmoid"})


@dataclass(frozen=True)
class Room:
    """Samples in flight where nothing else is known, and the target's vector registers.

    `registers` is their number and `bits` the width of one; with 0 of them nothing is held.
    """

    samples: int
    registers: int = 0
    bits: int = 0


@dataclass(frozen=True)
class Flight:
    """Samples at once; `held` is the lanes of vectors if rows stay in registers, else 0.

    Vectors of parameters stay in registers if `parameters`. `backwards` are loops that read again.
    With `fused` the late stage of so many samples is in one loop with the early one of the next.
    """

    copies: int
    held: int = 0
    parameters: bool = True
    backwards: bool = False
    fused: Stages | None = None


def flight_of(
    nodes: Sequence[Node],
    items: Sequence[Item],
    rows: Sequence[SSAValue],
    returned: Sequence[SSAValue],
    kept: Sequence[SSAValue],
    room: Room,
) -> Flight:
    """The plan for items in loops; `rows` are what a sample has, `kept` what is kept in memory."""
    plain = Flight(room.samples)
    lanes = _lanes_of(nodes)
    elements = {element_of_value(value) for value in (*rows, *returned)}
    if room.samples == 1 or not room.registers or not lanes or kept or len(elements) != 1:
        return plain
    word = word_bytes(elements.pop())
    parts = 8 * word * lanes / room.bits
    words = max(map(_words, rows), default=0)
    wide = int(lanes / parts)
    if parts < 1 and words % wide == 0 and words <= SHORT_WIDE * wide:
        return plain  # loops take whole vectors of the target, which are wider
    return (
        _held(nodes, items, rows, returned, lanes, parts, room)
        or _fused(nodes, items, word * words, parts, room)
        or replace(plain, backwards=word * words > LONG_ROW)
    )


def _fused(
    nodes: Sequence[Node], items: Sequence[Item], longest: int, parts: float, room: Room
) -> Flight | None:
    """The plan in which rows of two stages, parameters and sums fit into the nearest cache."""
    stages = stages_of(nodes)
    if stages is None or not longest:
        return None
    vectors = max(1, int(parts))
    fit = (NEAREST // longest - 2) // 2
    copies = min(
        FUSED_MOST, fit, FUSED_VECTORS // vectors, (room.registers - SPARE) // (vectors + 1)
    )
    work = _work(items)
    if copies * vectors * work > WORK_MAX or (work >= FUNCTION_WORK and longest < FUNCTION_ROW):
        return None
    # One sample waits for each addition; that is no longer than it takes to get a line of its row.
    whole_lines = parts >= 1 and room.bits >= LINE_BITS
    if copies < 1 or (copies == 1 and not whole_lines):
        return None
    return Flight(copies, fused=stages)


def _lanes_of(nodes: Sequence[Node]) -> int:
    """The lanes of all folds, if every item is a scalar or has one loop of its own; else 0."""
    widths = {1}
    for node in nodes:
        if isinstance(node, Leaf):
            if node.item.extents or stands_alone(node.item):
                return 0
            continue
        if node.sequential or not isinstance(node.extent, int):
            return 0
        if any(loops_of(item) != 1 or not _in_rows(item) for item in node.items):
            return 0
        widths.add(node.width)
    return max(widths) if len(widths) == 2 else 0


def _in_rows(item: Item) -> bool:
    """Whether every input is read at the item's own coordinate, or at one place."""
    own = (axis_form(0, item.box),)
    return all(forms == own or not any(form.axes() for form in forms) for forms in item.forms)


def _held(
    nodes: Sequence[Node],
    items: Sequence[Item],
    rows: Sequence[SSAValue],
    returned: Sequence[SSAValue],
    lanes: int,
    parts: float,
    room: Room,
) -> Flight | None:
    """The plan in which rows and sums stay in registers, if they fit."""
    values = (*rows, *returned)
    if any(len(static_shape(value)) > 1 for value in values):
        return None
    longest = max(_extent(node) for node in nodes if isinstance(node, Loop))

    def registers(each: Sequence[SSAValue]) -> int:
        vectors = [-(-_words(value) // lanes) for value in each if static_shape(value)]
        return sum(vectors) * max(1, int(parts))

    inside = {value for item in items for value in item.results} | set(rows)
    read = dict.fromkeys(value for item in items for value in item.inputs if value not in inside)
    free = room.registers - SPARE - registers(returned)
    row, outside = registers(rows), registers(tuple(read))
    copies = 2 if 2 * row <= free - (SPARE_FOR_TWO if parts >= 1 else 0) else 1
    work = copies * -(-longest // lanes) * _work(items)
    if row > free or work > WORK_MAX or (copies == 1 and row < ROW_ALONE):
        return None
    if _work(items) >= FUNCTION_WORK:
        return None  # what isn't loads, products and sums is better done for many samples at once
    return Flight(copies, lanes, copies * row + outside <= free)


def _extent(loop: Loop) -> int:
    assert isinstance(loop.extent, int), "no loop over coordinates of the caller was let in"
    return loop.extent


def _words(value: SSAValue) -> int:
    """The words of a value's last axis; a scalar is one."""
    last = static_shape(value)[-1:]
    return last[0] if last and isinstance(last[0], int) else 1


def _work(items: Sequence[Item]) -> int:
    """About how many operations the items have at one point."""
    names = [
        op.name
        for item in items
        for op in ((item.op,) if item.block is None else tuple(item.block.ops)[:-1])
    ]
    return sum(FUNCTION_WORK if name in _FUNCTIONS else 1 for name in names)
