"""Kernels with a thread for each point, for each word of a sum, and for each pair.

Entry: `write_points`, `write_sums`, `write_level`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from alpha.ir.code_values import INDEX
from alpha.ir.dialects.arith_vectors import SelectOp
from alpha.ir.shapes import element_of
from alpha.passes.kernels.evaluating import AtPoint
from alpha.passes.kernels.homes import Home
from alpha.passes.kernels.kernel import Kernel
from alpha.passes.kernels.wide import read_at_own
from alpha.passes.loops.items import Item
from alpha.passes.loops.signature import SAMPLES
from alpha.passes.loops.writer import AxisValue


def write_points(kernel: Kernel) -> None:
    """All items of the stage at each point."""
    threads, stage, writer = kernel.threads, kernel.stage, kernel.writer
    writer.origin = stage.items[0].origin
    first = threads.first()
    if kernel.wide > 1:
        first = _wide_points(kernel, first)
    loop = writer.open(first, threads.points(stage.extents), threads.count())
    kernel.keep_inside()
    axes, at = kernel.split(threads.coordinates(loop.index, stage.extents))
    kernel.store(kernel.work(axes, at), axes, at)
    writer.close(loop, parallel=True)


def _wide_points(kernel: Kernel, first: SSAValue) -> SSAValue:
    """Several points in a row, as often as the caller says; where the thread goes on then.

    All words are loaded before anything is computed.
    """
    writer, threads, width = kernel.writer, kernel.threads, kernel.wide
    turns = kernel.wide_turns()
    loop = writer.open(first, turns, threads.count())
    base = threads.times(loop.index, width)
    at = [AtPoint(None) for _ in range(width)]
    for value in read_at_own(kernel.stage, kernel.values) or ():
        words = kernel.evaluator.load_wide(kernel.homes.of(value), base, width)
        for point, word in zip(at, words, strict=True):
            point.words[value] = word
    stored: dict[Home, list[SSAValue]] = {}
    for number, point in enumerate(at):
        axes = [] if kernel.stage.sampled else [AxisValue(base, number)]
        for item, word, result in kernel.work(axes, point):
            for home in kernel.places(item, result):
                stored.setdefault(home, []).append(word)
    writer.origin = kernel.stage.items[0].origin
    for home, words in stored.items():
        kernel.evaluator.store_wide(home, base, words)
    writer.close(loop, parallel=True)
    return threads.sum(first, threads.times(turns, width))


def write_sums(kernel: Kernel) -> None:
    """Each word of the results of a contribution: its addends in the order of the samples."""
    threads, stage, writer = kernel.threads, kernel.stage, kernel.writer
    zero, one = writer.index_constant(0), writer.index_constant(1)
    writer.origin = f"{kernel.program}: sums over the samples"
    samples = kernel.extent(SAMPLES)
    loop = writer.open(threads.first(), threads.points(stage.extents), threads.count())
    axes = threads.coordinates(loop.index, stage.extents)
    starts = [writer.float_constant(-0.0, element_of(value.type)) for value in stage.summed]
    inner = writer.open(zero, samples, one, starts)
    at = AtPoint(inner.index)
    totals: Sequence[SSAValue] = [
        kernel.evaluator.lanes.binary("add", total, _addend(kernel, value, axes, at))
        for value, total in zip(stage.summed, inner.carried, strict=True)
    ]
    totals = writer.close(inner, totals)
    indices = [writer.index(axis) for axis in axes]
    for value, total in zip(stage.summed, totals, strict=True):
        for position, each in enumerate(kernel.homes.returned):
            if each is value:
                kernel.evaluator.store(kernel.homes.results[position], indices, total, at)
    writer.close(loop, parallel=True)


def _addend(kernel: Kernel, value: SSAValue, axes: Sequence[AxisValue], at: AtPoint) -> SSAValue:
    """What a sample adds to a word."""
    if value in at.words:
        return at.words[value]
    if value in kernel.values.direct:
        kernel.computed(kernel.values.giver[value], axes, at)
        return at.words[value]
    return kernel.evaluator.value(value, axes, at)


def write_level(kernel: Kernel) -> None:
    """A level of pairs: the sum of two words, or the last one where it is alone."""
    stage, threads, writer = kernel.stage, kernel.threads, kernel.writer
    (item,) = stage.items
    writer.origin = item.origin
    loop = writer.open(threads.first(), threads.points(stage.extents), threads.count())
    (*axes, pair), at = kernel.split(threads.coordinates(loop.index, stage.extents))
    left = threads.times(writer.index(pair), 2)
    behind = threads.sum(left, writer.index_constant(1))
    last = writer.index_constant(stage.length - 1)
    alone = threads.below(last, behind)
    right = writer.pure(SelectOp, (alone, last, behind), INDEX)
    first, second = (_pair_word(kernel, item, axes, at, index) for index in (left, right))
    total = kernel.evaluator.lanes.binary(item.kind, first, second)
    if stage.length % 2:
        total = writer.pure(SelectOp, (alone, first, total), total.type)
    if stage.target is None:
        kernel.store([(item, total, 0)], axes, at)
    else:
        indices = [writer.index(axis) for axis in (*axes, pair)]
        kernel.evaluator.store(stage.target, indices, total, at)
    writer.close(loop, parallel=True)


def _pair_word(
    kernel: Kernel, item: Item, axes: Sequence[AxisValue], at: AtPoint, index: SSAValue
) -> SSAValue:
    """A word of the level below, or an element."""
    whole = [*axes, AxisValue(index)]
    if kernel.stage.source is None:
        return kernel.evaluator.body(item, whole, at)[0]
    indices = [kernel.writer.index(axis) for axis in whole]
    return kernel.evaluator.load(kernel.stage.source, indices, at)
