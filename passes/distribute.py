"""Shares a learner's rounds among owners that all keep the whole state.

Before:
    region.learner @sgd attributes {owners = #shard.owners<2, pair, samples = [1, 2]>} { ... }
After, behind the learner, which stays as it is:
    shard.learner @sgd owners #shard.owners<2, pair, samples = [1, 2]> {
      shard.place @w replicated
      shard.place @data by [1, 2]
      shard.round { ... }
    }

Preserves: the learner, its digest and its bits; unless the owners are not those that the learner
    declares, and no contract is written: then the owners' contract is written first, and a
    warning says that the bits change.
Refuses: shard-owners-undeclared, shard-owner-range, shard-learner-count, region-contract-groups.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute
from xdsl.passes import ModulePass

from alpha.ir.attributes.region import ContractAttr
from alpha.ir.attributes.shard import OwnersAttr
from alpha.ir.contracts import Contract
from alpha.ir.dialects.region import LearnerOp
from alpha.ir.dialects.shard import ShardLearnerOp
from alpha.ir.frontend.registry import warn
from alpha.ir.learners import Learner
from alpha.ir.refusals import Note, Refusal, place_of
from alpha.ir.sharding.distribution import learner_of
from alpha.ir.topologies import Topology
from alpha.passes.sharding.replicated import replicated_distribution

CONTRACT_LETTERS_MAX = 80
"""Longest text of a contract in a message."""

FLAG = '--distribute="owners=N topology=star"'


@dataclass(frozen=True)
class DistributePass(ModulePass):
    """Distributes every learner: replicated state, samples shared out, sums combined."""

    name = "distribute"
    owners: int | None = None
    topology: str | None = None
    samples: tuple[int, ...] | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Put a distribution behind every learner that has none."""
        for part in list(op.body.block.ops):
            if isinstance(part, LearnerOp):
                self.distribute(ctx, op, part)

    def distribute(self, ctx: Context, module: ModuleOp, op: LearnerOp) -> None:
        """Put a distribution behind one learner of the module, unless it has it already."""
        parts = (part for part in module.body.block.ops if isinstance(part, ShardLearnerOp))
        present = next((part for part in parts if learner_of(part) is op), None)
        if present is not None:
            asked = self != DistributePass()
            owners = self._owners(op, present.owners) if asked else present.owners
            _leave(ctx, present, owners)
            return
        owners = self._owners(op, op.owners)
        declare_owners(ctx, op, owners)
        module.body.block.insert_op_after(replicated_distribution(Learner.of(op), owners), op)

    def _owners(self, op: LearnerOp, given: Attribute | None) -> OwnersAttr:
        """The owners that are wanted: those of the options, else those that are given already."""
        declared = given if isinstance(given, OwnersAttr) else None
        if self.owners is None and declared is None:
            wanted = f"owners, declared by the learner or by {FLAG}"
            raise Refusal("shard-owners-undeclared", wanted, "none", op)
        count = self.owners
        topology, samples = self.topology, self.samples
        if declared is not None:
            count = declared.count.data if count is None else count
            if topology is None and (declared.topology.form != "pair" or count == 2):
                topology = declared.topology_text.data
            if samples is None and count == declared.count.data:
                samples = declared.samples
        assert count is not None
        if count < 1:
            raise Refusal("shard-owner-range", "at least 1 owner", str(count), op)
        try:
            return OwnersAttr.of(count, Topology.parse(topology or "star"), samples)
        except Refusal as refusal:
            raise Refusal(refusal.code, refusal.expected, refusal.found, op) from None


def _leave(ctx: Context, present: ShardLearnerOp, owners: OwnersAttr) -> None:
    if present.owners != owners:
        note = Note("it is distributed here", place_of(present))
        wanted = f"a learner that isn't distributed, to distribute it among {owners}"
        raise Refusal("shard-learner-count", wanted, f"{present.owners}", present, (note,))
    warn(ctx, "the learner is distributed already; nothing changes", present)


def declare_owners(ctx: Context, op: LearnerOp, owners: OwnersAttr) -> None:
    """Make a learner declare these owners, and write their contract where it had another."""
    if op.owners == owners:
        return
    before = Learner.of(op)
    former = [before.contract_of(total) for total in before.sums()]
    op.owners = owners
    learner = Learner.of(op)
    for total, contract in zip(learner.sums(), former, strict=True):
        new = learner.contract_of(total)
        new.check(contract.groups.total)
        if total.contract is None:
            total.contract = ContractAttr(new)
        if new != contract:
            order = f"{_shown(contract)}, now {_shown(new)}"
            warn(ctx, f"the bits change: the order of this sum was {order}", total)


def _shown(contract: Contract) -> str:
    """A contract in a message: by its number of groups where its text is long."""
    text = str(contract)
    if len(text) <= CONTRACT_LETTERS_MAX:
        return text
    return f"{contract.groups.length} groups, combine = {contract.combine}"
