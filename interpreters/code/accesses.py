"""Loads, stores and addresses, prepared: `memref`, `ptr_xdsl`, and vectors in memory.

Invariant: an access is by row-major words of a buffer; each index lies inside its extent, not only
    the word inside the buffer.
Refuses: target-unsupported (a memref that isn't row-major).
Entry: `BUILDERS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any

import numpy as np
from xdsl.dialects import memref, ptr, vector
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, NoneAttr
from xdsl.ir import Attribute, Operation, SSAValue

from alpha.interpreters.code.faults import OutOfBounds, UndefinedResult
from alpha.interpreters.code.integers import masked, signed
from alpha.interpreters.code.memory import DTYPES, Buffer
from alpha.interpreters.code.slots import (
    INDEX_BITS,
    Builder,
    Environment,
    Prepare,
    Slots,
    Step,
    element_text,
    is_float,
    lanes_of,
    width_of,
)
from alpha.ir.dialects.linux import TextOp
from alpha.ir.refusals import Refusal

WordAt = Callable[[Environment, Buffer], int]


def extents_of(type: Attribute) -> tuple[int, ...]:
    """The extents of a row-major memref, of which only the first may be dynamic.

    Raises:
        Refusal: `target-unsupported` for another memref.
    """
    assert isinstance(type, MemRefType)
    shape = tuple(type.get_shape())
    if DYNAMIC_INDEX in shape[1:] or not isinstance(type.layout, NoneAttr):
        wanted = "a row-major memref, static but for its first extent"
        raise Refusal("target-unsupported", wanted, str(type))
    return shape


def has_shape(words: int, type: Attribute) -> bool:
    """Whether a memref of this type can have so many words."""
    extents = extents_of(type)
    if extents[:1] != (DYNAMIC_INDEX,):
        return words == prod(extents)
    row = prod(extents[1:])
    return words % row == 0 if row else words == 0


def _word_at(type: Attribute, indices: Sequence[SSAValue], slots: Slots, lanes: int = 1) -> WordAt:
    """Which word of a buffer an access begins at; `lanes` words from there are one row's."""
    extents = extents_of(type)
    at = slots.all(indices)
    if len(at) == 1:
        (only,) = at
        return lambda environment, buffer: environment[only]
    strides = [prod(extents[axis + 1 :]) for axis in range(len(extents))]

    def word(environment: Environment, buffer: Buffer) -> int:
        total = 0
        for axis, slot in enumerate(at):
            index, extent = environment[slot], extents[axis]
            room = lanes if axis == len(at) - 1 else 1
            if extent != DYNAMIC_INDEX and index + room > extent:
                raise OutOfBounds(
                    f"index {signed(index, INDEX_BITS)} of axis {axis} of {buffer.name}, "
                    f"whose extent is {extent}"
                )
            total += index * strides[axis]
        return total

    return word


def _load(op: Operation, prepare: Prepare) -> Step:
    assert isinstance(op, memref.LoadOp)
    slots = prepare.slots
    word = _word_at(op.memref.type, op.indices, slots)
    buffer_slot, result = slots.of(op.memref), slots.of(op.res)
    convert = _read(op.res.type, slots)

    def step(environment: Environment) -> None:
        buffer = environment[buffer_slot]
        environment[result] = convert(buffer.load(word(environment, buffer)))

    return step


def _read(type: Attribute, slots: Slots) -> Callable[[Any], Any]:
    """What a word in memory is as a word of the environment."""
    if is_float(type):
        return int if slots.floats.symbolic else _same
    return bool if width_of(type) == 1 else int


def _same(word: Any) -> Any:
    return word


def _store(op: Operation, prepare: Prepare) -> Step:
    assert isinstance(op, memref.StoreOp)
    slots = prepare.slots
    word = _word_at(op.memref.type, op.indices, slots)
    buffer_slot, value = slots.of(op.memref), slots.of(op.value)
    convert = slots.floats.stored if is_float(op.value.type) else _same

    def step(environment: Environment) -> None:
        buffer = environment[buffer_slot]
        buffer.store(word(environment, buffer), convert(environment[value]))

    return step


