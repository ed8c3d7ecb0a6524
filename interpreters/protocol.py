"""The protocol-level interpreter: every role walks the global protocol, over a simulated network.

Invariant: a role does what concerns it, in the order of the protocol, and knows no other role's
    words but those that it received. So a run with another seed, other latencies or other buffers
    ends in the same words.
Refuses: shard-contribution-missing, checkpoint-path, and what frames, agreements and choices
    refuse; the first refusal of a role is that of the run.
Entry: `ProtocolInterpreter`, `SimulatedRun`, `RunEnded`, `NoMoreRounds`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from xdsl.ir import Operation, SSAValue

from alpha.interpreters.beginnings import begin_work
from alpha.interpreters.carriers import Carrier
from alpha.interpreters.exchanges import Exchanges
from alpha.interpreters.learner import Observation
from alpha.interpreters.local_work import LocalWork
from alpha.interpreters.network.events import Participant
from alpha.interpreters.network.faults import Fault
from alpha.interpreters.network.outcomes import Outcome, Refused
from alpha.interpreters.network.simulated import SimulatedNetwork
from alpha.interpreters.network.stores import Store
from alpha.interpreters.prepared import Prepared
from alpha.interpreters.walking import Deciding, Values, Walk
from alpha.interpreters.work import RoleWork
from alpha.ir.attributes.protocol_values import holders
from alpha.ir.dialects.protocol_choices import ChoiceOp, UntilOp
from alpha.ir.dialects.protocol_control import RepeatOp
from alpha.ir.dialects.protocol_work import LocalOp, PublishOp
from alpha.ir.learner_words import LearnerWords
from alpha.ir.protocol.advances import begin_of
from alpha.ir.protocol.contracts import contract_of
from alpha.ir.protocol.patterns import step_of
from alpha.ir.protocol.steps import Step
from alpha.ir.protocol.view import COMMUNICATING, Protocol, takes_part
from alpha.ir.refusals import Refusal
from alpha.ir.sharding.distribution import Distribution

DEADLINE_SECONDS = 60.0
"""Virtual time that a role waits for one frame."""


class RunEnded(Exception):
    """A run has ended before its next round: a role refused, was lost, or all have finished."""


class NoMoreRounds(RunEnded):
    """All roles have finished, and made no further version."""


class GlobalWalk(Walk):
    """One role's way through the global protocol."""

    def __init__(
        self, protocol: Protocol, role: int, work: RoleWork | None, carrier: Carrier
    ) -> None:
        super().__init__(
            role, work, LocalWork(carrier, work), Exchanges(role, protocol.owners, carrier)
        )
        self._protocol = protocol
        self._steps: dict[Operation, Step | None] = {}
        self._loops: dict[RepeatOp, bool] = {}

    def participant(self) -> Participant:
        yield from self.run(self._protocol.op.body.block, {})

    def step(self, op: Operation) -> Step | None:
        if op not in self._steps:
            self._steps[op] = step_of(self._protocol, op, self.role)
        return self._steps[op]

    def has_part(self, op: Operation) -> bool:
        return self.role in takes_part(op)

    def has(self, value: SSAValue) -> bool:
        return self.role in holders(value)

    def loops(self, op: RepeatOp) -> bool:
        if op not in self._loops:
            carries = any(self.has(value) for value in op.initial)
            self._loops[op] = carries or any(map(self._acts, op.body.walk()))
        return self._loops[op]

    def _acts(self, op: Operation) -> bool:
        if isinstance(op, COMMUNICATING):
            routed = not isinstance(op, ChoiceOp | UntilOp) or op.routes is not None
            return routed and self.step(op) is not None
        return isinstance(op, LocalOp | PublishOp) and self.has_part(op)

    def decide(self, op: ChoiceOp | UntilOp, values: Values) -> Deciding:
        step = None if op.routes is None else self.step(op)
        if step is None:
            return _word(values[op.selector]) if self.has(op.selector) else None
        operands = [values[op.selector]] if step.gives else []
        (word,) = yield from self._exchanges.perform(step, operands, self.version)
        return _word(word)


def _word(held: object) -> int:
    assert isinstance(held, np.ndarray)
    return int(held)


