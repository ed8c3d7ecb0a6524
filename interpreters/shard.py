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

from collections.abc import Mapping

import numpy as np
from xdsl.ir import SSAValue

from alpha.interpreters.carriers import Carrier
from alpha.interpreters.combine import Part, Parts, combine_up
from alpha.interpreters.holdings import Holdings, Located
from alpha.interpreters.learner import Observation
from alpha.interpreters.locality import (
    LocalityError,
    require_local,
    require_placed,
    require_replicas,
    require_stored,
)
from alpha.interpreters.programs import Program, Value
from alpha.interpreters.replicas import require_equal
from alpha.interpreters.sums import group_sums
from alpha.interpreters.traffic import Traffic
from alpha.ir.attributes.shard import LocatedType, OwnedType, located
from alpha.ir.contracts import Contract
from alpha.ir.dialects.shard_exchange import (
    AdvanceOp,
    CombineOp,
    PartitionOp,
    ReleaseOp,
    ReplicateOp,
    TransferOp,
)
from alpha.ir.dialects.shard_work import (
    AgreeOp,
    ContributeOp,
    MeanOp,
    ObserveOp,
    ReadOp,
    UpdateOp,
)
from alpha.ir.learner_words import LearnerWords, require_finite
from alpha.ir.refusals import name_of_value
from alpha.ir.shapes import element_name, shape_of, word_bytes, words_of
from alpha.ir.sharding.costs import COUNT_BYTES
from alpha.ir.sharding.distribution import Distribution
from alpha.ir.sharding.groups import groups_by_owner
from alpha.ir.sharding.places import At, Everywhere, Owned, Where


