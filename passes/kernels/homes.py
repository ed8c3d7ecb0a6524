"""Where the values of a program lie in the memory of a device, and in which order kernels get them.

Invariant: a value that a stage computes lies in a result of the program if it is one and may be
    stored there at once; in a buffer if another stage reads it; else in no memory.
Entry: `Home`, `Homes`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import SSAValue

from alpha.passes.kernels.stages import Stage
from alpha.passes.kernels.values import Values
from alpha.passes.loops.items import Dynamic, Item, Shape, element_of_value, value_shapes
from alpha.passes.loops.signature import SAMPLES, Signature, memref_type


@dataclass(frozen=True)
class Home:
    """Some memory: `input 2`, `result 0` or `buffer 1`, and the shape of what lies there."""

    kind: str
    number: int
    type: MemRefType
    shape: Shape
    hint: str | None

    def text(self, extents: Sequence[Dynamic]) -> str:
        """How the attributes of a kernel name it, as `buffer 0 %h : n0x6xf64`.

        `n0` is the first of the extents that the caller gives.
        """
        sizes = [
            f"n{extents.index(extent)}" if isinstance(extent, Dynamic) else str(extent)
            for extent in self.shape
        ]
        words = "x".join([*sizes, str(self.type.element_type)])
        name = f" %{self.hint}" if self.hint else ""
        return f"{self.kind} {self.number}{name} : {words}"


class Homes:
    """The homes of a program's values."""

    def __init__(
        self,
        signature: Signature,
        values: Values,
        items: Sequence[Item],
        stages: Sequence[Stage],
        returned: Sequence[SSAValue],
    ) -> None:
        self._values = values
        self.returned = returned
        arguments = values.arguments
        self._shapes = value_shapes(dict(zip(arguments, signature.inputs, strict=True)), items)
        self.inputs = [
            self._home("input", number, value, shape)
            for number, (value, shape) in enumerate(zip(arguments, signature.inputs, strict=True))
        ]
        self.results = [
            self._home("result", number, value, shape)
            for number, (value, shape) in enumerate(zip(returned, signature.results, strict=True))
        ]
        self.buffers: list[Home] = []
        self._of: dict[SSAValue, Home] = dict(zip(arguments, self.inputs, strict=True))
        self.later: dict[int, Home] = {}
        """The buffers of results that are moved when everything has been read, by position."""
        self._place(signature, stages)

    def all(self) -> list[Home]:
        """Every home: inputs, results, buffers."""
        return [*self.inputs, *self.results, *self.buffers]

    def of(self, value: SSAValue) -> Home:
        """Where a value is read. Raises KeyError if it has no memory."""
        return self._of[value]

    def written(self, value: SSAValue) -> list[Home]:
        """Where a value is stored when it is computed."""
        places = [
            self.later.get(position, self.results[position])
            for position, each in enumerate(self.returned)
            if each is value and not self._summed
        ]
        home = self._of.get(value)
        if home is not None and home not in places:
            places.append(home)
        return places

    def _home(self, kind: str, number: int, value: SSAValue, shape: Shape) -> Home:
        return Home(kind, number, memref_type(value, shape), shape, value.name_hint)

    def _buffer(self, value: SSAValue, shape: Shape) -> Home:
        made = self._home("buffer", len(self.buffers), value, shape)
        self.buffers.append(made)
        return made

    def scratch(self, value: SSAValue, shape: Shape) -> Home:
        """A buffer of words for the work of a fold whose elements are of a value's type."""
        return self._buffer(value, shape)

    def _place(self, signature: Signature, stages: Sequence[Stage]) -> None:
        self._summed = any(stage.form == "sums" for stage in stages)
        at = {v: n for n, stage in enumerate(stages) for i in stage.items for v in i.results}
        for number, stage in enumerate(stages):
            for item in stage.items:
                for value in item.results:
                    self._settle(value, item, number, stages, at, signature)

    def _settle(
        self,
        value: SSAValue,
        item: Item,
        number: int,
        stages: Sequence[Stage],
        at: dict[SSAValue, int],
        signature: Signature,
    ) -> None:
        for position, each in enumerate(self.returned):
            if each is value and not self._summed:
                if not self._may_store(position, number, stages, signature):
                    self.later[position] = self._buffer(value, signature.results[position])
                self._of.setdefault(value, self.later.get(position, self.results[position]))
        if value in self._of or not self._is_read(value, number, stages):
            return
        shape = self._shapes[value]
        self._of[value] = self._buffer(
            value, (SAMPLES, *shape) if stages[number].sampled else shape
        )

    def _is_read(self, value: SSAValue, number: int, stages: Sequence[Stage]) -> bool:
        """Whether another stage reads a value."""
        for other, stage in enumerate(stages):
            if other != number and any(value in self._values.reads(i) for i in stage.items):
                return True
            for summed in stage.summed:
                direct = summed in self._values.direct
                giver = self._values.giver.get(summed)
                read = self._values.reads(giver) if direct and giver is not None else [summed]
                if value in read:
                    return True
        return False

    def _may_store(
        self, position: int, number: int, stages: Sequence[Stage], signature: Signature
    ) -> bool:
        """Whether a result may be stored by a stage though it may lie where an input does.

        No later stage reads that input, nor does another thread of this one.
        """
        shape = signature.results[position]
        element = element_of_value(self.returned[position])
        overwritten: set[SSAValue] = {
            value
            for value, each in zip(self._values.arguments, signature.inputs, strict=True)
            if each == shape and element_of_value(value) == element
        }
        overwritten |= self._inline_from(overwritten)
        for stage in stages[number + 1 :]:
            reads = (value for item in stage.items for value in self._values.reads(item))
            if any(value in overwritten for value in reads):
                return False
        # Threads that share a point don't wait for one another before one of them stores.
        alone = stages[number].form == "points"
        return all(
            alone and self._at_own(item, n)
            for item in stages[number].items
            for n, value in enumerate(item.inputs)
            if value in overwritten
        )

    def _inline_from(self, sources: set[SSAValue]) -> set[SSAValue]:
        """What every thread computes from some of these."""
        found: set[SSAValue] = set()
        for value, item in self._values.giver.items():
            if value in self._values.inline and any(v in sources | found for v in item.inputs):
                found.add(value)
        return found

    @staticmethod
    def _at_own(item: Item, number: int) -> bool:
        forms = item.forms[number]
        dynamic = bool(item.extents) and isinstance(item.extents[0], Dynamic)
        whole = item.over == len(item.extents) or dynamic
        axes = range(len(forms))
        return whole and len(forms) == item.over and all(item.own(number, axis) for axis in axes)
