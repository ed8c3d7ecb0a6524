"""Delivers to each owner the sums of its coordinates and no others.

Before:
    %t = shard.combine sum %c contract ... deliver all : !shard.total<..., @data, all, +0>
    %g = shard.mean %t : !shard.replica<tensor<4xf64>, +0>
    %g_own = shard.partition %g by cyclic : !shard.owned<tensor<4xf64>, cyclic, +0>
After:
    %t = shard.combine sum %c contract ... deliver owners cyclic : !shard.total<..., +0>
    %g = shard.mean %t : !shard.owned<tensor<4xf64>, cyclic, +0>

A sum that serves all coordinates alike is still delivered to all. A learner with owners that isn't
distributed yet is distributed first.

Preserves: the learner, and every bit of its state: each word of a sum is the same, whoever gets
    it. It adds no persistent word.
Refuses: shard-owners-undeclared, shard-map-conflict, pointwise-not-separable,
    pointwise-shared-overclaim, and what maps refuse.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from alpha.ir.dialects.shard_exchange import CombineOp, PartitionOp
from alpha.ir.dialects.shard_work import MeanOp
from alpha.ir.frontend.registry import warn
from alpha.ir.sharding.distribution import Distribution
from alpha.ir.sharding.maps import ShardMap
from alpha.ir.sharding.places import Everywhere, Owned
from alpha.passes.sharding.owned import distributions, map_wanted, own_updates, replace_op


@dataclass(frozen=True)
class PartitionGradientsPass(ModulePass):
    """Delivers sums by a map: cyclic unless `map` or a former pass says another."""

    name = "partition-gradients"
    map: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Partition the sums of every learner."""
        for distribution in distributions(ctx, op, "--partition-gradients"):
            wanted = map_wanted(distribution, self.map)
            if not any(_means(combine) for combine in distribution.ops(CombineOp)):
                message = "the learner takes no mean; --partition-gradients changes nothing"
                warn(ctx, message, distribution.op)
                continue
            own_updates(distribution, wanted)
            _deliver_to_owners(distribution, wanted)


def _deliver_to_owners(distribution: Distribution, map: ShardMap) -> None:
    for combine in distribution.ops(CombineOp):
        means = _means(combine)
        whole = combine.kind.data == "sum" and isinstance(combine.deliver.data, Everywhere)
        if not whole or not means or not all(_read_by_owners(mean.result) for mean in means):
            continue
        assert combine.contract is not None
        new = CombineOp.sum(combine.part, combine.contract.data, Owned(map))
        replace_op(combine, new)
        for mean in means:
            owned = MeanOp(new.result)
            replace_op(mean, owned)
            for use in list(owned.result.uses):
                part = use.operation
                assert isinstance(part, PartitionOp)
                part.result.replace_all_uses_with(owned.result)
                part.detach()
                part.erase()


def _means(combine: CombineOp) -> list[MeanOp]:
    users = [use.operation for use in combine.result.uses]
    return [user for user in users if isinstance(user, MeanOp)]


def _read_by_owners(value: SSAValue) -> bool:
    """Whether a value is read only through partitions, so that no owner needs all of it."""
    users = [use.operation for use in value.uses]
    return bool(users) and all(isinstance(user, PartitionOp) for user in users)
