"""A contribution as a function: the sum of what every sample gives, in the order of the samples.

Invariant: each word of a result starts at -0.0 and gets each sample's addend in order. What no
    sample changes is computed once, before the samples.
Why: several samples are in flight at once, so that additions that wait for one another have
    company; a word of a result is loaded and stored once for all of them.
Entry: `write_contribution`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith
from xdsl.ir import Block, Operation, SSAValue

from alpha.ir.dialects.pointwise_programs import ContributionOp
from alpha.passes.loops.items import Item, copy_item, items_of, memory_of, value_shapes
from alpha.passes.loops.lanes import Lanes
from alpha.passes.loops.reading import Reader
from alpha.passes.loops.results import kept_in_memory, positions_of
from alpha.passes.loops.schedule import Node, Paths, schedule
from alpha.passes.loops.section import Copy, Point, Section, Words
from alpha.passes.loops.signature import SAMPLES, Signature, static_shape
from alpha.passes.loops.storage import Place, Storage
from alpha.passes.loops.writer import INDEX, AxisValue, Writer


def write_contribution(
    program: ContributionOp,
    signature: Signature,
    block: Block,
    samples: int,
    define: Callable[[Operation], None],
) -> None:
    """Write the body of the function into a block that has its arguments, but for the return.

    `samples` is how many are in flight; `define` takes private globals.

    Raises:
        Refusal: `target-unsupported` for an index that is too involved.
    """
    _Contribution(program, signature, block, samples, define).write()


class _Contribution:
    def __init__(
        self,
        program: ContributionOp,
        signature: Signature,
        block: Block,
        samples: int,
        define: Callable[[Operation], None],
    ) -> None:
        self._program = program
        self._signature = signature
        self._samples = samples
        self._writer = Writer(block)
        self._storage = Storage(self._writer, program.sym_name.data, define)
        self._reader = Reader(self._writer, self._storage)
        self._lanes = Lanes(self._writer)
        self._arguments: tuple[SSAValue, ...] = tuple(program.body.block.args)
        last = program.body.block.last_op
        assert last is not None
        self._returned = tuple(last.operands)
        inputs = len(self._arguments)
        self._pointers = tuple(block.args[:inputs])
        self._results = [
            Place(pointer, mutable=True)
            for pointer in block.args[inputs : inputs + len(self._returned)]
        ]
        self._extent = block.args[-1]
        self._buffers: dict[tuple[SSAValue, Copy], Place] = {}
        self._section: Section | None = None

    def write(self) -> None:
        """Write everything."""
        first_sample = len(self._program.parameter_types())
        for argument, pointer in zip(self._arguments, self._pointers, strict=True):
            self._storage.put(argument, None, Place(pointer))
        changing: set[SSAValue] = set(self._arguments[first_sample:])
        fixed: list[Item] = []
        varying: list[Item] = []
        items = items_of(self._program, None)
        for item in items:
            varies = any(value in changing for value in item.inputs)
            (varying if varies else fixed).append(item)
            if varies:
                changing.update(item.results)
        given = {value for item in varying for value in item.results}
        for position, value in enumerate(self._returned):
            shape = static_shape(value)
            if value not in given and 0 not in shape:
                varying.append(copy_item(self._program, value, shape, position))
        self._shapes = value_shapes({}, items)
        self._write_fixed(fixed, varying)
        for place, shape in zip(self._results, self._signature.results, strict=True):
            self._fill(place, [extent for extent in shape if isinstance(extent, int)])
        self._write_samples(varying, self._arguments[first_sample:])

    def _write_fixed(self, fixed: Sequence[Item], varying: Sequence[Item]) -> None:
        """What no sample changes: a value that is read with the samples has memory."""
        nodes = schedule(fixed)
        paths = Paths(nodes)
        kept = set(kept_in_memory(fixed, paths))
        for item in fixed:
            for value in item.results:
                if value in kept or (item.over and any(each.reads(value) for each in varying)):
                    self._storage.put(value, None, self._buffer(value, None))
        self._section = Section(self._writer, self._reader, (None,), self._count, self._keep)
        self._section.run(nodes, paths)

    def _buffer(self, value: SSAValue, copy: Copy) -> Place:
        place = self._buffers.get((value, copy))
        if place is None:
            self._writer.origin = memory_of(self._program, value)
            place = self._storage.place_for(value, self._shapes[value])
            self._buffers[value, copy] = place
        return place

    def _count(self, _extent: object) -> SSAValue:
        """The number of samples."""
        return self._writer.pure(arith.IndexCastOp, (self._extent,), INDEX)

    def _fill(self, place: Place, shape: Sequence[int]) -> None:
        """Every word of a result starts at -0.0."""
        if 0 in shape:
            return
        self._writer.origin = f"{self._program.sym_name.data}: -0.0, before the first sample"
        element = place.memory.type.element_type  # pyright: ignore[reportAttributeAccessIssue]
        word = self._writer.float_constant(-0.0, element)
        zero, one = self._writer.index_constant(0), self._writer.index_constant(1)
        loops = [
            self._writer.open(zero, self._writer.index_constant(extent), one) for extent in shape
        ]
        self._storage.store(place, [loop.index for loop in loops], word)
        for loop in reversed(loops):
            self._writer.close(loop, parallel=True)

    def _write_samples(self, varying: Sequence[Item], samples: Sequence[SSAValue]) -> None:
        nodes = schedule(varying)
        paths = Paths(nodes)
        kept = kept_in_memory(varying, paths)
        self._writer.origin = f"{self._program.sym_name.data}: loop of samples"
        zero, one = self._writer.index_constant(0), self._writer.index_constant(1)
        count = self._count(SAMPLES)
        first = zero
        if self._samples > 1:
            whole = self._writer.times(self._writer.divided(count, self._samples), self._samples)
            step = self._writer.index_constant(self._samples)
            self._loop(first, whole, step, self._samples, nodes, paths, kept, samples)
            first = whole
        self._loop(first, count, one, 1, nodes, paths, kept, samples)

    def _loop(
        self,
        first: SSAValue,
        last: SSAValue,
        step: SSAValue,
        copies: int,
        nodes: Sequence[Node],
        paths: Paths,
        kept: Sequence[SSAValue],
        samples: Sequence[SSAValue],
    ) -> None:
        """A loop over samples, `copies` of them at once."""
        loop = self._writer.open(first, last, step)
        loop.index.name_hint = "s"
        pointers = dict(zip(self._arguments, self._pointers, strict=True))
        for copy in range(copies):
            row = self._writer.index(AxisValue(loop.index, copy))
            for value in samples:
                self._storage.put(value, copy, Place(pointers[value], (row,)))
            for value in kept:
                self._storage.put(value, copy, self._buffer(value, copy))
        section = Section(self._writer, self._reader, range(copies), self._count, self._add)
        section.run(nodes, paths)
        self._writer.origin = f"{self._program.sym_name.data}: loop of samples"
        self._writer.close(loop)

    # What items give

    def _keep(self, item: Item, number: int, words: Words, point: Point) -> None:
        """Store a value that is read where it isn't at hand."""
        if item.position is not None:
            return
        value = item.results[number]
        indices = [self._writer.index(axis) for axis in point.axes]
        for copy, word in words.items():
            if self._storage.has(value, copy):
                place = self._storage.of(value, copy)
                self._storage.store(place, indices, word, point.span)
                self._reader.wrote(place.memory)

    def _add(self, item: Item, number: int, words: Words, point: Point) -> None:
        """Add the copies' words to a result, in the order of the samples."""
        self._keep(item, number, words, point)
        for position in positions_of(item, number, self._returned):
            place = self._results[position]
            indices = [self._writer.index(axis) for axis in point.axes]
            total = self._storage.load(place, indices, point.span)
            for word in words.values():
                total = self._lanes.binary("add", total, word)
            self._storage.store(place, indices, total, point.span)