class SimulatedRun:
    """Roles that run in one process, over a network with virtual time."""

    def __init__(
        self,
        walks: Mapping[int, Walk],
        distribution: Distribution | None,
        carrier: Carrier,
        *,
        seed: int = 0,
        buffer: int | None = None,
        faults: Sequence[Fault] = (),
        trace: bool = False,
        begin: int = 0,
        stores: Mapping[int, Store] | None = None,
    ) -> None:
        """`distribution` is that of the learner; None where there is none.

        The roles begin at version `begin`. They store their parts of generations in `stores`; a
        role without one stores nothing.
        """
        self.carrier = carrier
        self.version = begin
        self.walks = walks
        self._distribution = distribution
        participants = {role: walk.participant() for role, walk in self.walks.items()}
        self.network = SimulatedNetwork(
            participants,
            seed=seed,
            buffer=buffer,
            deadline=DEADLINE_SECONDS,
            faults=faults,
            stores=stores,
            trace=trace,
        )
        self._observed = 0

    @property
    def state(self) -> dict[str, np.ndarray]:
        """The logical state, assembled from the roles' words; of a copy, that of role 0."""
        distribution = self._distribution
        assert distribution is not None
        works = [walk.work for walk in self.walks.values()]
        found: dict[str, np.ndarray] = {}
        for name, op in distribution.learner.states.items():
            words = [work.state(name) for work in works if work is not None]
            holdings = works[0].prepared.holdings if works[0] is not None else None
            assert holdings is not None
            found[name] = holdings.whole(words, distribution.map_of(name), op.type)
        return found

    def copies(self) -> Iterator[tuple[int, dict[str, np.ndarray]]]:
        """What each role but 0 has of the states of which each has a copy."""
        distribution = self._distribution
        assert distribution is not None
        names = [name for name in distribution.learner.states if distribution.map_of(name) is None]
        for role, walk in self.walks.items():
            if role and walk.work is not None:
                yield role, {name: walk.work.state(name) for name in names}

    def step(self) -> list[Observation]:
        """Run one round: version v becomes v+1 with every role, or the run ends.

        Raises:
            RunEnded: it ends, with the refusal of the role that first refused as its cause if
                that is the first failure; `NoMoreRounds` if there is none.
        """
        if not self.network.run_until_advanced(self.version + 1):
            if self.network.first_failure is None:
                raise NoMoreRounds(f"all roles have finished at version {self.version}")
            raise RunEnded(str(self.network.first_failure)) from self.refusal
        self.version += 1
        observations = self.network.observations.get(0, [])
        new = observations[self._observed :]
        self._observed = len(observations)
        return list(new)

    @property
    def refusal(self) -> Refusal | None:
        """The refusal that ended the run, if one was its first failure."""
        failure = self.network.first_failure
        return failure[1].refusal if failure and isinstance(failure[1], Refused) else None

    def run(self) -> Mapping[int, Outcome]:
        """Run to the end, and say how each role ended."""
        return self.network.run()


class ProtocolInterpreter(SimulatedRun):
    """Runs a protocol, all roles in one process, over a network with virtual time."""

    def __init__(
        self,
        protocol: Protocol,
        words: LearnerWords | None,
        carrier: Carrier,
        *,
        seed: int = 0,
        buffer: int | None = None,
        faults: Sequence[Fault] = (),
        trace: bool = False,
        stores: Mapping[int, Store] | None = None,
        states: Mapping[str, np.ndarray] | None = None,
    ) -> None:
        """`words` are those of the protocol's learner; None where it has none.

        `states` are those of the generation that the protocol begins with, if it does.

        Raises:
            Refusal: `checkpoint-path` for states that are missing, or that nobody begins with.
        """
        self.protocol = protocol
        super().__init__(
            walks_of(protocol, words, carrier, states),
            protocol.distribution,
            carrier,
            seed=seed,
            buffer=buffer,
            faults=faults,
            trace=trace,
            begin=begin_of(protocol.op),
            stores=stores,
        )


def walks_of(
    protocol: Protocol,
    words: LearnerWords | None,
    carrier: Carrier,
    states: Mapping[str, np.ndarray] | None = None,
) -> dict[int, GlobalWalk]:
    """A walk for every role, with what they can share of one process.

    Raises:
        Refusal: `checkpoint-path` as `begin_work`.
    """
    prepared = None
    if protocol.distribution is not None:
        prepared = Prepared(protocol.distribution, carrier, contract_of)
    walks: dict[int, GlobalWalk] = {}
    for role in protocol.group.members:
        work = None
        if prepared is not None:
            assert words is not None
            work = begin_work(protocol.op, prepared, role, words, states)
        walks[role] = GlobalWalk(protocol, role, work, carrier)
    return walks
