"""Makes every vector one that the target has: wide ones in parts, narrow ones as words.

Invariant: a vector's parts are its lanes in order. A vector of less than 128 bits is words, and so
    is every vector where the target has none.
Why: a fold in `lanes<L>` is written on vectors of L lanes for all targets.
Refuses: target-unsupported (an operation on vectors that has no parts, by name).
Entry: `Splitter`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, func, memref, scf, vector
from xdsl.dialects.builtin import (
    I64,
    AnyFloat,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FixedBitwidthType,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    VectorType,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from alpha.ir.code_values import known_integer, vector_type
from alpha.ir.refusals import Refusal, name_of
from alpha.passes.loops.lanes import dense, named
from alpha.passes.loops.rebuilding import Rebuilder, is_elementwise, yielded
from alpha.passes.loops.vector_plans import VECTOR_BITS_MIN
from alpha.passes.loops.writer import AxisValue

WORD = 1
LANES_ANY = 1 << 16
INDEX_BITS = 64


@dataclass(frozen=True)
class Parts:
    """A vector in parts of `width` lanes each; words if that is 1."""

    width: int
    parts: tuple[SSAValue, ...]


def has_other_vectors(function: func.FuncOp, bits: int) -> bool:
    """Whether a function has vectors that a target with vectors of so many bits doesn't have."""
    types = {value.type for op in function.walk() for value in op.results}
    vectors = [type for type in types if isinstance(type, VectorType) and not _is_truth(type)]
    return any(part_width(type, bits) != type.get_shape()[0] for type in vectors)


