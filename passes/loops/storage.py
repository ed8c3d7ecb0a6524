"""Where values of a program lie in memory: the function's pointers, and buffers of its own.

Invariant: an address is the value's own row-major words; of a sample, those of its row. A buffer of
    words that are made and read within one coordinate of a separable domain has room for one.
Why: what is used in the loop that makes it has no memory; the rest is small enough for the stack,
    or lies in a private global, of which a function that isn't run twice at once has need of one.
Entry: `Storage`, `Place`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod

from xdsl.dialects import memref, vector
from xdsl.dialects.builtin import (
    DenseArrayBase,
    MemRefType,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue

from alpha.ir.code_values import vector_type
from alpha.ir.shapes import FloatType, word_bytes
from alpha.passes.loops.items import Dynamic, Shape
from alpha.passes.loops.lanes import Lanes, Span
from alpha.passes.loops.signature import memref_type
from alpha.passes.loops.writer import Writer

STACK_BYTES_MAX = 1 << 14
"""Bytes of buffers that a function keeps on its stack; beyond, they are private globals."""

ALIGNMENT = 64


@dataclass(frozen=True)
class Place:
    """A value's memory: `leads` come before its indices, of which the first `drops` are left out.

    Its words change while the function runs if it is `mutable`.
    """

    memory: SSAValue
    leads: tuple[SSAValue, ...] = ()
    drops: int = 0
    mutable: bool = False


class Storage:
    """The memory of one function; `define` takes the private globals that it makes."""

    def __init__(self, writer: Writer, name: str, define: Callable[[Operation], None]) -> None:
        self._writer = writer
        self._lanes = Lanes(writer)
        self._name = name
        self._define = define
        self._bytes = 0
        self._globals = 0
        self._places: dict[tuple[SSAValue, int | None], Place] = {}
        self._settled: set[SSAValue] = set()

    def put(self, value: SSAValue, copy: int | None, place: Place) -> None:
        """Say where a value lies; of a value that depends on the sample, in one copy of the work.

        A place that was said before is forgotten, and what is written to it isn't there yet.
        """
        self._places[value, copy] = place
        self._settled.discard(place.memory)

    def of(self, value: SSAValue, copy: int | None) -> Place:
        """Where a value lies. Raises KeyError if it has no memory."""
        found = self._places.get((value, copy))
        return self._places[value, None] if found is None else found

    def has(self, value: SSAValue, copy: int | None) -> bool:
        """Whether a value has memory in this copy of the work."""
        return (value, copy) in self._places

    def settle(self, memory: SSAValue) -> None:
        """Say that all words of a buffer are there, at the innermost open block."""
        self._settled.add(memory)
        self._writer.settle(memory)

    def settled(self, place: Place) -> bool:
        """Whether a load may stand further outside than where it is written."""
        return not place.mutable or place.memory in self._settled

    def place_for(self, value: SSAValue, shape: Shape) -> Place:
        """A buffer for a value of this shape; one word of each separable coordinate is enough."""
        drops = 1 if shape and isinstance(shape[0], Dynamic) else 0
        sizes = [extent for extent in shape[drops:] if isinstance(extent, int)]
        type = memref_type(value, tuple(sizes))
        return Place(self.buffer(type, value.name_hint), (), drops, True)

    def scratch(self, element: FloatType, words: int) -> SSAValue:
        """A buffer of words for the work of a fold."""
        return self.buffer(MemRefType(element, [words]), None)

    def buffer(self, type: MemRefType, hint: str | None) -> SSAValue:
        """A buffer whose words aren't written yet."""
        size = prod(type.get_shape()) * word_bytes(type.element_type)
        if self._bytes + size > STACK_BYTES_MAX:
            return self._global(type, hint)
        self._bytes += size
        (memory,) = self._writer.effect(
            memref.AllocaOp,
            (),
            (type,),
            {"operandSegmentSizes": DenseArrayBase.from_list(i32, [0, 0])},
            outermost=True,
        )
        memory.name_hint = hint
        return memory

    def _global(self, type: MemRefType, hint: str | None) -> SSAValue:
        name = f"{self._name}.buffer{self._globals}"
        self._globals += 1
        self._define(memref.GlobalOp.get(StringAttr(name), type, UnitAttr(), alignment=ALIGNMENT))
        properties = {"name": SymbolRefAttr(name)}
        (memory,) = self._writer.effect(memref.GetGlobalOp, (), (type,), properties, outermost=True)
        memory.name_hint = hint
        return memory

    # Accesses

    def load(self, place: Place, indices: Sequence[SSAValue], span: Span | None = None) -> SSAValue:
        """One word, or the words of a span in a row from there on."""
        operands = (place.memory, *place.leads, *indices)
        element = _element(place.memory)
        kind: type[Operation] = memref.LoadOp
        type: Attribute = element
        if span is not None:
            kind, type = vector.LoadOp, vector_type(element, span.width)
            if not span.full:
                zero = self._writer.float_constant(0.0, element)
                kind = vector.MaskedLoadOp
                mask = self._writer.mask(span.lanes, span.width)
                operands = (*operands, mask, self._lanes.widened(zero, span.width))
        if self.settled(place):
            return self._writer.pure(kind, operands, type)
        return self._writer.effect(kind, operands, (type,))[0]

    def store(
        self,
        place: Place,
        indices: Sequence[SSAValue],
        word: SSAValue,
        span: Span | None = None,
    ) -> None:
        """Write one word, or the lanes of a span in a row from there on."""
        operands = (place.memory, *place.leads, *indices)
        if span is None:
            self._writer.effect(memref.StoreOp, (word, *operands))
            return
        lanes = self._lanes.widened(word, span.width)
        if span.full:
            self._writer.effect(vector.StoreOp, (lanes, *operands))
        else:
            mask = self._writer.mask(span.lanes, span.width)
            self._writer.effect(vector.MaskedStoreOp, (*operands, mask, lanes))


def _element(memory: SSAValue) -> FloatType:
    type = memory.type
    assert isinstance(type, MemRefType)
    element = type.element_type
    assert isinstance(element, FloatType)
    return element
