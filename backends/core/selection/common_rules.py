"""Rules that every target has: what needs no row, and what each target's rows do alike.

Refuses: target-unsupported.
Entry: `MakeInteger`, `integer_constant`, `same`, `narrowed`, `through`, `address_of`,
    `frame_or_name`, `literal`, `words_of_constant`.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from functools import partial

from xdsl.dialects import arith, memref, ptr
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, IntegerAttr
from xdsl.ir import Operation, SSAValue

from alpha.backends.core.names import literal_symbol
from alpha.backends.core.program import Address, Value
from alpha.backends.core.selection.addresses import Pointer, is_wide, pointer_of
from alpha.backends.core.selection.builder import Builder
from alpha.backends.core.selection.keys import key_of, lanes_of
from alpha.backends.core.selection.matching import (
    Match,
    Matcher,
    Matching,
    Rule,
    operand_of,
    registers_of,
)
from alpha.ir.refusals import Refusal

MakeInteger = Callable[[Builder, int], Value]
"""Writes an integer of 64 bits, unsigned, into a register."""


def integer_constant(integer: MakeInteger) -> Matching:
    """`arith.constant` of an integer, with zeros above."""

    def match(matcher: Matcher, op: Operation) -> Match | None:
        assert isinstance(op, arith.ConstantOp)
        (word,) = words_of_constant(op)
        value = int.from_bytes(word, "little")

        def emit(builder: Builder) -> None:
            builder.bind(op.result, integer(builder, value))

        return Match([], emit)

    return match


def same(op: str, keys: str) -> list[Rule]:
    """An operation that changes nothing in the register: its result is its first operand."""

    def match(matcher: Matcher, found: Operation) -> Match | None:
        def emit(builder: Builder) -> None:
            builder.bind(found.results[0], builder.value(found.operands[0]))

        return Match([found.operands[0]], emit)

    return [Rule(op, key, match) for key in keys.split()]


def narrowed(matching: Matching, row: str) -> Matching:
    """What another rule computes, brought to its width by a row of one operand."""

    def match(matcher: Matcher, op: Operation) -> Match | None:
        found = matching(matcher, op)
        if found is None:
            return None

        def emit(builder: Builder) -> None:
            found.emit(builder)
            (made,) = builder.emit(row, builder.value(op.results[0]))
            builder.bind(op.results[0], made)

        return Match(found.needs, emit)

    return match


def through(*rows: str) -> Matching:
    """An operation of one operand as rows of one operand each, one behind another.

    Empty names are left out.
    """

    def match(matcher: Matcher, op: Operation) -> Match | None:
        if any(row and row not in matcher.target.rows for row in rows):
            return None

        def emit(builder: Builder) -> None:
            value = builder.value(op.operands[0])
            for row in rows:
                value = builder.emit(row, value)[0] if row else value
            builder.bind(op.results[0], value)

        return Match([op.operands[0]], emit)

    return match


def address_of(row: str, constant_row: str) -> Matching:
    """A pointer in a register: the second row where the address reads no register."""

    def match(matcher: Matcher, op: Operation) -> Match | None:
        assert isinstance(op, ptr.PtrAddOp)
        result = op.result
        for pointer in (pointer_of(result), pointer_of(result, indexed=False)):
            needs = registers_of(pointer)
            name = row if needs else constant_row
            if pointer.base is not result and matcher.fits(matcher.target.rows[name], pointer):
                return Match(needs, partial(_bind_address, name, pointer, result))
        if not is_wide(op):
            wanted = "offsets of 64 bits"
            raise Refusal("target-unsupported", wanted, str(op.offset.type), op)
        return None

    return match


def _bind_address(row: str, pointer: Pointer, result: SSAValue, builder: Builder) -> None:
    (made,) = builder.emit(row, operand_of(pointer, builder))
    builder.bind(result, made)


def frame_or_name(row: str) -> Matching:
    """The address of a part of the frame, or of a name of the module."""

    def match(matcher: Matcher, op: Operation) -> Match | None:
        def emit(builder: Builder) -> None:
            if isinstance(op, memref.GetGlobalOp):
                address = Address(False, area="symbol", symbol=op.name_.root_reference.data)
            else:
                address = Address(False, area="slot", number=builder.slot_of(op))
            (made,) = builder.emit(row, (address, ()))
            builder.bind(op.results[0], made)

        return Match([], emit)

    return match


def literal(content: bytes) -> tuple[Address, Sequence[int]]:
    """The address of a constant in the pool."""
    return Address(False, area="symbol", symbol=literal_symbol(content)), ()


def words_of_constant(op: arith.ConstantOp) -> list[bytes]:
    """A constant's words, little-endian: one for a scalar, one a lane for a vector.

    The lanes of a constant that says one word for all are that word, once.
    """
    value = op.value
    match value:
        case DenseIntOrFPElementsAttr():
            _, element = lanes_of(key_of(op.result.type, op))
            width = max(1, int(element[1:]) // 8)
            held = bytes(value.data.data)
            return [held[at : at + width] for at in range(0, len(held), width)]
        case IntegerAttr():
            key = key_of(op.result.type, op)
            bits = int(key[1:])
            width = max(1, bits // 8)
            return [(value.value.data & ((1 << bits) - 1)).to_bytes(width, "little")]
        case FloatAttr():
            return [_float_bytes(value)]
        case _:
            raise ValueError(f"no words of {value}")


def _float_bytes(value: FloatAttr) -> bytes:
    code = "<d" if key_of(value.type) == "f64" else "<f"
    return struct.pack(code, value.value.data)
