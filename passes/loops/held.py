"""The sums of all samples while they stay in registers: a word, or vectors, of each result.

Invariant: each word starts at -0.0 and gets each sample's addend in order. Lanes behind the end of
    a row add up whatever there is, and are never stored.
Entry: `HeldSums`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from alpha.passes.loops.items import element_of_value, static_shape
from alpha.passes.loops.lanes import Lanes, Span
from alpha.passes.loops.section import Point, Words
from alpha.passes.loops.storage import Place, Storage
from alpha.passes.loops.writer import Writer


class HeldSums:
    """What loops over samples carry; `returned` are the results, `lanes` those of one vector."""

    def __init__(
        self, writer: Writer, storage: Storage, returned: Sequence[SSAValue], lanes: int
    ) -> None:
        self._writer = writer
        self._storage = storage
        self._lanes = Lanes(writer)
        self._spans: dict[tuple[int, int], Span | None] = {}
        self._sums: dict[tuple[int, int], SSAValue] = {}
        for position, value in enumerate(returned):
            word = writer.float_constant(-0.0, element_of_value(value))
            shape = static_shape(value)
            if not shape:
                self._spans[position, 0] = None
                self._sums[position, 0] = word
                continue
            (length,) = shape
            assert isinstance(length, int)
            for first in range(0, length, lanes):
                self._spans[position, first] = Span(0, lanes, min(lanes, length - first))
                self._sums[position, first] = self._lanes.widened(word, lanes)

    @property
    def values(self) -> tuple[SSAValue, ...]:
        """The sums as they are where code is being written."""
        return tuple(self._sums.values())

    def become(self, values: Sequence[SSAValue]) -> None:
        """Say what the sums are from here on: inside of a loop, or behind it."""
        self._sums = dict(zip(self._sums, values, strict=True))

    def add(self, position: int, words: Words, point: Point) -> None:
        """Add the copies' words to a result, in the order of the samples."""
        key = position, point.axes[0].offset if point.axes else 0
        for word in words.values():
            self._sums[key] = self._lanes.binary("add", self._sums[key], word)

    def store(self, places: Sequence[Place]) -> None:
        """Write the sums to the results."""
        for (position, first), span in self._spans.items():
            indices = [] if span is None else [self._writer.index_constant(first)]
            self._storage.store(places[position], indices, self._sums[position, first], span)