def _alloca(op: Operation, prepare: Prepare) -> Step:
    assert isinstance(op, memref.AllocaOp)
    slots = prepare.slots
    type = op.memref.type
    extents = extents_of(type)
    sizes, result = slots.all(op.dynamic_sizes), slots.of(op.memref)
    memory, element = slots.memory, element_text(type)
    name = f"%{op.memref.name_hint}" if op.memref.name_hint else "a buffer on the stack"

    def step(environment: Environment) -> None:
        dynamic = [signed(environment[slot], INDEX_BITS) for slot in sizes]
        if any(extent < 0 for extent in dynamic):
            raise UndefinedResult(f"{name} with the extents {dynamic}")
        words = prod(extent for extent in extents if extent != DYNAMIC_INDEX) * prod(dynamic)
        environment[result] = memory.reserve(name, element, words)

    return step


def _get_global(op: Operation, prepare: Prepare) -> None:
    assert isinstance(op, memref.GetGlobalOp)
    prepare.slots.fix(op.memref, prepare.get_global(op.name_.string_value()))


def _dim(op: Operation, prepare: Prepare) -> Step:
    assert isinstance(op, memref.DimOp)
    slots = prepare.slots
    extents = extents_of(op.source.type)
    source, index, result = slots.of(op.source), slots.of(op.index), slots.of(op.result)

    def step(environment: Environment) -> None:
        axis = environment[index]
        if axis >= len(extents):
            raise OutOfBounds(f"axis {axis} of {op.source.type}")
        extent = extents[axis]
        if extent == DYNAMIC_INDEX:
            extent = environment[source].size // max(prod(extents[1:]), 1)
        environment[result] = extent

    return step


def _text(op: Operation, prepare: Prepare) -> None:
    assert isinstance(op, TextOp)
    prepare.slots.fix(op.address, prepare.get_global(op.symbol).base)
    prepare.slots.fix(op.size, len(op.content))


def _to_ptr(op: Operation, prepare: Prepare) -> Step:
    assert isinstance(op, ptr.ToPtrOp)
    source, result = prepare.slots.of(op.source), prepare.slots.of(op.res)

    def step(environment: Environment) -> None:
        environment[result] = environment[source].base

    return step


def _from_ptr(op: Operation, prepare: Prepare) -> Step:
    assert isinstance(op, ptr.FromPtrOp)
    source, result = prepare.slots.of(op.source), prepare.slots.of(op.res)
    memory, element = prepare.slots.memory, element_text(op.res.type)
    extents_of(op.res.type)

    def step(environment: Environment) -> None:
        environment[result] = memory.view(environment[source], element)

    return step


def _ptradd(op: Operation, prepare: Prepare) -> Step:
    assert isinstance(op, ptr.PtrAddOp)
    slots = prepare.slots
    address, offset, result = slots.of(op.addr), slots.of(op.offset), slots.of(op.result)
    width = width_of(op.offset.type)

    def step(environment: Environment) -> None:
        moved = environment[address] + signed(environment[offset], width)
        environment[result] = masked(moved, INDEX_BITS)

    return step


def _ptr_load(op: Operation, prepare: Prepare) -> Step:
    assert isinstance(op, ptr.LoadOp)
    slots = prepare.slots
    address, result = slots.of(op.addr), slots.of(op.res)
    memory, element, lanes = slots.memory, _stored_element(op.res.type), lanes_of(op.res.type)
    if lanes is not None:
        size = _bytes_of(element)
        dtype = _vector_dtype(op.res.type, slots)

        def vector_step(environment: Environment) -> None:
            at = environment[address]
            words = [memory.load(at + size * lane, element) for lane in range(lanes)]
            environment[result] = np.array(words, dtype)

        return vector_step
    convert = _read(op.res.type, slots)

    def step(environment: Environment) -> None:
        environment[result] = convert(memory.load(environment[address], element))

    return step


def _ptr_store(op: Operation, prepare: Prepare) -> Step:
    assert isinstance(op, ptr.StoreOp)
    slots = prepare.slots
    type = op.value.type
    address, value = slots.of(op.addr), slots.of(op.value)
    memory, element, lanes = slots.memory, _stored_element(type), lanes_of(type)
    convert = slots.floats.stored if is_float(type) else _same
    size = _bytes_of(element)

    def step(environment: Environment) -> None:
        at, word = environment[address], convert(environment[value])
        if lanes is None:
            memory.store(at, element, word)
            return
        for lane in range(lanes):
            memory.store(at + size * lane, element, word[lane])

    return step


