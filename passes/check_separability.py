"""Refuses a learner whose update isn't separable, naming the operation and a coordinate.

Preserves: everything; the module is read and not changed.
Refuses: pointwise-not-separable, pointwise-shared-overclaim.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from alpha.ir.dialects.region import LearnerOp
from alpha.ir.learners import Learner
from alpha.ir.separability import require_separable


@dataclass(frozen=True)
class CheckSeparabilityPass(ModulePass):
    """Refuses an update in which a coordinate's new words depend on another coordinate."""

    name = "check-separability"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Check every learner of the module."""
        for part in op.body.block.ops:
            if isinstance(part, LearnerOp):
                require_separable(Learner.of(part))
