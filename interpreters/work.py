"""One role's words and what it does by itself in a round: all that needs no word of another role.

Invariant: a role holds its own words and samples, and no others; its work reads these, replicas
    and what was sent to it. It publishes after it has looked at all words that it would publish.
Refuses: numeric-nonfinite, region-contract-groups.
Entry: `RoleWork`, `Environment`, `Total`.

What roles exchange is made by whoever runs them: all in one process, or each in its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.ir import Operation, SSAValue

from alpha.interpreters.combine import Part, Parts
from alpha.interpreters.learner import Observation
from alpha.interpreters.locality import LocalityError, require_local, require_stored
from alpha.interpreters.prepared import Prepared, Source
from alpha.interpreters.programs import Value
from alpha.interpreters.sums import group_sums
from alpha.ir.attributes.shard import OwnedType, located
from alpha.ir.dialects.shard_exchange import AdvanceOp, PartitionOp, ReleaseOp
from alpha.ir.dialects.shard_work import ContributeOp, MeanOp, ObserveOp, ReadOp, UpdateOp
from alpha.ir.learner_words import LearnerWords, require_finite
from alpha.ir.shapes import element_name, shape_of


@dataclass(frozen=True)
class Total:
    """What a role has of a sum over samples, with the number of samples in all of it."""

    words: np.ndarray
    count: int


Held = np.ndarray | Parts | Total
"""What a role has of a value: its fragment or copy, its parts of a sum, or words of a total."""

Environment = dict[SSAValue, Held]
"""What a role has of each value of a round."""


@dataclass(frozen=True)
class _Share:
    """What a role sums of a contribution: groups, their sizes, and rows among its samples."""

    groups: Sequence[int]
    sizes: Sequence[int]
    rows: np.ndarray


class RoleWork:
    """One role's words of version `version`, and every operation of a round that it does alone."""

    def __init__(
        self,
        prepared: Prepared,
        role: int,
        words: LearnerWords,
        previous: Mapping[str, np.ndarray] | None = None,
        begin: int = 0,
    ) -> None:
        """Of `words`, which are those of the learner, the role keeps a copy of what it has.

        They give constants, samples and the state of version `begin`; with terms, arrays of symbols
        take their place. `previous` is the state of the version before, which only a wrong
        distribution reads; by default the same.
        """
        self.prepared = prepared
        self.role = role
        self.version = begin
        self.owner = prepared.holdings.owner(role, words)
        self._distribution = prepared.distribution
        self._carrier = prepared.carrier
        self._holdings = prepared.holdings
        self._constants = words.constants
        before = words.states if previous is None else previous
        self._previous = prepared.holdings.state_of(role, before)
        self._shares: dict[ContributeOp, _Share] = {}
        self._local: set[UpdateOp] = set()

    def run(self, op: Operation, environment: Environment) -> Observation | None:
        """Do one operation of this role: read its operands there, and bind its results.

        An observation is made by role 0 alone; others have nothing of the total.

        Raises:
            Refusal: `numeric-nonfinite` at the end of a round, with nothing published.
            LocalityError: this role would read a word that it doesn't have.
            ValueError: the operation needs other roles.
        """
        with self._carrier.origin(op):
            match op:
                case ReadOp():
                    environment.update(zip(op.values, self.read(op), strict=True))
                case ContributeOp():
                    parts = self.contribute(op, held_words(environment, op.arguments))
                    environment.update(zip(op.parts, parts, strict=True))
                case MeanOp():
                    environment[op.result] = self._mean_of(op, environment[op.sum])
                case PartitionOp():
                    (copy,) = held_words(environment, [op.replica])
                    environment[op.result] = self.partition(op, copy)
                case ReleaseOp():
                    environment[op.replica] = self.release(op)
                case UpdateOp():
                    outputs = self.update(op, held_words(environment, op.arguments))
                    environment.update(zip(op.outputs, outputs, strict=True))
                case ObserveOp():
                    return self._observation(op, environment) if self.role == 0 else None
                case AdvanceOp():
                    self.advance(op, held_words(environment, op.values))
                case _:
                    raise ValueError(f"{op.name} is no work of one role")
        return None

    def read(self, op: ReadOp) -> list[np.ndarray]:
        """This role's words of each value that is read."""
        return [self._source(source) for source in self.prepared.sources(op)]

    def contribute(self, op: ContributeOp, arguments: Sequence[np.ndarray]) -> list[Parts]:
        """For each result, the sum and count of each of this role's groups."""
        share = self._share(op)
        name = op.callee.string_value()
        program = self.prepared.programs[name]
        types = self._distribution.contributions[name].function_type.outputs.data
        parameters = self._spread(op.arguments, arguments)
        held = [array[share.rows] for array in self.owner.samples[op.samples.string_value()]]
        sums = group_sums(self._carrier, program, parameters, held, share.sizes, types)
        results: list[Parts] = [{} for _ in types]
        for group, words, count in zip(share.groups, sums, share.sizes, strict=True):
            for parts, each in zip(results, words, strict=True):
                parts[group] = Part(each, count)
        return results

    def mean(self, op: MeanOp, words: np.ndarray, count: int) -> np.ndarray:
        """The words of a total, each divided by the number of samples."""
        divisor = self._carrier.constant(float(count), element_name(located(op.sum).value))
        return self._carrier.apply("arith.divf", words, divisor)

    def mean_of_parts(self, op: MeanOp, parts: Parts) -> Parts:
        """Every part divided by its own count, and taken for one sample: a wrong distribution's."""
        return {
            group: Part(self.mean(op, part.words, part.count), 1) if part.count else part
            for group, part in parts.items()
        }

    def partition(self, op: PartitionOp, copy: np.ndarray) -> np.ndarray:
        """The words of a copy that this role keeps."""
        return self._holdings.cut(copy, op.map.data, self.role)

    def release(self, op: ReleaseOp) -> np.ndarray:
        """What is left of a copy: every word is absent."""
        return self._holdings.absent(located(op.replica).value)

    def update(self, op: UpdateOp, arguments: Sequence[np.ndarray]) -> list[np.ndarray]:
        """This role's words of each result: its own coordinates, or a copy of them all.

        Raises:
            LocalityError: it has not the words that they are computed from.
        """
        name = op.callee.string_value()
        if op not in self._local:
            require_local(self._holdings, op, self.role, self.prepared.presence(name))
            self._local.add(op)
        values = self.prepared.programs[name].run(self._spread(op.arguments, arguments))
        results: list[np.ndarray] = []
        for output, value in zip(op.outputs, values, strict=True):
            of = output.type
            if isinstance(of, OwnedType):
                results.append(self._holdings.cut(value.words, of.map.data, self.role))
            else:
                results.append(np.array(value.words))
        return results

    def observe(self, op: ObserveOp, words: np.ndarray, count: int) -> Observation:
        """What role 0 reports of a total over so many samples, at the version that was read."""
        return Observation(op.label.data, words.reshape(()), count, self.version)

    def advance(self, op: AdvanceOp, values: Sequence[np.ndarray]) -> None:
        """Publish this role's new words, or refuse and change nothing.

        Raises:
            Refusal, LocalityError: as `check` does.
        """
        self.check(op, values)
        self.publish(op, values)

    def check(self, op: AdvanceOp, values: Sequence[np.ndarray]) -> None:
        """See that this role's new words may be published.

        Raises:
            Refusal: `numeric-nonfinite`, naming the coordinate in the logical state.
            LocalityError: the role would keep words of coordinates that aren't its own.
        """
        for name, value, words in zip(op.names(), op.values, values, strict=True):
            of = located(value)
            require_stored(self._holdings, name, of, (self.role,))
            if not self._carrier.holds_words or self.is_finite(words):
                continue
            if isinstance(of, OwnedType):
                whole = np.zeros(shape_of(of.value), words.dtype)
                mine = self._holdings.coordinates(of.map.data, self.role, whole.size)
                whole.reshape(-1)[mine] = words
                words = whole
            state = self._distribution.learner.states[name]
            require_finite(words, name, f"at version {self.version + 1}", state)

    def is_finite(self, words: np.ndarray) -> bool:
        """Whether all of these words of the role are finite."""
        return bool(np.isfinite(words).all())

    def state(self, name: str) -> np.ndarray:
        """The role's words of a state, at its version."""
        return self.owner.words[name]

    def publish(self, op: AdvanceOp, values: Sequence[np.ndarray]) -> None:
        """Version v becomes v+1, and the words of v are kept as those of the version before.

        Whoever calls this has looked at the words: `check`, or the same with all roles at once.
        """
        self._previous = dict(self.owner.words)
        self.owner.words.update(zip(op.names(), values, strict=True))
        self.version += 1

    def _source(self, source: Source) -> np.ndarray:
        name, of = source.name, source.of
        if name in self._constants:
            return self._constants[name]
        if name in self.owner.words:
            return (self._previous if of.version.data < 0 else self.owner.words)[name]
        held = self.owner.samples[name][source.component]
        return held.reshape(-1) if isinstance(of, OwnedType) else held

    def _share(self, op: ContributeOp) -> _Share:
        found = self._shares.get(op)
        if found is None:
            contract, groups = self.prepared.groups(op)
            mine = groups[self.role]
            found = _Share(mine, [contract.groups[group] for group in mine], self._rows(op))
            self._shares[op] = found
        return found

    def _rows(self, op: ContributeOp) -> np.ndarray:
        """Where among this role's samples those are that it sums over."""
        name, role = op.samples.string_value(), self.role
        size = self._distribution.domain(name)
        mine = self._holdings.coordinates(op.map.data, role, size)
        place = self._distribution.map_of(name)
        held = np.arange(size) if place is None else self._holdings.coordinates(place, role, size)
        rows = np.searchsorted(held, mine)
        if len(mine) and not (rows[-1] < len(held) and np.array_equal(held[rows], mine)):
            raise LocalityError(f"owner {role} would read samples of @{name} that it doesn't have")
        return rows

    def _spread(self, operands: Sequence[SSAValue], arguments: Sequence[np.ndarray]) -> list[Value]:
        """Arguments of a program in their whole shape; a word that the role hasn't is absent."""
        return [
            Value(self._holdings.spread(words, located(operand), self.role), False)
            for operand, words in zip(operands, arguments, strict=True)
        ]

    def _mean_of(self, op: MeanOp, held: Held) -> np.ndarray | Parts:
        if isinstance(held, Total):
            return self.mean(op, held.words, held.count)
        assert isinstance(held, dict), "a mean is that of a sum"
        return self.mean_of_parts(op, held)

    def _observation(self, op: ObserveOp, environment: Environment) -> Observation:
        held = environment[op.total]
        if isinstance(held, Total):
            return self.observe(op, held.words, held.count)
        (words,) = held_words(environment, [op.total])
        return self.observe(op, words, self._distribution.domain(op.samples.string_value()))


def held_words(environment: Environment, values: Sequence[SSAValue]) -> list[np.ndarray]:
    """What a role has of values that are fragments or copies."""
    found: list[np.ndarray] = []
    for value in values:
        words = environment[value]
        assert not isinstance(words, dict | Total), "words, and no sum with its count"
        found.append(words)
    return found
