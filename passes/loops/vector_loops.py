"""Makes vectors of the iterations of loops that are marked parallel.

Invariant: a lane of a vector is the word that the iteration of the lane would have; the iterations
    that fill no vector run as they did. Of a loop marked `backwards` the last vectors come first.
    Loads and stores of one vector stand in the order of those
    of one iteration.
Entry: `VectorLoops`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, func, memref, scf, vector
from xdsl.ir import Operation, SSAValue

from alpha.ir.code_values import INDEX, known_integer, vector_type
from alpha.ir.dialects.arith_vectors import CmpfOp, CmpiOp, SelectOp
from alpha.passes.loops.lanes import named
from alpha.passes.loops.rebuilding import Rebuilder, yielded
from alpha.passes.loops.vector_plans import UNIFORM, VARYING, Plan, plan_of
from alpha.passes.loops.writer import BACKWARDS, AxisValue, LoopWriter

_ON_VECTORS: tuple[type[Operation], ...] = (CmpiOp, CmpfOp, SelectOp)


class VectorLoops(Rebuilder):
    """Writes a function again; of marked loops inside one another, the innermost that can."""

    def __init__(self, function: func.FuncOp, bits: int, unroll: int) -> None:
        super().__init__(function)
        self._bits = bits
        self._unroll = unroll
        self._plans: dict[scf.ForOp, Plan | None] = {}

    def loop(self, op: scf.ForOp) -> None:
        plan = self._plan(op)
        if plan is None:
            super().loop(op)
            return
        trips = known_integer(op.ub)
        unroll = 1 if plan.nested else self._unroll
        first = self.values[op.lb]
        for width in dict.fromkeys((plan.lanes * unroll, plan.lanes)):
            if trips is None:
                last = self._rounded(op, width)
            else:
                last = self.writer.index_constant(trips - trips % width)
            if trips is None or (known_integer(first) or 0) < trips - trips % width:
                self._vectors(op, plan, first, last, width)
                first = last
        if trips is None or trips % plan.lanes:
            self.note(op)
            self.loop_between(op, first, self.values[op.ub], self.values[op.step])

    def _plan(self, op: scf.ForOp) -> Plan | None:
        """The plan of a loop, unless a loop inside has one."""
        if op not in self._plans:
            inside = [part for part in op.walk() if isinstance(part, scf.ForOp) and part is not op]
            inner = any(self._plan(part) is not None for part in inside)
            self._plans[op] = None if inner else plan_of(op, self._bits)
        return self._plans[op]

    def _rounded(self, op: scf.ForOp, width: int) -> SSAValue:
        """The number of iterations, rounded down to whole vectors: `width` is a power of two."""
        mask = self.writer.index_constant(-width)
        return self.writer.pure(arith.AndIOp, (self.values[op.ub], mask), INDEX)

    def _vectors(
        self, op: scf.ForOp, plan: Plan, first: SSAValue, last: SSAValue, width: int
    ) -> None:
        """The loop over whole vectors, `width` words at a time."""
        self.note(op)
        opened = self.writer.open(first, last, self.writer.index_constant(width))
        index = op.body.block.args[0]
        named(opened.index, index)
        at = self._from_the_end(op, opened, width)
        for start in range(0, width, plan.lanes):
            self.values[index] = self.writer.index(AxisValue(at, start))
            for part in op.body.block.ops:
                self._part(part, plan, start == 0)
        self.note(op)
        self.writer.close(opened, (), parallel=True)

    def _from_the_end(self, op: scf.ForOp, loop: LoopWriter, width: int) -> SSAValue:
        """The index of the first word of an iteration; of a loop marked so, the last ones first."""
        first, last = (known_integer(bound) for bound in loop.bounds[:2])
        if BACKWARDS not in op.attributes or first is None or last is None:
            return loop.index
        end = self.writer.index_constant(first + last - width)
        properties = {"overflowFlags": arith.IntegerOverflowAttr("none")}
        return self.writer.pure(arith.SubiOp, (end, loop.index), INDEX, properties)

    def _part(self, op: Operation, plan: Plan, first: bool) -> None:
        """An operation of a vectorized loop; what all lanes share is written with the first."""
        if isinstance(op, scf.YieldOp):
            return
        self.note(op)
        kinds = [plan.kinds.get(value, UNIFORM) for value in op.results]
        match op:
            case scf.ForOp():
                self._inner_loop(op, plan)
            case memref.StoreOp():
                word = self._vector(op.value, plan)
                place = [self.values[value] for value in (op.memref, *op.indices)]
                self.writer.effect(vector.StoreOp, (word, *place))
            case memref.LoadOp() if kinds == [VARYING]:
                type = vector_type(op.res.type, plan.lanes)
                self.bind(op, self.writer.effect(vector.LoadOp, self.operands(op), (type,)))
            case _ if kinds == [VARYING]:
                self._elementwise(op, plan)
            case _ if kinds == [UNIFORM] and not first:
                return
            case _:
                self.operation(op)

    def _elementwise(self, op: Operation, plan: Plan) -> None:
        words = list(op.operands)
        operands: list[SSAValue] = []
        if op.name == SelectOp.name:
            operands.append(self.lanes.truths(self.values[words.pop(0)], plan.lanes))
        operands += [self._vector(word, plan) for word in words]
        kind = next((each for each in _ON_VECTORS if each.name == op.name), op.__class__)
        type = vector_type(op.results[0].type, plan.lanes)
        self.bind(op, (self.writer.pure(kind, operands, type, op.properties),))

    def _vector(self, value: SSAValue, plan: Plan) -> SSAValue:
        """What stands for a value, as a vector; a word is that of every lane."""
        return self.lanes.spread(self.values[value], plan.lanes)

    def _inner_loop(self, op: scf.ForOp, plan: Plan) -> None:
        """A loop inside, which carries vectors."""
        carried = op.body.block.args[1:]
        initial = [
            self._vector(value, plan) if plan.kinds[argument] == VARYING else self.values[value]
            for argument, value in zip(carried, op.iter_args, strict=True)
        ]
        opened = self.writer.open(
            self.values[op.lb], self.values[op.ub], self.values[op.step], initial
        )
        for before, after in zip(op.body.block.args, opened.block.args, strict=True):
            self.values[before] = named(after, before)
        for part in op.body.block.ops:
            self._part(part, plan, True)
        handed: Sequence[SSAValue] = [
            self._vector(value, plan) if plan.kinds[argument] == VARYING else self.values[value]
            for argument, value in zip(carried, yielded(op), strict=True)
        ]
        self.bind(op, self.close(op, opened, handed))
