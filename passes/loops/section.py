"""Writes the loops of a schedule: items in their order, several copies of the work side by side.

Invariant: at each point of its loops an item is computed once in each copy, copy after copy, and
    what it gives is handed to `Outcome` when all copies have it. A fold adds in its declared order.
Why: copies are samples in flight: independent work between two additions that must wait for one
    another.
Entry: `Section`, `Outcome`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from alpha.ir.syntax import axis_name
from alpha.passes.loops.items import Dynamic, Extent, Item, element_of_value
from alpha.passes.loops.lanes import Lanes, Span
from alpha.passes.loops.reading import Reader
from alpha.passes.loops.schedule import Leaf, Loop, Node, Paths, stands_alone
from alpha.passes.loops.sums import AloneFold
from alpha.passes.loops.writer import AxisValue, Writer

Copy = int | None
"""The number of a copy of the work, or None for work that no sample changes."""

Words = Mapping[Copy, SSAValue]
"""A word or vector of each copy."""


@dataclass(frozen=True)
class Point:
    """Where words are given: the axes of the item's result, and the vector along the last."""

    axes: tuple[AxisValue, ...]
    span: Span | None


Outcome = Callable[[Item, int, Words, Point], None]
"""Takes what an item gives: the number of its result, and a word or vector of each copy."""


