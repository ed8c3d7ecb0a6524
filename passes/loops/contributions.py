"""A contribution as a function: the sum of what every sample gives, in the order of the samples.

Invariant: each word of a result starts at -0.0 and gets each sample's addend in order. What no
    sample changes is computed once, before the samples.
Why: several samples are in flight at once, so that additions that wait for one another have
    company; a word of a result is loaded and stored once for all of them, or stays in a register.
Entry: `write_contribution`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from xdsl.dialects import arith
from xdsl.ir import Block, Operation, SSAValue

from alpha.ir.code_values import INDEX
from alpha.ir.dialects.pointwise_programs import ContributionOp
from alpha.passes.loops.fusing import Stages
from alpha.passes.loops.held import HeldSums
from alpha.passes.loops.items import (
    Item,
    copy_item,
    element_of_value,
    items_of,
    memory_of,
    value_shapes,
)
from alpha.passes.loops.lanes import Lanes
from alpha.passes.loops.overlapping import close_overlapped, nothing, second_index
from alpha.passes.loops.reading import Reader
from alpha.passes.loops.results import kept_in_memory, positions_of
from alpha.passes.loops.samples import Flight, Room, flight_of
from alpha.passes.loops.schedule import Node, Paths, schedule
from alpha.passes.loops.section import Copy, Point, Section, Words
from alpha.passes.loops.signature import SAMPLES, Signature, static_shape
from alpha.passes.loops.storage import Place, Storage
from alpha.passes.loops.writer import AxisValue, LoopWriter, Writer


def write_contribution(
    program: ContributionOp,
    signature: Signature,
    block: Block,
    room: Room,
    define: Callable[[Operation], None],
) -> None:
    """Write the body of the function into a block that has its arguments, but for the return.

    `room` is what samples in flight may take; `define` takes private globals.

    Raises:
        Refusal: `target-unsupported` for an index that is too involved.
    """
    _Contribution(program, signature, block, room, define).write()


class _Contribution:
    def __init__(
        self,
        program: ContributionOp,
        signature: Signature,
        block: Block,
        room: Room,
        define: Callable[[Operation], None],
    ) -> None:
        self._program = program
        self._signature = signature
        self._room = room
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
        self._writer.origin = self._start_origin
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
        flight = flight_of(nodes, varying, samples, self._returned, kept, self._room)
        if flight.held:
            self._write_held(flight, nodes, paths, varying, samples)
            return
        for place, shape in zip(self._results, self._signature.results, strict=True):
            self._fill(place, [extent for extent in shape if isinstance(extent, int)])
        zero, one = self._writer.index_constant(0), self._writer.index_constant(1)
        count, first = self._count(SAMPLES), zero
        self._writer.origin = self._loop_origin
        if flight.fused is not None:
            first = self._write_fused(flight.fused, flight.copies, count, samples)
        elif flight.copies > 1:
            first, step = self._whole(count, flight.copies)
            self._loop(zero, first, step, flight, nodes, paths, kept, samples)
        single = replace(flight, copies=1)
        self._loop(first, count, one, single, nodes, paths, kept, samples)

    @property
    def _start_origin(self) -> str:
        return f"{self._program.sym_name.data}: -0.0, before the first sample"

    @property
    def _loop_origin(self) -> str:
        return f"{self._program.sym_name.data}: loop of samples"

    def _whole(self, count: SSAValue, copies: int) -> tuple[SSAValue, SSAValue]:
        """The number of samples, rounded down to whole groups of `copies`; and that number."""
        whole = count
        if copies > 1:
            whole = self._writer.times(self._writer.divided(count, copies), copies)
        return whole, self._writer.index_constant(copies)

    def _loop(
        self,
        first: SSAValue,
        last: SSAValue,
        step: SSAValue,
        flight: Flight,
        nodes: Sequence[Node],
        paths: Paths,
        kept: Sequence[SSAValue],
        samples: Sequence[SSAValue],
    ) -> None:
        """A loop over samples, several of them at once."""
        copies = range(flight.copies)
        loop = self._open(first, last, step, copies, samples)
        for copy in copies:
            for value in kept:
                self._storage.put(value, copy, self._buffer(value, copy))
        section = Section(
            self._writer,
            self._reader,
            copies,
            self._count,
            self._add,
            backwards=flight.backwards,
        )
        section.run(nodes, paths)
        self._writer.origin = self._loop_origin
        self._writer.close(loop)

    def _open(
        self,
        first: SSAValue,
        last: SSAValue,
        step: SSAValue,
        copies: Sequence[int],
        samples: Sequence[SSAValue],
        initial: Sequence[SSAValue] = (),
    ) -> LoopWriter:
        """Begin a loop over samples, and say where each copy's rows are."""
        loop = self._writer.open(first, last, step, initial)
        loop.index.name_hint = "s"
        self._put_rows(AxisValue(loop.index), copies, samples)
        return loop

    def _put_rows(
        self, first: AxisValue, copies: Sequence[int], samples: Sequence[SSAValue]
    ) -> None:
        """Say where each copy's rows are, by its number behind the first."""
        pointers = dict(zip(self._arguments, self._pointers, strict=True))
        for copy in copies:
            row = self._writer.index(first.plus(copy))
            for value in samples:
                self._storage.put(value, copy, Place(pointers[value], (row,)))

    def _write_held(
        self,
        flight: Flight,
        nodes: Sequence[Node],
        paths: Paths,
        varying: Sequence[Item],
        samples: Sequence[SSAValue],
    ) -> None:
        """Loops over samples whose rows, and the sums, stay in registers."""
        self._writer.origin = self._start_origin
        sums = HeldSums(self._writer, self._storage, self._returned, flight.held)

        def add(item: Item, number: int, words: Words, point: Point) -> None:
            for position in positions_of(item, number, self._returned):
                sums.add(position, words, point)

        memories = () if flight.parameters else self._arrays_read(varying, samples)
        count = self._count(SAMPLES)
        first = self._writer.index_constant(0)
        for copies in dict.fromkeys((flight.copies, 1)):
            self._writer.origin = self._loop_origin
            last, step = self._whole(count, copies)
            loop = self._open(first, last, step, range(copies), samples, sums.values)
            sums.become(loop.carried)
            for memory in memories:
                self._writer.settle(memory)
            copied = range(copies)
            section = Section(
                self._writer, self._reader, copied, self._count, add, held=flight.held
            )
            section.run(nodes, paths)
            self._writer.origin = self._loop_origin
            if copies == flight.copies:
                sums.become(close_overlapped(self._writer, loop, sums.values, memories))
            else:
                sums.become(self._writer.close(loop, sums.values))
            first = last
        self._writer.origin = f"{self._program.sym_name.data}: sums, behind the last sample"
        sums.store(self._results)

    def _write_fused(
        self, stages: Stages, copies: int, count: SSAValue, samples: Sequence[SSAValue]
    ) -> SSAValue:
        """Loops in which two stages of samples go over rows at once; gives where they end."""
        writer = self._writer
        zero, (last, step) = writer.index_constant(0), self._whole(count, copies)
        second = second_index(writer, last, step)
        early, late = range(copies), range(copies, 2 * copies)

        def run(
            nodes: Sequence[Node], of: Sequence[int], others: Mapping[Item, Sequence[int]]
        ) -> tuple[SSAValue, ...]:
            section = Section(writer, self._reader, of, self._count, self._add, others=others)
            section.run(nodes, Paths(nodes))
            writer.origin = self._loop_origin
            return tuple(
                self._reader.word(value, copy) for value in stages.crossing for copy in early
            )

        def hand_over(words: Sequence[SSAValue]) -> None:
            given = iter(words)
            for value in stages.crossing:
                self._reader.bind(value, {copy: next(given) for copy in late}, ())

        loop = self._open(zero, second, step, early, samples, self._nothings(stages, copies))
        crossed = writer.close(loop, run(stages.early, early, {}))
        loop = self._open(second, last, step, early, samples, crossed)
        self._put_rows(AxisValue(loop.index, -2 * copies), late, samples)
        hand_over(loop.carried)
        others = dict.fromkeys(stages.late_items, late)
        crossed = writer.close(loop, run(stages.both, early, others))
        # Its rows depend on its index, so that nothing of them is read before the loop.
        loop = writer.open(writer.difference(last, second), last, step)
        self._put_rows(AxisValue(loop.index, -copies), late, samples)
        hand_over(crossed)
        run(stages.late, late, {})
        writer.close(loop)
        return last

    def _nothings(self, stages: Stages, copies: int) -> list[SSAValue]:
        """What crosses before there is a sample."""
        element = [element_of_value(value) for value in stages.crossing]
        return [nothing(self._writer, each) for each in element for _ in range(copies)]

    def _arrays_read(
        self, varying: Sequence[Item], samples: Sequence[SSAValue]
    ) -> tuple[SSAValue, ...]:
        """The memories of vectors that items read and no sample changes."""
        read = dict.fromkeys(value for item in varying for value in item.inputs)
        return tuple(
            self._storage.of(value, None).memory
            for value in read
            if value not in samples and static_shape(value) and self._storage.has(value, None)
        )

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
