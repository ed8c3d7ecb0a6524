"""What the bodies of items read: words at hand, or loads from memory.

Invariant: a word is read where its giver left it: as a value in the loops in which it was made, or
    from its memory at the index forms of the item.
Entry: `Reader`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import SSAValue

from alpha.ir.index_forms import Form, axis_form, combine
from alpha.passes.loops.items import Item
from alpha.passes.loops.lanes import Lanes, Span, named
from alpha.passes.loops.schedule import Loop, Paths
from alpha.passes.loops.storage import Place, Storage
from alpha.passes.loops.writer import AxisValue, Writer

Copy = int | None


class Reader:
    """The words of a program while its loops are written; a sample's are those of its copy."""

    def __init__(self, writer: Writer, storage: Storage) -> None:
        self._writer = writer
        self._lanes = Lanes(writer)
        self.storage = storage
        self._paths = Paths(())
        self._givers: dict[SSAValue, Item] = {}
        self._words: dict[tuple[SSAValue, Copy], tuple[SSAValue, tuple[Loop, ...]]] = {}
        self._pending: set[SSAValue] = set()

    def begin(self, paths: Paths) -> None:
        """Read for the items of another schedule."""
        self._paths = paths
        self._givers.update((value, item) for item in paths.items() for value in item.results)

    def bind(self, value: SSAValue, words: Mapping[Copy, SSAValue], home: tuple[Loop, ...]) -> None:
        """Say what a value is in each copy, inside these loops."""
        self._words.update(((value, copy), (word, home)) for copy, word in words.items())

    def word(self, value: SSAValue, copy: Copy) -> SSAValue:
        """What a scalar is in a copy. Raises KeyError if it wasn't said."""
        word = self._words.get((value, copy)) or self._words[value, None]
        return word[0]

    def wrote(self, memory: SSAValue) -> None:
        """Say that a buffer is being written in the loops that are open."""
        self._pending.add(memory)

    def settle(self) -> None:
        """Say that all loops that were open have ended, so that buffers have all their words."""
        for memory in self._pending:
            self.storage.settle(memory)
        self._pending.clear()

    def body(
        self, item: Item, axes: Sequence[AxisValue], span: Span | None, copy: Copy
    ) -> list[SSAValue]:
        """What an item computes at a point, or at the lanes of a span; a scalar has one result."""
        self._writer.origin = item.origin
        arguments = [self._input(item, n, axes, span, copy) for n in range(len(item.inputs))]
        names = item.inputs if item.block is None else item.block.args
        arguments = [named(word, name) for word, name in zip(arguments, names, strict=True)]
        if item.block is not None:
            return self._lanes.body(item.block, arguments)
        if item.position is not None:
            return arguments
        return [named(self._lanes.operation(item.op, arguments), item.results[0])]

    def _input(
        self, item: Item, number: int, axes: Sequence[AxisValue], span: Span | None, copy: Copy
    ) -> SSAValue:
        value = item.inputs[number]
        giver = self._givers.get(value)
        if giver is not None and self._is_at_hand(giver, value, item):
            return self.word(value, copy)
        place = self.storage.of(value, copy)
        forms = item.forms[number][place.drops :]
        if span is None or not any(span.axis in form.axes() for form in forms):
            return self.storage.load(place, self._indices(item, forms, axes))
        return self._vector(item, number, place, axes, span)

    def _is_at_hand(self, giver: Item, value: SSAValue, item: Item) -> bool:
        if giver.over == 0:
            return True
        return self._paths.has(giver) and self._paths.at_hand(giver, value, item)

    def _indices(
        self, item: Item, forms: Sequence[Form], axes: Sequence[AxisValue]
    ) -> list[SSAValue]:
        values = (self._writer.index_of(form, axes, item.box) for form in forms)
        return [self._writer.index(value) for value in values]

    def _vector(
        self, item: Item, number: int, place: Place, axes: Sequence[AxisValue], span: Span
    ) -> SSAValue:
        """The lanes of an operand: in a row in memory, or gathered word by word."""
        forms = item.forms[number][place.drops :]
        *outer, last = forms
        rest = combine([(last, 1), (axis_form(span.axis, item.box), -1)])
        in_a_row = span.axis not in rest.axes() and not any(span.axis in f.axes() for f in outer)
        if in_a_row:
            return self.storage.load(place, self._indices(item, forms, axes), span)
        words: list[SSAValue] = []
        for lane in range(span.lanes):
            moved = [*axes]
            moved[span.axis] = axes[span.axis].plus(lane)
            words.append(self.storage.load(place, self._indices(item, forms, moved)))
        return self._lanes.gathered(words, span.width)
