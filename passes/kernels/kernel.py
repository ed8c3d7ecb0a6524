"""A kernel that is being written: its arguments, its threads, and what it computes and stores.

    func.func @adam(%w : memref<?xf64>, ..., %n : i64)
        attributes {kernel = {program = "adam", step = 0, ...}}

Its arguments are pointers and numbers, as its attribute lists them; it returns nothing. Any number
of threads does all points.

Entry: `Kernel`, `KERNEL`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, func
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    StringAttr,
    i64,
)
from xdsl.ir import Attribute, Block, Region, SSAValue

from alpha.ir.code_values import INDEX
from alpha.passes.kernels.evaluating import AtPoint, Evaluator
from alpha.passes.kernels.homes import Home, Homes
from alpha.passes.kernels.stages import Stage
from alpha.passes.kernels.threads import Threads
from alpha.passes.kernels.values import Values
from alpha.passes.kernels.wide import wide_words
from alpha.passes.loops.items import Dynamic, Extent, Item, Shape
from alpha.passes.loops.writer import AxisValue, Writer

KERNEL = "kernel"
"""The attribute that says what a kernel gets and how it is launched."""

THREADS = 256
"""The threads of a block, if its lanes aren't more."""


class Kernel:
    """A stage of a program; `wide` is how many points a thread takes at once where it may."""

    def __init__(
        self,
        program: str,
        stage: Stage,
        values: Values,
        homes: Homes,
        extents: Sequence[Dynamic],
    ) -> None:
        self.program, self.stage, self.values, self.homes = program, stage, values, homes
        self.wide = wide_words(stage, values, homes) if stage.form == "points" else 1
        self._all = homes.all()
        self._extents = list(extents)
        numbers = len(extents) + (self.wide > 1)
        self._block = Block(arg_types=[*(home.type for home in self._all), *([i64] * numbers)])
        for home, argument in zip(self._all, self._block.args, strict=False):
            argument.name_hint = home.hint
        self.writer = Writer(self._block)
        pointers: dict[Home, SSAValue] = dict(zip(self._all, self._block.args, strict=False))
        self.evaluator = Evaluator(self.writer, values, homes, pointers)
        self.threads = Threads(self.writer, self.extent)

    @property
    def block_threads(self) -> int:
        """The threads of a block: a whole number of groups of lanes."""
        return max(THREADS, self.stage.lanes)

    def extent(self, extent: Extent) -> SSAValue:
        """An extent of the caller as an index."""
        assert isinstance(extent, Dynamic)
        return self._number(len(self._all) + self._extents.index(extent))

    def wide_turns(self) -> SSAValue:
        """How often a thread may take several points at once, all threads together."""
        return self._number(len(self._block.args) - 1)

    def _number(self, at: int) -> SSAValue:
        return self.writer.pure(arith.IndexCastOp, (self._block.args[at],), INDEX)

    def keep_inside(self) -> None:
        """Have a thread without a point load nothing that the only thread with one may store to."""
        if not _is_one(self.stage.extents):
            return
        for home, pointer in zip(self._all, self._block.args, strict=False):
            if _is_one(home.shape):
                self.writer.settle(pointer)

    # What is computed and stored

    def split(self, axes: list[AxisValue]) -> tuple[list[AxisValue], AtPoint]:
        """The coordinates of a point apart from its sample, which comes first if there is one."""
        if not self.stage.sampled:
            return axes, AtPoint(None)
        return axes[1:], AtPoint(self.writer.index(axes[0]))

    def computed(self, item: Item, axes: Sequence[AxisValue], at: AtPoint) -> list[SSAValue]:
        """An item at a point; what it gives is at hand for the items behind it."""
        words = self.evaluator.item(item, axes, at)
        at.words.update(zip(item.results, words, strict=False))
        return words

    def work(self, axes: Sequence[AxisValue], at: AtPoint) -> list[tuple[Item, SSAValue, int]]:
        """All items of the stage at a point: each with a word and which of its results it is."""
        return [
            (item, word, number)
            for item in self.stage.items
            for number, word in enumerate(self.computed(item, axes, at))
        ]

    def store(
        self,
        computed: Sequence[tuple[Item, SSAValue, int]],
        axes: Sequence[AxisValue],
        at: AtPoint,
    ) -> None:
        """Store words when everything at the point has been read."""
        indices = [self.writer.index(axis) for axis in axes]
        for item, word, number in computed:
            for home in self.places(item, number):
                self.writer.origin = item.origin
                self.evaluator.store(home, indices, word, at)

    def places(self, item: Item, number: int) -> list[Home]:
        """Where a result of an item is stored."""
        if item.position is not None:
            return [self.homes.results[item.position]]
        return self.homes.written(item.results[number])

    # The function

    def finished(self, name: str, step: int) -> func.FuncOp:
        """The function, with the arguments that it uses, and what they are."""
        self.writer.origin = ""
        self._block.add_op(func.ReturnOp())
        names = [home.text(self._extents) for home in self._all]
        names += [f"extent {number}" for number in range(len(self._extents))]
        names += [f"wide {self.wide}"] * (self.wide > 1)
        used = [argument.uses.get_length() > 0 for argument in self._block.args]
        kept = [StringAttr(name) for name, uses in zip(names, used, strict=True) if uses]
        for argument, uses in reversed(list(zip(self._block.args, used, strict=True))):
            if not uses:
                self._block.erase_arg(argument)
        type = FunctionType.from_lists([a.type for a in self._block.args], [])
        made = func.FuncOp(name, type, Region(self._block))
        made.attributes[KERNEL] = self._told(step, kept)
        return made

    def _told(self, step: int, arguments: Sequence[StringAttr]) -> DictionaryAttr:
        extents = self.stage.extents
        points = [-1 if isinstance(extent, Dynamic) else extent for extent in extents]
        told: dict[str, Attribute] = {
            "program": StringAttr(self.program),
            "step": IntegerAttr(step, i64),
            "arguments": ArrayAttr(arguments),
            "points": ArrayAttr([IntegerAttr(extent, i64) for extent in points]),
            "threads": IntegerAttr(self.block_threads, i64),
            "lanes": IntegerAttr(self.stage.lanes, i64),
        }
        for extent in extents:
            if isinstance(extent, Dynamic):
                told["extent"] = IntegerAttr(self._extents.index(extent), i64)
        return DictionaryAttr(told)


def _is_one(extents: Shape) -> bool:
    """Whether axes have one point, whatever the caller says."""
    return all(extent == 1 for extent in extents)
