"""What one thread computes at a point: bodies of items, and folds that it does by itself.

Invariant: a fold adds in its declared order, from -0.0 or from the first element of a maximum.
Entry: `Evaluator`, `AtPoint`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import memref, vector
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import SSAValue

from alpha.ir.code_values import vector_type
from alpha.ir.shapes import element_of
from alpha.passes.kernels.homes import Home, Homes
from alpha.passes.kernels.values import Values
from alpha.passes.loops.items import Item
from alpha.passes.loops.lanes import Lanes, named
from alpha.passes.loops.writer import AxisValue, Writer


@dataclass
class AtPoint:
    """A point that is being worked on: its sample, if there is one, and what is known there."""

    sample: SSAValue | None
    words: dict[SSAValue, SSAValue] = field(default_factory=dict)


class Evaluator:
    """Writes what items compute; `pointers` has the argument of each home."""

    def __init__(
        self, writer: Writer, values: Values, homes: Homes, pointers: dict[Home, SSAValue]
    ) -> None:
        self.writer = writer
        self.lanes = Lanes(writer)
        self._values = values
        self._homes = homes
        self._pointers = pointers
        self._inline: dict[SSAValue, SSAValue] = {}

    def item(self, item: Item, axes: Sequence[AxisValue], at: AtPoint) -> list[SSAValue]:
        """The results of an item at a point of its own axes, those that it reduces left out."""
        self.writer.origin = item.origin
        if not item.folds:
            return self.body(item, axes, at)
        return [named(self._fold(item, axes, at), item.results[0])]

    def body(self, item: Item, axes: Sequence[AxisValue], at: AtPoint) -> list[SSAValue]:
        """What an item computes where all its axes have values."""
        arguments = [self._input(item, number, axes, at) for number in range(len(item.inputs))]
        names = item.inputs if item.block is None else item.block.args
        arguments = [named(word, name) for word, name in zip(arguments, names, strict=True)]
        if item.block is not None:
            return self.lanes.body(item.block, arguments)
        if item.position is not None:
            return arguments
        return [named(self.lanes.operation(item.op, arguments), item.results[0])]

    def value(self, value: SSAValue, axes: Sequence[AxisValue], at: AtPoint) -> SSAValue:
        """A value at its own coordinates."""
        if value in self._values.inline:
            return self._inlined(value)
        return self.load(self._homes.of(value), [self.writer.index(axis) for axis in axes], at)

    def load(self, home: Home, indices: Sequence[SSAValue], at: AtPoint) -> SSAValue:
        """A word; of a home with samples, that of the point's sample."""
        pointer = self._pointers[home]
        type = pointer.type
        assert isinstance(type, MemRefType)
        if len(indices) < type.get_num_dims():
            assert at.sample is not None
            indices = [at.sample, *indices]
        return self.writer.pure(memref.LoadOp, (pointer, *indices), type.element_type)

    def store(self, home: Home, indices: Sequence[SSAValue], word: SSAValue, at: AtPoint) -> None:
        """Write a word where `load` would read it."""
        pointer = self._pointers[home]
        type = pointer.type
        assert isinstance(type, MemRefType)
        if len(indices) < type.get_num_dims():
            assert at.sample is not None
            indices = [at.sample, *indices]
        self.writer.effect(memref.StoreOp, (word, pointer, *indices))

    def load_wide(self, home: Home, first: SSAValue, width: int) -> list[SSAValue]:
        """So many words in a row, at a multiple of their bytes."""
        pointer = self._pointers[home]
        assert isinstance(pointer.type, MemRefType)
        type = vector_type(pointer.type.element_type, width)
        whole = self.writer.pure(vector.LoadOp, (pointer, first), type)
        return [self.lanes.lane(whole, lane) for lane in range(width)]

    def store_wide(self, home: Home, first: SSAValue, words: Sequence[SSAValue]) -> None:
        """Write words in a row where `load_wide` would read them."""
        whole = self.lanes.gathered(words, len(words))
        self.writer.effect(vector.StoreOp, (whole, self._pointers[home], first))

    def _input(self, item: Item, number: int, axes: Sequence[AxisValue], at: AtPoint) -> SSAValue:
        value = item.inputs[number]
        if value in at.words:
            return at.words[value]
        if value in self._values.inline:
            return self._inlined(value)
        if self._values.is_truth(value):
            return self.body(self._values.giver[value], (), at)[0]
        forms = item.forms[number]
        indices = [self.writer.index(self.writer.index_of(f, axes, item.box)) for f in forms]
        return self.load(self._homes.of(value), indices, at)

    def _inlined(self, value: SSAValue) -> SSAValue:
        """A scalar that every thread computes, once, before its points."""
        if value not in self._inline:
            item = self._values.giver[value]
            origin = self.writer.origin
            results = self.item(item, (), AtPoint(None))
            self._inline.update(zip(item.results, results, strict=True))
            self.writer.origin = origin
        return self._inline[value]

    # Folds

    def _fold(self, item: Item, axes: Sequence[AxisValue], at: AtPoint) -> SSAValue:
        element = element_of(item.results[0].type)
        if item.empty_sum:
            return self.writer.float_constant(-0.0, element)
        lengths = [extent for extent in item.extents[item.over :] if isinstance(extent, int)]
        assert item.order is not None
        if item.order.kind == "pairs":
            return self._pairs(item, axes, at, 0, lengths[0])
        start = self.start(item, axes, at)
        first = 1 if item.kind == "max" else 0
        return self._along(item, list(axes), at, lengths, first, start)

    def start(self, item: Item, axes: Sequence[AxisValue], at: AtPoint) -> SSAValue:
        """What a fold starts at."""
        if item.kind == "max":
            return self.body(item, [*axes, AxisValue(None)], at)[0]
        return self.writer.float_constant(-0.0, element_of(item.results[0].type))

    def _along(
        self,
        item: Item,
        axes: list[AxisValue],
        at: AtPoint,
        lengths: Sequence[int],
        first: int,
        start: SSAValue,
    ) -> SSAValue:
        """From the left, along the axes that are left."""
        if not lengths:
            return self.lanes.binary(item.kind, start, self.body(item, axes, at)[0])
        end = self.writer.index_constant(lengths[0])

        def turn(index: SSAValue, total: SSAValue) -> SSAValue:
            inner = [*axes, AxisValue(index)]
            return self._along(item, inner, at, lengths[1:], 0, total)

        return self.accumulated(
            self.writer.index_constant(first), end, self.writer.index_constant(1), start, turn
        )

    def accumulated(
        self,
        first: SSAValue,
        end: SSAValue,
        step: SSAValue,
        start: SSAValue,
        turn: Callable[[SSAValue, SSAValue], SSAValue],
    ) -> SSAValue:
        """A loop that carries one word; `turn` gives the next of an index and the last one."""
        loop = self.writer.open(first, end, step, (start,))
        total = turn(loop.index, loop.carried[0])
        return self.writer.close(loop, (total,))[0]

    def _pairs(
        self, item: Item, axes: Sequence[AxisValue], at: AtPoint, first: int, count: int
    ) -> SSAValue:
        """Adjacent pairs, repeatedly: the first part has the most words that a power of two is."""
        if count == 1:
            return self.body(item, [*axes, AxisValue(None, first)], at)[0]
        half = 1 << (count - 1).bit_length() - 1
        left = self._pairs(item, axes, at, first, half)
        right = self._pairs(item, axes, at, first + half, count - half)
        return self.lanes.binary(item.kind, left, right)
