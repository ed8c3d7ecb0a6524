"""Evaluates a pointwise program on either carrier, for one sample or for many at once.

Invariant: an array of the program's value has the value's shape, after one leading axis of samples
    where the value depends on the sample; each scalar operation is one call of the carrier, and
    each fold is the carrier's fold in the declared order.
Entry: `Program`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from xdsl.dialects.builtin import FloatAttr
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr

from alpha.interpreters.carriers import Carrier
from alpha.ir.dialects.pointwise_domain import DomainOp, FoldOp
from alpha.ir.dialects.pointwise_programs import ContributionOp, UpdateOp
from alpha.ir.index_maps import evaluate, magnitude
from alpha.ir.scalars import COMPARE, CONSTANT, predicate_of
from alpha.ir.shapes import element_name, shape_of, words_bound
from alpha.ir.unconverted import require_converted

INDEX_MAX = 1 << 62
"""Indices whose parts all stay below are computed in 64 bits, others with Python's integers."""


@dataclass(frozen=True)
class Value:
    """Words of one value of a program; `batched` if the first axis is that of the samples."""

    words: np.ndarray
    batched: bool


Environment = dict[SSAValue, Value]
Step = Callable[[Environment], None]


class Program:
    """A contribution or update, prepared for evaluation on one carrier.

    `words_max` is at least 1: the most words of one sample in an array of the evaluation, where an
    array without words counts as if its empty axes had an extent of 1.
    """

    def __init__(self, op: ContributionOp | UpdateOp, carrier: Carrier) -> None:
        require_converted(op)
        self._block = op.body.block
        self._carrier = carrier
        last = self._block.last_op
        assert last is not None
        self._results = tuple(last.operands)
        inner = [part for part in self._block.ops if part is not last]
        self._steps = [(part, operation_step(part, carrier)) for part in inner]
        domains = [part.extents() for part in self._block.ops if isinstance(part, DomainOp)]
        shapes = [shape_of(value.type) for value in self._results]
        self.words_max = max(words_bound(extents) for extents in (*domains, *shapes))

    def run(self, arguments: Sequence[Value]) -> list[Value]:
        """The program's results. Arguments have the shapes of the program's signature."""
        environment: Environment = dict(zip(self._block.args, arguments, strict=True))
        for op, step in self._steps:
            with self._carrier.origin(op):
                step(environment)
        return [environment[value] for value in self._results]


def operation_step(op: Operation, carrier: Carrier) -> Step:
    """An operation of a program, prepared: reads its operands in an environment, binds results."""
    if isinstance(op, DomainOp):
        return _Domain(op, carrier).step
    return _scalar_step(op, carrier)


def _scalar_step(op: Operation, carrier: Carrier) -> Step:
    """One operation on scalars: arrays of no axis, or of the samples' axis alone."""
    compute = _operation(op, carrier)
    operands, result = tuple(op.operands), op.results[0]

    def step(environment: Environment) -> None:
        values = [environment[operand] for operand in operands]
        words = compute(*(value.words for value in values))
        environment[result] = Value(words, any(value.batched for value in values))

    return step


def _operation(op: Operation, carrier: Carrier) -> Callable[..., np.ndarray]:
    """The carrier's function for a scalar operation."""
    if op.name == CONSTANT:
        value = op.properties["value"]
        assert isinstance(value, FloatAttr)
        word = carrier.constant(value.value.data, element_name(value.type))
        return lambda: word
    name = f"{COMPARE}.{predicate_of(op)}" if op.name == COMPARE else op.name
    apply = carrier.apply

    def compute(*operands: np.ndarray) -> np.ndarray:
        return apply(name, *operands)

    return compute


