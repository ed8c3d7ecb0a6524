"""Selects instructions of x86-64 for the functions of a module.

The functions have to be in blocks (`--convert-scf-to-cf`) and their memory behind pointers
(`--lower-memref`). `features` are those that the processor must have beyond x86-64-v3: `avx512`,
`sha`.

Preserves: what each function computes.
Refuses: target-unsupported: an operation or a type that has no rows, a feature that there is not.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from alpha.backends.core.selection.modules import select_for


@dataclass(frozen=True)
class SelectX64Pass(ModulePass):
    """Replaces functions and globals by those of the dialect `x64`."""

    name = "select-x64"
    features: str = ""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Select every function of the module."""
        select_for(op, "x64", self.features)
