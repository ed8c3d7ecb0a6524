"""Arithmetic of the code level, prepared: constants, integers, floats, comparisons, conversions.

Invariant: an operation on vectors is the same operation on each lane.
Entry: `BUILDERS`, `arithmetic_step`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, IntegerAttr
from xdsl.ir import Attribute, Operation

from alpha.interpreters.code.integers import (
    comparison_function,
    extended_function,
    integer_function,
    masked,
    resized_function,
)
from alpha.interpreters.code.memory import DTYPES
from alpha.interpreters.code.slots import (
    Builder,
    Environment,
    Prepare,
    Slots,
    Step,
    element_text,
    is_float,
    lanes_of,
    unsupported,
    width_of,
)
from alpha.ir.scalars import PREDICATES

Function = Callable[..., Any]

_CONVERSIONS = frozenset(
    f"arith.{name}"
    for name in (
        "bitcast",
        "extf",
        "truncf",
        "sitofp",
        "uitofp",
        "fptosi",
        "fptoui",
        "extsi",
        "extui",
        "trunci",
        "index_cast",
        "index_castui",
    )
)


def arithmetic_step(op: Operation, prepare: Prepare) -> Step | None:
    """The step of an operation of one result that has nothing but operands; None for another."""
    if len(op.results) != 1 or op.regions or not op.operands:
        return None
    function = _function(op, prepare.slots)
    return None if function is None else _step(op, prepare.slots, function)


def _step(op: Operation, slots: Slots, function: Function) -> Step:
    result, operands = slots.of(op.results[0]), slots.all(op.operands)
    match operands:
        case (a,):

            def unary(environment: Environment) -> None:
                environment[result] = function(environment[a])

            return unary
        case (a, b):

            def binary(environment: Environment) -> None:
                environment[result] = function(environment[a], environment[b])

            return binary
        case _:

            def several(environment: Environment) -> None:
                environment[result] = function(*[environment[slot] for slot in operands])

            return several


def _function(op: Operation, slots: Slots) -> Function | None:
    """What an operation computes of its operands, or None if code doesn't have it."""
    name, floats = op.name, slots.floats
    type = op.operands[0].type
    lanes = lanes_of(op.results[0].type)
    if name == "arith.select":
        return _select(op, slots)
    if name in _CONVERSIONS:
        return _converted(op, slots)
    if name == "arith.cmpf":
        name = f"{name}.{PREDICATES[_predicate(op)]}"
    if floats.knows(name) and is_float(type):
        return floats.function(name, lanes)
    if is_float(type):
        return None
    if name == "arith.cmpi":
        compare = comparison_function(_predicate(op), width_of(type))
        return _by_lanes(compare, op.results[0].type, type, slots)
    compute = integer_function(name, width_of(type))
    return None if compute is None else _by_lanes(compute, op.results[0].type, type, slots)


def _predicate(op: Operation) -> int:
    predicate = op.properties["predicate"]
    assert isinstance(predicate, IntegerAttr)
    return predicate.value.data


def _by_lanes(function: Function, result: Attribute, operand: Attribute, slots: Slots) -> Function:
    """A function of integers as one of vectors, where the result is a vector."""
    if lanes_of(result) is None:
        known = slots.floats.known_truth
        if slots.floats.symbolic and element_text(operand) == "i1":
            return lambda *words: function(*[known(word, "arithmetic") for word in words])
        return function
    dtype = DTYPES[element_text(result)]

    def vector(*operands: np.ndarray) -> np.ndarray:
        columns = [operand.tolist() for operand in operands]
        return np.array([function(*row) for row in zip(*columns, strict=True)], dtype)

    return vector


def _select(op: Operation, slots: Slots) -> Function:
    type = op.results[0].type
    lanes = lanes_of(type)
    if is_float(type):
        return slots.floats.select(lanes)
    known = slots.floats.known_truth
    if lanes is None:
        return lambda condition, a, b: a if known(condition, "a choice of integers") else b
    return np.where


def _converted(op: Operation, slots: Slots) -> Function | None:
    before, after = op.operands[0].type, op.results[0].type
    if is_float(before) or is_float(after):
        function = slots.floats.converted(op.name, element_text(before), element_text(after))
        if function is None or lanes_of(after) is None:
            return function
        dtype = DTYPES[element_text(after)]
        if slots.floats.symbolic:
            dtype = np.dtype(np.int64)
        return lambda words: np.array([function(word) for word in words], dtype)
    function = resized_function(op.name, width_of(before), width_of(after))
    return None if function is None else _by_lanes(function, after, before, slots)


def _constant(op: Operation, prepare: Prepare) -> Step | None:
    slots = prepare.slots
    value, type = op.properties["value"], op.results[0].type
    element, lanes = element_text(type), lanes_of(type)
    match value:
        case FloatAttr():
            word: Any = slots.floats.constant(value.value.data, element)
        case IntegerAttr():
            word = masked(value.value.data, width_of(type))
        case DenseIntOrFPElementsAttr():
            values = [each for each in value.get_values() if not isinstance(each, tuple)]
            if is_float(type):
                words = [slots.floats.constant(float(each), element) for each in values]
                dtype = np.dtype(np.int64) if slots.floats.symbolic else DTYPES[element]
            else:
                words = [masked(int(each), width_of(type)) for each in values]
                dtype = DTYPES[element]
            assert lanes is not None
            word = np.broadcast_to(np.array(words, dtype), (lanes,))
        case _:
            raise unsupported(op)
    slots.fix(op.results[0], word)
    return None


def _extended(op: Operation, prepare: Prepare) -> Step | None:
    slots = prepare.slots
    function = extended_function(op.name, width_of(op.operands[0].type))
    if function is None or lanes_of(op.operands[0].type) is not None:
        raise unsupported(op)
    a, b = slots.all(op.operands)
    low, high = slots.all(op.results)

    def step(environment: Environment) -> None:
        environment[low], environment[high] = function(environment[a], environment[b])

    return step


BUILDERS: Mapping[str, Builder] = {
    "arith.constant": _constant,
    "arith.addui_extended": _extended,
    "arith.mului_extended": _extended,
    "arith.mulsi_extended": _extended,
}
