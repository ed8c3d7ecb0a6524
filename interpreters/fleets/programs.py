"""One role's projected program as a model sees it: frames and work in order, and what it holds.

Invariant: every number follows from the program and its role's place in the maps; nothing is run.
    The rounds are the iterations of one repeat: what stands before it, inside it and behind it are
    three lists. Repeats inside are written out, and so are others outside.
Refuses: target-unsupported, select-budget.
Entry: `RoleProgram`, `read_program`, `rounds_of`; `Work`, `Send`, `Receive`, `Memory`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.ir import Block, Operation

from alpha.interpreters.fleets.holdings import Memory, memory_of, words_of_role
from alpha.ir.attributes.protocol_values import at_type
from alpha.ir.dialects.protocol_bodies import YieldOp
from alpha.ir.dialects.protocol_choices import ChoiceOp, UntilOp
from alpha.ir.dialects.protocol_control import RepeatOp, ScopeOp
from alpha.ir.dialects.protocol_role import AddOp, FrameOp, PerformOp, RoleOp, SendOp
from alpha.ir.dialects.protocol_work import LocalOp, PublishOp, WordsOp
from alpha.ir.dialects.shard_exchange import AdvanceOp, PartitionOp, ReleaseOp
from alpha.ir.dialects.shard_work import ContributeOp, ObserveOp, ReadOp
from alpha.ir.frames import frame_bytes
from alpha.ir.protocol.payloads import words_in
from alpha.ir.protocol.role_steps import read_frame
from alpha.ir.protocol.view import Protocol
from alpha.ir.refusals import Refusal

ACTIONS_MAX = 1 << 20
"""Most frames and pieces of work of one program."""

FREE = (ReadOp, ReleaseOp, PartitionOp, AdvanceOp, ObserveOp, WordsOp, YieldOp)
"""Local work that computes no word."""


@dataclass(frozen=True, slots=True)
class Work:
    """Local work: samples that are summed over, and words that are added, divided or updated."""

    samples: int
    words: int


@dataclass(frozen=True, slots=True)
class Send:
    """A frame of so many bytes, header and digest included, to a peer."""

    peer: int
    bytes: int
    site: int


@dataclass(frozen=True, slots=True)
class Receive:
    """A frame of so many bytes, header and digest included, from a peer."""

    peer: int
    bytes: int
    site: int


Action: TypeAlias = Work | Send | Receive
Actions: TypeAlias = tuple[Action, ...]

Shape: TypeAlias = tuple[tuple[str | int, ...], ...]
"""A program without its numbers: the operations, and how many frames each sends and receives."""


@dataclass(frozen=True)
class RoleProgram:
    """What a role does before the rounds, in each and behind them."""

    role: int
    before: Actions
    round: Actions
    after: Actions
    shape: Shape
    samples: int
    """Samples that the role sums over in a round."""
    words: int
    """Words of state that this role owns and others don't have."""
    memory: Memory

    def frames(self) -> Iterator[Send | Receive]:
        """The frames of a round, in order."""
        return (action for action in self.round if not isinstance(action, Work))

    def seen_from(self, numbers: Mapping[int, int]) -> tuple[Actions, Actions, Actions]:
        """The three lists with other numbers for the peers."""
        parts = (self.before, self.round, self.after)
        before, round, after = (tuple(_renumbered(part, numbers)) for part in parts)
        return before, round, after


def _renumbered(actions: Actions, numbers: Mapping[int, int]) -> Iterator[Action]:
    for action in actions:
        if isinstance(action, Work):
            yield action
        else:
            yield type(action)(numbers[action.peer], action.bytes, action.site)


def rounds_of(protocol: Protocol) -> RepeatOp | None:
    """The repeat whose iterations are the rounds: outside others, of the greatest bound."""
    found = list(_outer_repeats(protocol.op.body.block))
    return max(found, key=lambda op: op.bound.data, default=None)


def is_one_round(protocol: Protocol) -> bool:
    """Whether all of a protocol counts as one round: one without a repeat and without a learner."""
    return protocol.distribution is None and rounds_of(protocol) is None


def _outer_repeats(block: Block) -> Iterator[RepeatOp]:
    for op in block.ops:
        if isinstance(op, RepeatOp):
            yield op
        elif isinstance(op, ScopeOp):
            yield from _outer_repeats(op.body.block)


def read_program(op: RoleOp, protocol: Protocol) -> RoleProgram:
    """The program of a role as the model sees it; `protocol` is what it was projected from.

    Raises:
        Refusal: `target-unsupported` for a choice, whose frames depend on words; `select-budget`
            for more than 2^20 actions.
    """
    rounds = rounds_of(protocol)
    site = -1 if rounds is None else protocol.sites[rounds]
    reader = _Reader(protocol, op.role.data, site)
    beside = reader.whole(op.body.block)
    if is_one_round(protocol):
        parts = ((), beside, ())
    else:
        parts = (beside[: reader.split], reader.round, beside[reader.split :])
    before, round, after = map(tuple, parts)
    return RoleProgram(
        op.role.data,
        before,
        round,
        after,
        tuple(reader.shape),
        reader.samples(),
        reader.words(),
        memory_of(op, protocol),
    )


