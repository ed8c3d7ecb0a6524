"""Where a role's words come from: constants of its module, and its data file.

Invariant: words are those of the learner, bit for bit; a role has those of its own coordinates and
    samples, and no others. One word that stands for all is written out by the role itself.
Entry: `Sources`.
"""

from __future__ import annotations

from math import prod

import numpy as np
from xdsl.dialects.builtin import FloatAttr
from xdsl.ir import Attribute

from alpha.ir.attributes.literals import value_bytes
from alpha.ir.attributes.region import FileAttr
from alpha.ir.selections import Selection, Stride
from alpha.ir.shapes import element_name, shape_of, words_of
from alpha.ir.sharding.distribution import Distribution
from alpha.ir.sharding.fragments import members
from alpha.passes.linux.context import RoleContext
from alpha.passes.linux.data_layout import WORD_BYTES, DataArray, data_arrays, role_rows
from alpha.passes.linux.memory import DATA, Place


class Sources:
    """The places of constants and samples, and how states begin."""

    def __init__(
        self, context: RoleContext, distribution: Distribution, resumed: bool = False
    ) -> None:
        """A role that is `resumed` has the words of its states in its data file."""
        self._context = context
        self._distribution = distribution
        arrays = data_arrays(distribution, context.role, resumed)
        self._in_file: dict[tuple[str, int | None], DataArray] = {
            (array.name, array.component): array for array in arrays
        }
        self.places: dict[str, list[Place]] = {}
        """Of each constant its place, of samples one a component."""

    def write(self) -> None:
        """Write what happens before the first round: every state has its first words."""
        learner, context = self._distribution.learner, self._context
        for name, constant in learner.constants.items():
            whole = Stride(0, 1, words_of(constant.type))
            self.places[name] = [self._place(name, None, constant.initial, constant.type, whole)]
        for name, samples in learner.samples.items():
            if name not in self._distribution.place_ops:
                continue
            rows = role_rows(self._distribution, name, context.role, samples.count.value.data)
            sources = zip(samples.sources.data, samples.whole_types(), strict=True)
            self.places[name] = [
                self._place(name, component, source, type, rows)
                for component, (source, type) in enumerate(sources)
            ]
        for name, state in learner.states.items():
            rows = role_rows(self._distribution, name, context.role, words_of(state.type))
            home = context.states[name]
            if not rows.size:
                continue
            if (name, None) in self._in_file:
                context.copy(self._filed(name, None), home)
            elif isinstance(state.initial, FloatAttr):
                self._fill(home, state.initial)
            else:
                context.copy(self._place(name, None, state.initial, state.type, rows), home)

    def reserve(self) -> None:
        """Give every state its home."""
        context = self._context
        for name, state in self._distribution.learner.states.items():
            rows = role_rows(self._distribution, name, context.role, words_of(state.type))
            context.states[name] = context.arena.place(rows.size, element_name(state.type))

    def _place(
        self, name: str, component: int | None, value: Attribute, type: Attribute, rows: Selection
    ) -> Place:
        """Where the role's words of a value are: `rows` of its words, or of its samples."""
        element = element_name(type)
        width = 1 if component is None else prod(shape_of(type)[1:])
        if not rows.size * width:
            return self._context.arena.place(0, element)
        if isinstance(value, FileAttr):
            return self._filed(name, component)
        if isinstance(value, FloatAttr):
            place = self._context.arena.place(rows.size * width, element)
            self._fill(place, value)
            return place
        data = value_bytes(value, type)
        if rows.size * width != words_of(type):
            bytes_a_row = width * WORD_BYTES[element]
            held = np.frombuffer(data, np.uint8).reshape(-1, bytes_a_row)
            data = held[members(rows)].tobytes()
        return self._context.emitter.constant(data, element)

    def _filed(self, name: str, component: int | None) -> Place:
        array = self._in_file[name, component]
        return Place(DATA, array.offset, array.words, array.element)

    def _fill(self, place: Place, value: FloatAttr) -> None:
        emitter = self._context.emitter
        if place.words:
            word = emitter.word(value.value.data, place.element)
            operands = (emitter.pointer(place), emitter.number(place.words), word)
            emitter.call(f"alpha_fill_{place.element}", operands)
