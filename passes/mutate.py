"""Makes a wrong program on purpose, so that one can see which check refuses it.

`--mutate="kind=drop-contribution"` changes every distribution of the module. The kinds are
unweighted-mean, deliver-next-owner, release-early, release-never, drop-contribution,
stale-version, swap-combine-order, replica-authority, move-boundary, leave-gap and skip-agree.
Others change the programs of a protocol's roles, behind `--project-role`: inverted-choice,
independent-forwarder, noncanonical-word, frame-binding and swap-actions.

Preserves: nothing; the learner stays as it is.
Refuses: mutant-inapplicable.
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
from alpha.passes.protocol import mutants as role_mutants
from alpha.passes.protocol.schedules import roles_by_protocol
from alpha.passes.sharding import mutants


@dataclass(frozen=True)
class MutatePass(ModulePass):
    """Puts one fault into every distribution, or into the roles of every protocol."""

    name = "mutate"
    kind: str

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Change the module."""
        if self.kind in role_mutants.KINDS:
            self._change_roles(op)
        elif self.kind in mutants.KINDS:
            self._change_distributions(op)
        else:
            known = ", ".join((*mutants.KINDS, *role_mutants.KINDS))
            wanted = f"the kind of a mutant: {known}"
            raise Refusal("mutant-inapplicable", wanted, f"'{self.kind}'", op)

    def _change_distributions(self, op: ModuleOp) -> None:
        parts = [part for part in op.body.block.ops if isinstance(part, ShardLearnerOp)]
        if not parts:
            at = next((part for part in op.body.block.ops if isinstance(part, LearnerOp)), op)
            wanted = "a distribution to change; --distribute makes one"
            raise Refusal("mutant-inapplicable", wanted, "none", at)
        for part in parts:
            if not mutants.KINDS[self.kind](Distribution.of(part)):
                wanted = f"a distribution in which {self.kind} changes something"
                raise Refusal("mutant-inapplicable", wanted, "one without what it changes", part)

    def _change_roles(self, op: ModuleOp) -> None:
        protocols = roles_by_protocol(op)
        if not protocols:
            at = op.body.block.first_op or op
            wanted = "programs of roles to change; --project-role makes them"
            raise Refusal("mutant-inapplicable", wanted, "none", at)
        for roles in protocols.values():
            if not role_mutants.KINDS[self.kind](roles):
                wanted = f"roles in which {self.kind} changes something"
                at = next(iter(roles.values()))
                raise Refusal("mutant-inapplicable", wanted, "some without what it changes", at)