def part_width(type: Attribute, bits: int) -> int:
    """How many lanes the parts of a vector type have, where vectors have so many bits."""
    assert isinstance(type, VectorType)
    element, lanes = type.element_type, type.get_shape()[0]
    word = element.bitwidth if isinstance(element, FixedBitwidthType) else INDEX_BITS
    if bits < VECTOR_BITS_MIN or lanes * word < VECTOR_BITS_MIN:
        return WORD
    return min(lanes, bits // word)


class Splitter(Rebuilder):
    """Writes a function again, with vectors of at most so many bits."""

    def __init__(self, function: func.FuncOp, bits: int) -> None:
        super().__init__(function)
        self._bits = bits
        self._parts: dict[SSAValue, Parts] = {}
        self._masks: dict[SSAValue, tuple[bool, ...]] = {}

    def operation(self, op: Operation) -> None:
        if not any(isinstance(v.type, VectorType) for v in (*op.operands, *op.results)):
            super().operation(op)
            return
        match op:
            case arith.ConstantOp():
                self._constant(op)
            case vector.LoadOp():
                lanes = lanes_of(op.result)
                self._load(op.result, op.base, op.indices, (True,) * lanes, None)
            case vector.MaskedLoadOp():
                passed = self._of(op.pass_thru, self._width(op.result.type))
                self._load(op.result, op.base, op.indices, self._mask(op.mask), passed)
            case vector.StoreOp():
                self._store(op.vector, op.base, op.indices, (True,) * lanes_of(op.vector))
            case vector.MaskedStoreOp():
                self._store(op.value_to_store, op.base, op.indices, self._mask(op.mask))
            case vector.BroadcastOp() if not isinstance(op.source.type, VectorType):
                width = self._width(op.vector.type)
                part = self.lanes.spread(self.values[op.source], width)
                self._bind(op.vector, width, [part] * (lanes_of(op.vector) // width))
            case vector.ExtractOp() if not op.dynamic_position:
                word = self._lane(op.vector, _position(op.static_position))
                self.bind(op, (word,))
            case vector.InsertOp() if not op.dynamic_position:
                self._insert(op)
            case vector.ShuffleOp():
                self._shuffle(op)
            case _ if is_elementwise(op) or isinstance(op, vector.FMAOp):
                self._elementwise(op)
            case _:
                wanted = "an operation on vectors that has parts"
                raise Refusal("target-unsupported", wanted, name_of(op), op)

    # Parts

    def _width(self, type: Attribute) -> int:
        """How many lanes the parts of a vector type have."""
        return part_width(type, self._bits)

    def _of(self, value: SSAValue, width: int) -> Parts:
        """The parts of a vector, in this width."""
        if value in self._masks:
            return self._mask_parts(self._masks[value], width)
        found = self._parts[value]
        if found.width == width:
            return found
        lanes = [(value, lane) for lane in range(lanes_of(value))]
        if width == WORD:
            return Parts(WORD, tuple(self._lane(*each) for each in lanes))
        groups = [lanes[at : at + width] for at in range(0, len(lanes), width)]
        return Parts(width, tuple(self._picked(group, width) for group in groups))

    def _bind(self, value: SSAValue, width: int, parts: Sequence[SSAValue]) -> None:
        self._parts[value] = Parts(width, tuple(named(part, value) for part in parts))
        if len(parts) == 1:
            self.values[value] = parts[0]

    def _part_lane(self, parts: Parts, lane: int) -> SSAValue:
        part = parts.parts[lane // parts.width]
        return part if parts.width == WORD else self.lanes.lane(part, lane % parts.width)

    def _lane(self, value: SSAValue, lane: int) -> SSAValue:
        if value in self._masks:
            truth = IntegerAttr(int(self._masks[value][lane]), 1)
            return self.writer.pure(arith.ConstantOp, (), IntegerType(1), {"value": truth})
        return self._part_lane(self._parts[value], lane)

    # Constants and masks

    def _constant(self, op: arith.ConstantOp) -> None:
        type, value = op.result.type, op.value
        assert isinstance(type, VectorType) and isinstance(value, DenseIntOrFPElementsAttr)
        words = [word for word in value.get_values() if not isinstance(word, tuple)]
        words = words * (lanes_of(op.result) // len(words))
        if _is_truth(type):
            self._masks[op.result] = tuple(bool(word) for word in words)
            return
        width = self._width(type)
        groups = [words[at : at + width] for at in range(0, len(words), width)]
        self._bind(op.result, width, [self._known(type.element_type, group) for group in groups])

    def _known(self, element: Attribute, words: Sequence[float | int]) -> SSAValue:
        """A constant of these words, or the one word."""
        if len(words) == 1:
            if isinstance(element, IntegerType):
                attr: Attribute = IntegerAttr(int(words[0]), element)
            else:
                assert isinstance(element, AnyFloat)
                attr = FloatAttr(words[0], element)
            return self.writer.pure(arith.ConstantOp, (), element, {"value": attr})
        type = vector_type(element, len(words))
        return self.writer.pure(arith.ConstantOp, (), type, {"value": dense(type, words)})

    def _mask(self, value: SSAValue) -> tuple[bool, ...]:
        """The truths of a mask that is constant.

        Raises:
            Refusal: `target-unsupported` for another.
        """
        found = self._masks.get(value)
        if found is None:
            raise Refusal("target-unsupported", "a constant mask", "one that is computed")
        return found

    def _mask_parts(self, truths: Sequence[bool], width: int) -> Parts:
        parts: list[SSAValue] = []
        for at in range(0, len(truths), width):
            parts.append(self._known(IntegerType(1), [int(t) for t in truths[at : at + width]]))
        return Parts(width, tuple(parts))

    # Memory

    def _at(self, base: SSAValue, indices: Sequence[SSAValue], moved: int) -> list[SSAValue]:
        """The memory and the indices of a lane further on in the row."""
        *outer, last = (self.values[index] for index in indices)
        known = known_integer(last)
        at = AxisValue(last, moved) if known is None else AxisValue(None, known + moved)
        return [self.values[base], *outer, self.writer.index(at)]

    def _load(
        self,
        result: SSAValue,
        base: SSAValue,
        indices: Sequence[SSAValue],
        mask: Sequence[bool],
        passed: Parts | None,
    ) -> None:
        type = result.type
        assert isinstance(type, VectorType)
        width = self._width(type)
        parts: list[SSAValue] = []
        for number, at in enumerate(range(0, len(mask), width)):
            there = mask[at : at + width]
            if not any(there):
                assert passed is not None
                parts.append(passed.parts[number])
                continue
            place = self._at(base, indices, at)
            if width == WORD:
                parts += self.writer.effect(memref.LoadOp, place, (type.element_type,))
            elif all(there):
                part = vector_type(type.element_type, width)
                parts += self.writer.effect(vector.LoadOp, place, (part,))
            else:
                assert passed is not None
                part = vector_type(type.element_type, width)
                operands = (*place, *self._mask_parts(there, width).parts, passed.parts[number])
                parts += self.writer.effect(vector.MaskedLoadOp, operands, (part,))
        self._bind(result, width, parts)

    def _store(
        self,
        value: SSAValue,
        base: SSAValue,
        indices: Sequence[SSAValue],
        mask: Sequence[bool],
    ) -> None:
        width = self._width(value.type)
        for part, at in zip(self._of(value, width).parts, range(0, len(mask), width), strict=True):
            there = mask[at : at + width]
            if not any(there):
                continue
            place = self._at(base, indices, at)
            if width == WORD:
                self.writer.effect(memref.StoreOp, (part, *place))
            elif all(there):
                self.writer.effect(vector.StoreOp, (part, *place))
            else:
                truths = self._mask_parts(there, width).parts
                self.writer.effect(vector.MaskedStoreOp, (*place, *truths, part))

    # Lanes

    def _elementwise(self, op: Operation) -> None:
        result = op.results[0]
        values = (result, *op.operands)
        width = min(lanes_of(result), *(self._elementwise_width(value) for value in values))
        if isinstance(op, vector.FMAOp) and width == WORD:
            raise Refusal("target-unsupported", "math.fma of words", op.name, op)
        lanes = lanes_of(result)
        known = self._masks.get(op.operands[0]) if op.name == "arith.select" else None
        columns = [
            self._of(operand, width).parts
            if isinstance(operand.type, VectorType)
            else (self.values[operand],) * (lanes // width)
            for operand in op.operands
        ]
        element = result.type.element_type  # pyright: ignore[reportAttributeAccessIssue]
        type = element if width == WORD else vector_type(element, width)
        parts: list[SSAValue] = []
        for number, operands in enumerate(zip(*columns, strict=True)):
            there = known[number * width : (number + 1) * width] if known else (True, False)
            if all(there) or not any(there):
                parts.append(operands[1 if all(there) else 2])
            else:
                parts.append(self.writer.pure(op.__class__, operands, type, op.properties))
        self._bind(result, width, parts)

    def _elementwise_width(self, value: SSAValue) -> int:
        """The most lanes of a part that an operation on a value may have; all for truths."""
        if not isinstance(value.type, VectorType):
            return LANES_ANY
        if not _is_truth(value.type):
            return self._width(value.type)
        return self._parts[value].width if value in self._parts else LANES_ANY

    def _insert(self, op: vector.InsertOp) -> None:
        width = self._width(op.dest.type)
        lane = _position(op.static_position)
        parts = list(self._of(op.dest, width).parts)
        word = self.values[op.source]
        if width > WORD:
            properties = {"static_position": DenseArrayBase.from_list(i64, [lane % width])}
            whole = parts[lane // width]
            word = self.writer.pure(vector.InsertOp, (word, whole), whole.type, properties)
        parts[lane // width] = word
        self._bind(op.result, width, parts)

    def _shuffle(self, op: vector.ShuffleOp) -> None:
        """Lanes picked from two vectors: whole parts where they are, else a shuffle or words."""
        width = self._width(op.result.type)
        picks = [int(pick) for pick in op.mask.get_values()]
        first = lanes_of(op.v1)
        sources = [(op.v1, pick) if pick < first else (op.v2, pick - first) for pick in picks]
        if width == WORD:
            words = [self._lane(value, lane) for value, lane in sources]
            self._bind(op.result, width, words)
            return
        groups = [sources[at : at + width] for at in range(0, len(sources), width)]
        self._bind(op.result, width, [self._picked(group, width) for group in groups])

    def _picked(self, lanes: Sequence[tuple[SSAValue, int]], width: int) -> SSAValue:
        found: list[tuple[SSAValue, int]] = []
        for value, lane in lanes:
            parts = self._parts[value]
            if parts.width == WORD:
                return self.lanes.gathered([self._lane(*each) for each in lanes], width)
            found.append((parts.parts[lane // parts.width], lane % parts.width))
        used = list(dict.fromkeys(part for part, _ in found))
        if len(used) == 1 and [lane for _, lane in found] == list(range(lanes_of(used[0]))):
            return used[0]
        if len(used) > 2 or len({part.type for part in used}) > 1:
            return self.lanes.gathered([self._lane(*each) for each in lanes], width)
        pair = (used[0], used[-1])
        room = lanes_of(pair[0])
        mask = [lane if part is pair[0] else room + lane for part, lane in found]
        type = vector_type(used[0].type.element_type, width)  # pyright: ignore
        attr = DenseArrayBase.from_list(i64, mask)
        return self.writer.pure(vector.ShuffleOp, pair, type, {"mask": attr})

    # Loops

    def loop_between(self, op: scf.ForOp, first: SSAValue, last: SSAValue, step: SSAValue) -> None:
        index, *carried = op.body.block.args
        initial = [part for value in op.iter_args for part in self._all(value)]
        opened = self.writer.open(first, last, step, initial)
        self.values[index] = named(opened.index, index)
        self._spread(carried, opened.carried)
        self.operations(op.body.block)
        handed = [part for value in yielded(op) for part in self._all(value)]
        self._spread(op.results, self.close(op, opened, handed))

    def _all(self, value: SSAValue) -> tuple[SSAValue, ...]:
        """What stands for a value that a loop carries: its parts, if it is a vector."""
        if isinstance(value.type, VectorType):
            return self._of(value, self._width(value.type)).parts
        return (self.values[value],)

    def _spread(self, values: Sequence[SSAValue], parts: Sequence[SSAValue]) -> None:
        """Bind values that a loop carries to what stands for them, one after another."""
        rest = list(parts)
        for value in values:
            if isinstance(value.type, VectorType):
                width = self._width(value.type)
                count = lanes_of(value) // width
                self._bind(value, width, rest[:count])
            else:
                count = 1
                self.values[value] = named(rest[0], value)
            del rest[:count]


def lanes_of(value: SSAValue) -> int:
    """The lanes of a vector."""
    assert isinstance(value.type, VectorType)
    return value.type.get_shape()[0]


def _is_truth(type: Attribute) -> bool:
    element = type.element_type if isinstance(type, VectorType) else type
    return isinstance(element, IntegerType) and element.width.data == 1


def _position(position: DenseArrayBase[I64]) -> int:
    (lane,) = position.iter_values()
    return int(lane)
