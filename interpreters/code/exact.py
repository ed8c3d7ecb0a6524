"""The exact operations, prepared: a root is `math.sqrt`, a quotient `arith.divf`.

Invariant: what a reciprocal's results hold isn't said, and no quotient depends on it; here they are
    the divisor.
Entry: `BUILDERS`.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import Operation

from alpha.interpreters.code.slots import Builder, Environment, Prepare, Step, lanes_of


def _sqrt(op: Operation, prepare: Prepare) -> Step:
    slots = prepare.slots
    source, result = slots.of(op.operands[0]), slots.of(op.results[0])
    function = slots.floats.function("math.sqrt", lanes_of(op.results[0].type))

    def step(environment: Environment) -> None:
        environment[result] = function(environment[source])

    return step


def _reciprocal(op: Operation, prepare: Prepare) -> Step:
    slots = prepare.slots
    source, results = slots.of(op.operands[0]), slots.all(op.results)

    def step(environment: Environment) -> None:
        for result in results:
            environment[result] = environment[source]

    return step


def _divide(op: Operation, prepare: Prepare) -> Step:
    slots = prepare.slots
    dividend, divisor = slots.all(op.operands[:2])
    result = slots.of(op.results[0])
    function = slots.floats.function("arith.divf", lanes_of(op.results[0].type))

    def step(environment: Environment) -> None:
        environment[result] = function(environment[dividend], environment[divisor])

    return step


BUILDERS: Mapping[str, Builder] = {
    "exact.sqrt": _sqrt,
    "exact.reciprocal": _reciprocal,
    "exact.divide": _divide,
}
