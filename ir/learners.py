"""A typed view of a `region.learner`: its fields, programs and round, by name.

Invariant: a view is made of a learner that verifies; it holds the operations, it copies nothing.
Refuses: region-learner-count, region-contract-groups, target-unsupported.
Entry: `Learner.of`, `find_learner`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute

from alpha.ir.attributes.shard import OwnersAttr
from alpha.ir.contracts import Contract
from alpha.ir.dialects.pointwise_programs import ContributionOp, UpdateOp
from alpha.ir.dialects.pointwise_round import SumOp
from alpha.ir.dialects.region import (
    AdvanceOp,
    ConstantOp,
    LearnerOp,
    ReadOp,
    RoundOp,
    SamplesOp,
    StateOp,
)
from alpha.ir.refusals import Place, Refusal
from alpha.ir.unconverted import require_converted

Part = TypeVar("Part", StateOp, ConstantOp, SamplesOp, ContributionOp, UpdateOp)


def _named(op: LearnerOp, kind: type[Part]) -> dict[str, Part]:
    """The parts of this kind by their names."""
    return {part.sym_name.data: part for part in op.body.block.ops if isinstance(part, kind)}


@dataclass(frozen=True)
class Learner:
    """The parts of a learner, each by its symbol name in the order of the text."""

    op: LearnerOp
    states: dict[str, StateOp]
    constants: dict[str, ConstantOp]
    samples: dict[str, SamplesOp]
    contributions: dict[str, ContributionOp]
    updates: dict[str, UpdateOp]
    round: RoundOp

    @classmethod
    def of(cls, op: LearnerOp) -> Learner:
        """The view of a verified learner."""
        return cls(
            op,
            _named(op, StateOp),
            _named(op, ConstantOp),
            _named(op, SamplesOp),
            _named(op, ContributionOp),
            _named(op, UpdateOp),
            next(part for part in op.body.block.ops if isinstance(part, RoundOp)),
        )

    @property
    def name(self) -> str:
        """The learner's symbol name."""
        return self.op.sym_name.data

    def type_of(self, name: str) -> Attribute:
        """The type of a state or constant."""
        field = self.states.get(name) or self.constants[name]
        return field.type

    def sums(self) -> list[SumOp]:
        """The sums of the round, in order."""
        return [op for op in self.round.body.block.ops if isinstance(op, SumOp)]

    def advance(self) -> AdvanceOp:
        """The end of the round."""
        last = self.round.body.block.last_op
        assert isinstance(last, AdvanceOp)
        return last

    def parameters(self) -> list[str]:
        """The states that a contribution reads, in the order of the text."""
        read: set[str] = set()
        for op in self.sums():
            for argument in op.arguments:
                owner = argument.owner
                if isinstance(owner, ReadOp):
                    read.add(owner.names(self.samples)[owner.results.index(argument)])
        return [name for name in self.states if name in read]

    @cached_property
    def _summed_over(self) -> dict[str, set[str]]:
        """For each name of an observation, the samples that it is observed over in the round."""
        found: dict[str, set[str]] = {}
        for op in self.sums():
            for name in self.contributions[op.callee.string_value()].observed_names():
                found.setdefault(name, set()).add(op.samples.string_value())
        return found

    def labels(self) -> list[str]:
        """The names of all observations, in the order of the sums: that of their numbers."""
        return [label for op in self.sums() for label in self.observation_labels(op)]

    def observation_labels(self, op: SumOp) -> list[str]:
        """What the observations of a sum are reported as, in the order of its contribution.

        It is the observation's name, and of a name that the round observes over several samples
        also theirs: `loss @train` and `loss @test`.
        """
        samples = op.samples.string_value()
        return [
            f"{name} @{samples}" if len(self._summed_over[name]) > 1 else name
            for name in self.contributions[op.callee.string_value()].observed_names()
        ]

    def contract_of(self, op: SumOp) -> Contract:
        """The declared order of a sum: its own, else the owners', else one group.

        Raises:
            Refusal: `region-contract-groups` if the owners' samples aren't the sum's.
        """
        count = self.samples[op.samples.string_value()].count.value.data
        if op.contract is not None:
            return op.contract.data
        owners = self.op.owners
        if isinstance(owners, OwnersAttr):
            return owners.contract(count, op)
        return Contract.single(count)


def find_learner(module: ModuleOp, file: str) -> Learner:
    """The only learner of a module.

    Raises:
        Refusal: `region-learner-count` if there isn't exactly one; `target-unsupported` if a
            program of it is still to be converted.
    """
    learners = [op for op in module.body.block.ops if isinstance(op, LearnerOp)]
    if len(learners) != 1:
        at = learners[1] if len(learners) > 1 else Place(file, 1, 1)
        raise Refusal("region-learner-count", "exactly one region.learner", f"{len(learners)}", at)
    require_converted(learners[0])
    return Learner.of(learners[0])
