"""Lowers accesses to memrefs to loads and stores at pointers, in bytes.

The constant part of an index stands last, apart from the rest, so that it becomes the offset of an
address. What functions are given and return become pointers; places of the frame, names of the
module and what blocks hand to one another stay as they are and are taken by `ptr_xdsl.to_ptr`.

Before: `%x = memref.load %m[%i] : memref<?xf64>`

After:

    %b = arith.constant 8 : index
    %o = arith.muli %i, %b : index
    %a = ptr_xdsl.ptradd %m, %o : (!ptr_xdsl.ptr, index) -> !ptr_xdsl.ptr
    %x = ptr_xdsl.load %a : !ptr_xdsl.ptr -> f64

Preserves: what is read and written, in which order.
Refuses: target-unsupported.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, func, memref, ptr, vector
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    Float32Type,
    Float64Type,
    FunctionType,
    IndexType,
    IntegerType,
    MemRefType,
    ModuleOp,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue, Use
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from alpha.ir.code_values import INDEX, index_attr, known_integer, marked, number_in, split_index
from alpha.ir.dialects.hint import PrefetchOp
from alpha.ir.refusals import Refusal
from alpha.passes.memory.frame_arrays import check_array, check_plain
from alpha.passes.memory.texts import lower_texts

POINTER = ptr.PtrType()
ADDRESS_BITS = 64


@dataclass(frozen=True)
class LowerMemrefPass(ModulePass):
    """Lowers every function of the module."""

    name = "lower-memref"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Lower accesses first, then what is handed on, then the types of arguments."""
        lower_texts(op)
        addresses = _Addresses()
        parts = list(op.walk())
        for part in parts:
            if isinstance(part, memref.AllocaOp):
                check_array(part)
        for part in parts:
            _lower(part, addresses)
        for part in parts:
            if isinstance(part, func.CallOp | func.ReturnOp):
                _hand_on_pointers(part)
        for part in parts:
            if isinstance(part, func.FuncOp):
                _lower_signature(part)


def _lower(op: Operation, addresses: _Addresses) -> None:
    match op:
        case memref.LoadOp():
            _load(op, addresses.of(op, op.memref, op.indices))
        case memref.StoreOp():
            _store(op, addresses.of(op, op.memref, op.indices), op.value)
        case vector.LoadOp():
            _load(op, addresses.of(op, op.base, op.indices))
        case vector.StoreOp():
            _store(op, addresses.of(op, op.base, op.indices), op.vector)
        case vector.MaskedLoadOp() | vector.MaskedStoreOp():
            _lower_masked(op, addresses)
        case PrefetchOp() if isinstance(op.base.type, MemRefType):
            _replace(op, PrefetchOp(addresses.of(op, op.base, op.indices), ()))
        case ptr.PtrAddOp():
            _widen_offset(op)
        case _:
            pass


def _load(op: memref.LoadOp | vector.LoadOp, address: SSAValue) -> None:
    types = op.result_types
    _replace(op, ptr.LoadOp.create(operands=(address,), result_types=types))


def _store(op: Operation, address: SSAValue, value: SSAValue) -> None:
    _replace(op, ptr.StoreOp.create(operands=(address, value)))


def _replace(op: Operation, made: Operation) -> None:
    made.attributes.update(op.attributes)
    Rewriter.replace_op(op, made)


def _lower_masked(op: vector.MaskedLoadOp | vector.MaskedStoreOp, addresses: _Addresses) -> None:
    """A masked access goes through a memref of its own, at index 0 of the place it begins at."""
    if len(op.indices) == 1 and known_integer(op.indices[0]) == 0:
        source = op.base
        if isinstance(source, OpResult) and isinstance(source.op, ptr.FromPtrOp):
            return
    address = addresses.of(op, op.base, op.indices)
    builder = Builder(InsertPoint.before(op))
    type = op.base.type
    assert isinstance(type, MemRefType)
    base = builder.insert(ptr.FromPtrOp(address, MemRefType(type.element_type, [DYNAMIC_INDEX])))
    zero = builder.insert(arith.ConstantOp(index_attr(0)))
    op.operands = [base.res, zero.result, *op.operands[1 + len(op.indices) :]]


def _widen_offset(op: ptr.PtrAddOp) -> None:
    """Bring an offset to the width of an address, with its sign."""
    type = op.offset.type
    if isinstance(type, IntegerType) and type.width.data < ADDRESS_BITS:
        known = known_integer(op.offset)
        wide = arith.ExtSIOp(op.offset, i64)
        if known is not None:
            wide = arith.ConstantOp(index_attr(known))
        op.operands[1] = Builder(InsertPoint.before(op)).insert(marked(wide, op)).result


