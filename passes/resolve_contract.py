"""Writes the contract of every sum where it is only implied by the owners, or by their absence.

Before:
    %s, %n = pointwise.sum @gradient(%w) over @data : f64
After, with `owners = #shard.owners<2, pair, samples = [1, 2]>`:
    %s, %n = pointwise.sum @gradient(%w) over @data
        contract #region.contract<groups = [1, 2], combine = left> : f64

Preserves: the meaning, the bits and the learner digest; a contract that is written stays.
Refuses: region-contract-groups.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from alpha.ir.attributes.region import ContractAttr
from alpha.ir.dialects.region import LearnerOp
from alpha.ir.learners import Learner


@dataclass(frozen=True)
class ResolveContractPass(ModulePass):
    """Writes down the declared order of every sum."""

    name = "resolve-contract"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Give every sum of every learner its contract."""
        for part in op.body.block.ops:
            if isinstance(part, LearnerOp):
                learner = Learner.of(part)
                for total in learner.sums():
                    total.contract = ContractAttr(learner.contract_of(total))
