"""Writes operations into nested loops, each as far outside as what it reads allows.

Invariant: an operation without effects stands at the innermost level of those of its operands, once
    for equal operands; so what doesn't change in a loop is computed before it. A load of memory
    that is written stands no further outside than where the writing ended.
Why: invariant work costs nothing in loops, and no later pass has to find it.
Entry: `Writer`, `AxisValue`, `LoopWriter`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    LocationAttr,
    StringAttr,
    UnitAttr,
    i1,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from alpha.ir.code_values import INDEX, index_attr, vector_type
from alpha.ir.index_forms import Box, Form, Quotient
from alpha.ir.refusals import Refusal
from alpha.ir.shapes import FloatType

INDEX_MAX = 1 << 62
"""Indices whose parts all stay below it without signs are computed in 64 bits."""

ORIGIN = "origin"
PARALLEL = "parallel"
"""The mark of a loop whose iterations may run in any order, or at once."""

BACKWARDS = "backwards"
"""The mark of one that had better run from its end, since what it reads was last read there."""


Bounds = tuple[SSAValue, SSAValue, SSAValue]
"""The first index of a loop, the end of it, and the step."""


@dataclass(frozen=True)
class AxisValue:
    """The value of an axis, or of an index: a value, if there is one, plus a constant."""

    base: SSAValue | None
    offset: int = 0

    def plus(self, offset: int) -> AxisValue:
        """The same, moved."""
        return AxisValue(self.base, self.offset + offset)


@dataclass
class _Level:
    """A block that is being written, and what stands in it once for equal operands."""

    block: Block
    known: dict[tuple, SSAValue] = field(default_factory=dict)


class LoopWriter:
    """A loop that is open: its index, and what it carries."""

    def __init__(self, bounds: Bounds, initial: Sequence[SSAValue], block: Block) -> None:
        self.bounds = bounds
        self.initial = tuple(initial)
        self.block = block
        self.index = block.args[0]
        self.carried = tuple(block.args[1:])


class Writer:
    """The blocks that are open, the outermost first; `origin` is written on every operation.

    So is the place in the source, `location`, for what is refused later.
    """

    def __init__(self, block: Block) -> None:
        self.origin = ""
        self.location: LocationAttr | None = None
        self._levels = [_Level(block)]
        self._level_of: dict[SSAValue, int] = dict.fromkeys(block.args, 0)

    @property
    def depth(self) -> int:
        """The number of the innermost open block."""
        return len(self._levels) - 1

    def settle(self, memory: SSAValue) -> None:
        """Say that memory has its words from here on, while the innermost block runs."""
        self._level_of[memory] = self.depth

    def pure(
        self,
        kind: type[Operation],
        operands: Sequence[SSAValue],
        type: Attribute,
        properties: Mapping[str, Attribute] | None = None,
    ) -> SSAValue:
        """The result of an operation without effects, or of a load of words that don't change."""
        at = max((self._level_of[operand] for operand in operands), default=0)
        level = self._levels[at]
        given = tuple(sorted((properties or {}).items()))
        key = (kind, tuple(map(id, operands)), type, given)
        found = level.known.get(key)
        if found is None:
            op = self._made(kind, operands, [type], properties)
            level.block.add_op(op)
            found = level.known[key] = op.results[0]
            self._level_of[found] = at
        return found

    def effect(
        self,
        kind: type[Operation],
        operands: Sequence[SSAValue],
        types: Sequence[Attribute] = (),
        properties: Mapping[str, Attribute] | None = None,
        outermost: bool = False,
    ) -> tuple[SSAValue, ...]:
        """An operation that stands where it is written, in the innermost or outermost block."""
        at = 0 if outermost else self.depth
        op = self._made(kind, operands, types, properties)
        self._levels[at].block.add_op(op)
        for result in op.results:
            self._level_of[result] = at
        return tuple(op.results)

    def _made(
        self,
        kind: type[Operation],
        operands: Sequence[SSAValue],
        types: Sequence[Attribute],
        properties: Mapping[str, Attribute] | None,
    ) -> Operation:
        attributes = {ORIGIN: StringAttr(self.origin)} if self.origin else {}
        return kind.create(
            operands=operands,
            result_types=types,
            properties=dict(properties or {}),
            attributes=attributes,
            location=self.location,
        )

    # Loops

    def open(
        self,
        first: SSAValue,
        last: SSAValue,
        step: SSAValue,
        initial: Sequence[SSAValue] = (),
    ) -> LoopWriter:
        """Begin a loop; what is written until `close` stands in it, as far as it must.

        Its index has the type of its bounds.
        """
        block = Block(arg_types=[first.type, *(value.type for value in initial)])
        loop = LoopWriter((first, last, step), initial, block)
        self._levels.append(_Level(block))
        self._level_of.update(dict.fromkeys(block.args, self.depth))
        return loop

    def set_aside(self, loop: LoopWriter) -> tuple[Operation, ...]:
        """End the innermost loop without writing it: what stands in it is written otherwise."""
        level = self._levels.pop()
        assert level.block is loop.block
        return tuple(level.block.ops)

    def close(
        self,
        loop: LoopWriter,
        handed: Sequence[SSAValue] = (),
        parallel: bool = False,
        backwards: bool = False,
    ) -> tuple[SSAValue, ...]:
        """End the innermost loop, which carries on with these values; gives what they became."""
        level = self._levels.pop()
        assert level.block is loop.block
        level.block.add_op(scf.YieldOp(*handed))
        first, last, step = loop.bounds
        op = scf.ForOp(first, last, step, loop.initial, Region(level.block))
        if self.origin:
            op.attributes[ORIGIN] = StringAttr(self.origin)
        if parallel:
            op.attributes[PARALLEL] = UnitAttr()
        if backwards:
            op.attributes[BACKWARDS] = UnitAttr()
        self._levels[-1].block.add_op(op)
        for result in op.results:
            self._level_of[result] = self.depth
        return tuple(op.results)

    # Constants

    def index_constant(self, value: int) -> SSAValue:
        """A constant of type `index`."""
        return self.pure(arith.ConstantOp, (), INDEX, {"value": index_attr(value)})

    def float_constant(self, value: float, element: FloatType) -> SSAValue:
        """A word that is known."""
        attr = FloatAttr(value, element)
        return self.pure(arith.ConstantOp, (), element, {"value": attr})

    def mask(self, lanes: int, width: int) -> SSAValue:
        """The first lanes of a vector of truths."""
        type = vector_type(i1, width)
        bits = [lane < lanes for lane in range(width)]
        attr = DenseIntOrFPElementsAttr.from_list(type, bits)
        return self.pure(arith.ConstantOp, (), type, {"value": attr})

    # Indices

    def index(self, value: AxisValue) -> SSAValue:
        """An index as one value."""
        if value.base is None:
            return self.index_constant(value.offset)
        if value.offset == 0:
            return value.base
        return self._binary(arith.AddiOp, value.base, self.index_constant(value.offset))

    def index_of(self, form: Form, axes: Sequence[AxisValue], box: Box) -> AxisValue:
        """An index form where its axes have these values.

        Raises:
            Refusal: `target-unsupported` if a part of it leaves 64 bits.
        """
        check_size(form, box)
        factors: dict[SSAValue, int] = {}
        offset = form.constant
        for atom, factor in form.terms:
            value = self._quotient(atom, axes, box) if isinstance(atom, Quotient) else axes[atom]
            offset += factor * value.offset
            if value.base is not None:
                factors[value.base] = factors.get(value.base, 0) + factor
        total: SSAValue | None = None
        for base, factor in sorted(factors.items(), key=lambda each: self._level_of[each[0]]):
            if not factor:
                continue
            part = base
            if factor != 1:
                part = self._binary(arith.MuliOp, base, self.index_constant(factor))
            total = part if total is None else self._binary(arith.AddiOp, total, part)
        return AxisValue(total, offset)

    def _quotient(self, quotient: Quotient, axes: Sequence[AxisValue], box: Box) -> AxisValue:
        """`floordiv` by a positive constant; what may be negative is moved above zero first."""
        dividend = self.index_of(quotient.dividend, axes, box)
        if dividend.base is None:
            return AxisValue(None, dividend.offset // quotient.divisor)
        low, _ = quotient.dividend.interval(box)
        turns = max(0, -(low // quotient.divisor))
        above = self.index(dividend.plus(turns * quotient.divisor))
        return AxisValue(self.divided(above, quotient.divisor), -turns)

    def divided(self, value: SSAValue, divisor: int) -> SSAValue:
        """An index without a sign, divided by a positive constant."""
        if divisor & (divisor - 1):
            return self._binary(arith.DivUIOp, value, self.index_constant(divisor))
        shift = self.index_constant(divisor.bit_length() - 1)
        return value if divisor == 1 else self._binary(arith.ShRUIOp, value, shift)

    def sum_of(self, first: AxisValue, second: SSAValue) -> AxisValue:
        """Two indices added."""
        if first.base is None:
            return AxisValue(second, first.offset)
        return AxisValue(self._binary(arith.AddiOp, first.base, second), first.offset)

    def times(self, value: SSAValue, factor: int) -> SSAValue:
        """An index times a constant."""
        return self._binary(arith.MuliOp, value, self.index_constant(factor))

    def difference(self, value: SSAValue, less: SSAValue) -> SSAValue:
        """An index less another."""
        return self._binary(arith.SubiOp, value, less)

    def _binary(self, kind: type[Operation], a: SSAValue, b: SSAValue) -> SSAValue:
        properties: dict[str, Attribute] = {}
        if kind in (arith.AddiOp, arith.SubiOp, arith.MuliOp):
            properties["overflowFlags"] = arith.IntegerOverflowAttr("none")
        return self.pure(kind, (a, b), INDEX, properties)


def check_size(form: Form, box: Box) -> None:
    """See that an index, and every part of it, is computed in 64 bits.

    Raises:
        Refusal: `target-unsupported`.
    """
    total = abs(form.constant)
    for atom, factor in form.terms:
        if isinstance(atom, Quotient):
            check_size(atom.dividend, box)
            ends = [end // atom.divisor for end in atom.dividend.interval(box)]
        else:
            ends = box[atom]
        total += abs(factor) * max(abs(end) for end in ends)
    if total >= INDEX_MAX:
        wanted = "indices whose parts stay below 2^62"
        raise Refusal("target-unsupported", wanted, f"2^{total.bit_length() - 1} or more")