class _Reader:
    """Reads the blocks of one program."""

    def __init__(self, protocol: Protocol, role: int, site: int) -> None:
        self._protocol = protocol
        self._role = role
        self._site = site
        self.round: Sequence[Action] = ()
        self.split: int | None = None
        """How many actions stand before the rounds."""
        self.shape: list[tuple[str | int, ...]] = []

    def samples(self) -> int:
        """The samples that the role sums over in a round: each once, how often it may do so."""
        rounds = rounds_of(self._protocol)
        every = contributions_of(self._protocol)
        inside = [op for op in every if rounds is not None and rounds.is_ancestor(op)]
        return sum(map(self._samples_of, inside or every))

    def words(self) -> int:
        """The words of states that the role owns alone."""
        distribution, found = self._protocol.distribution, 0
        for name in distribution.learner.states if distribution is not None else ():
            assert distribution is not None
            map = distribution.map_of(name)
            if map is not None:
                owners, size = distribution.owners, distribution.domain(name)
                found += map.piece_size(self._role, owners, size)
        return found

    def whole(self, block: Block) -> list[Action]:
        """The actions of the program, in order; those of the rounds are put aside.

        A role that takes no part in the rounds does behind them what has a later site: else what it
        waits for might be sent behind them, and it would wait before.
        """
        actions: list[Action] = []
        for op in block.ops:
            if self.split is None and self._site >= 0 and _site_of(op) >= self._site:
                self.split = len(actions)
            actions += self._operation(op)
            self._check(len(actions))
        if self.split is None:
            self.split = len(actions)
        return actions

    def block(self, block: Block) -> list[Action]:
        """The actions of a block inside, in order."""
        actions: list[Action] = []
        for op in block.ops:
            actions += self._operation(op)
            self._check(len(actions))
        return actions

    def _operation(self, op: Operation) -> list[Action]:
        """The actions of an operation; of the rounds none, since they are put aside."""
        match op:
            case LocalOp():
                return _some([self._local(op)])
            case PerformOp():
                return _some(self._perform(op))
            case RepeatOp():
                return self._repeat(op)
            case ChoiceOp():
                wanted = "a protocol without choices, whose frames depend on no words"
                raise Refusal("target-unsupported", wanted, "protocol.choice", op)
            case _:
                assert isinstance(op, PublishOp | YieldOp | UntilOp), op.name
                return []

    def _check(self, actions: int) -> None:
        if actions > ACTIONS_MAX:
            wanted = f"a role with at most {ACTIONS_MAX} frames and pieces of work to model"
            raise Refusal("select-budget", wanted, f"{actions} of role {self._role}")

    def _repeat(self, op: RepeatOp) -> list[Action]:
        own = op.site is not None and op.site.data == self._site
        self.shape.append(("repeat", 0 if op.site is None else op.site.data))
        body = self.block(op.body.block)
        self.shape.append(("end",))
        if own:
            self.round = body
            return []
        self._check(len(body) * op.bound.data)
        return body * op.bound.data

    def _local(self, op: LocalOp) -> Work:
        parts = list(op.body.block.ops)
        self.shape.append(("local", *(part.name for part in parts)))
        return Work(
            sum(self._samples_of(part) for part in parts if isinstance(part, ContributeOp)),
            sum(map(self._words_of, parts)),
        )

    def _samples_of(self, op: ContributeOp) -> int:
        return op.map.data.piece_size(self._role, self._protocol.owners, self._domain(op))

    def _domain(self, op: ContributeOp) -> int:
        return self._protocol.domain(op.samples.string_value())

    def _words_of(self, op: Operation) -> int:
        """The words of this role that an operation computes; a constant is there already."""
        if isinstance(op, (*FREE, ContributeOp)) or not op.operands:
            return 0
        return sum(words_of_role(self._protocol, each.type, self._role) for each in op.results)

    def _perform(self, op: PerformOp) -> list[Action]:
        actions: list[Action] = []
        sends = receives = 0
        adds = 0 if not op.arguments else words_in(at_type(op.arguments[0]).payload)
        for part in op.frames.block.ops:
            if isinstance(part, AddOp):
                actions.append(Work(0, len(part.groups.data) * adds))
                continue
            assert isinstance(part, FrameOp)
            size = frame_bytes(read_frame(part).bytes)
            kind = Send if isinstance(part, SendOp) else Receive
            actions.append(kind(part.peer.data, size, op.site.data))
            sends += kind is Send
            receives += kind is Receive
            if op.deliver is not None and op.kind.data == "reduce":
                # What is added behind the first frame are the words that the role is to have.
                size = words_in(at_type(op.arguments[0]).payload)
                adds = op.deliver.data.piece_size(self._role, self._protocol.owners, size)
        self.shape.append((op.kind.data, op.site.data, sends, receives))
        return actions


def contributions_of(protocol: Protocol) -> list[ContributeOp]:
    """The sums over samples in a protocol's local work."""
    return [op for op in protocol.op.walk() if isinstance(op, ContributeOp)]


def _some(actions: Sequence[Action]) -> list[Action]:
    """Actions without those that cost nothing."""
    return [each for each in actions if each != Work(0, 0)]


def _site_of(op: Operation) -> int:
    """The number of an operation in the protocol; -1 for one without."""
    site = op.site if isinstance(op, PerformOp | RepeatOp) else None
    return -1 if site is None else site.data
