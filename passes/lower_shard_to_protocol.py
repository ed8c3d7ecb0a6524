"""Writes a distributed learner's rounds as one global protocol.

Before:
    %t = shard.combine sum %c contract #region.contract<...> deliver all : !shard.total<..., +0>
    %g = shard.mean %t : !shard.replica<..., +0>
After, behind the distribution, which stays as it is:
    %t = protocol.reduce sum %c by [1, 2] contract #region.contract<...> along star
    %t_1 = protocol.replicate %t along star over stride(0, 1, 2)
    %g = protocol.local at stride(0, 1, 2) (%t_2 = %t_1) {
      %g_1 = shard.mean %t_2 : !shard.replica<..., +0>
      protocol.yield %g_1
    }

Sums and pieces go along the topology (`exchange=gather`), or each owner's coordinates directly
between every two roles (`sharded`, for at most 64 roles of a pair or star); with `auto` values of
more than `threshold` bytes go directly. The words are the same either way. A learner with owners
that isn't distributed yet is distributed first.

With `checkpoint=K` all roles store their words as a generation whenever the version is a multiple
of K, and at the end; with `checkpoint=0` at the end alone. Copies are compared before. With
`begin=V generation=HEX` the run begins at version V, with the words of the generation whose root
manifest has this SHA-256, neither without the other; `rounds` is the version at its end all the
same.

Preserves: the learner, its distribution, and every bit of its state.
Refuses: shard-owners-undeclared, target-unsupported, protocol-repeat-zero, checkpoint-version, and
    what `--verify-shards` refuses.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from alpha.ir.dialects.protocol import GlobalOp
from alpha.ir.protocol.starts import Start
from alpha.ir.refusals import Refusal, place_of
from alpha.ir.sharding.verification import verify_shards
from alpha.passes.protocol.generations import Schedule
from alpha.passes.protocol.lowering import Lowering, Ways
from alpha.passes.sharding.owned import distributions

THRESHOLD_BYTES = 65536
"""With `auto`, larger values go directly unless another threshold is given."""

FLAG = "--lower-shard-to-protocol"


@dataclass(frozen=True)
class LowerShardToProtocolPass(ModulePass):
    """Lowers every distribution that has no protocol yet; `rounds` is the version at the end."""

    name = "lower-shard-to-protocol"
    rounds: int = 1
    exchange: Literal["gather", "sharded", "auto"] = "auto"
    threshold: int | None = None
    checkpoint: int | None = None
    begin: int | None = None
    generation: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Put a protocol behind every distribution."""
        threshold = THRESHOLD_BYTES if self.threshold is None else self.threshold
        if threshold < 0:
            wanted = "a threshold of 0 or more bytes"
            raise Refusal("protocol-payload-extent", wanted, str(threshold), op)
        if self.threshold is not None and self.exchange != "auto":
            wanted = "exchange=auto with a threshold"
            raise Refusal("target-unsupported", wanted, f"exchange={self.exchange}", op)
        schedule = self._schedule(op)
        present = {
            part.learner for part in op.body.block.ops if isinstance(part, GlobalOp) if part.learner
        }
        for distribution in distributions(ctx, op, FLAG):
            if distribution.op.learner in present:
                continue
            verify_shards(distribution)
            ways = Ways(self.exchange, threshold)
            protocol = Lowering(distribution, ways).protocol(schedule)
            protocol.location = distribution.op.location
            op.body.block.insert_op_after(protocol, distribution.op)

    def _schedule(self, op: ModuleOp) -> Schedule:
        """The rounds that are made, and which of them are stored."""
        try:
            return Schedule(self.rounds, self.checkpoint, self._start())
        except Refusal as refusal:
            refusal.place = place_of(op)
            raise

    def _start(self) -> Start | None:
        """Where the run begins, if that is a generation."""
        if self.begin is None and self.generation is None:
            return None
        if self.begin is None:
            wanted = "begin=V with generation=..., the version of the generation"
            raise Refusal("checkpoint-version", wanted, "none")
        return Start(self.begin, self.generation or "")
