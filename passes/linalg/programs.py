"""Converts the body of one program: every `linalg` operation becomes maps and folds.

Invariant: the operations of the program that were pointwise already stay as they are, on the new
    values. `tensor.empty` and what serves as init alone leave nothing behind.
Refuses: target-unsupported, pointwise-footprint, and what bodies, loops and reductions refuse.
Entry: `convert_program`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineMap

from alpha.ir.attributes.linalg import LoopKind
from alpha.ir.attributes.pointwise import Order
from alpha.ir.dialects.linalg_structured import StructuredOp
from alpha.ir.dialects.pointwise_domain import FoldOp, MapOp
from alpha.ir.dialects.pointwise_programs import ProgramOp
from alpha.ir.dialects.pointwise_terminators import ReturnOp, YieldOp
from alpha.ir.refusals import Refusal, place_of
from alpha.ir.scalars import CONSTANT
from alpha.ir.shapes import element_of, shape_of, tensor_or_scalar
from alpha.ir.unconverted import is_unconverted
from alpha.passes.linalg.bodies import Body, body_of, check_scalars
from alpha.passes.linalg.loops import Loops, loops_of
from alpha.passes.linalg.reductions import check_start, is_uniform, reduction_of, unwritten


def convert_program(program: ProgramOp) -> None:
    """Convert every operation of a program that isn't pointwise.

    Raises:
        Refusal: at the operation that can't be converted, or can't be to the bit.
    """
    old = [op for op in program.body.block.ops if is_unconverted(op)]
    if not old:
        return
    conversion = _Conversion()
    for op in list(program.body.block.ops):
        try:
            conversion.convert(op)
        except Refusal as refusal:
            if refusal.place is None:
                refusal.place = place_of(op)
            raise
    _erase(old)


def _erase(old: Sequence[Operation]) -> None:
    """Erase operations that nothing uses any more, and scalar constants that served them alone."""
    operands = dict.fromkeys(operand.owner for op in old for operand in op.operands)
    for op in reversed(old):
        op.detach()
        op.erase()
    erased = set(old)
    for owner in operands:
        if not isinstance(owner, Operation) or owner.name != CONSTANT or owner in erased:
            continue
        if not owner.results[0].uses:
            owner.detach()
            owner.erase()


class _Conversion:
    """What has become of each value of the program so far."""

    def __init__(self) -> None:
        self._new: dict[SSAValue, SSAValue] = {}

    def convert(self, op: Operation) -> None:
        """Convert an operation, or give one that is pointwise its new operands."""
        if not is_unconverted(op):
            self._keep(op)
        elif isinstance(op, StructuredOp) and op.name != "linalg.fill":
            self._convert_structured(op)
        # The others are inits as a rule: they become operations where something reads them.

    def _keep(self, op: Operation) -> None:
        for number, operand in enumerate(op.operands):
            value = self._read(operand, op)
            if isinstance(op, ReturnOp) and value.type != operand.type:
                wanted = f"{value.type} as result {number}, which tensor.extract gives"
                raise Refusal("target-unsupported", wanted, str(operand.type), op)
            op.operands[number] = value

    def _read(self, value: SSAValue, user: Operation) -> SSAValue:
        """The converted value of an operand.

        Raises:
            Refusal: nothing has written its words, or they can't be written here.
        """
        owner = value.owner
        if value not in self._new and isinstance(owner, Operation) and is_unconverted(owner):
            if owner.name == "tensor.empty":
                raise unwritten(owner, user)
            if owner.name == CONSTANT:
                self._write_constant(owner)
            elif owner.name == "tensor.extract":
                self._write_extracted(owner)
            else:
                assert isinstance(owner, StructuredOp)
                self._convert_structured(owner)
        return self._new.get(value, value)

    def _write_constant(self, op: Operation) -> None:
        """A tensor of equal words: one scalar at every point."""
        words, result = op.properties["value"], op.results[0]
        if not isinstance(words, DenseIntOrFPElementsAttr) or not is_uniform(words):
            wanted = "equal words in a constant of a program; region.constant holds others"
            raise Refusal("target-unsupported", wanted, "words that differ", op)
        word = FloatAttr(float((*words.get_values(), 0.0)[0]), element_of(result.type))
        scalar = _put(arith.ConstantOp(word), op)
        block = Block(arg_types=[word.type])
        block.add_op(YieldOp(block.args[0]))
        extents = shape_of(result.type)
        body = Body([scalar.results[0]], [AffineMap(len(extents), 0, ())], block)
        scalar.results[0].name_hint = block.args[0].name_hint = "word"
        self._write_map(op, Loops(tuple(range(len(extents))), 0, extents), body, [result])

    def _write_extracted(self, op: Operation) -> None:
        """The word of a tensor without axes; where that has become a scalar, the scalar."""
        value = self._read(op.operands[0], op)
        if value.type == op.results[0].type:
            self._new[op.results[0]] = value
            return
        block = Block(arg_types=[element_of(value.type)])
        block.add_op(YieldOp(block.args[0]))
        block.args[0].name_hint = "word"
        body = Body([value], [AffineMap(0, 0, ())], block)
        self._write_map(op, Loops((), 0, ()), body, op.results)

    def _convert_structured(self, op: StructuredOp) -> None:
        check_scalars(op)
        loops = [loops_of(op, number) for number in range(len(op.results))]
        if LoopKind.REDUCTION in op.iterators():
            for number, each in enumerate(loops):
                self._write_fold(op, each, number)
            return
        # Results with one order of axes are written by one map.
        for each in dict.fromkeys(loops):
            numbers = [number for number, other in enumerate(loops) if other == each]
            yields = [op.yielded()[number] for number in numbers]
            body = body_of(op, each, yields, lambda value: self._read(value, op))
            self._write_map(op, each, body, [op.results[number] for number in numbers])

    def _write_map(
        self, op: Operation, loops: Loops, body: Body, results: Sequence[SSAValue]
    ) -> None:
        types = [tensor_or_scalar(loops.over, element_of(result.type)) for result in results]
        new = MapOp(body.inputs, body.maps, loops.extents, body.block, types, dict(op.attributes))
        _put(new, op)
        for result, value in zip(results, new.results, strict=True):
            self._bind(result, value)

    def _write_fold(self, op: StructuredOp, loops: Loops, number: int) -> None:
        reduction = reduction_of(op, number)
        adds_zero = check_start(op, number, reduction.kind)
        body = body_of(op, loops, [reduction.element], lambda value: self._read(value, op))
        result = op.results[number]
        type = tensor_or_scalar(loops.over, element_of(result.type))
        new = FoldOp(
            reduction.kind,
            Order("left"),
            body.inputs,
            body.maps,
            loops.extents,
            loops.along,
            body.block,
            [type],
            dict(op.attributes),
        )
        _put(new, op)
        if adds_zero:
            new.results[0].name_hint = "sum"
            self._bind(result, _plus_zero(new.results[0], op))
        else:
            self._bind(result, new.results[0])

    def _bind(self, result: SSAValue, value: SSAValue) -> None:
        value.name_hint = result.name_hint
        self._new[result] = value


def _put(new: Operation, op: Operation) -> Operation:
    """Put an operation before the one that it stands for, at the same place of the text."""
    assert op.parent is not None
    op.parent.insert_op_before(new, op)
    new.location = op.location
    return new


def _plus_zero(value: SSAValue, op: Operation) -> SSAValue:
    """0.0 + each word: see `alpha.passes.linalg.reductions` for why a sum from +0.0 is that."""
    element, shape = element_of(value.type), shape_of(value.type)
    zero = arith.ConstantOp(FloatAttr(0.0, element))
    zero.result.name_hint = "zero"
    if not shape:
        _put(zero, op)
        return _put(arith.AddfOp(zero.result, value), op).results[0]
    block = Block(arg_types=[element])
    total = arith.AddfOp(zero.result, block.args[0])
    block.add_ops([zero, total, YieldOp(total.result)])
    block.args[0].name_hint, total.result.name_hint = "word", "total"
    map = MapOp([value], [AffineMap.identity(len(shape))], shape, block, [value.type])
    return _put(map, op).results[0]
