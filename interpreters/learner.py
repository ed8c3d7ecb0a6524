"""The learner-level interpreter: it says what a learner means, and everything is compared with it.

Invariant: the sums follow the contract: the samples, in order, fall into groups; each group's sum
    starts at -0.0 and adds its samples in order; then the groups are combined in the declared
    order; the mean is one division. A round that ends in a word that isn't finite changes nothing.
Refuses: numeric-nonfinite.
Entry: `LearnerInterpreter`.

Two carriers run the same code. With words it computes; with terms it computes what each word of
the next version is, as an expression of symbols for every word of this version and every sample.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.ir import Attribute, SSAValue

from alpha.interpreters.carriers import Carrier
from alpha.interpreters.programs import Program, Value
from alpha.interpreters.sums import group_sums
from alpha.ir.attributes.region import SumType
from alpha.ir.contracts import Contract
from alpha.ir.dialects.pointwise_round import ApplyOp, MeanOp, SumOp
from alpha.ir.dialects.region import AdvanceOp, ReadOp
from alpha.ir.learner_words import LearnerWords, require_finite
from alpha.ir.learners import Learner
from alpha.ir.shapes import element_name


@dataclass(frozen=True)
class Observation:
    """A named observation of one round: `total` over `count` samples at the version read.

    The name is one of the learner's `observation_labels`, so no other of the round has it.
    """

    name: str
    total: np.ndarray
    count: int
    version: int

    @property
    def mean(self) -> float:
        """Total / count, one division in the word's type; words carrier only."""
        return float(self.total / self.total.dtype.type(self.count))


class LearnerInterpreter:
    """Runs rounds of one learner on one carrier; `state` holds the words of version `version`."""

    def __init__(
        self,
        learner: Learner,
        words: LearnerWords,
        carrier: Carrier,
        state: dict[str, np.ndarray] | None = None,
        version: int = 0,
    ) -> None:
        """`words` gives constants and samples, and the initial state unless `state` does.

        `version` is that of the initial state. With terms, arrays of symbols take the place of
        words in all three.
        """
        self.learner = learner
        self.carrier = carrier
        self.state = dict(words.states if state is None else state)
        self.version = version
        self._constants = words.constants
        self._samples = words.samples
        self._programs = {
            name: Program(op, carrier)
            for name, op in (*learner.contributions.items(), *learner.updates.items())
        }
        self._contracts = [learner.contract_of(op) for op in learner.sums()]
        self._labels = {op: learner.observation_labels(op) for op in learner.sums()}

    def step(self) -> list[Observation]:
        """Run one round: version v becomes v+1, or nothing changes.

        Raises:
            Refusal: `numeric-nonfinite`, with the state left at version v.
        """
        values: dict[SSAValue, np.ndarray] = {}
        observations: list[Observation] = []
        contracts = iter(self._contracts)
        for op in self.learner.round.body.block.ops:
            with self.carrier.origin(op):
                match op:
                    case ReadOp():
                        self._read(op, values)
                    case SumOp():
                        observations += self._sum(op, next(contracts), values)
                    case MeanOp():
                        values[op.result] = self._mean(op, values)
                    case ApplyOp():
                        self._apply(op, values)
                    case AdvanceOp():
                        self._advance(op, values)
        return observations

    def _read(self, op: ReadOp, values: dict[SSAValue, np.ndarray]) -> None:
        words: list[np.ndarray] = []
        for symbol in op.symbols.data:
            name = symbol.string_value()
            if name in self._samples:
                words.extend(self._samples[name])
            else:
                words.append(self.state[name] if name in self.state else self._constants[name])
        values.update(zip(op.values, words, strict=True))

    def _sum(
        self, op: SumOp, contract: Contract, values: dict[SSAValue, np.ndarray]
    ) -> list[Observation]:
        callee = self.learner.contributions[op.callee.string_value()]
        program = self._programs[op.callee.string_value()]
        parameters = [Value(values[argument], False) for argument in op.arguments]
        samples = self._samples[op.samples.string_value()]
        types = callee.function_type.outputs.data
        totals = self._totals(program, parameters, samples, contract, types)
        summed = len(op.sums)
        values.update(zip(op.sums, totals[:summed], strict=True))
        count = sum(contract.groups)
        return [
            Observation(name, total, count, self.version)
            for name, total in zip(self._labels[op], totals[summed:], strict=True)
        ]

    def _totals(
        self,
        program: Program,
        parameters: Sequence[Value],
        samples: Sequence[np.ndarray],
        contract: Contract,
        types: Sequence[Attribute],
    ) -> list[np.ndarray]:
        """The total of each result of a contribution, in the order of the contract."""
        groups = group_sums(self.carrier, program, parameters, samples, contract.groups, types)
        for left, right in contract.schedule():
            groups[left] = [
                self.carrier.apply("arith.addf", a, b)
                for a, b in zip(groups[left], groups[right], strict=True)
            ]
        return groups[0]

    def _mean(self, op: MeanOp, values: dict[SSAValue, np.ndarray]) -> np.ndarray:
        assert isinstance(op.sum.type, SumType)
        samples = self.learner.samples[op.sum.type.samples.string_value()]
        element = element_name(op.result.type)
        count = self.carrier.constant(float(samples.count.value.data), element)
        return self.carrier.apply("arith.divf", values[op.sum], count)

    def _apply(self, op: ApplyOp, values: dict[SSAValue, np.ndarray]) -> None:
        program = self._programs[op.callee.string_value()]
        results = program.run([Value(values[argument], False) for argument in op.arguments])
        values.update(zip(op.outputs, (result.words for result in results), strict=True))

    def _advance(self, op: AdvanceOp, values: dict[SSAValue, np.ndarray]) -> None:
        new: dict[str, np.ndarray] = {}
        for symbol, value in zip(op.symbols.data, op.values, strict=True):
            name = symbol.string_value()
            new[name] = values[value]
            if self.carrier.holds_words:
                when = f"at version {self.version + 1}"
                require_finite(new[name], name, when, self.learner.states[name])
        self.state |= new
        self.version += 1