def _stored_element(type: Attribute) -> str:
    """The element that a word of this type is in memory: a pointer is an integer."""
    element = element_text(type)
    return "i64" if element in ("ptr", "index") else element


def _bytes_of(element: str) -> int:
    return 1 if element == "i1" else int(element[1:]) // 8


def _vector_dtype(type: Attribute, slots: Slots) -> np.dtype:
    if is_float(type) and slots.floats.symbolic:
        return np.dtype(np.int64)
    return DTYPES[element_text(type)]


def _vector_load(op: Operation, prepare: Prepare) -> Step:
    assert isinstance(op, vector.LoadOp)
    slots = prepare.slots
    lanes = lanes_of(op.result.type)
    assert lanes is not None
    word = _word_at(op.base.type, op.indices, slots, lanes)
    base, result = slots.of(op.base), slots.of(op.result)

    def step(environment: Environment) -> None:
        buffer = environment[base]
        environment[result] = buffer.load_words(word(environment, buffer), lanes)

    return step


def _vector_store(op: Operation, prepare: Prepare) -> Step:
    assert isinstance(op, vector.StoreOp)
    slots = prepare.slots
    lanes = lanes_of(op.vector.type)
    assert lanes is not None
    word = _word_at(op.base.type, op.indices, slots, lanes)
    base, value = slots.of(op.base), slots.of(op.vector)
    convert = slots.floats.stored if is_float(op.vector.type) else _same

    def step(environment: Environment) -> None:
        buffer = environment[base]
        buffer.store_words(word(environment, buffer), convert(environment[value]))

    return step


def _masked_load(op: Operation, prepare: Prepare) -> Step:
    assert isinstance(op, vector.MaskedLoadOp)
    slots = prepare.slots
    word = _word_at(op.base.type, op.indices, slots, 0)
    base, result = slots.of(op.base), slots.of(op.result)
    mask, otherwise = slots.of(op.mask), slots.of(op.pass_thru)

    def step(environment: Environment) -> None:
        buffer = environment[base]
        first = signed(word(environment, buffer), INDEX_BITS)
        words = np.array(environment[otherwise])
        for lane in np.flatnonzero(environment[mask]).tolist():
            words[lane] = buffer.load(first + lane)
        environment[result] = words

    return step


def _masked_store(op: Operation, prepare: Prepare) -> Step:
    assert isinstance(op, vector.MaskedStoreOp)
    slots = prepare.slots
    word = _word_at(op.base.type, op.indices, slots, 0)
    base, value, mask = slots.of(op.base), slots.of(op.value_to_store), slots.of(op.mask)
    convert = slots.floats.stored if is_float(op.value_to_store.type) else _same

    def step(environment: Environment) -> None:
        buffer = environment[base]
        first = signed(word(environment, buffer), INDEX_BITS)
        words = convert(environment[value])
        for lane in np.flatnonzero(environment[mask]).tolist():
            buffer.store(first + lane, words[lane])

    return step


def _prefetch(op: Operation, prepare: Prepare) -> Step:
    """Nothing is read, and the place need not be there."""
    return lambda environment: None


BUILDERS: Mapping[str, Builder] = {
    "memref.load": _load,
    "memref.store": _store,
    "memref.alloca": _alloca,
    "memref.get_global": _get_global,
    "linux.text": _text,
    "memref.dim": _dim,
    "ptr_xdsl.to_ptr": _to_ptr,
    "ptr_xdsl.from_ptr": _from_ptr,
    "ptr_xdsl.ptradd": _ptradd,
    "ptr_xdsl.load": _ptr_load,
    "ptr_xdsl.store": _ptr_store,
    "hint.prefetch": _prefetch,
    "vector.load": _vector_load,
    "vector.store": _vector_store,
    "vector.maskedload": _masked_load,
    "vector.maskedstore": _masked_store,
}
