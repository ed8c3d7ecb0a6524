"""One role's way through a protocol, as a participant that sends, receives and works.

Invariant: operations are done in the order of the text. What the role has of a value is looked up
    where it is used, so that one that it hasn't is an internal error.
Refuses: protocol-choice-noncanonical, also of a word that nobody told.
Entry: `Walk`, of which `protocol` and `role` are the two kinds; `OutOfMemory`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Mapping, Sequence

import numpy as np
from xdsl.ir import Block, Operation, SSAValue

from alpha.interpreters.checkpoints import checkpoint
from alpha.interpreters.exchanges import Exchanges, require_canonical
from alpha.interpreters.local_work import LocalWork
from alpha.interpreters.network.events import Advanced, Event, Observed, Participant, Published
from alpha.interpreters.work import Held, RoleWork
from alpha.ir.dialects.protocol_bodies import YieldOp, arm_values
from alpha.ir.dialects.protocol_choices import ChoiceOp, UntilOp
from alpha.ir.dialects.protocol_control import RepeatOp, ScopeOp
from alpha.ir.dialects.protocol_work import LocalOp, PublishOp
from alpha.ir.protocol.patterns import UNTIL_ARMS
from alpha.ir.protocol.steps import Step
from alpha.ir.refusals import name_of, place_of

Values = dict[SSAValue, Held]
Doing = Generator[Event, "np.ndarray | None", None]
Deciding = Generator[Event, "np.ndarray | None", "int | None"]

LEAVE = 1
"""The word on which a repeat is left before its bound."""


def _go_on() -> None:
    """Nothing bounds the time of a walk."""


class OutOfMemory(MemoryError):
    """No memory is left for what a role does; `where` says at which operation."""

    def __init__(self, role: int, op: Operation, error: MemoryError) -> None:
        place = place_of(op)
        self.role = role
        self.where = name_of(op) if place is None else f"{name_of(op)} at {place}"
        self.why = str(error) or "no memory is left"
        super().__init__(f"role {role} in {self.where}: {self.why}")


class Walk(ABC):
    """A role that does its part of a protocol; `work` is None where there is no learner."""

    def __init__(
        self, role: int, work: RoleWork | None, local: LocalWork, exchanges: Exchanges
    ) -> None:
        self.role = role
        self.work = work
        self.pulse: Callable[[], None] = _go_on
        """Called in every round of a repeat; what it raises ends the walk."""
        self._local = local
        self._exchanges = exchanges

    @property
    def version(self) -> int:
        """The version of the role's state; 0 where it has none."""
        return 0 if self.work is None else self.work.version

    @abstractmethod
    def participant(self) -> Participant:
        """The role's events, from the beginning to the end."""

    @abstractmethod
    def step(self, op: Operation) -> Step | None:
        """What the role does in a communicating operation, or None if it takes no part."""

    @abstractmethod
    def has_part(self, op: Operation) -> bool:
        """Whether the role acts in local work, a publication or a scope."""

    @abstractmethod
    def has(self, value: SSAValue) -> bool:
        """Whether the role has a value."""

    @abstractmethod
    def loops(self, op: RepeatOp) -> bool:
        """Whether the role takes part in a repeat."""

    @abstractmethod
    def decide(self, op: ChoiceOp | UntilOp, values: Values) -> Deciding:
        """The word of a decision; None where the role needn't know, since its arms are alike."""

    def words(self) -> Mapping[str, np.ndarray]:
        """What the role publishes or stores: words that it owns, and of copies those of role 0."""
        assert self.work is not None
        map_of = self.work.prepared.distribution.map_of
        names = self.work.owner.words
        kept = [name for name in names if self.role == 0 or map_of(name) is not None]
        return {name: self.work.state(name) for name in kept}

    def run(self, block: Block, values: Values) -> Doing:
        """Do the operations of a block; values that it makes are put beside the others.

        Raises:
            OutOfMemory: no memory is left for one of them.
        """
        for op in block.ops:
            try:
                match op:
                    case LocalOp():
                        if self.has_part(op):
                            yield from self._work_locally(op, values)
                    case PublishOp():
                        if self.has_part(op):
                            yield Published(self.version, self.words())
                    case ScopeOp():
                        if self.has_part(op):
                            yield from self.run(op.body.block, values)
                            self._hand_on(op.outcomes, arm_values(op.body), values)
                    case RepeatOp():
                        if self.loops(op):
                            yield from self._repeat(op, values)
                    case ChoiceOp():
                        yield from self._choose(op, values)
                    case YieldOp() | UntilOp():
                        return
                    case _:
                        yield from self._perform(op, values)
            except OutOfMemory:
                raise
            except MemoryError as error:
                raise OutOfMemory(self.role, op, error) from None

    def _work_locally(self, op: LocalOp, values: Values) -> Doing:
        before = self.version
        arguments = [values[value] for value in op.arguments]
        results, observed = self._local.run(op, arguments)
        values.update(zip(op.outcomes, results, strict=True))
        for observation in observed:
            yield Observed(observation)
        if self.version != before:
            yield Advanced(self.version)

    def _perform(self, op: Operation, values: Values) -> Doing:
        step = self.step(op)
        if step is None:
            return
        if step.kind == "checkpoint":
            given = (self.role, self.version, self.words())
            yield from checkpoint(self._exchanges, step, *given)
            return
        operands = [values[value] for value in op.operands] if step.gives else []
        results = yield from self._exchanges.perform(step, operands, self.version)
        values.update(zip(op.results, results, strict=False))

    def _hand_on(
        self, results: Sequence[SSAValue], given: Sequence[SSAValue], values: Values
    ) -> None:
        for result, value in zip(results, given, strict=True):
            if self.has(result):
                values[result] = values[value]

    def _repeat(self, op: RepeatOp, values: Values) -> Doing:
        inside = dict(values)
        self._hand_on(op.body.block.args, op.initial, inside)
        end = op.end
        for _ in range(op.bound.data):
            self.pulse()
            yield from self.run(op.body.block, inside)
            word = None
            if isinstance(end, UntilOp):
                word = yield from self.decide(end, inside)
                if word is not None:
                    require_canonical(word, UNTIL_ARMS)
            carried = () if end is None else end.values
            pairs = zip(op.body.block.args, carried, strict=True)
            inside |= {argument: inside[value] for argument, value in pairs if self.has(argument)}
            if word == LEAVE:
                break
        for result, argument in zip(op.outcomes, op.body.block.args, strict=True):
            if self.has(result):
                values[result] = inside[argument]

    def _choose(self, op: ChoiceOp, values: Values) -> Doing:
        word = yield from self.decide(op, values)
        if word is not None:
            require_canonical(word, len(op.arms))
        arm = op.arms[0 if word is None else word]
        inside = dict(values)
        yield from self.run(arm.block, inside)
        for result, value in zip(op.outcomes, arm_values(arm), strict=True):
            if self.has(result):
                values[result] = inside[value]
