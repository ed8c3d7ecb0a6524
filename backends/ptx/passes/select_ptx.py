"""Selects instructions of PTX for the kernels of a module.

The kernels have to be in blocks (`--convert-scf-to-cf`) and their memory behind pointers
(`--lower-memref`). An array of the address space `workgroup` becomes one that each block has for
itself.

Preserves: what each kernel computes.
Refuses: target-unsupported: an operation or a type that has no rows, a call, a result, an array of
    a thread, more words than the threads of a block can share, a parameter of another type.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from alpha.backends.core.selection.keys import key_of
from alpha.backends.core.selection.modules import select_module
from alpha.backends.ptx.dialect import DIALECT
from alpha.backends.ptx.rules import RULES
from alpha.backends.ptx.target import TARGET
from alpha.ir.gpu_memory import WORKGROUP
from alpha.ir.refusals import Refusal
from alpha.passes.kernels.kernel import KERNEL

PARAMETERS = ("i32", "i64", "f32", "f64")
"""The types of parameters, short; a pointer is an i64. Each takes 8 bytes."""

SHARED_BYTES_MAX = 48 << 10
"""What the threads of a block share without more being asked of the driver."""


@dataclass(frozen=True)
class SelectPtxPass(ModulePass):
    """Replaces kernels by those of the dialect `ptx`."""

    name = "select-ptx"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Select every kernel of the module."""
        told = {
            part.sym_name.data: part.attributes[KERNEL]
            for part in op.body.block.ops
            if isinstance(part, func.FuncOp) and KERNEL in part.attributes
        }
        for part in list(op.walk()):
            if isinstance(part, memref.AllocaOp):
                _check_shared(part)
            if isinstance(part, func.FuncOp):
                _check_parameters(part)
        select_module(op, TARGET, DIALECT, RULES, "")
        for part in op.body.block.ops:
            if isinstance(part, DIALECT.func):
                if part.symbol in told:
                    part.attributes[KERNEL] = told[part.symbol]
                bytes = sum(slot.bytes for slot in part.slots)
                if bytes > SHARED_BYTES_MAX:
                    wanted = f"at most {SHARED_BYTES_MAX} bytes that the threads of a block share"
                    raise Refusal("target-unsupported", wanted, str(bytes), part)


def _check_parameters(op: func.FuncOp) -> None:
    """A kernel is given pointers and numbers, each of which has a register by itself."""
    for type in op.function_type.inputs:
        key = key_of(type, op)
        if key not in PARAMETERS:
            wanted = f"parameters of a kernel that are pointers or {', '.join(PARAMETERS)}"
            raise Refusal("target-unsupported", wanted, key, op)


def _check_shared(op: memref.AllocaOp) -> None:
    """An array of a block becomes one that selection takes; a thread has none of its own."""
    type = op.memref.type
    assert isinstance(type, MemRefType)
    if type.memory_space != WORKGROUP:
        wanted = f"arrays of the address space {WORKGROUP}, which the threads of a block share"
        raise Refusal("target-unsupported", wanted, str(type), op)
    plain = MemRefType(type.element_type, type.get_shape())
    Rewriter.replace_value_with_new_type(op.memref, plain)
