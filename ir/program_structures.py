"""The structure of programs and rounds as plain values, of which digests are taken.

Invariant: it depends on operations, types, maps and constants, not on names of values or on places;
    nothing is said as xDSL prints it.
Entry: `contribution_structure`, `update_structure`, `round_structure`, `domain_structure`.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects.builtin import FloatAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
)

from alpha.ir.attributes.literals import float_bytes
from alpha.ir.dialects.pointwise_domain import DomainOp, FoldOp
from alpha.ir.dialects.pointwise_programs import ContributionOp, UpdateOp
from alpha.ir.dialects.pointwise_round import ApplyOp, SumOp
from alpha.ir.dialects.region import AdvanceOp, ReadOp
from alpha.ir.learners import Learner
from alpha.ir.scalars import COMPARE, CONSTANT, predicate_of
from alpha.ir.shapes import element_name, is_value_type, type_text

Structure = tuple | str | int | bytes | bool


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


def domain_structure(op: DomainOp) -> Structure:
    """An operation over a domain without the names of its values."""
    return (op.name, _meaning(op))


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