class ShardInterpreter:
    """Runs rounds of a distributed learner on one carrier."""

    def __init__(
        self,
        distribution: Distribution,
        words: LearnerWords,
        carrier: Carrier,
        previous: Mapping[str, np.ndarray] | None = None,
    ) -> None:
        """`words` gives constants, samples and the state of version 0.

        With terms, arrays of symbols take the place of words in all three. `previous` is the state
        of the version before, which only a wrong distribution reads; by default the same.
        """
        self.distribution = distribution
        self.carrier = carrier
        self.version = 0
        self.traffic = Traffic(distribution.tree)
        self._constants = words.constants
        self.holdings = holdings = Holdings(distribution, carrier)
        roles = range(distribution.owners)
        self.owners = [holdings.owner(role, words) for role in roles]
        before = words.states if previous is None else previous
        self._previous = [holdings.state_of(role, before) for role in roles]
        programs = {**distribution.contributions, **distribution.updates}
        self._programs = {name: Program(op, carrier) for name, op in programs.items()}
        self._local: set[UpdateOp] = set()

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
        values: dict[SSAValue, Located] = {}
        parts: dict[SSAValue, list[Parts]] = {}
        totals: dict[SSAValue, tuple[Located, int]] = {}
        observations: list[Observation] = []
        for op in self.distribution.round.body.block.ops:
            with self.carrier.origin(op):
                match op:
                    case ReadOp():
                        values.update(zip(op.values, self._read(op), strict=True))
                    case ContributeOp():
                        parts.update(zip(op.parts, self._contribute(op, values), strict=True))
                    case CombineOp() if op.kind.data == "sum":
                        totals[op.result] = self._combine_sum(op, parts[op.part])
                    case CombineOp():
                        values[op.result] = self._replicated(op.part, values)
                    case MeanOp():
                        self._mean(op, values, parts, totals)
                    case PartitionOp():
                        values[op.result] = [
                            self.holdings.cut(copy, op.map.data, role)
                            for role, copy in enumerate(values[op.replica])
                        ]
                    case ReplicateOp():
                        values[op.result] = self._replicated(op.owned, values)
                    case ReleaseOp():
                        values[op.replica] = self._released(op.replica)
                    case TransferOp():
                        values[op.result] = self._transfer(op, values)
                    case UpdateOp():
                        values.update(zip(op.outputs, self._update(op, values), strict=True))
                    case ObserveOp():
                        observations.append(self._observe(op, values, totals))
                    case AgreeOp():
                        self.traffic.agree()
                        for value in op.values:
                            require_equal(values[value], name_of_value(value), op)
                    case AdvanceOp():
                        self._advance(op, values)
        return observations

    # What owners do

    def _read(self, op: ReadOp) -> list[Located]:
        results: list[Located] = []
        values = iter(op.values)
        for name in op.names():
            if name in self._constants:
                next(values)
                results.append([self._constants[name]] * self.distribution.owners)
            elif name in self.distribution.learner.states:
                of = located(next(values))
                require_placed(self.distribution, name, of)
                before = of.version.data < 0
                stores = self._previous if before else [owner.words for owner in self.owners]
                results.append([store[name] for store in stores])
            else:
                for component in range(len(self.owners[0].samples[name])):
                    of = located(next(values))
                    require_placed(self.distribution, name, of)
                    owned = isinstance(of, OwnedType)
                    held = [owner.samples[name][component] for owner in self.owners]
                    results.append([each.reshape(-1) for each in held] if owned else held)
        return results

    def _contribute(self, op: ContributeOp, values: dict[SSAValue, Located]) -> list[list[Parts]]:
        """For each result, for each role its parts by group."""
        require_replicas(self.distribution, op)
        name = op.callee.string_value()
        callee = self.distribution.contributions[name]
        types = callee.function_type.outputs.data
        samples = op.samples.string_value()
        contract = self._contract(op)
        held_groups = groups_by_owner(op.map.data, contract, self.distribution.owners, partial=True)
        results: list[list[Parts]] = [[] for _ in types]
        for role, groups in enumerate(held_groups):
            rows = self._rows(op, role)
            parameters = [
                Value(self.holdings.spread(values[each][role], located(each), role), False)
                for each in op.arguments
            ]
            held = [array[rows] for array in self.owners[role].samples[samples]]
            sizes = [contract.groups[group] for group in groups]
            sums = group_sums(self.carrier, self._programs[name], parameters, held, sizes, types)
            for number, result in enumerate(results):
                parts = zip(groups, sums, sizes, strict=True)
                result.append({group: Part(sum[number], count) for group, sum, count in parts})
        return results

    def _contract(self, op: ContributeOp) -> Contract:
        """The contract of the combines of what is contributed here."""
        for part in op.parts:
            for user in (use.operation for use in part.uses):
                at = user
                if isinstance(user, MeanOp):
                    at = next(iter(user.result.uses)).operation
                if isinstance(at, CombineOp) and at.contract is not None:
                    return at.contract.data
        return Contract.single(self.distribution.domain(op.samples.string_value()))

    def _rows(self, op: ContributeOp, role: int) -> np.ndarray:
        """Where among a role's samples those are that it sums over."""
        name = op.samples.string_value()
        size = self.distribution.domain(name)
        mine = self.holdings.coordinates(op.map.data, role, size)
        place = self.distribution.map_of(name)
        held = np.arange(size) if place is None else self.holdings.coordinates(place, role, size)
        rows = np.searchsorted(held, mine)
        if len(mine) and not (rows[-1] < len(held) and np.array_equal(held[rows], mine)):
            raise LocalityError(f"owner {role} would read samples of @{name} that it doesn't have")
        return rows

    def _combine_sum(self, op: CombineOp, parts: list[Parts]) -> tuple[Located, int]:
        """The total where it is delivered, and its count."""
        assert op.contract is not None
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
        return self._delivered(total, op.deliver.data, of), count

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

    def _replicated(self, value: SSAValue, values: dict[SSAValue, Located]) -> Located:
        """A copy for every owner, made of the pieces of all."""
        of = located(value)
        assert isinstance(of, OwnedType)
        width = word_bytes(of.value)
        self.traffic.gather([words.size * width for words in values[value]])
        self.traffic.broadcast(words_of(of.value) * width)
        whole = self.holdings.whole(values[value], of.map.data, of.value)
        return [np.array(whole) for _ in range(self.distribution.owners)]

    def _released(self, value: SSAValue) -> Located:
        """What is left of a replica: every word is absent."""
        return [self.holdings.absent(located(value).value)] * self.distribution.owners

    def _transfer(self, op: TransferOp, values: dict[SSAValue, Located]) -> Located:
        """Every word with the owner that the new map gives it."""
        of = located(op.owned)
        assert isinstance(of, OwnedType)
        owners, size = self.distribution.owners, words_of(of.value)
        width = word_bytes(of.value)
        whole = self.holdings.whole(values[op.owned], of.map.data, of.value)
        target = np.full(size, -1)
        for role in range(owners):
            target[self.holdings.coordinates(op.map.data, role, size)] = role
        for role in range(owners):
            to = target[self.holdings.coordinates(of.map.data, role, size)]
            for other, number in zip(*np.unique(to[to >= 0], return_counts=True), strict=True):
                self.traffic.route(role, int(other), int(number) * width)
        return [self.holdings.cut(whole, op.map.data, role) for role in range(owners)]

    def _mean(
        self,
        op: MeanOp,
        values: dict[SSAValue, Located],
        parts: dict[SSAValue, list[Parts]],
        totals: dict[SSAValue, tuple[Located, int]],
    ) -> None:
        element = element_name(located(op.sum).value)

        def divided(words: np.ndarray, count: int) -> np.ndarray:
            return self.carrier.apply(
                "arith.divf", words, self.carrier.constant(float(count), element)
            )

        if op.sum in parts:
            parts[op.result] = [
                {
                    group: Part(divided(part.words, part.count), 1) if part.count else part
                    for group, part in held.items()
                }
                for held in parts[op.sum]
            ]
            return
        words, count = totals[op.sum]
        values[op.result] = [divided(each, count) for each in words]

    def _update(self, op: UpdateOp, values: dict[SSAValue, Located]) -> list[Located]:
        if op not in self._local:
            require_local(self.holdings, op)
            self._local.add(op)
        program = self._programs[op.callee.string_value()]
        results: list[list[np.ndarray]] = [[] for _ in op.outputs]
        for role in range(self.distribution.owners):
            arguments = [
                Value(self.holdings.spread(values[each][role], located(each), role), False)
                for each in op.arguments
            ]
            for result, output, value in zip(
                results, op.outputs, program.run(arguments), strict=True
            ):
                of = located(output)
                whole = np.broadcast_to(value.words, shape_of(of.value))
                owned = isinstance(of, OwnedType)
                result.append(
                    self.holdings.cut(whole, of.map.data, role) if owned else np.array(whole)
                )
        return list(results)

    def _observe(
        self,
        op: ObserveOp,
        values: dict[SSAValue, Located],
        totals: dict[SSAValue, tuple[Located, int]],
    ) -> Observation:
        if op.total in totals:
            words, count = totals[op.total]
        else:
            words = values[op.total]
            count = self.distribution.domain(op.samples.string_value())
        return Observation(op.label.data, words[0].reshape(()), count, self.version)

    def _advance(self, op: AdvanceOp, values: dict[SSAValue, Located]) -> None:
        """Publish with every owner, after all that can refuse the round.

        The copies that the round started from are compared as well as the new ones: an owner whose
        copy had changed contributed to another learner.
        """
        new: dict[str, Located] = {}
        for name in self.distribution.learner.states:
            if self.distribution.map_of(name) is None:
                copies = [owner.words[name] for owner in self.owners]
                require_equal(copies, f"@{name}", op)
        for name, value in zip(op.names(), op.values, strict=True):
            require_stored(self.holdings, name, located(value))
            words = values[value]
            state = self.distribution.learner.states[name]
            if not isinstance(value.type, OwnedType):
                require_equal(words, name_of_value(value), op)
            if self.carrier.holds_words:
                of = located(value)
                map = of.map.data if isinstance(of, OwnedType) else None
                when = f"at version {self.version + 1}"
                require_finite(self.holdings.whole(words, map, of.value), name, when, state)
            new[name] = words
        self._previous = [dict(owner.words) for owner in self.owners]
        for name, words in new.items():
            for role, owner in enumerate(self.owners):
                owner.words[name] = words[role]
        self.version += 1
