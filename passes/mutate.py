"""Makes a wrong distribution on purpose, so that one can see which check refuses it.

`--mutate="kind=drop-contribution"` changes every distribution of the module. The kinds are
unweighted-mean, deliver-next-owner, release-early, release-never, drop-contribution,
stale-version, swap-combine-order, replica-authority, move-boundary, leave-gap and skip-agree.

Preserves: nothing; the learner stays as it is.
Refuses: mutant-inapplicable, target-unsupported.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from alpha.ir.dialects.region import LearnerOp
from alpha.ir.dialects.shard import ShardLearnerOp
from alpha.ir.refusals import Refusal
from alpha.ir.sharding.distribution import Distribution
from alpha.passes.sharding.mutants import KINDS, PLANNED


@dataclass(frozen=True)
class MutatePass(ModulePass):
    """Puts one fault into every distribution."""

    name = "mutate"
    kind: str

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Change every distribution of the module."""
        if self.kind in PLANNED:
            wanted = f"a mutant that this version builds: {', '.join(KINDS)}"
            raise Refusal("target-unsupported", wanted, self.kind, op)
        if self.kind not in KINDS:
            wanted = f"the kind of a mutant: {', '.join(KINDS)}"
            raise Refusal("mutant-inapplicable", wanted, f"'{self.kind}'", op)
        parts = [part for part in op.body.block.ops if isinstance(part, ShardLearnerOp)]
        if not parts:
            at = next((part for part in op.body.block.ops if isinstance(part, LearnerOp)), op)
            wanted = "a distribution to change; --distribute makes one"
            raise Refusal("mutant-inapplicable", wanted, "none", at)
        for part in parts:
            if not KINDS[self.kind](Distribution.of(part)):
                wanted = f"a distribution in which {self.kind} changes something"
                raise Refusal("mutant-inapplicable", wanted, "one without what it changes", part)
