"""Texts become constants of the module: their bytes under a name, one for equal texts.

Before: `%at, %bytes = linux.text "gone"`

After: `memref.global "private" constant @text.0123456789abcdef : memref<4xi8> = dense<[...]>`,
    `memref.get_global` and `ptr_xdsl.to_ptr` of it, and the constant 4

Entry: `lower_texts`.
"""

from __future__ import annotations

from xdsl.dialects import arith, memref, ptr
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    StringAttr,
    TensorType,
    UnitAttr,
    i8,
    i64,
)
from xdsl.rewriter import Rewriter

from alpha.ir.code_values import marked
from alpha.ir.dialects.linux import TextOp

ALIGNMENT = 1


def lower_texts(module: ModuleOp) -> None:
    """Lower all texts of a module."""
    defined: set[str] = set()
    for op in list(module.walk()):
        if not isinstance(op, TextOp):
            continue
        content, name = op.content, op.symbol
        type = MemRefType(i8, [len(content)])
        if name not in defined:
            defined.add(name)
            module.body.block.add_op(_constant(name, content, type))
        held = marked(memref.GetGlobalOp(name, type), op)
        address = marked(ptr.ToPtrOp(held.memref), op)
        size = marked(arith.ConstantOp(IntegerAttr(len(content), i64)), op)
        Rewriter.replace_op(op, [held, address, size], [address.res, size.result])


def _constant(name: str, content: bytes, type: MemRefType) -> memref.GlobalOp:
    words = DenseIntOrFPElementsAttr.from_list(TensorType(i8, [len(content)]), list(content))
    made = memref.GlobalOp.get(
        StringAttr(name), type, words, StringAttr("private"), alignment=ALIGNMENT
    )
    made.constant = UnitAttr()
    return made
