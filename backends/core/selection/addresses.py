"""Pointers of the code level as addresses that instructions can hold.

A chain of `ptr_xdsl.ptradd` with constants, with an index times 1, 2, 4 or 8 or shifted by up to 3,
with places of the frame and names at its root, is one address where the target can hold it.

Entry: `Pointer`, `pointer_of`, `constant_of`, `immediate_of`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from xdsl.dialects import arith, memref, ptr
from xdsl.ir import Operation, OpResult, SSAValue

from alpha.backends.core.selection.keys import key_of
from alpha.ir.code_values import known_integer, number_in

SCALES = (1, 2, 4, 8)
OFFSET_BITS = 31
"""Offsets of an address stay below 2 to this, on every target."""

SYMBOL_OFFSET_BITS = 30
"""Those from a name stay below 2 to this, as globals do: the name itself lies away, too."""


@dataclass(frozen=True)
class Pointer:
    """base + index * scale + offset, where the base is a value, a place of the frame or a name."""

    base: SSAValue | None
    index: SSAValue | None = None
    scale: int = 1
    offset: int = 0
    alloca: Operation | None = None
    symbol: str = ""


def defining(value: SSAValue) -> Operation | None:
    """The operation that a value is a result of."""
    return value.op if isinstance(value, OpResult) else None


def constant_of(value: SSAValue) -> int | None:
    """The integer that a value is, if that is known from its definition alone."""
    op = defining(value)
    if not isinstance(op, arith.IndexCastOp):
        return known_integer(value)
    found = constant_of(op.input)
    return None if found is None else number_in(found, value.type)


def immediate_of(value: SSAValue) -> int | None:
    """A constant as an instruction has it: below 32 bits with zeros above, else with its sign."""
    found = constant_of(value)
    if found is None:
        return None
    bits = int(key_of(value.type)[1:])
    return found & ((1 << bits) - 1) if bits < 32 else found


def pointer_of(value: SSAValue, indexed: bool = True) -> Pointer:
    """The largest address expression that a pointer is; with an index only if `indexed`."""
    op = defining(value)
    if isinstance(op, ptr.PtrAddOp):
        added = constant_of(op.offset)
        if added is not None:
            below = pointer_of(op.addr, indexed)
            offset = below.offset + added
            if abs(offset) < 1 << (SYMBOL_OFFSET_BITS if below.symbol else OFFSET_BITS):
                return replace(below, offset=offset)
        elif indexed and is_wide(op):
            # The index that varies most stands last; those before it are in the base's register.
            below = pointer_of(op.addr, indexed=False)
            index, scale, more = _scaled(op.offset)
            reach = SYMBOL_OFFSET_BITS if below.symbol else OFFSET_BITS
            if abs(below.offset + more) < 1 << reach:
                return replace(below, index=index, scale=scale, offset=below.offset + more)
        return Pointer(value)
    if isinstance(op, ptr.FromPtrOp):
        return pointer_of(op.source, indexed)
    if isinstance(op, ptr.ToPtrOp):
        source = defining(op.source)
        if isinstance(source, memref.AllocaOp):
            return Pointer(None, alloca=source)
        if isinstance(source, memref.GetGlobalOp):
            return Pointer(None, symbol=source.name_.root_reference.data)
    return Pointer(value)


def is_wide(op: ptr.PtrAddOp) -> bool:
    """Whether what is added has the bits of an address; a narrower register has zeros above."""
    return key_of(op.offset.type, op) == "i64"


def _scaled(value: SSAValue) -> tuple[SSAValue, int, int]:
    """A value as index * scale + offset: (i + c) * s is i * s + c * s, in 64 bits that wrap."""
    op = defining(value)
    if isinstance(op, arith.IndexCastOp) and key_of(op.input.type) == key_of(op.result.type):
        return _scaled(op.input)
    if isinstance(op, arith.MuliOp):
        for left, right in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
            factor = constant_of(right)
            if factor in SCALES:
                return _moved(left, factor)
    if isinstance(op, arith.ShLIOp) and (count := constant_of(op.rhs)) in (0, 1, 2, 3):
        return _moved(op.lhs, 1 << count)
    return _moved(value, 1)


def _moved(value: SSAValue, scale: int) -> tuple[SSAValue, int, int]:
    op = defining(value)
    if isinstance(op, arith.AddiOp):
        for left, right in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
            added = constant_of(right)
            if added is not None and abs(added * scale) < 1 << OFFSET_BITS:
                inner, more, offset = _moved(left, scale)
                return inner, more, offset + added * scale
    return value, scale, 0
