"""An update as a function: new words of all coordinates that the caller holds.

Invariant: every word of an input is read before a result is stored where it may lie.
Entry: `write_update`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith
from xdsl.ir import Block, Operation, SSAValue

from alpha.ir.code_values import INDEX
from alpha.ir.dialects.pointwise_programs import UpdateOp
from alpha.passes.loops.items import Dynamic, Item, copy_item, items_of, memory_of, value_shapes
from alpha.passes.loops.reading import Reader
from alpha.passes.loops.results import kept_in_memory, may_store_at_once, positions_of
from alpha.passes.loops.schedule import Paths, schedule
from alpha.passes.loops.section import Point, Section, Words
from alpha.passes.loops.signature import Signature
from alpha.passes.loops.storage import Place, Storage
from alpha.passes.loops.writer import Writer


def write_update(
    program: UpdateOp,
    signature: Signature,
    block: Block,
    define: Callable[[Operation], None],
) -> None:
    """Write the body of the function into a block that has its arguments, but for the return.

    `define` takes private globals.

    Raises:
        Refusal: `target-unsupported` for an index that is too involved.
    """
    _Update(program, signature, block, define).write()


class _Update:
    def __init__(
        self,
        program: UpdateOp,
        signature: Signature,
        block: Block,
        define: Callable[[Operation], None],
    ) -> None:
        self._program = program
        self._signature = signature
        self._writer = Writer(block)
        self._storage = Storage(self._writer, program.sym_name.data, define)
        self._reader = Reader(self._writer, self._storage)
        self._arguments: tuple[SSAValue, ...] = tuple(program.body.block.args)
        last = program.body.block.last_op
        assert last is not None
        self._returned = tuple(last.operands)
        inputs, results = len(self._arguments), len(self._returned)
        for argument, pointer in zip(self._arguments, block.args[:inputs], strict=True):
            self._storage.put(argument, None, Place(pointer))
        pointers = block.args[inputs : inputs + results]
        self._results = [Place(pointer, mutable=True) for pointer in pointers]
        self._extents = block.args[inputs + results :]
        self._at_once: set[int] = set()
        self._later: dict[int, Place] = {}
        self._section = Section(self._writer, self._reader, (None,), self._extent, self._store)

    def write(self) -> None:
        """Write everything."""
        items = self._items()
        nodes = schedule(items)
        paths = Paths(nodes)
        shapes = value_shapes(
            dict(zip(self._arguments, self._signature.inputs, strict=True)), items
        )
        for item in items:
            for number in range(max(len(item.results), 1)):
                for position in positions_of(item, number, self._returned):
                    self._decide(item, position, items, paths)
        for value in kept_in_memory(items, paths):
            self._storage.put(value, None, self._memory_of(value, shapes[value]))
        self._section.run(nodes, paths)
        for position, place in self._later.items():
            self._copy(place, position)
        self._writer.origin = ""
        self._section.flush()

    def _items(self) -> list[Item]:
        """All items: those of no separable domain first, then each domain's, which are one loop."""
        domains = self._signature.domains
        items = items_of(self._program, domains)
        for position, value in enumerate(self._returned):
            shape = self._signature.results[position]
            if value in self._arguments and 0 not in shape:
                items.append(copy_item(self._program, value, shape, position))

        def domain(item: Item) -> int:
            first = item.extents[0] if item.extents else None
            return first.domain if isinstance(first, Dynamic) else -1

        return sorted(items, key=domain)

    def _extent(self, extent: Dynamic) -> SSAValue:
        """The number of coordinates of a separable domain."""
        return self._writer.pure(arith.IndexCastOp, (self._extents[extent.domain],), INDEX)

    def _decide(self, item: Item, position: int, items: Sequence[Item], paths: Paths) -> None:
        """Whether a result is stored at once, or kept in a buffer until all inputs are read."""
        if may_store_at_once(
            item, position, items, paths, self._signature, self._arguments, self._returned
        ):
            self._at_once.add(position)
            return
        value = self._returned[position]
        self._writer.origin = memory_of(self._program, value)
        self._later[position] = self._storage.place_for(value, self._signature.results[position])

    def _memory_of(self, value: SSAValue, shape: Sequence[object]) -> Place:
        """Where a value that is read again lies: in a result that it is, or in a buffer."""
        for position, each in enumerate(self._returned):
            if each is value and position in self._at_once:
                return self._results[position]
            if each is value and position in self._later:
                return self._later[position]
        self._writer.origin = memory_of(self._program, value)
        return self._storage.place_for(value, tuple(shape))  # pyright: ignore[reportArgumentType]

    def _store(self, item: Item, number: int, words: Words, point: Point) -> None:
        """Store a value where it is read again, and where it is returned."""
        word, span = words[None], point.span
        indices = [self._writer.index(axis) for axis in point.axes]
        places = [
            self._later[p] if p in self._later else self._results[p]
            for p in positions_of(item, number, self._returned)
        ]
        value = None if item.position is not None else item.results[number]
        if value is not None and self._storage.has(value, None):
            place = self._storage.of(value, None)
            self._reader.wrote(place.memory)
            if all(place.memory is not each.memory for each in places):
                if place.drops:
                    self._section.serialize()
                self._storage.store(place, indices[place.drops :], word, span)
        origin = self._writer.origin
        for place in places:
            self._section.defer(self._stores(place, indices, word, span, origin))

    def _stores(
        self,
        place: Place,
        indices: Sequence[SSAValue],
        word: SSAValue,
        span: object,
        origin: str,
    ) -> Callable[[], None]:
        def store() -> None:
            self._writer.origin = origin
            self._storage.store(place, indices, word, span)  # pyright: ignore[reportArgumentType]

        return store

    def _copy(self, place: Place, position: int) -> None:
        """Move a result from its buffer to where the caller wants it."""
        value = self._returned[position]
        hint = f" of %{value.name_hint}" if value.name_hint else ""
        self._writer.origin = f"{self._program.sym_name.data}: words{hint}, now that all are read"
        zero, one = self._writer.index_constant(0), self._writer.index_constant(1)
        loops = [
            self._writer.open(zero, self._writer.index_constant(extent), one)
            for extent in self._signature.results[position]
            if isinstance(extent, int)
        ]
        indices = [loop.index for loop in loops]
        self._storage.store(self._results[position], indices, self._storage.load(place, indices))
        for loop in reversed(loops):
            self._writer.close(loop, parallel=True)
