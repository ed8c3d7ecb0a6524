"""Which points a thread works on: every so many, so that any number of threads does them all.

Entry: `Threads`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith, gpu
from xdsl.dialects.builtin import IntegerAttr, i1, i64
from xdsl.ir import Operation, SSAValue

from alpha.ir.code_values import INDEX
from alpha.ir.dialects.arith_vectors import CmpiOp
from alpha.passes.loops.items import Extent
from alpha.passes.loops.writer import AxisValue, Writer

_ULT = 6
"""The number of the predicate of integers without signs."""

_X = gpu.DimensionAttr(gpu.DimensionEnum.X)


class Threads:
    """The numbers of the running thread; `extent` gives an extent of the caller as a value."""

    def __init__(self, writer: Writer, extent: Callable[[Extent], SSAValue]) -> None:
        self._writer = writer
        self._extent = extent
        self.thread = self._number(gpu.ThreadIdOp)
        self.threads = self._number(gpu.BlockDimOp)
        self.block = self._number(gpu.BlockIdOp)
        self.blocks = self._number(gpu.GridDimOp)

    def _number(self, kind: type[Operation]) -> SSAValue:
        return self._writer.effect(kind, (), (INDEX,), {"dimension": _X}, outermost=True)[0]

    def first(self) -> SSAValue:
        """The number of the thread in the launch."""
        before = self.product(self.block, self.threads)
        return self.sum(before, self.thread)

    def count(self) -> SSAValue:
        """The threads of the launch."""
        return self.product(self.blocks, self.threads)

    def points(self, extents: Sequence[Extent]) -> SSAValue:
        """How many points axes have."""
        total = self._writer.index_constant(1)
        known = 1
        for extent in extents:
            if isinstance(extent, int):
                known *= extent
            else:
                total = self._extent(extent)
        if all(isinstance(extent, int) for extent in extents):
            return self._writer.index_constant(known)
        return total if known == 1 else self.product(total, self._writer.index_constant(known))

    def coordinates(self, point: SSAValue, extents: Sequence[Extent]) -> list[AxisValue]:
        """The coordinates of a point, whose number runs through the last axis fastest.

        Only the first extent may be one of the caller.
        """
        found: list[AxisValue] = []
        rest = point
        for axis in range(len(extents) - 1, -1, -1):
            extent = extents[axis]
            if axis == 0:
                found.append(AxisValue(rest))
            else:
                assert isinstance(extent, int)
                outer = self._writer.divided(rest, extent)
                whole = self._writer.times(outer, extent)
                found.append(AxisValue(self._writer.difference(rest, whole)))
                rest = outer
        return found[::-1]

    def sum(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """Two numbers added."""
        return self._binary(arith.AddiOp, a, b)

    def product(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """Two numbers multiplied."""
        return self._binary(arith.MuliOp, a, b)

    def _binary(self, kind: type[Operation], a: SSAValue, b: SSAValue) -> SSAValue:
        flags = arith.IntegerOverflowAttr("none")
        return self._writer.pure(kind, (a, b), INDEX, {"overflowFlags": flags})

    def times(self, value: SSAValue, factor: int) -> SSAValue:
        """A number multiplied by a constant."""
        return value if factor == 1 else self._writer.times(value, factor)

    def difference(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """One number less another."""
        return self._writer.difference(a, b)

    def below(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """Whether one number is less than another."""
        number = IntegerAttr(_ULT, i64)
        return self._writer.pure(CmpiOp, (a, b), i1, {"predicate": number})

    def both(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """Whether both hold."""
        return self._writer.pure(arith.AndIOp, (a, b), i1)
