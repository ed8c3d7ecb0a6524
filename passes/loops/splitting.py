"""Makes every vector one that the target has: wide ones in parts, narrow ones as words.

Invariant: a vector's parts are its lanes in order, and no others. A vector of less than 128 bits is
    words, and so is every vector where the target has none.
Why: a fold in `lanes<L>` is written on vectors of L lanes for all targets. A comparison is made
    again where its truths are wanted in other parts, since targets take no masks apart.
Refuses: target-unsupported (an operation on vectors that has no parts, by name; masks that are
    computed; lanes of no vector; arguments and results of functions that aren't the target's).
Entry: `Splitter`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, func, math, memref, scf, vector
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    I64,
    AnyFloat,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    VectorType,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from alpha.ir.code_values import known_integer, vector_type
from alpha.ir.refusals import Refusal, name_of
from alpha.passes.loops.lanes import COMPARISONS, NO_FLAGS, dense, is_vector, named
from alpha.passes.loops.rebuilding import Rebuilder, is_elementwise, yielded
from alpha.passes.loops.vector_parts import (
    WORD,
    Parts,
    Widths,
    is_truth,
    is_whole,
    lanes_of,
    refined,
    spans,
    widths_of,
)
from alpha.passes.loops.writer import AxisValue


class Splitter(Rebuilder):
    """Writes a function again, with vectors of at most so many bits."""

    def __init__(self, function: func.FuncOp, bits: int) -> None:
        super().__init__(function)
        self._bits = bits
        self._parts: dict[SSAValue, Parts] = {}
        self._masks: dict[SSAValue, tuple[bool, ...]] = {}
        self._comparisons: dict[SSAValue, Operation] = {}
        for before, after in zip(function.body.block.args, self.block.args, strict=True):
            if is_vector(before):
                self._bind(before, self._only(before, function), (after,))

    def operation(self, op: Operation) -> None:
        if not any(is_vector(value) for value in (*op.operands, *op.results)):
            super().operation(op)
            return
        match op:
            case arith.ConstantOp(value=DenseIntOrFPElementsAttr()):
                self._constant(op)
            case vector.LoadOp() if op.indices:
                lanes = lanes_of(op.result)
                self._load(op.result, op.base, op.indices, (True,) * lanes, None)
            case vector.MaskedLoadOp() if op.indices:
                passed = self._of(op.pass_thru, self._widths(op.result))
                self._load(op.result, op.base, op.indices, self._mask(op.mask, op), passed)
            case vector.StoreOp() if op.indices:
                self._store(op.vector, op.base, op.indices, (True,) * lanes_of(op.vector))
            case vector.MaskedStoreOp() if op.indices:
                self._store(op.value_to_store, op.base, op.indices, self._mask(op.mask, op))
            case vector.BroadcastOp() if not is_vector(op.source):
                widths, word = self._widths(op.vector), self.values[op.source]
                self._bind(op.vector, widths, [self.lanes.spread(word, each) for each in widths])
            case vector.ExtractOp() if _is_lane(op.static_position, op.result):
                self.bind(op, (self._lane(op.vector, _position(op.static_position)),))
            case vector.InsertOp() if _is_lane(op.static_position, op.source):
                self._insert(op)
            case vector.ShuffleOp():
                self._shuffle(op)
            case func.ReturnOp() | func.CallOp():
                self._passed(op)
            case _ if is_elementwise(op) or isinstance(op, vector.FMAOp):
                self._elementwise(op)
            case _:
                wanted = "an operation on vectors that has parts"
                raise Refusal("target-unsupported", wanted, name_of(op), op)

    # Parts

    def _widths(self, value: SSAValue) -> Widths:
        """How many lanes the parts of a vector have."""
        return widths_of(value.type, self._bits)

    def _only(self, value: SSAValue, op: Operation) -> Widths:
        """The one part of a vector that a function takes or gives.

        Raises:
            Refusal: `target-unsupported` if it has several.
        """
        if not is_whole(value.type, self._bits):
            wanted = f"arguments and results that are words, or vectors of {self._bits} bits"
            raise Refusal("target-unsupported", wanted, str(value.type), op)
        return self._widths(value)

    def _passed(self, op: func.ReturnOp | func.CallOp) -> None:
        """What leaves the function, and what comes back."""
        operands: list[SSAValue] = []
        for value in op.operands:
            parts = self._of(value, self._only(value, op)).parts if is_vector(value) else ()
            operands += parts or (self.values[value],)
        results = self.writer.effect(op.__class__, operands, op.result_types, op.properties)
        for before, after in zip(op.results, results, strict=True):
            if is_vector(before):
                self._bind(before, self._only(before, op), (after,))
            else:
                self.values[before] = named(after, before)

    def _of(self, value: SSAValue, widths: Widths) -> Parts:
        """A vector in these parts."""
        if value in self._masks:
            return self._mask_parts(self._masks[value], widths)
        found = self._parts[value]
        if found.widths == widths:
            return found
        if value in self._comparisons:
            return Parts(widths, tuple(self._by_parts(self._comparisons[value], widths)))
        lanes = [(value, lane) for lane in range(lanes_of(value))]
        groups = [lanes[start:end] for start, end in spans(widths)]
        return Parts(widths, tuple(self._picked(group) for group in groups))

    def _bind(self, value: SSAValue, widths: Widths, parts: Sequence[SSAValue]) -> None:
        self._parts[value] = Parts(widths, tuple(named(part, value) for part in parts))

    def _lane(self, value: SSAValue, lane: int) -> SSAValue:
        if value in self._masks:
            truth = IntegerAttr(int(self._masks[value][lane]), 1)
            return self.writer.pure(arith.ConstantOp, (), IntegerType(1), {"value": truth})
        part, place = self._parts[value].place(lane)
        if is_vector(part) and value in self._comparisons:
            op = self._comparisons[value]
            words = [self._lane(operand, lane) for operand in op.operands]
            return self.writer.pure(op.__class__, words, IntegerType(1), op.properties)
        return self.lanes.lane(part, place)

    # Constants and masks

    def _constant(self, op: arith.ConstantOp) -> None:
        type, value = op.result.type, op.value
        assert isinstance(type, VectorType) and isinstance(value, DenseIntOrFPElementsAttr)
        words = [word for word in value.get_values() if not isinstance(word, tuple)]
        words = words if len(words) == lanes_of(op.result) else words * lanes_of(op.result)
        if is_truth(type):
            self._masks[op.result] = tuple(bool(word) for word in words)
            return
        widths = self._widths(op.result)
        groups = [words[start:end] for start, end in spans(widths)]
        self._bind(op.result, widths, [self._known(type.element_type, group) for group in groups])

    def _known(self, element: Attribute, words: Sequence[float | int]) -> SSAValue:
        """A constant of these words, or the one word."""
        if len(words) == 1:
            if isinstance(element, IntegerType | IndexType):
                attr: Attribute = IntegerAttr(int(words[0]), element)
            else:
                assert isinstance(element, AnyFloat)
                attr = FloatAttr(words[0], element)
            return self.writer.pure(arith.ConstantOp, (), element, {"value": attr})
        type = vector_type(element, len(words))
        return self.writer.pure(arith.ConstantOp, (), type, {"value": dense(type, words)})

    def _mask(self, value: SSAValue, op: Operation) -> tuple[bool, ...]:
        """The truths of a mask that is constant.

        Raises:
            Refusal: `target-unsupported` for another.
        """
        found = self._masks.get(value)
        if found is None:
            raise Refusal("target-unsupported", "a constant mask", "one that is computed", op)
        return found

    def _mask_parts(self, truths: Sequence[bool], widths: Widths) -> Parts:
        groups = [[int(truth) for truth in truths[start:end]] for start, end in spans(widths)]
        return Parts(widths, tuple(self._known(IntegerType(1), group) for group in groups))

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
        widths = self._widths(result)
        parts: list[SSAValue] = []
        for number, (start, end) in enumerate(spans(widths)):
            there = mask[start:end]
            if not any(there):
                assert passed is not None
                parts.append(passed.parts[number])
                continue
            place = self._at(base, indices, start)
            part = vector_type(type.element_type, end - start)
            if end - start == WORD:
                parts += self.writer.effect(memref.LoadOp, place, (type.element_type,))
            elif all(there):
                parts += self.writer.effect(vector.LoadOp, place, (part,))
            else:
                assert passed is not None
                truths = self._mask_parts(there, (end - start,)).parts
                operands = (*place, *truths, passed.parts[number])
                parts += self.writer.effect(vector.MaskedLoadOp, operands, (part,))
        self._bind(result, widths, parts)

    def _store(
        self,
        value: SSAValue,
        base: SSAValue,
        indices: Sequence[SSAValue],
        mask: Sequence[bool],
    ) -> None:
        widths = self._widths(value)
        for part, (start, end) in zip(self._of(value, widths).parts, spans(widths), strict=True):
            there = mask[start:end]
            if not any(there):
                continue
            place = self._at(base, indices, start)
            if end - start == WORD:
                self.writer.effect(memref.StoreOp, (part, *place))
            elif all(there):
                self.writer.effect(vector.StoreOp, (part, *place))
            else:
                truths = self._mask_parts(there, (end - start,)).parts
                self.writer.effect(vector.MaskedStoreOp, (*place, *truths, part))

    # Lanes

    def _elementwise(self, op: Operation) -> None:
        result = op.results[0]
        vectors = [value for value in (result, *op.operands) if is_vector(value)]
        known = [widths for value in vectors for widths in self._elementwise_widths(value)]
        widths = refined(known or [(WORD,) * lanes_of(result)])
        self._bind(result, widths, self._by_parts(op, widths))
        if op.name in COMPARISONS:
            self._comparisons[result] = op

    def _by_parts(self, op: Operation, widths: Widths) -> list[SSAValue]:
        """The results of an operation on each part of its operands."""
        known = self._masks.get(op.operands[0]) if op.name == "arith.select" else None
        columns = [
            self._of(operand, widths).parts
            if is_vector(operand)
            else (self.values[operand],) * len(widths)
            for operand in op.operands
        ]
        element = op.results[0].type.element_type  # pyright: ignore[reportAttributeAccessIssue]
        parts: list[SSAValue] = []
        for (start, end), operands in zip(spans(widths), zip(*columns, strict=True), strict=True):
            there = known[start:end] if known else (True, False)
            if all(there) or not any(there):
                parts.append(operands[1 if all(there) else 2])
                continue
            kind, properties, type = op.__class__, op.properties, element
            if end - start > WORD:
                type = vector_type(element, end - start)
            elif isinstance(op, vector.FMAOp):
                kind, properties = math.FmaOp, {"fastmath": NO_FLAGS}
            parts.append(self.writer.pure(kind, operands, type, properties))
        return parts

    def _elementwise_widths(self, value: SSAValue) -> list[Widths]:
        """The parts that an operation on a value must keep to; any for truths that are new."""
        if not is_truth(value.type):
            return [self._widths(value)]
        return [self._parts[value].widths] if value in self._parts else []

    def _insert(self, op: vector.InsertOp) -> None:
        widths = self._widths(op.dest)
        lane, word = _position(op.static_position), self.values[op.source]
        parts = list(self._of(op.dest, widths).parts)
        for number, (start, end) in enumerate(spans(widths)):
            if start <= lane < end and end - start == WORD:
                parts[number] = word
            elif start <= lane < end:
                properties = {"static_position": DenseArrayBase.from_list(i64, [lane - start])}
                whole = parts[number]
                parts[number] = self.writer.pure(
                    vector.InsertOp, (word, whole), whole.type, properties
                )
        self._bind(op.result, widths, parts)

    def _shuffle(self, op: vector.ShuffleOp) -> None:
        """Lanes picked from two vectors: whole parts where they are, else a shuffle or words.

        Raises:
            Refusal: `target-unsupported` if a lane is of neither.
        """
        picks = [int(pick) for pick in op.mask.get_values()]
        if min(picks, default=0) < 0:
            wanted = "a shuffle of lanes that are there"
            raise Refusal("target-unsupported", wanted, str(min(picks)), op)
        first, widths = lanes_of(op.v1), self._widths(op.result)
        sources = [(op.v1, pick) if pick < first else (op.v2, pick - first) for pick in picks]
        groups = [sources[start:end] for start, end in spans(widths)]
        self._bind(op.result, widths, [self._picked(group) for group in groups])

    def _picked(self, lanes: Sequence[tuple[SSAValue, int]]) -> SSAValue:
        """One part of these lanes of vectors."""
        if len(lanes) == WORD:
            return self._lane(*lanes[0])
        found = [self._parts[value].place(lane) for value, lane in lanes]
        used = list(dict.fromkeys(part for part, _ in found))
        if len(used) > 2 or len({part.type for part in used}) > 1 or not is_vector(used[0]):
            return self.lanes.gathered([self._lane(*each) for each in lanes], len(lanes))
        if len(used) == 1 and [lane for _, lane in found] == list(range(lanes_of(used[0]))):
            return used[0]
        pair = (used[0], used[-1])
        room = lanes_of(pair[0])
        mask = [lane if part is pair[0] else room + lane for part, lane in found]
        type = vector_type(used[0].type.element_type, len(lanes))  # pyright: ignore
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
        if is_vector(value):
            return self._of(value, self._widths(value)).parts
        return (self.values[value],)

    def _spread(self, values: Sequence[SSAValue], parts: Sequence[SSAValue]) -> None:
        """Bind values that a loop carries to what stands for them, one after another."""
        rest = list(parts)
        for value in values:
            if is_vector(value):
                widths = self._widths(value)
                count = len(widths)
                self._bind(value, widths, rest[:count])
            else:
                count = 1
                self.values[value] = named(rest[0], value)
            del rest[:count]


def _is_lane(position: DenseArrayBase[I64], word: SSAValue) -> bool:
    """Whether a position says the one lane that a word has in a vector of one axis."""
    known = [int(place) for place in position.iter_values()]
    return len(known) == 1 and known[0] != DYNAMIC_INDEX and not is_vector(word)


def _position(position: DenseArrayBase[I64]) -> int:
    (lane,) = position.iter_values()
    return int(lane)
