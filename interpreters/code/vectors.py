"""Operations on whole vectors, prepared: broadcast, fma, extract, insert, shuffle.

Invariant: a vector is an array with one axis that nobody writes to once it has a name.
Refuses: target-unsupported (positions that aren't constant).
Entry: `BUILDERS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from xdsl.dialects import vector
from xdsl.dialects.builtin import DYNAMIC_INDEX, I64, DenseArrayBase
from xdsl.ir import Operation

from alpha.interpreters.code.faults import UndefinedResult
from alpha.interpreters.code.memory import DTYPES
from alpha.interpreters.code.slots import (
    Builder,
    Environment,
    Prepare,
    Step,
    element_text,
    is_float,
    lanes_of,
    unsupported,
    width_of,
)


def _broadcast(op: Operation, prepare: Prepare) -> Step:
    assert isinstance(op, vector.BroadcastOp)
    slots = prepare.slots
    source, result = slots.of(op.source), slots.of(op.vector)
    lanes = lanes_of(op.vector.type)
    assert lanes is not None
    dtype = DTYPES[element_text(op.vector.type)]
    if is_float(op.vector.type) and slots.floats.symbolic:
        dtype = np.dtype(np.int64)

    def step(environment: Environment) -> None:
        environment[result] = np.full(lanes, environment[source], dtype)

    return step


def _fma(op: Operation, prepare: Prepare) -> Step:
    assert isinstance(op, vector.FMAOp)
    slots = prepare.slots
    a, b, c = slots.all((op.lhs, op.rhs, op.acc))
    result = slots.of(op.res)
    function = slots.floats.function("math.fma", lanes_of(op.res.type))

    def step(environment: Environment) -> None:
        environment[result] = function(environment[a], environment[b], environment[c])

    return step


def _position(op: Operation, lanes: int | None, position: DenseArrayBase[I64]) -> int:
    """The one constant position of an extract or insert.

    Raises:
        Refusal: `target-unsupported` for another position; UndefinedResult if it is no lane.
    """
    places = [int(place) for place in position.iter_values()]
    if lanes is None or len(places) != 1 or places[0] == DYNAMIC_INDEX:
        raise unsupported(op)
    if not 0 <= places[0] < lanes:
        raise UndefinedResult(f"lane {places[0]} of {lanes}")
    return places[0]


def _extract(op: Operation, prepare: Prepare) -> Step:
    assert isinstance(op, vector.ExtractOp)
    slots = prepare.slots
    lane = _position(op, lanes_of(op.vector.type), op.static_position)
    source, result = slots.of(op.vector), slots.of(op.result)
    convert: Any = None
    if is_float(op.result.type):
        convert = int if slots.floats.symbolic else None
    else:
        convert = bool if width_of(op.result.type) == 1 else int

    def step(environment: Environment) -> None:
        word = environment[source][lane]
        environment[result] = word if convert is None else convert(word)

    return step


def _insert(op: Operation, prepare: Prepare) -> Step:
    assert isinstance(op, vector.InsertOp)
    slots = prepare.slots
    lane = _position(op, lanes_of(op.dest.type), op.static_position)
    source, into, result = slots.of(op.source), slots.of(op.dest), slots.of(op.result)

    def step(environment: Environment) -> None:
        words = np.array(environment[into])
        words[lane] = environment[source]
        environment[result] = words

    return step


def _shuffle(op: Operation, prepare: Prepare) -> Step:
    assert isinstance(op, vector.ShuffleOp)
    slots = prepare.slots
    picks = np.array([int(place) for place in op.mask.get_values()])
    if lanes_of(op.v1.type) is None or (picks < 0).any():
        raise unsupported(op)
    one, other, result = slots.of(op.v1), slots.of(op.v2), slots.of(op.result)

    def step(environment: Environment) -> None:
        environment[result] = np.concatenate([environment[one], environment[other]])[picks]

    return step


BUILDERS: Mapping[str, Builder] = {
    "vector.broadcast": _broadcast,
    "vector.fma": _fma,
    "vector.extract": _extract,
    "vector.insert": _insert,
    "vector.shuffle": _shuffle,
}
