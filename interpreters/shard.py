"""The shard-level interpreter: all owners in one process, each with only its own words.

Invariant: an owner computes from its fragments, from replicas and from what it was sent; a word
    that it hasn't is absent, and a result that would need one is an internal error. No version
    advances unless it advances with every owner, all copies of a word equal bit for bit and every
    word finite.
Refuses: data-parallel-replicas-diverge, numeric-nonfinite.
Entry: `ShardInterpreter`.

Two carriers run the same code, as at the learner level. A third, `presence`, runs every update
once beside them and says which words of its result an owner could compute.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from xdsl.ir import SSAValue

from alpha.interpreters.carriers import Carrier
from alpha.interpreters.combine import Parts, combine_up
from alpha.interpreters.holdings import Holdings, Located, Owner
from alpha.interpreters.learner import Observation
from alpha.interpreters.locality import require_stored
from alpha.interpreters.prepared import Prepared
from alpha.interpreters.replicas import require_equal
from alpha.interpreters.traffic import Traffic
from alpha.interpreters.work import Environment, Held, RoleWork, Total, held_words
from alpha.ir.attributes.shard import LocatedType, OwnedType, located
from alpha.ir.dialects.shard_exchange import AdvanceOp, CombineOp, ReplicateOp, TransferOp
from alpha.ir.dialects.shard_work import AgreeOp
from alpha.ir.learner_words import LearnerWords, require_finite
from alpha.ir.refusals import name_of_value
from alpha.ir.shapes import word_bytes, words_of
from alpha.ir.sharding.costs import COUNT_BYTES
from alpha.ir.sharding.distribution import Distribution
from alpha.ir.sharding.places import At, Everywhere, Owned, Where


class ShardInterpreter:
    """Runs rounds of a distributed learner on one carrier."""

    def __init__(
        self,
        distribution: Distribution,
        words: LearnerWords,
        carrier: Carrier,
        previous: Mapping[str, np.ndarray] | None = None,
        begin: int = 0,
    ) -> None:
        """`words` gives constants, samples and the state of version `begin`.

        With terms, arrays of symbols take the place of words in all three. `previous` is the state
        of the version before, which only a wrong distribution reads; by default the same.
        """
        self.distribution = distribution
        self.carrier = carrier
        self.traffic = Traffic(distribution.tree)
        prepared = Prepared(distribution, carrier)
        self.holdings: Holdings = prepared.holdings
        roles = range(distribution.owners)
        self.roles = [RoleWork(prepared, role, words, previous, begin) for role in roles]

    @property
    def version(self) -> int:
        """The version of the state: the same with every owner."""
        return self.roles[0].version

    @property
    def owners(self) -> list[Owner]:
        """What each owner has between rounds, by role."""
        return [work.owner for work in self.roles]

    @property
    def state(self) -> dict[str, np.ndarray]:
        """The logical state, assembled from the owners' words; of a copy, that of role 0."""
        learner = self.distribution.learner
        found: dict[str, np.ndarray] = {}
        for name, op in learner.states.items():
            words = [owner.words[name] for owner in self.owners]
            found[name] = self.holdings.whole(words, self.distribution.map_of(name), op.type)
        return found

    def step(self) -> list[Observation]:
        """Run one round: version v becomes v+1 with every owner, or nothing changes.

        Raises:
            Refusal: `numeric-nonfinite` or `data-parallel-replicas-diverge`, with the state left
                at version v.
            LocalityError: an owner would read a word that it doesn't have.
        """
        environments: list[Environment] = [{} for _ in self.roles]
        observations: list[Observation] = []
        for op in self.distribution.round.body.block.ops:
            with self.carrier.origin(op):
                match op:
                    case CombineOp() | ReplicateOp() | TransferOp():
                        results = self._exchanged(op, environments)
                        for environment, held in zip(environments, results, strict=True):
                            environment[op.result] = held
                    case AgreeOp():
                        self.traffic.agree()
                        for value in op.values:
                            copies = _located(environments, value)
                            require_equal(copies, name_of_value(value), op)
                    case AdvanceOp():
                        self._advance(op, environments)
                    case _:
                        for work, environment in zip(self.roles, environments, strict=True):
                            observed = work.run(op, environment)
                            observations += [] if observed is None else [observed]
        return observations

    # What owners exchange

    def _exchanged(
        self, op: CombineOp | ReplicateOp | TransferOp, environments: Sequence[Environment]
    ) -> Sequence[Held]:
        """What each owner has after an exchange."""
        if isinstance(op, TransferOp):
            return self._transfer(op, environments)
        if isinstance(op, ReplicateOp):
            return self._replicated(op.owned, environments)
        if op.kind.data == "sum":
            return self._combine_sum(op, environments)
        return self._replicated(op.part, environments)

    def _combine_sum(self, op: CombineOp, environments: Sequence[Environment]) -> list[Total]:
        """The total where it is delivered, and its count."""
        assert op.contract is not None
        parts = _parts(environments, op.part)
        if op.order is not None:
            place = {each.data: position for position, each in enumerate(op.order.data)}
            parts = [{place.get(g, g): part for g, part in held.items()} for held in parts]
        of = located(op.part)
        words = words_of(of.value)

        def sent(child: int, parent: int, count: int) -> None:
            self.traffic.send(child, parent, count * (words * word_bytes(of.value) + COUNT_BYTES))

        left = combine_up(self.distribution.tree, parts, op.contract.data, self.carrier, sent)
        total = self.holdings.absent(of.value)
        count = 0
        for number, group in enumerate(sorted(left)):
            part = left[group]
            # More than one part is left only if one is missing, which is refused elsewhere.
            total = self.carrier.apply("arith.addf", total, part.words) if number else part.words
            count += part.count
        delivered = self._delivered(total, op.deliver.data, of)
        return [Total(words, count) for words in delivered]

    def _delivered(self, whole: np.ndarray, where: Where, of: LocatedType) -> Located:
        """The words of a value of role 0, where they are delivered."""
        width = word_bytes(of.value)
        owners = range(self.distribution.owners)
        match where:
            case Everywhere():
                self.traffic.broadcast(whole.size * width + COUNT_BYTES)
                return [np.array(whole) for _ in owners]
            case At(role=target):
                self.traffic.route(0, target, whole.size * width + COUNT_BYTES)
                absent = self.holdings.absent(of.value)
                return [np.array(whole) if role == target else absent for role in owners]
            case Owned(map=map):
                pieces = [self.holdings.cut(whole, map, role) for role in owners]
                self.traffic.scatter([piece.size * width for piece in pieces])
                self.traffic.broadcast(COUNT_BYTES)
                return pieces

    def _replicated(self, value: SSAValue, environments: Sequence[Environment]) -> Located:
        """A copy for every owner, made of the pieces of all."""
        of = located(value)
        assert isinstance(of, OwnedType)
        width = word_bytes(of.value)
        pieces = _located(environments, value)
        self.traffic.gather([words.size * width for words in pieces])
        self.traffic.broadcast(words_of(of.value) * width)
        whole = self.holdings.whole(pieces, of.map.data, of.value)
        return [np.array(whole) for _ in range(self.distribution.owners)]

    def _transfer(self, op: TransferOp, environments: Sequence[Environment]) -> Located:
        """Every word with the owner that the new map gives it."""
        of = located(op.owned)
        assert isinstance(of, OwnedType)
        owners, size = self.distribution.owners, words_of(of.value)
        width = word_bytes(of.value)
        whole = self.holdings.whole(_located(environments, op.owned), of.map.data, of.value)
        target = np.full(size, -1)
        for role in range(owners):
            target[self.holdings.coordinates(op.map.data, role, size)] = role
        for role in range(owners):
            to = target[self.holdings.coordinates(of.map.data, role, size)]
            for other, number in zip(*np.unique(to[to >= 0], return_counts=True), strict=True):
                self.traffic.route(role, int(other), int(number) * width)
        return [self.holdings.cut(whole, op.map.data, role) for role in range(owners)]

    def _advance(self, op: AdvanceOp, environments: Sequence[Environment]) -> None:
        """Publish with every owner, after all that can refuse the round.

        The copies that the round started from are compared as well as the new ones: an owner whose
        copy had changed contributed to another learner. Words are looked at in the logical state,
        so that the first one is named, and one that nobody has.
        """
        states = self.distribution.learner.states
        for name in states:
            if self.distribution.map_of(name) is None:
                copies = [owner.words[name] for owner in self.owners]
                require_equal(copies, f"@{name}", op)
        for name, value in zip(op.names(), op.values, strict=True):
            of = located(value)
            require_stored(self.holdings, name, of, range(self.distribution.owners))
            words = _located(environments, value)
            if not isinstance(of, OwnedType):
                require_equal(words, name_of_value(value), op)
            if self.carrier.holds_words:
                map = of.map.data if isinstance(of, OwnedType) else None
                when = f"at version {self.version + 1}"
                whole = self.holdings.whole(words, map, of.value)
                require_finite(whole, name, when, states[name])
        for work, environment in zip(self.roles, environments, strict=True):
            work.publish(op, held_words(environment, op.values))


def _located(environments: Sequence[Environment], value: SSAValue) -> list[np.ndarray]:
    """For each role its fragment or copy of a value."""
    return [held_words(environment, [value])[0] for environment in environments]


def _parts(environments: Sequence[Environment], value: SSAValue) -> list[Parts]:
    """For each role its parts of a sum."""
    found: list[Parts] = []
    for environment in environments:
        parts = environment[value]
        assert isinstance(parts, dict), "a combine by sum is that of parts"
        found.append(parts)
    return found