class Section:
    """One run through a schedule; `extent` gives the value of an extent that isn't static.

    With `held` lanes no loop is written: each vector of so many stands by itself. `backwards` marks
    the outer loops behind the first, which read again what it has read. `others` are items that
    reduce nothing and are computed in other copies.
    """

    def __init__(
        self,
        writer: Writer,
        reader: Reader,
        copies: Sequence[Copy],
        extent: Callable[[Dynamic], SSAValue],
        outcome: Outcome,
        held: int = 0,
        backwards: bool = False,
        others: Mapping[Item, Sequence[Copy]] | None = None,
    ) -> None:
        self._others = others or {}
        self._held = held
        self._backwards = backwards
        self._writer = writer
        self._lanes = Lanes(writer)
        self._reader = reader
        self._copies = tuple(copies)
        self._extent = extent
        self._outcome = outcome
        self._axes: list[AxisValue] = []
        self._loops: list[Loop] = []
        self._totals: dict[tuple[Item, Copy], SSAValue] = {}
        self._deferred: list[list[Callable[[], None]]] = [[]]
        self._alone = AloneFold(writer, self._lanes, reader, self._copies)
        self._serial = 0
        self._behind = False

    def run(self, nodes: Sequence[Node], paths: Paths) -> None:
        """Write all loops of the schedule."""
        self._reader.begin(paths)
        for node in nodes:
            self._node(node)
            self._behind = self._behind or isinstance(node, Loop)
            self._reader.settle()

    def defer(self, store: Callable[[], None]) -> None:
        """Do a store at the end of the innermost loop, behind all that is read in it."""
        self._deferred[-1].append(store)

    def serialize(self) -> None:
        """Say that the open loops use words of memory again in each iteration."""
        self._serial += 1

    def flush(self) -> None:
        """Do the stores that were deferred outside of all loops."""
        self._flush()

    def _flush(self) -> None:
        for store in self._deferred[-1]:
            store()
        self._deferred[-1].clear()

    def _node(self, node: Node) -> None:
        if isinstance(node, Leaf):
            self._leaf(node.item, None)
        elif node.width > 1 or self._held:
            self._in_lanes(node)
        else:
            self._loop(node)

    # Items

    def _leaf(self, item: Item, span: Span | None) -> None:
        self._writer.origin = item.origin
        if stands_alone(item):
            words = self._alone.totals(item, self._axes)
            if self._alone.used_memory:
                self.serialize()
            self._give(item, 0, words, span)
            return
        copies = self._others.get(item, self._copies)
        given = [self._reader.body(item, self._axes, span, copy) for copy in copies]
        self._writer.origin = item.origin
        if item.folds:
            for copy, (word,) in zip(self._copies, given, strict=True):
                before = self._totals[item, copy]
                after = self._lanes.binary(item.kind, before, word)
                if span is not None:
                    after = self._lanes.kept(span, after, before)
                self._totals[item, copy] = after
            return
        for number, words in enumerate(zip(*given, strict=True)):
            self._give(item, number, dict(zip(copies, words, strict=True)), span)

    def _give(self, item: Item, number: int, words: Words, span: Span | None) -> None:
        """Bind a result, and hand it on."""
        for value in item.results[number : number + 1]:
            self._reader.bind(value, words, tuple(self._loops[: item.over]))
        self._outcome(item, number, words, Point(tuple(self._axes[: item.over]), span))

    # Loops

    def _sums_along(self, loop: Loop) -> list[Item]:
        return [item for item in loop.items if item.folds and loop.depth >= item.over]

    def _begin(self, loop: Loop) -> list[tuple[Item, Copy]]:
        """The totals that a loop carries, each with its start if this is its first loop."""
        for item in self._sums_along(loop):
            if loop.depth == item.over:
                for copy in self._copies:
                    self._totals[item, copy] = self._start(item, copy)
        return [(item, copy) for item in self._sums_along(loop) for copy in self._copies]

    def _start(self, item: Item, copy: Copy) -> SSAValue:
        self._writer.origin = item.origin
        if item.kind == "add":
            return self._writer.float_constant(-0.0, element_of_value(item.results[0]))
        (first,) = self._reader.body(item, [*self._axes, AxisValue(None)], None, copy)
        return first

    def _end(self, loop: Loop) -> None:
        """Give the totals of the folds that end with a loop."""
        for item in self._sums_along(loop):
            if loop.depth == item.over:
                self._writer.origin = item.origin
                words = {copy: self._totals[item, copy] for copy in self._copies}
                self._give(item, 0, words, None)

    def _children(self, loop: Loop, axis: AxisValue, span: Span | None = None) -> None:
        """What a loop does at one value of its axis."""
        self._axes.append(axis)
        self._loops.append(loop)
        self._deferred.append([])
        for node in loop.children:
            if span is None:
                self._node(node)
            else:
                assert isinstance(node, Leaf), "a vector is along the last axis"
                self._leaf(node.item, span)
        self._writer.origin = ""
        self._flush()
        self._deferred.pop()
        self._loops.pop()
        self._axes.pop()

    def _loop(self, loop: Loop) -> None:
        carried = self._begin(loop)
        if loop.extent == 1:
            self._children(loop, AxisValue(None))
            self._end(loop)
            return
        serial = self._serial
        self._writer.origin = _names(loop)
        zero, one = self._writer.index_constant(0), self._writer.index_constant(1)
        last = self._bound(loop.extent)
        opened = self._writer.open(zero, last, one, [self._totals[key] for key in carried])
        opened.index.name_hint = axis_name(loop.depth)
        self._totals.update(zip(carried, opened.carried, strict=True))
        self._children(loop, AxisValue(opened.index))
        self._writer.origin = _names(loop)
        parallel = not loop.sequential and self._serial == serial
        backwards = parallel and self._backwards and self._behind and not self._loops
        handed = [self._totals[key] for key in carried]
        results = self._writer.close(opened, handed, parallel, backwards)
        self._totals.update(zip(carried, results, strict=True))
        self._end(loop)

    def _bound(self, extent: Extent) -> SSAValue:
        if isinstance(extent, Dynamic):
            return self._extent(extent)
        return self._writer.index_constant(extent)

    def _in_lanes(self, loop: Loop) -> None:
        """A loop by vectors, the rest of the axis, and each fold's lanes added, halving."""
        assert isinstance(loop.extent, int)
        width = self._held or loop.width
        turns, rest = divmod(loop.extent, width)
        carried = self._begin(loop)
        starts = {key: self._totals[key] for key in carried}
        for key in carried:
            self._writer.origin = key[0].origin
            self._totals[key] = self._lanes.widened(starts[key], width)
        full = Span(loop.depth, width, width)
        if self._held:
            for turn in range(turns):
                self._children(loop, AxisValue(None, turn * width), full)
        elif turns > 1:
            first, step = self._writer.index_constant(0), self._writer.index_constant(width)
            last = self._writer.index_constant(turns * width)
            opened = self._writer.open(first, last, step, [self._totals[key] for key in carried])
            opened.index.name_hint = axis_name(loop.depth)
            self._totals.update(zip(carried, opened.carried, strict=True))
            self._children(loop, AxisValue(opened.index), full)
            self._writer.origin = _names(loop)
            handed = [self._totals[key] for key in carried]
            self._totals.update(zip(carried, self._writer.close(opened, handed), strict=True))
        elif turns:
            self._children(loop, AxisValue(None), full)
        if rest:
            at = AxisValue(None, turns * width)
            self._children(loop, at, Span(loop.depth, width, rest))
        for key in carried:
            item = key[0]
            self._writer.origin = item.origin
            assert item.order is not None
            total = self._totals[key]
            if width < item.order.lanes and item.kind == "max":
                total = self._lanes.binary("max", total, starts[key])
            self._totals[key] = self._lanes.halved(item.kind, total)
        self._end(loop)


def _names(loop: Loop) -> str:
    """What a loop is for, in the words of the source."""
    return "; ".join(item.origin for item in loop.items[:2])
