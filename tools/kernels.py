"""What `alpha-translate` does for a GPU: the passes that are left, and the text of the kernels.

Refuses: target-unsupported, and what the passes refuse.
Entry: `ToKernels`, `kernel_text`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from xdsl.passes import ModulePass

from alpha.ir.frontend.verifier import verify_module

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp


@dataclass(frozen=True)
class ToKernels(ModulePass):
    """Runs every pass between what the module holds and kernels in rows of PTX."""

    name = "to-kernels"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run the passes, with the verifier behind each."""
        from alpha.backends.ptx.emission import remaining_passes

        for each in remaining_passes(op):
            each.apply(ctx, op)
            verify_module(op)


def kernel_text(module: ModuleOp, show_source: bool) -> str:
    """The text of a module of kernels in rows."""
    from alpha.backends.ptx.emission import ptx_of

    return ptx_of(module, show_source)
