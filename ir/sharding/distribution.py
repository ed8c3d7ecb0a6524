"""A typed view of a `shard.learner`: the learner it distributes, its owners, places and round.

Invariant: a view is made of a distribution whose structure is right; it holds the operations and
    copies nothing.
Refuses: shard-learner-count, target-unsupported.
Entry: `Distribution.of`, `find_distribution`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from alpha.ir.dialects.pointwise_programs import ContributionOp, ProgramOp, UpdateOp
from alpha.ir.dialects.region import LearnerOp, SamplesOp
from alpha.ir.dialects.shard import PlaceOp, ShardLearnerOp, ShardRoundOp
from alpha.ir.dialects.shard_exchange import AdvanceOp
from alpha.ir.learners import Learner
from alpha.ir.refusals import Note, Refusal, place_of
from alpha.ir.shapes import words_of
from alpha.ir.sharding.maps import ShardMap
from alpha.ir.sharding.places import Owned, Where
from alpha.ir.state_kinds import kinds_of, partitioned
from alpha.ir.topologies import PreorderTree, Topology
from alpha.ir.unconverted import require_converted

Op = TypeVar("Op", bound=Operation)
Program = TypeVar("Program", bound=ProgramOp)


@dataclass(frozen=True)
class Distribution:
    """A learner and how its round is shared out among owners."""

    op: ShardLearnerOp
    learner: Learner
    round: ShardRoundOp

    @classmethod
    def of(cls, op: ShardLearnerOp) -> Distribution:
        """The view of a verified distribution."""
        learner = learner_of(op)
        assert learner is not None
        rounds = [part for part in op.body.block.ops if isinstance(part, ShardRoundOp)]
        return cls(op, Learner.of(learner), rounds[0])

    @property
    def owners(self) -> int:
        """The number of owners; they are the roles 0 to this number less one."""
        return self.op.owners.count.data

    @property
    def topology(self) -> Topology:
        """Who exchanges with whom."""
        return self.op.owners.topology

    @property
    def tree(self) -> PreorderTree:
        """The tree along which sums go up and totals come down."""
        return self.topology.tree(self.owners)

    @cached_property
    def place_ops(self) -> dict[str, PlaceOp]:
        """The place of each state and each set of samples, by name."""
        ops = (part for part in self.op.body.block.ops if isinstance(part, PlaceOp))
        return {part.symbol.string_value(): part for part in ops}

    @cached_property
    def contributions(self) -> dict[str, ContributionOp]:
        """The contributions that the round may sum: the learner's and the distribution's own."""
        return {**self.learner.contributions, **own_programs(self.op, ContributionOp)}

    @cached_property
    def updates(self) -> dict[str, UpdateOp]:
        """The updates that the round may run: the learner's and the distribution's own."""
        return {**self.learner.updates, **own_programs(self.op, UpdateOp)}

    def where(self, name: str) -> Where:
        """Where a state or samples lie between rounds."""
        return self.place_ops[name].where.data

    def map_of(self, name: str) -> ShardMap | None:
        """The map of a state or samples, or None if they are replicated."""
        where = self.where(name)
        return where.map if isinstance(where, Owned) else None

    def domain(self, name: str) -> int:
        """The size of what the map of a state or of samples applies to."""
        samples = self.learner.samples.get(name)
        if isinstance(samples, SamplesOp):
            return samples.count.value.data
        return words_of(self.learner.states[name].type)

    def parameters(self) -> list[str]:
        """The states that a contribution reads and that aren't shared."""
        return partitioned("parameters", kinds_of(self.learner))

    def optimizer_states(self) -> list[str]:
        """The other states that the round updates and that aren't shared."""
        return partitioned("optimizer", kinds_of(self.learner))

    def ops(self, kind: type[Op]) -> list[Op]:
        """The operations of this kind in the round, in order."""
        return [op for op in self.round.body.block.ops if isinstance(op, kind)]

    def advance(self) -> AdvanceOp:
        """The end of the round."""
        last = self.round.body.block.last_op
        assert isinstance(last, AdvanceOp)
        return last


def learner_of(op: ShardLearnerOp) -> LearnerOp | None:
    """The `region.learner` beside a distribution that has its name, or None."""
    module = op.parent_op()
    if not isinstance(module, ModuleOp):
        return None
    for part in module.body.block.ops:
        if isinstance(part, LearnerOp) and part.sym_name.data == op.learner.string_value():
            return part
    return None


def own_programs(op: ShardLearnerOp, kind: type[Program]) -> dict[str, Program]:
    """The programs of this kind that a distribution brings along, by name."""
    return {part.sym_name.data: part for part in op.body.block.ops if isinstance(part, kind)}


def find_distribution(module: ModuleOp) -> Distribution | None:
    """The only distribution of a module, or None if there is none.

    Raises:
        Refusal: `shard-learner-count` if there are several; `target-unsupported` if a program of
            it is still to be converted.
    """
    ops = [part for part in module.body.block.ops if isinstance(part, ShardLearnerOp)]
    if len(ops) > 1:
        note = Note("the first is here", place_of(ops[0]))
        wanted = "at most one shard.learner"
        raise Refusal("shard-learner-count", wanted, str(len(ops)), ops[1], (note,))
    if not ops:
        return None
    require_converted(ops[0])
    return Distribution.of(ops[0])
