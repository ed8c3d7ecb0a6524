"""Gives every value of machine functions a register, or a place in the frame where none is free.

Values are spilled by how far away their next use is, loops weighing more, and coloured in the order
of dominance; what moves at edges, calls and fixed registers is put in. Every result is checked by
an independent checker before it is printed.

Preserves: what each function computes.
Refuses: nothing; a placement that the checker refuses is an internal error.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from alpha.backends.core.allocation.allocate import allocate
from alpha.backends.core.checker import check_allocation
from alpha.backends.core.dialect.functions import FuncOpBase
from alpha.backends.core.dialect.reading import read_function
from alpha.backends.core.dialect.writing import write_placed
from alpha.backends.core.targets import features_of, instruction_set


@dataclass(frozen=True)
class AllocateRegistersPass(ModulePass):
    """Allocates the functions of every machine dialect in the module."""

    name = "allocate-registers"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Replace each function that has values by one in registers."""
        for part in list(op.body.block.ops):
            if isinstance(part, FuncOpBase) and not part.placed:
                _allocate(part)


def _allocate(op: FuncOpBase) -> None:
    held = op.attributes.get("features")
    features = features_of(held.data) if isinstance(held, StringAttr) else frozenset()
    made = instruction_set(op.dialect_name(), features)
    function = read_function(op, made.dialect, made.target.convention.clobbered())
    placed = allocate(function, made.target)
    check_allocation(function, placed, made.target)
    written = write_placed(placed, made.dialect)
    written.attributes.update(op.attributes)
    Rewriter.replace_op(op, written)
