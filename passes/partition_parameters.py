"""Gives each coordinate's parameters to one owner; contributions read a replica of the version.

Before:
    %w = shard.read @w : !shard.replica<tensor<4xf64>, +0>
    %c = shard.contribute @gradient(%w) over @data by [1, 2, 3, 0] : ...
After:
    %w_own = shard.read @w : !shard.owned<tensor<4xf64>, cyclic, +0>
    %w = shard.replicate %w_own : !shard.replica<tensor<4xf64>, +0>
    %c = shard.contribute @gradient(%w) over @data by [1, 2, 3, 0] : ...
    shard.release %w

A parameter is a state that a contribution reads. The update reads what its owner has. A learner
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
class PartitionParametersPass(ModulePass):
    """Places parameters by a map: cyclic unless `map` or a former pass says another."""

    name = "partition-parameters"
    map: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Partition the parameters of every learner."""
        for distribution in distributions(ctx, op, "--partition-parameters"):
            wanted = map_wanted(distribution, self.map)
            names = distribution.parameters()
            if not names:
                message = "the learner has no parameters; --partition-parameters changes nothing"
                warn(ctx, message, distribution.op)
                continue
            own_updates(distribution, wanted)
            place_owned(distribution, names, wanted)
