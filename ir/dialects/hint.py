"""The `hint` dialect: wishes that change no word, and that a target may pass over.

    hint.prefetch %m[%i] : memref<?xf64>
    hint.prefetch %p[] : !ptr_xdsl.ptr

`hint.prefetch` asks that what lies there be brought near the processor before it is used. Nothing
is read: the place may lie outside of the memref, or be no memory at all.

Refuses: source-structure.
Entry: `HINT`, `PrefetchOp`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IndexType, MemRefType
from xdsl.dialects.ptr import PtrType
from xdsl.ir import Dialect, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    var_operand_def,
)

from alpha.ir.refusals import Refusal


@irdl_op_definition
class PrefetchOp(IRDLOperation):
    """A wish to have what lies at a place near; no effect on any word."""

    name = "hint.prefetch"
    base = operand_def(MemRefType | PtrType)
    indices = var_operand_def(IndexType)
    assembly_format = "$base `[` $indices `]` attr-dict `:` type($base)"

    def __init__(self, base: SSAValue, indices: Sequence[SSAValue]) -> None:
        super().__init__(operands=[base, indices])

    def verify_(self) -> None:
        type = self.base.type
        rank = type.get_num_dims() if isinstance(type, MemRefType) else 0
        if len(self.indices) != rank:
            wanted = f"an index for each of {rank} axes"
            raise Refusal("source-structure", wanted, f"{len(self.indices)}", self)


HINT = Dialect("hint", [PrefetchOp], [])
