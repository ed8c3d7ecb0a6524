"""What a role's data file holds: words of the learner that come from files, as the role has them.

Invariant: the layout follows from the module and the role alone, so who compiles the role and who
    writes the file agree; every array begins at a multiple of 64 bytes, and has zeros behind it.
Why: words that stand in the module are compiled in; those of files would make the executable as
    large as the data.
Entry: `data_arrays`, `data_bytes`, `DataArray`, `role_rows`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.ir import Attribute

from alpha.ir.attributes.region import FileAttr
from alpha.ir.selections import Empty, Selection, Stride
from alpha.ir.shapes import element_name, shape_of, words_of
from alpha.ir.sharding.distribution import Distribution

ALIGNMENT = 64
"""Bytes; a line of the cache, and the longest vector of any target."""

WORD_BYTES = {"f32": 4, "f64": 8, "i64": 8}


@dataclass(frozen=True)
class DataArray:
    """Words of one state, of one constant, or of one component of samples, row-major."""

    name: str
    component: int | None
    """The component of samples, None of a state or a constant."""

    element: str
    words: int
    offset: int
    """Where they begin, in bytes."""


def data_arrays(
    distribution: Distribution, role: int, resumed: bool = False
) -> Sequence[DataArray]:
    """The arrays of a role's data file, in their order: states, constants, samples.

    A role that is `resumed` has there all its words of every state, wherever those of version 0
    stand.
    """
    found: list[DataArray] = []
    learner = distribution.learner

    def put(name: str, component: int | None, type: Attribute, words: int) -> None:
        last = data_bytes(found)
        found.append(DataArray(name, component, element_name(type), words, last))

    for name, state in learner.states.items():
        if resumed or isinstance(state.initial, FileAttr):
            rows = role_rows(distribution, name, role, words_of(state.type))
            put(name, None, state.type, rows.size)
    for name, constant in learner.constants.items():
        if isinstance(constant.initial, FileAttr):
            put(name, None, constant.type, words_of(constant.type))
    for name, samples in learner.samples.items():
        if name not in distribution.place_ops:
            continue
        rows = role_rows(distribution, name, role, samples.count.value.data)
        sources = zip(samples.sources.data, samples.whole_types(), strict=True)
        for component, (source, type) in enumerate(sources):
            if isinstance(source, FileAttr):
                put(name, component, type, rows.size * prod(shape_of(type)[1:]))
    return found


def data_bytes(arrays: Sequence[DataArray]) -> int:
    """The size of a data file, in bytes."""
    if not arrays:
        return 0
    end = arrays[-1].offset + arrays[-1].words * WORD_BYTES[arrays[-1].element]
    return -(-end // ALIGNMENT) * ALIGNMENT


def role_rows(distribution: Distribution, name: str, role: int, size: int) -> Selection:
    """The coordinates of a state, or the samples, that a role has: all where they are copies."""
    map = distribution.map_of(name)
    if map is None:
        return Stride(0, 1, size) if size else Empty()
    return map.piece(role, distribution.owners, size)
