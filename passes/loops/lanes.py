"""Words and vectors of them: bodies of maps and folds, word by word or many lanes at once.

Invariant: a lane of a result is what the operation gives of the same lane of its operands. What is
    equal in all lanes stays one word until a vector is wanted.
Entry: `Lanes`, `Span`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import (
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    VectorType,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from alpha.ir.code_values import vector_type
from alpha.ir.dialects.arith_vectors import CmpfOp, CmpiOp, SelectOp, truth_type
from alpha.ir.scalars import CONSTANT, PREDICATES
from alpha.ir.shapes import is_float
from alpha.passes.loops.items import origin_of
from alpha.passes.loops.writer import Writer

NO_FLAGS = arith.FastMathFlagsAttr("none")

COMPARISONS: Mapping[str, type[Operation]] = {CmpfOp.name: CmpfOp, CmpiOp.name: CmpiOp}

_INSTEAD = {"pointwise.min": "olt", "pointwise.max": "ogt"}


@dataclass(frozen=True)
class Span:
    """A vector along an axis: `width` lanes, of which the first `lanes` are in the domain."""

    axis: int
    width: int
    lanes: int

    @property
    def full(self) -> bool:
        """Whether every lane is in the domain."""
        return self.lanes == self.width


def dense(type: VectorType, words: Sequence[float]) -> DenseIntOrFPElementsAttr:
    """Words of a vector, or the one word of all its lanes, as an attribute."""
    return DenseIntOrFPElementsAttr.from_list(type, words)  # pyright: ignore


def is_vector(value: SSAValue) -> bool:
    """Whether a value is a vector, and no word."""
    return isinstance(value.type, VectorType)


class Lanes:
    """Writes operations on words or on vectors, as their operands are."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer

    def binary(self, name: str, a: SSAValue, b: SSAValue) -> SSAValue:
        """`add` or `max` of two words or vectors: a + b, or a > b ? a : b."""
        if name == "max":
            return self._chosen("ogt", a, b)
        return self.apply(arith.AddfOp, (a, b), {"fastmath": NO_FLAGS})

    def apply(
        self,
        kind: type[Operation],
        operands: Sequence[SSAValue],
        properties: Mapping[str, Attribute],
        type: Attribute | None = None,
    ) -> SSAValue:
        """An operation lane by lane; `type` is that of the result's words, else the operands'."""
        width = max((_width(value) for value in operands), default=0)
        if width:
            operands = [self.widened(value, width) for value in operands]
        word = operands[-1].type if type is None else type
        if width and not isinstance(word, VectorType):
            word = vector_type(word, width)
        return self._writer.pure(kind, operands, word, properties)

    def widened(self, value: SSAValue, width: int) -> SSAValue:
        """A vector of so many lanes, all of them this word; a vector is what it was."""
        if is_vector(value):
            return value
        type = vector_type(value.type, width)
        owner = value.owner
        if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, FloatAttr):
            attr = dense(type, [owner.value.value.data])
            return self._writer.pure(arith.ConstantOp, (), type, {"value": attr})
        return self._writer.pure(vector.BroadcastOp, (value,), type)

    def spread(self, word: SSAValue, width: int) -> SSAValue:
        """A word in so many lanes, or as it is for one; of an integer or float."""
        if width == 1 or is_vector(word):
            return word
        if is_float(word.type):
            return self.widened(word, width)
        return self._writer.pure(vector.BroadcastOp, (word,), vector_type(word.type, width))

    def lane(self, value: SSAValue, lane: int) -> SSAValue:
        """One lane of a vector; a word is that of every lane."""
        type = value.type
        if not isinstance(type, VectorType):
            return value
        properties = {"static_position": DenseArrayBase.from_list(i64, [lane])}
        return self._writer.pure(vector.ExtractOp, (value,), type.element_type, properties)

    def gathered(self, words: Sequence[SSAValue], width: int) -> SSAValue:
        """A vector of these words; the lanes behind them are zeros."""
        type = vector_type(words[0].type, width)
        zeros = dense(type, [0])
        whole = self._writer.pure(arith.ConstantOp, (), type, {"value": zeros})
        for lane, word in enumerate(words):
            properties = {"static_position": DenseArrayBase.from_list(i64, [lane])}
            whole = self._writer.pure(vector.InsertOp, (word, whole), whole.type, properties)
        return whole

    def kept(self, span: Span, new: SSAValue, old: SSAValue) -> SSAValue:
        """The new words in the lanes of the domain, the old ones in the others."""
        if span.full:
            return new
        mask = self._writer.mask(span.lanes, span.width)
        operands = (mask, self.widened(new, span.width), self.widened(old, span.width))
        return self._writer.pure(SelectOp, operands, operands[1].type)

    def halved(self, kind: str, total: SSAValue) -> SSAValue:
        """Lane l and lane l + L/2 as one, halving, until one word is left."""
        width = _width(total)
        while width > 2:
            width //= 2
            total = self.binary(kind, self._half(total, 0, width), self._half(total, width, width))
        if width == 2:
            total = self.binary(kind, self.lane(total, 0), self.lane(total, 1))
        return total

    def _half(self, total: SSAValue, first: int, width: int) -> SSAValue:
        type = total.type
        assert isinstance(type, VectorType)
        mask = DenseArrayBase.from_list(i64, list(range(first, first + width)))
        half = vector_type(type.element_type, width)
        return self._writer.pure(vector.ShuffleOp, (total, total), half, {"mask": mask})

    def _chosen(self, predicate: str, a: SSAValue, b: SSAValue) -> SSAValue:
        """`a` where the comparison holds, else `b`."""
        width = max(_width(a), _width(b))
        if width:
            a, b = self.widened(a, width), self.widened(b, width)
        number = IntegerAttr(PREDICATES.index(predicate), 64)
        properties = {"predicate": number, "fastmath": NO_FLAGS}
        holds = self._writer.pure(CmpfOp, (a, b), truth_type(a.type), properties)
        return self._writer.pure(SelectOp, (holds, a, b), a.type)

    def truths(self, truth: SSAValue, width: int) -> SSAValue:
        """A truth a lane: a comparison of words is made again, of vectors."""
        if is_vector(truth):
            return truth
        compare = truth.owner
        assert isinstance(compare, Operation)
        operands = [self.spread(value, width) for value in compare.operands]
        kind = COMPARISONS[compare.name]
        return self._writer.pure(kind, operands, truth_type(operands[0].type), compare.properties)

    def body(self, block: Block, arguments: Sequence[SSAValue]) -> list[SSAValue]:
        """What a body yields of these words or vectors."""
        values: dict[SSAValue, SSAValue] = dict(zip(block.args, arguments, strict=True))
        for op in block.ops:
            if op is block.last_op:
                break
            self._writer.origin = origin_of(op)
            result = self.operation(op, [values[operand] for operand in op.operands])
            values[op.results[0]] = named(result, op.results[0])
        last = block.last_op
        assert last is not None
        return [values[operand] for operand in last.operands]

    def operation(self, op: Operation, operands: Sequence[SSAValue]) -> SSAValue:
        """An operation of a program on other operands; min and max become a choice."""
        predicate = _INSTEAD.get(op.name)
        if predicate is not None:
            return self._chosen(predicate, *operands)
        type = op.results[0].type
        if op.name == CONSTANT:
            return self._writer.pure(arith.ConstantOp, (), type, op.properties)
        kind = {CmpfOp.name: CmpfOp, SelectOp.name: SelectOp}.get(op.name, op.__class__)
        width = max(_width(value) for value in operands)
        if kind is SelectOp and width:
            operands = [self.truths(operands[0], width), *operands[1:]]
        return self.apply(kind, operands, op.properties, type)


def named(value: SSAValue, source: SSAValue) -> SSAValue:
    """The value, with the name of what it is in the source if it has none yet."""
    if value.name_hint is None:
        value.name_hint = source.name_hint
    return value


def _width(value: SSAValue) -> int:
    """The lanes of a vector, 0 for a word."""
    return value.type.get_shape()[0] if isinstance(value.type, VectorType) else 0
