"""Digests of a learner and of its state, over a canonical encoding.

Invariant: the learner digest covers programs, initial state, constants and samples; it doesn't
    depend on owners, topology or contract, on names of values, on places, or on whether words are
    inline or in a file. Nothing is hashed that xDSL prints.
Why: run identities, checkpoints and comparisons across owners all name these digests.
Entry: `learner_digest`, `learner_parts`, `state_digest`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

import numpy as np
from xdsl.dialects.builtin import FloatAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
)

from alpha.ir.attributes.literals import float_bytes
from alpha.ir.canonical import digest
from alpha.ir.dialects.pointwise_domain import DomainOp, FoldOp
from alpha.ir.dialects.pointwise_programs import ContributionOp, UpdateOp
from alpha.ir.dialects.pointwise_round import ApplyOp, SumOp
from alpha.ir.dialects.region import AdvanceOp, ReadOp
from alpha.ir.learner_words import LearnerWords
from alpha.ir.learners import Learner
from alpha.ir.scalars import COMPARE, CONSTANT, predicate_of
from alpha.ir.shapes import element_name, is_value_type, type_text

Structure = tuple | str | int | bytes | bool


def state_digest(types: Mapping[str, Attribute], words: Mapping[str, np.ndarray]) -> str:
    """SHA-256 of the logical state, in hexadecimal.

    Per field in UTF-8 order of names: name, NUL, type text, NUL, words in row-major order,
    little-endian. Equal states have equal digests, whoever holds the words.
    """
    hash = hashlib.sha256()
    for name in sorted(types, key=lambda name: name.encode()):
        hash.update(name.encode() + b"\0" + type_text(types[name]).encode() + b"\0")
        hash.update(words_bytes(words[name]))
    return hash.hexdigest()


def words_bytes(words: np.ndarray) -> bytes:
    """Words in row-major order, little-endian."""
    return np.ascontiguousarray(words, dtype=words.dtype.newbyteorder("<")).tobytes()


def words_structure(words: np.ndarray) -> Structure:
    """What stands for an array in a digest: one word if all are alike, else their hash."""
    if words.size and not any(words.strides):
        return ("splat", words_bytes(words[tuple(slice(0, 1) for _ in words.shape)]))
    data = words_bytes(words)
    size = words.dtype.itemsize
    if data and data == data[:size] * words.size:
        return ("splat", data[:size])
    return ("words", hashlib.sha256(data).digest())


def learner_parts(learner: Learner, words: LearnerWords) -> dict[str, str]:
    """The digest of each part of the learner, by kind and name, such as `state w`.

    A difference between two learners can so be named.
    """
    parts: dict[str, str] = {}
    for name, op in learner.states.items():
        shared = op.shared is not None
        value = (type_text(op.type), shared, words_structure(words.states[name]))
        parts[f"state {name}"] = digest(("state", name, value))
    for name, op in learner.constants.items():
        value = (type_text(op.type), words_structure(words.constants[name]))
        parts[f"constant {name}"] = digest(("constant", name, value))
    for name, op in learner.samples.items():
        types = tuple(type_text(type) for type in op.types.data)
        arrays = tuple(words_structure(array) for array in words.samples[name])
        value = (op.count.value.data, types, arrays)
        parts[f"samples {name}"] = digest(("samples", name, value))
    for name, op in learner.contributions.items():
        parts[f"contribution {name}"] = digest(contribution_structure(op))
    for name, op in learner.updates.items():
        parts[f"update {name}"] = digest(update_structure(op))
    parts["round"] = digest(round_structure(learner))
    return parts


def learner_digest(parts: Mapping[str, str]) -> str:
    """The digest of the whole learner, from those of its parts; hexadecimal."""
    return digest(("learner", dict(parts)))


def contribution_structure(op: ContributionOp) -> Structure:
    """A contribution without the names of its values."""
    signature = (_types(op.parameter_types()), _types(op.sample_types()))
    outputs = (_types(op.summed_types()), op.observed_names())
    return ("contribution", op.sym_name.data, signature, outputs, _block(op))


def update_structure(op: UpdateOp) -> Structure:
    """An update without the names of its values."""
    types = op.function_type
    signature = (_types(types.inputs.data), _types(types.outputs.data))
    return ("update", op.sym_name.data, signature, _block(op))


def round_structure(learner: Learner) -> Structure:
    """The dataflow of the round, without contracts."""
    numbers: dict[SSAValue, int] = {}
    steps: list[Structure] = []
    for op in learner.round.body.block.ops:
        steps.append((op.name, _symbols(op), _operands(op, numbers)))
        _number(op, numbers)
    return ("round", tuple(steps))


def _types(types: Iterable[Attribute]) -> tuple[str, ...]:
    return tuple(type_text(type) for type in types)


def _symbols(op: Operation) -> tuple[str, ...]:
    match op:
        case ReadOp() | AdvanceOp():
            return tuple(symbol.string_value() for symbol in op.symbols.data)
        case SumOp():
            return (op.callee.string_value(), op.samples.string_value())
        case ApplyOp():
            return (op.callee.string_value(),)
        case _:
            return ()


def _number(op: Operation, numbers: dict[SSAValue, int]) -> None:
    for value in op.results:
        numbers[value] = len(numbers)


def _operands(op: Operation, numbers: dict[SSAValue, int]) -> tuple[int, ...]:
    return tuple(numbers[operand] for operand in op.operands)


def _block(op: ContributionOp | UpdateOp | DomainOp) -> Structure:
    """The operations of a block, each with what it computes, its operands and its types."""
    block = op.body.block
    numbers: dict[SSAValue, int] = {}
    for argument in block.args:
        numbers[argument] = len(numbers)
    steps: list[Structure] = []
    for part in block.ops:
        types = tuple(
            type_text(value.type) if is_value_type(value.type) else "i1" for value in part.results
        )
        steps.append((part.name, _meaning(part), _operands(part, numbers), types))
        _number(part, numbers)
    return tuple(steps)


def _meaning(op: Operation) -> Structure:
    """What an operation's attributes say, apart from its name."""
    if isinstance(op, DomainOp):
        maps = tuple(tuple(_index(part) for part in map) for map in op.maps())
        order: Structure = ()
        if isinstance(op, FoldOp):
            order = (op.kind.data, str(op.order.data), op.axes_over())
        return (op.extents(), maps, order, _block(op))
    if op.name == CONSTANT:
        value = op.properties["value"]
        assert isinstance(value, FloatAttr)
        return (element_name(value.type), float_bytes(value.value.data, value.type))
    if op.name == COMPARE:
        return predicate_of(op)
    return ()


def _index(expression: AffineExpr) -> Structure:
    match expression:
        case AffineConstantExpr():
            return ("constant", expression.value)
        case AffineDimExpr():
            return ("axis", expression.position)
        case AffineBinaryOpExpr():
            return (
                expression.kind.get_token(),
                _index(expression.lhs),
                _index(expression.rhs),
            )
        case _:
            raise ValueError(f"an index has no symbols: {expression}")
