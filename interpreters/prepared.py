"""What the roles of one process share: programs, and what is decided once for all of them.

Invariant: nothing here is a word of a role; whatever is kept is found once, and only if it isn't
    refused.
Why: a process may run one role, or seven, or five hundred; none prepares what another has.
Refuses: region-contract-groups, target-unsupported.
Entry: `Prepared`, `contract_by_uses`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from alpha.interpreters.carriers import Carrier
from alpha.interpreters.holdings import Holdings
from alpha.interpreters.locality import require_placed, require_replicas
from alpha.interpreters.presence import Presence
from alpha.interpreters.programs import Program
from alpha.ir.attributes.shard import LocatedType, located
from alpha.ir.contracts import Contract
from alpha.ir.dialects.shard_exchange import CombineOp
from alpha.ir.dialects.shard_work import ContributeOp, MeanOp, ReadOp
from alpha.ir.sharding.distribution import Distribution
from alpha.ir.sharding.groups import groups_by_owner


def contract_by_uses(distribution: Distribution, op: ContributeOp) -> Contract:
    """The contract of the combines of what is contributed; without any, that of one group."""
    for part in op.parts:
        for user in (use.operation for use in part.uses):
            at = user
            if isinstance(user, MeanOp):
                at = next((use.operation for use in user.result.uses), user)
            if isinstance(at, CombineOp) and at.contract is not None:
                return at.contract.data
    return Contract.single(distribution.domain(op.samples.string_value()))


@dataclass(frozen=True)
class Source:
    """A value that is read: a constant, a state, or a component of samples."""

    name: str
    component: int
    of: LocatedType


class Prepared:
    """A distribution on a carrier, ready for the work of any of its roles."""

    def __init__(
        self,
        distribution: Distribution,
        carrier: Carrier,
        contract_of: Callable[[ContributeOp], Contract] | None = None,
    ) -> None:
        """`contract_of` says by which contract a contribution is summed.

        Without it, the combines that use the contribution do: they stand in the same round.

        Raises:
            Refusal: `target-unsupported` for a program that is still to be converted.
        """
        self.distribution = distribution
        self.carrier = carrier
        self.holdings = Holdings(distribution, carrier)
        programs = {**distribution.contributions, **distribution.updates}
        self.programs = {name: Program(op, carrier) for name, op in programs.items()}
        self._contract_of = contract_of
        self._sources: dict[ReadOp, list[Source]] = {}
        self._groups: dict[ContributeOp, tuple[Contract, list[list[int]]]] = {}
        self._presence: dict[str, Program] = {}

    def sources(self, op: ReadOp) -> Sequence[Source]:
        """What each value of a read is taken from.

        Raises:
            LocalityError: owners would take words of some coordinates for those of others.
        """
        found = self._sources.get(op)
        if found is None:
            learner = self.distribution.learner
            found, values = [], iter(op.values)
            for name in op.names():
                samples = learner.samples.get(name)
                for component in range(len(samples.sources.data) if samples else 1):
                    of = located(next(values))
                    if name not in learner.constants:
                        require_placed(self.distribution, name, of)
                    found.append(Source(name, component, of))
            self._sources[op] = found
        return found

    def groups(self, op: ContributeOp) -> tuple[Contract, list[list[int]]]:
        """The contract of a contribution, and for each role the groups that it sums, ascending.

        Raises:
            LocalityError: owners would contribute from words that they don't all have.
            Refusal: `region-contract-groups` if owners share a group.
        """
        found = self._groups.get(op)
        if found is None:
            require_replicas(self.distribution, op)
            if self._contract_of is None:
                contract = contract_by_uses(self.distribution, op)
            else:
                contract = self._contract_of(op)
            owners = self.distribution.owners
            found = contract, groups_by_owner(op.map.data, contract, owners, partial=True)
            self._groups[op] = found
        return found

    def presence(self, update: str) -> Program:
        """An update that is computed with truths: which of its words an owner can compute."""
        if update not in self._presence:
            self._presence[update] = Program(self.distribution.updates[update], Presence())
        return self._presence[update]
