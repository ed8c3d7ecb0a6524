"""Local work of a protocol: what one role computes between two exchanges, operation by operation.

Operations of the shard level are done by the role's `RoleWork`, arithmetic as in the programs of a
learner; selectors of choices are integers of 64 bits.

Invariant: it sees the arguments that it is given and the role's own words, and nothing else.
Refuses: target-unsupported, and what `RoleWork` refuses.
Entry: `LocalWork`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from xdsl.dialects.builtin import IntegerAttr, IntegerType
from xdsl.ir import Operation, SSAValue

from alpha.interpreters.carriers import Carrier
from alpha.interpreters.learner import Observation
from alpha.interpreters.programs import Value, operation_step
from alpha.interpreters.work import Environment, Held, RoleWork
from alpha.ir.dialects.protocol_bodies import YieldOp
from alpha.ir.dialects.protocol_work import LocalOp, WordsOp
from alpha.ir.protocol.local_structure import EXTEND, SUBTRACT
from alpha.ir.refusals import Refusal
from alpha.ir.scalars import CONSTANT

Compute = Callable[[Environment], None]


class LocalWork:
    """Does pieces of local work for one role; each operation is prepared when it is first met."""

    def __init__(self, carrier: Carrier, work: RoleWork | None) -> None:
        """`work` is None where the protocol has no learner."""
        self._carrier = carrier
        self._work = work
        self._prepared: dict[Operation, Compute] = {}

    def run(self, op: LocalOp, arguments: Sequence[Held]) -> tuple[list[Held], list[Observation]]:
        """The payloads that the work yields, and what it observed.

        Raises:
            Refusal: `numeric-nonfinite` at the end of a round; `target-unsupported` for a selector
                that isn't known on this carrier.
        """
        environment: Environment = dict(zip(op.body.block.args, arguments, strict=True))
        observed: list[Observation] = []
        for part in op.body.block.ops:
            if isinstance(part, YieldOp):
                return [environment[value] for value in part.values], observed
            if part.name.startswith("shard."):
                assert self._work is not None
                seen = self._work.run(part, environment)
                if seen is not None:
                    observed.append(seen)
                continue
            compute = self._prepared.get(part)
            if compute is None:
                compute = self._prepared[part] = self._prepare(part)
            with self._carrier.origin(part):
                compute(environment)
        return [], observed

    def _prepare(self, op: Operation) -> Compute:
        if isinstance(op, WordsOp):
            return lambda environment: environment.update({op.words: environment[op.copy]})
        if op.results and isinstance(op.results[0].type, IntegerType) and not _is_compare(op):
            return self._integer(op)
        step = operation_step(op, self._carrier)

        def compute(environment: Environment) -> None:
            values = {each: Value(_words(environment, each), False) for each in op.operands}
            step(values)
            for result in op.results:
                environment[result] = np.array(values[result].words)

        return compute

    def _integer(self, op: Operation) -> Compute:
        """A constant, a difference, a truth as an integer, or one of two integers."""
        result = op.results[0]
        if op.name == CONSTANT:
            value = op.properties["value"]
            assert isinstance(value, IntegerAttr)
            word = np.array(value.value.data, np.int64)
            return lambda environment: environment.update({result: word})
        if op.name == SUBTRACT:
            one, other = op.operands
            return lambda environment: environment.update(
                {result: np.asarray(_words(environment, one) - _words(environment, other))}
            )

        def compute(environment: Environment) -> None:
            condition = _words(environment, op.operands[0])
            if condition.dtype != np.bool_:
                wanted = "a choice on words that are known"
                raise Refusal("target-unsupported", wanted, "one on expressions", op)
            if op.name == EXTEND:
                environment[result] = condition.astype(np.int64)
            else:
                one, other = (_words(environment, each) for each in op.operands[1:])
                environment[result] = np.where(condition, one, other)

        return compute


def _is_compare(op: Operation) -> bool:
    return op.name == "arith.cmpf"


def _words(environment: Environment, value: SSAValue) -> np.ndarray:
    held = environment[value]
    assert isinstance(held, np.ndarray), "neither parts of a sum nor a total"
    return held
