"""Kernels in lanes: some threads for each point, which meet at the end.

Each thread adds what falls to its lane; then lanes l and l + L/2 are added, halving: through memory
that a block shares while there are more lanes than a warp has, then from lane to lane.

Invariant: every thread of a block takes every turn, so that none is missing where they meet.
Entry: `write_lanes`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, gpu, memref
from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, MemRefType, i32, i64
from xdsl.ir import SSAValue

from alpha.ir.code_values import INDEX
from alpha.ir.dialects.arith_vectors import SelectOp
from alpha.ir.dialects.gpu_threads import WARP, ShuffleOp
from alpha.ir.gpu_memory import WORKGROUP
from alpha.passes.kernels.evaluating import AtPoint
from alpha.passes.kernels.kernel import Kernel
from alpha.passes.loops.items import Item
from alpha.passes.loops.writer import AxisValue


def write_lanes(kernel: Kernel) -> None:
    """The fold of the stage, at each of its points."""
    stage, writer, threads = kernel.stage, kernel.writer, kernel.threads
    (item,) = stage.items
    width = stage.lanes
    groups = kernel.block_threads // width
    writer.origin = item.origin
    group = writer.divided(threads.thread, width)
    lane = threads.difference(threads.thread, threads.times(group, width))
    end = threads.points(stage.extents)
    first, step = (threads.times(each, groups) for each in (threads.block, threads.blocks))
    loop = writer.open(first, end, step)
    # A group without a point works on the last one, and stores nothing.
    own = threads.sum(loop.index, group)
    inside = threads.below(own, end)
    last = threads.difference(end, writer.index_constant(1))
    point = writer.pure(SelectOp, (inside, own, last), INDEX)
    axes, at = kernel.split(threads.coordinates(point, stage.extents))
    total = _lane_total(kernel, item, axes, at, lane, width)
    if width > WARP:
        total = _halved_in_memory(kernel, item, total, width, lane)
    total = _halved(kernel, item, total, min(width, WARP))
    leads = threads.below(lane, writer.index_constant(1))
    _store_where(kernel, item, total, axes, at, threads.both(inside, leads))
    writer.close(loop, parallel=True)


def _lane_total(
    kernel: Kernel,
    item: Item,
    axes: Sequence[AxisValue],
    at: AtPoint,
    lane: SSAValue,
    width: int,
) -> SSAValue:
    """What one lane adds: every so many elements."""
    writer, evaluator = kernel.writer, kernel.evaluator
    length = item.extents[-1]
    assert isinstance(length, int) and item.order is not None
    start = evaluator.start(item, axes, at)

    def turn(index: SSAValue, total: SSAValue) -> SSAValue:
        word = evaluator.body(item, [*axes, AxisValue(index)], at)[0]
        return evaluator.lanes.binary(item.kind, total, word)

    end, step = writer.index_constant(length), writer.index_constant(width)
    total = evaluator.accumulated(lane, end, step, start, turn)
    if item.kind == "max" and width < item.order.lanes:
        total = evaluator.lanes.binary("max", total, start)
    return total


def _halved(kernel: Kernel, item: Item, total: SSAValue, width: int) -> SSAValue:
    """From lane to lane; only the first lane of a group has the right total at the end."""
    while width > 1:
        width //= 2
        numbers = {"distance": IntegerAttr(width, i64), "width": IntegerAttr(WARP, i64)}
        (other,) = kernel.writer.effect(ShuffleOp, (total,), (total.type,), numbers)
        total = kernel.evaluator.lanes.binary(item.kind, total, other)
    return total


def _halved_in_memory(
    kernel: Kernel, item: Item, total: SSAValue, width: int, lane: SSAValue
) -> SSAValue:
    """Through memory, until as many lanes as a warp has are left."""
    writer, threads = kernel.writer, kernel.threads
    type = MemRefType(total.type, [kernel.block_threads], memory_space=WORKGROUP)
    properties = {"operandSegmentSizes": DenseArrayBase.from_list(i32, [0, 0])}
    (array,) = writer.effect(memref.AllocaOp, (), (type,), properties, outermost=True)
    before = threads.difference(threads.thread, lane)
    half = width
    while half > WARP:
        writer.effect(memref.StoreOp, (total, array, threads.thread))
        writer.effect(gpu.BarrierOp, ())
        half //= 2
        # The lanes behind read within their group, too; what they get nobody uses.
        behind = threads.sum(lane, writer.index_constant(half))
        wrapped = writer.pure(arith.AndIOp, (behind, writer.index_constant(width - 1)), INDEX)
        place = threads.sum(before, wrapped)
        (other,) = writer.effect(memref.LoadOp, (array, place), (total.type,))
        writer.effect(gpu.BarrierOp, ())
        total = kernel.evaluator.lanes.binary(item.kind, total, other)
    return total


def _store_where(
    kernel: Kernel,
    item: Item,
    word: SSAValue,
    axes: Sequence[AxisValue],
    at: AtPoint,
    truth: SSAValue,
) -> None:
    """Store where a truth holds: a loop of one turn or none."""
    writer = kernel.writer
    zero, one = writer.index_constant(0), writer.index_constant(1)
    loop = writer.open(zero, writer.pure(SelectOp, (truth, one, zero), INDEX), one)
    kernel.store([(item, word, 0)], axes, at)
    writer.close(loop)
