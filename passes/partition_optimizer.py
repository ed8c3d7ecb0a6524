"""Gives each coordinate's optimizer state to one owner, which alone updates it.

Before (of Adam's round, in the order of the text):
    %w1, %m1 = shard.update @adam(%w, %m, %g) : !shard.replica<..., +1>, !shard.replica<..., +1>
    shard.agree %w1, %m1
    shard.advance @w = %w1, @m = %m1
After:
    %w_own = shard.partition %w by cyclic : !shard.owned<..., cyclic, +0>
    %g_own = shard.partition %g by cyclic : !shard.owned<..., cyclic, +0>
    %w1, %m1 = shard.update @adam(%w_own, %m, %g_own) : !shard.owned<..., cyclic, +1>, ...
    %w1_all = shard.combine select %w1 deliver all : !shard.replica<..., +1>
    shard.advance @w = %w1_all, @m = %m1

Optimizer state is every updated state that no contribution reads and that isn't shared. A learner
with owners that isn't distributed yet is distributed first.

Preserves: the learner, and every bit of its state.
Refuses: shard-owners-undeclared, shard-map-conflict, pointwise-not-separable,
    pointwise-shared-overclaim, and what maps refuse.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from alpha.ir.frontend.registry import warn
from alpha.passes.sharding.owned import distributions, map_wanted, own_updates, place_owned


@dataclass(frozen=True)
class PartitionOptimizerPass(ModulePass):
    """Places optimizer state by a map: cyclic unless `map` or a former pass says another."""

    name = "partition-optimizer"
    map: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Partition the optimizer state of every learner."""
        for distribution in distributions(ctx, op, "--partition-optimizer"):
            wanted = map_wanted(distribution, self.map)
            names = distribution.optimizer_states()
            if not names:
                message = (
                    "the learner has no optimizer state; --partition-optimizer changes nothing"
                )
                warn(ctx, message, distribution.op)
                continue
            own_updates(distribution, wanted)
            place_owned(distribution, names, wanted)