class _Addresses:
    """The pointers to elements; what accesses of a block share is computed before the first.

    Accesses are asked for in the order of the text.
    """

    def __init__(self) -> None:
        self._made: dict[Hashable, SSAValue] = {}

    def of(self, op: Operation, base: SSAValue, indices: Sequence[SSAValue]) -> SSAValue:
        """The pointer to the element that `op` accesses, computed before it."""
        type = base.type
        assert isinstance(type, MemRefType)
        width = _width(type.element_type, op)
        pointer = self._once(op, ptr.ToPtrOp, POINTER, base)
        offset = 0
        for index, stride in zip(indices, _strides(type, op), strict=True):
            varying, added = split_index(index)
            offset += added * stride * width
            if varying is not None:
                bytes = self._scaled(op, varying, stride * width)
                pointer = self._once(op, ptr.PtrAddOp, POINTER, pointer, bytes)
        if offset:
            bytes = self._constant(op, offset)
            pointer = self._once(op, ptr.PtrAddOp, POINTER, pointer, bytes)
        return pointer

    def _scaled(self, op: Operation, varying: SSAValue, bytes: int) -> SSAValue:
        if bytes == 1:
            return varying
        return self._once(op, arith.MuliOp, INDEX, varying, self._constant(op, bytes))

    def _constant(self, op: Operation, value: int) -> SSAValue:
        """A number of bytes; addresses have 64 bits, and the sums wrap."""
        return self._once(op, arith.ConstantOp, INDEX, value=number_in(value, INDEX))

    def _once(
        self,
        op: Operation,
        kind: type[Operation],
        type: Attribute,
        *operands: SSAValue,
        value: int | None = None,
    ) -> SSAValue:
        key = op.parent, kind, operands, value
        if key not in self._made:
            properties = {} if value is None else {"value": index_attr(value)}
            made = kind.create(operands=operands, result_types=(type,), properties=properties)
            Rewriter.insert_op(marked(made, op), InsertPoint.before(op))
            self._made[key] = made.results[0]
        return self._made[key]


def _width(element: Attribute, op: Operation) -> int:
    """The bytes of an element in memory."""
    match element:
        case Float64Type():
            return 8
        case Float32Type():
            return 4
        case IndexType():
            return 8
        case IntegerType() if element.width.data in (8, 16, 32, 64):
            return element.width.data // 8
    wanted = "memrefs of f32, f64, index or integers of 8, 16, 32 or 64 bits"
    raise Refusal("target-unsupported", wanted, str(element), op)


def _strides(type: MemRefType, op: Operation) -> list[int]:
    """Words from one element to the next along each axis; only the first extent may be unknown."""
    check_plain(type, op)
    shape = type.get_shape()
    strides = [1] * len(shape)
    for axis in range(len(shape) - 2, -1, -1):
        strides[axis] = strides[axis + 1] * shape[axis + 1]
    return strides


def _pointer(type: Attribute) -> Attribute:
    return POINTER if isinstance(type, MemRefType) else type


def _lower_signature(op: func.FuncOp) -> None:
    """Give a function pointers for memrefs; its `to_ptr` of arguments become the arguments."""
    held = op.function_type
    op.function_type = FunctionType.from_lists(
        [_pointer(type) for type in held.inputs], [_pointer(type) for type in held.outputs]
    )
    entry = op.body.blocks.first
    for argument in () if entry is None else tuple(entry.args):
        if isinstance(argument.type, MemRefType):
            _become_pointer(argument)


def _become_pointer(value: SSAValue) -> None:
    """Make a pointer of a memref; what still wants the memref gets it made of the pointer."""
    type = value.type
    pointer = Rewriter.replace_value_with_new_type(value, POINTER)
    rest: list[Use] = []
    for use in list(pointer.uses):
        if isinstance(use.operation, ptr.ToPtrOp):
            use.operation.res.replace_all_uses_with(pointer)
            Rewriter.erase_op(use.operation)
        else:
            rest.append(use)
    if rest:
        assert isinstance(type, MemRefType)
        owner = pointer.owner
        first = isinstance(owner, Block)
        behind = InsertPoint.at_start(owner) if first else InsertPoint.after(owner)
        back = Builder(behind).insert(ptr.FromPtrOp(pointer, type))
        for use in rest:
            use.operation.operands[use.index] = back.res


def _hand_on_pointers(op: func.CallOp | func.ReturnOp) -> None:
    """Hand pointers to a function, or to who called this one, and take them from a function."""
    builder = Builder(InsertPoint.before(op))
    op.operands = [
        builder.insert(ptr.ToPtrOp(value)).res if isinstance(value.type, MemRefType) else value
        for value in op.operands
    ]
    for result in tuple(op.results):
        if isinstance(result.type, MemRefType):
            _become_pointer(result)
