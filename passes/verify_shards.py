"""Refuses a distribution that can't be right, whatever its programs compute.

It asks who has which words, of which version, who may write them, and whether every sample is
summed once in the declared order. That the words then are the learner's is what `alpha verify`
proves; a round that, for example, applies an update to other operands passes here.

Coverage, disjointness and containment are decided exactly, from selections; the message names the
first wrong coordinate. A learner that isn't distributed is left alone.

Preserves: everything; the module is read and not changed.
Refuses: shard-coverage-missing, shard-coverage-duplicate, shard-contribution-missing,
    shard-combine-order, shard-sum-pending, shard-version-mixed, shard-replica-write,
    shard-agree-missing, shard-not-held, data-parallel-replica-released,
    data-parallel-replica-version, data-parallel-replica-retained, and what maps refuse.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from alpha.ir.dialects.shard import ShardLearnerOp
from alpha.ir.sharding.distribution import Distribution
from alpha.ir.sharding.verification import verify_shards


@dataclass(frozen=True)
class VerifyShardsPass(ModulePass):
    """Checks coverage, contributions, versions, authority, replicas and locality."""

    name = "verify-shards"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Check every distribution of the module."""
        for part in op.walk():
            if isinstance(part, ShardLearnerOp):
                verify_shards(Distribution.of(part))
