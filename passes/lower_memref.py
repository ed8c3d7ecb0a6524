"""Lowers accesses to memrefs to loads and stores at pointers, in bytes.

The constant part of an index stands last, apart from the rest, so that it becomes the offset of an
address. Arguments of functions become pointers; places of the frame and names of the module stay as
they are and are taken by `ptr_xdsl.to_ptr`.

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
    NoneAttr,
)
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from alpha.ir.code_values import INDEX, index_attr, known_integer, marked
from alpha.ir.refusals import Refusal

POINTER = ptr.PtrType()


@dataclass(frozen=True)
class LowerMemrefPass(ModulePass):
    """Lowers every function of the module."""

    name = "lower-memref"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Lower accesses first, then the types of arguments."""
        addresses = _Addresses()
        parts = list(op.walk())
        for part in parts:
            _lower(part, addresses)
        for part in parts:
            match part:
                case func.FuncOp():
                    _lower_signature(part)
                case func.CallOp():
                    _lower_call(part)
                case _:
                    pass


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
            varying, added = _split(index)
            offset += added * stride * width
            if varying is not None:
                scale = self._constant(op, stride * width)
                bytes = self._once(op, arith.MuliOp, INDEX, varying, scale)
                pointer = self._once(op, ptr.PtrAddOp, POINTER, pointer, bytes)
        if offset:
            bytes = self._constant(op, offset)
            pointer = self._once(op, ptr.PtrAddOp, POINTER, pointer, bytes)
        return pointer

    def _constant(self, op: Operation, value: int) -> SSAValue:
        return self._once(op, arith.ConstantOp, INDEX, value=value)

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


def _split(index: SSAValue) -> tuple[SSAValue | None, int]:
    """An index as something that varies (None if nothing does) and a constant."""
    constant = known_integer(index)
    if constant is not None:
        return None, constant
    if isinstance(index, OpResult) and isinstance(index.op, arith.AddiOp):
        for left, right in ((index.op.lhs, index.op.rhs), (index.op.rhs, index.op.lhs)):
            added = known_integer(right)
            if added is not None:
                varying, more = _split(left)
                return varying, more + added
    return index, 0


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
    shape = type.get_shape()
    if not isinstance(type.layout, NoneAttr) or DYNAMIC_INDEX in shape[1:]:
        wanted = "memrefs in row-major order whose extents behind the first are known"
        raise Refusal("target-unsupported", wanted, str(type), op)
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
    for block in op.body.blocks:
        for argument in list(block.args):
            if isinstance(argument.type, MemRefType):
                _lower_argument(argument)


def _lower_argument(argument: BlockArgument) -> None:
    taken = [use.operation for use in argument.uses if isinstance(use.operation, ptr.ToPtrOp)]
    rest = [use for use in argument.uses if use.operation not in taken]
    type = argument.type
    pointer = Rewriter.replace_value_with_new_type(argument, POINTER)
    for op in taken:
        op.res.replace_all_uses_with(pointer)
        Rewriter.erase_op(op)
    if rest:
        block = pointer.owner
        assert isinstance(type, MemRefType) and not isinstance(block, Operation)
        back = ptr.FromPtrOp(pointer, type)
        block.insert_op_before(back, block.first_op) if block.first_op else block.add_op(back)
        for use in rest:
            use.operation.operands[use.index] = back.res


def _lower_call(op: func.CallOp) -> None:
    """Hand on pointers where a function is called with memrefs."""
    if not any(isinstance(value.type, MemRefType) for value in op.operands):
        return
    builder = Builder(InsertPoint.before(op))
    op.operands = [
        builder.insert(ptr.ToPtrOp(value)).res if isinstance(value.type, MemRefType) else value
        for value in op.operands
    ]
