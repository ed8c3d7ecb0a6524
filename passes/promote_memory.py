"""Keeps in values what a function stores in its frame and loads again at known places.

An array of `memref.alloca` needs no memory if its extents are known and its loads and stores stand
in one block, at constant indices, each load behind a store to its place. A load at a constant index
of a global that nothing changes is the constant; one outside of it stays, since it may never be
done.

Before:

    %m = memref.alloca() : memref<2xi32>
    memref.store %x, %m[%c1] : memref<2xi32>
    %y = memref.load %m[%c1] : memref<2xi32>
    %z = arith.addi %y, %y : i32

After:

    %z = arith.addi %x, %x : i32

Preserves: what is computed. Other arrays, and what they are used by, aren't changed.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseIntOrFPElementsAttr,
    MemRefType,
    ModuleOp,
    NoneAttr,
)
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.traits import SymbolTable

from alpha.ir.code_values import known_integer


@dataclass(frozen=True)
class PromoteMemoryPass(ModulePass):
    """Promotes arrays of every function, and reads constants."""

    name = "promote-memory"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Read constants first, then promote."""
        globals = {
            part.sym_name.data: part
            for part in op.body.block.ops
            if isinstance(part, memref.GlobalOp) and part.constant is not None
        }
        for part in list(op.walk()):
            if isinstance(part, memref.GetGlobalOp) and _table_of(part) is op:
                source = globals.get(part.name_.root_reference.data)
                if source is not None:
                    _read(part, source)
        for part in list(op.walk()):
            if isinstance(part, memref.AllocaOp):
                _promote(part)


def _table_of(op: Operation) -> Operation | None:
    """The operation whose symbols the names in an operation are."""
    around = op.parent_op()
    while around is not None and not around.has_trait(SymbolTable):
        around = around.parent_op()
    return around


def _is_plain(type: Attribute) -> bool:
    """Whether each place of an array is one of its own, and their number is known."""
    if not isinstance(type, MemRefType) or DYNAMIC_INDEX in type.get_shape():
        return False
    return isinstance(type.layout, NoneAttr) and isinstance(type.memory_space, NoneAttr)


def _place(op: memref.LoadOp | memref.StoreOp) -> tuple[int, ...] | None:
    """The constant indices of an access, else None."""
    found = [known_integer(index) for index in op.indices]
    known = tuple(each for each in found if each is not None)
    return known if len(known) == len(found) else None


def _read(op: memref.GetGlobalOp, source: memref.GlobalOp) -> None:
    """Replace loads of constants at known places."""
    value, type = source.initial_value, source.type
    if not isinstance(value, DenseIntOrFPElementsAttr) or not _is_plain(type):
        return
    assert isinstance(type, MemRefType)
    words = list(value.get_attrs())
    for use in list(op.memref.uses):
        load = use.operation
        if not isinstance(load, memref.LoadOp) or (place := _place(load)) is None:
            continue
        shape = type.get_shape()
        if not all(0 <= index < extent for index, extent in zip(place, shape, strict=True)):
            continue
        flat = 0
        for index, extent in zip(place, shape, strict=True):
            flat = flat * extent + index
        made = arith.ConstantOp(words[flat])  # pyright: ignore[reportArgumentType]
        made.attributes.update(load.attributes)
        Rewriter.replace_op(load, made)
    if not op.memref.uses:
        Rewriter.erase_op(op)


def _promote(op: memref.AllocaOp) -> None:
    if not _is_plain(op.memref.type):
        return
    accesses = [use.operation for use in op.memref.uses]
    blocks = {access.parent for access in accesses}
    if len(blocks) != 1:
        return
    (block,) = blocks
    assert block is not None
    wanted = set(accesses)
    held: dict[tuple[int, ...], SSAValue] = {}
    replaced: list[tuple[memref.LoadOp, SSAValue]] = []
    stores: list[Operation] = []
    for each in block.ops:
        if each not in wanted:
            continue
        if not isinstance(each, memref.LoadOp | memref.StoreOp):
            return
        place = _place(each)
        if place is None:
            return
        if isinstance(each, memref.StoreOp):
            if each.value is op.memref:
                return
            held[place] = each.value
            stores.append(each)
        elif place in held:
            replaced.append((each, held[place]))
        else:
            return
    known = {load.res: value for load, value in replaced}
    for load, value in replaced:
        while isinstance(value, OpResult) and value in known:
            value = known[value]
        load.res.replace_all_uses_with(value)
    for each in [*stores, *(load for load, _ in replaced)]:
        Rewriter.erase_op(each)
    Rewriter.erase_op(op)