class _Domain:
    """A map or fold: reads its operands through the index maps, then runs its body at once."""

    def __init__(self, op: DomainOp, carrier: Carrier) -> None:
        self._op = op
        self._carrier = carrier
        self._extents = op.extents()
        self._gathers = [_gather(map, self._extents) for map in op.maps()]
        block = op.body.block
        self._arguments = tuple(block.args)
        self._body = [
            (part, tuple(part.operands), part.results[0], _operation(part, carrier))
            for part in block.ops
            if part is not block.last_op
        ]
        self._yields = tuple(op.yielded().values)

    def step(self, environment: Environment) -> None:
        """Evaluate the operation and bind its results."""
        op = self._op
        inputs = [environment[operand] for operand in op.inputs]
        batches = [value.words.shape[0] for value in inputs if value.batched]
        lead = (batches[0],) if batches else ()
        local: dict[SSAValue, np.ndarray] = {
            argument: gather(value)
            for argument, gather, value in zip(self._arguments, self._gathers, inputs, strict=True)
        }
        for part, operands, result, compute in self._body:
            with self._carrier.origin(part):
                local[result] = compute(*(local[operand] for operand in operands))
        for value, result in zip(self._yields, op.results, strict=True):
            words = np.broadcast_to(local[value], lead + self._extents)
            if isinstance(op, FoldOp):
                words = self._fold(op, words, lead)
            environment[result] = Value(words, bool(lead))

    def _fold(self, op: FoldOp, words: np.ndarray, lead: tuple[int, ...]) -> np.ndarray:
        over = op.axes_over()
        length = prod(self._extents[over:])
        flat = words.reshape(lead + self._extents[:over] + (length,))
        order = op.order.data
        declared = ("lanes", order.lanes) if order.kind == "lanes" else order.kind
        element = element_name(op.results[0].type)
        return self._carrier.fold(op.kind.data, declared, flat, -1, element=element)


Gather = Callable[[Value], np.ndarray]


def _gather(map: tuple[AffineExpr, ...], extents: tuple[int, ...]) -> Gather:
    """Reads an operand at every point of the domain, as an array that broadcasts to the domain.

    Where every index is an axis of its own this is a view; else the words are picked by arrays of
    indices, which have extent 1 along the axes that an index doesn't use. A domain without points
    reads nothing, so its index maps may lie outside of the operand.
    """
    if 0 in extents:
        return _nothing(extents)
    axes = [part.position if isinstance(part, AffineDimExpr) else -1 for part in map]
    if -1 not in axes and len(set(axes)) == len(axes):
        return _view(axes, extents)
    picks = [_values(part, extents) for part in map]

    def gather(value: Value) -> np.ndarray:
        if value.batched:
            return _aligned(value.words[(slice(None), *picks)], len(extents), 1)
        return value.words[tuple(picks)]

    return gather


def _nothing(extents: tuple[int, ...]) -> Gather:
    def gather(value: Value) -> np.ndarray:
        lead = value.words.shape[:1] if value.batched else ()
        return np.zeros(lead + extents, value.words.dtype)

    return gather


def _view(axes: list[int], extents: tuple[int, ...]) -> Gather:
    order = sorted(range(len(axes)), key=lambda position: axes[position])
    used = [axes[position] for position in order]
    cuts = tuple(slice(extents[axis]) for axis in axes)
    shape = tuple(extents[axis] if axis in used else 1 for axis in range(len(extents)))

    def gather(value: Value) -> np.ndarray:
        if value.batched:
            words = value.words[(slice(None), *cuts)]
            words = words.transpose((0, *(position + 1 for position in order)))
            return words.reshape((words.shape[0], *shape))
        return value.words[cuts].transpose(order).reshape(shape)

    return gather


def _aligned(words: np.ndarray, axes: int, lead: int) -> np.ndarray:
    """Give picked words all axes of the domain, behind the samples' axis."""
    missing = axes - (words.ndim - lead)
    return words.reshape(words.shape[:lead] + (1,) * missing + words.shape[lead:])


def _values(expression: AffineExpr, extents: tuple[int, ...]) -> np.ndarray:
    """An index at every point of the domain, exactly; it lies inside an operand, its parts may not.

    Factors have up to 63 bits, so a part may leave 64 bits where the index comes back.
    """
    grid: Sequence[np.ndarray] = np.ogrid[tuple(slice(extent) for extent in extents)]
    if magnitude(expression, extents) >= INDEX_MAX:
        grid = [axis.astype(object) for axis in grid]
    index = evaluate(expression, grid)  # pyright: ignore[reportArgumentType]
    return np.asarray(index).astype(np.intp)
