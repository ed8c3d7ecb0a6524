"""Folds that need memory of their own: adjacent pairs, and more lanes than fit into vectors.

Invariant: the additions, their operands and their order are those of `interpreters/carriers.py`.
Entry: `AloneFold`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xdsl.ir import SSAValue

from alpha.passes.loops.items import Item, element_of_value
from alpha.passes.loops.lanes import Lanes
from alpha.passes.loops.reading import Reader
from alpha.passes.loops.schedule import lane_width
from alpha.passes.loops.storage import Place, Storage
from alpha.passes.loops.writer import AxisValue, LoopWriter, Writer

PAIRS_UNROLLED_MAX = 16
"""Most elements of a fold in pairs that are added without a loop."""

Copy = int | None


class AloneFold:
    """Writes a fold along the last axis of an item, in every copy of the work."""

    used_memory = False
    """Whether the fold that was written last used memory, which it does again each time."""

    def __init__(
        self, writer: Writer, lanes: Lanes, reader: Reader, copies: Sequence[Copy]
    ) -> None:
        self._writer = writer
        self._lanes = lanes
        self._reader = reader
        self._copies = tuple(copies)

    @property
    def _storage(self) -> Storage:
        return self._reader.storage

    def totals(self, item: Item, axes: Sequence[AxisValue]) -> Mapping[Copy, SSAValue]:
        """The total in each copy, at a point of the axes that aren't reduced."""
        self.used_memory = False
        if item.empty_sum:
            word = self._writer.float_constant(-0.0, element_of_value(item.results[0]))
            return dict.fromkeys(self._copies, word)
        length = item.extents[-1]
        assert isinstance(length, int) and item.order is not None
        if item.order.kind == "lanes":
            return self._in_lanes(item, axes, length, lane_width(item))
        if length <= PAIRS_UNROLLED_MAX:
            return {copy: self._few_pairs(item, axes, length, copy) for copy in self._copies}
        return self._many_pairs(item, axes, length)

    def _element(
        self, item: Item, axes: Sequence[AxisValue], at: AxisValue, copy: Copy
    ) -> SSAValue:
        (word,) = self._reader.body(item, [*axes, at], None, copy)
        return word

    def _few_pairs(
        self, item: Item, axes: Sequence[AxisValue], length: int, copy: Copy
    ) -> SSAValue:
        words = [self._element(item, axes, AxisValue(None, at), copy) for at in range(length)]
        while len(words) > 1:
            pairs = [
                self._lanes.binary(item.kind, words[at], words[at + 1])
                for at in range(0, len(words) - 1, 2)
            ]
            words = [*pairs, *words[len(pairs) * 2 :]]
        return words[0]

    def _many_pairs(
        self, item: Item, axes: Sequence[AxisValue], length: int
    ) -> Mapping[Copy, SSAValue]:
        places = self._scratch(item, -(-length // 2))

        def first(copy: Copy, at: SSAValue) -> SSAValue:
            even = AxisValue(self._writer.times(at, 2))
            return self._lanes.binary(
                item.kind,
                self._element(item, axes, even, copy),
                self._element(item, axes, even.plus(1), copy),
            )

        self._fill(places, length // 2, first)
        if length % 2:
            for copy, place in places.items():
                last = self._element(item, axes, AxisValue(None, length - 1), copy)
                self._store(place, AxisValue(None, length // 2), last)
        left = -(-length // 2)
        while left > 1:

            def again(copy: Copy, at: SSAValue) -> SSAValue:
                even = AxisValue(self._writer.times(at, 2))
                pair = [self._load(places[copy], each) for each in (even, even.plus(1))]
                return self._lanes.binary(item.kind, *pair)

            self._fill(places, left // 2, again)
            if left % 2:
                for place in places.values():
                    word = self._load(place, AxisValue(None, left - 1))
                    self._store(place, AxisValue(None, left // 2), word)
            left = -(-left // 2)
        return {copy: self._load(place, AxisValue(None)) for copy, place in places.items()}

    def _in_lanes(
        self, item: Item, axes: Sequence[AxisValue], length: int, width: int
    ) -> Mapping[Copy, SSAValue]:
        assert item.order is not None
        places = self._scratch(item, width)
        starts = {copy: self._start(item, axes, copy) for copy in self._copies}
        self._fill(places, width, lambda copy, at: starts[copy], parallel=True)
        turns, rest = divmod(length, width)

        def added(first: AxisValue) -> Callable[[Copy, SSAValue], SSAValue]:
            def one(copy: Copy, at: SSAValue) -> SSAValue:
                place = self._writer.sum_of(first, at)
                word = self._element(item, axes, place, copy)
                total = self._load(places[copy], AxisValue(at))
                return self._lanes.binary(item.kind, total, word)

            return one

        if turns:
            turn = self._open(0, turns * width, width)
            self._fill(places, width, added(AxisValue(turn.index)), parallel=True)
            self._writer.close(turn)
        if rest:
            self._fill(places, rest, added(AxisValue(None, turns * width)), parallel=True)
        if width < item.order.lanes and item.kind == "max":

            def with_start(copy: Copy, at: SSAValue) -> SSAValue:
                total = self._load(places[copy], AxisValue(at))
                return self._lanes.binary("max", total, starts[copy])

            self._fill(places, width, with_start, parallel=True)
        while width > 1:
            width //= 2

            def halved(copy: Copy, at: SSAValue, half: int = width) -> SSAValue:
                pair = [self._load(places[copy], AxisValue(at, by)) for by in (0, half)]
                return self._lanes.binary(item.kind, *pair)

            self._fill(places, width, halved, parallel=True)
        return {copy: self._load(place, AxisValue(None)) for copy, place in places.items()}

    def _start(self, item: Item, axes: Sequence[AxisValue], copy: Copy) -> SSAValue:
        if item.kind == "max":
            return self._element(item, axes, AxisValue(None), copy)
        return self._writer.float_constant(-0.0, element_of_value(item.results[0]))

    def _scratch(self, item: Item, words: int) -> dict[Copy, Place]:
        self.used_memory = True
        element = element_of_value(item.results[0])
        return {
            copy: Place(self._storage.scratch(element, words), mutable=True)
            for copy in self._copies
        }

    def _fill(
        self,
        places: Mapping[Copy, Place],
        count: int,
        word: Callable[[Copy, SSAValue], SSAValue],
        parallel: bool = False,
    ) -> None:
        """Write the first words of each copy's buffer, one after another."""
        if not count:
            return
        loop = self._open(0, count, 1)
        words = [(place, word(copy, loop.index)) for copy, place in places.items()]
        for place, each in words:
            self._store(place, AxisValue(loop.index), each)
        self._writer.close(loop, parallel=parallel)

    def _open(self, first: int, last: int, step: int) -> LoopWriter:
        constant = self._writer.index_constant
        return self._writer.open(constant(first), constant(last), constant(step))

    def _load(self, place: Place, at: AxisValue) -> SSAValue:
        return self._storage.load(place, [self._writer.index(at)])

    def _store(self, place: Place, at: AxisValue, word: SSAValue) -> None:
        self._storage.store(place, [self._writer.index(at)], word)
