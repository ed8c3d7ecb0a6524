"""Words of a state out of the shards of a generation: exactly those of a selection, in windows.

Invariant: words are moved and never computed with. A shard without a wanted word isn't opened, and
    of others what is read is the wanted words and short gaps between them. Memory is bounded by the
    window, whatever the selection, the maps and the sizes are.
Why: owners that go on are others than those that stored. Each takes its own words from whoever had
    them, without any whole state or whole shard in memory.
Refuses: checkpoint-shard-missing, checkpoint-digest, checkpoint-shard, select-universe.
Entry: `StoredState`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from alpha.ir.checkpoints.coordinates import Coordinates, coordinates_of
from alpha.ir.checkpoints.facts import StateFacts
from alpha.ir.checkpoints.meetings import meeting
from alpha.ir.checkpoints.regular_files import RegularFile
from alpha.ir.selections import Selection, check_universe

Array = np.ndarray[Any, Any]

DTYPES = {"f64": np.dtype("<f8"), "f32": np.dtype("<f4")}

GAP_BYTES = 1 << 15
"""Words that are less apart are read together: a call takes as long as what is between them."""

RUN_BYTES = 1 << 20
"""Most bytes that are read together."""


class OpenField(NamedTuple):
    """A shard that is open, and the offset at which the words of a state begin in it."""

    file: RegularFile
    begin: int


class StoredState:
    """A state as it lies in shards."""

    def __init__(
        self,
        state: StateFacts,
        pieces: Mapping[int, Selection],
        open_field: Callable[[int], OpenField],
    ) -> None:
        """The shards of roles have these pieces.

        `open_field` gives a role's shard, which is checked as far as it can be without its words;
        it is closed here.
        """
        self._state = state
        self._open = open_field
        self._pieces = {role: piece for role, piece in pieces.items() if piece.size}
        self._roles = list(self._pieces)
        self._least = np.array([piece.min for piece in self._pieces.values()], np.int64)
        self._most = np.array([piece.max for piece in self._pieces.values()], np.int64)
        self._prepared: dict[int, Coordinates] = {}

    def chunks(self, selection: Selection | None, words_max: int) -> Iterator[Array]:
        """The words of these coordinates (None for all), ascending, at most so many at a time.

        Raises:
            Refusal: `select-universe`; a shard isn't there, or isn't what its manifest says.
            OSError: a shard can't be read.
        """
        wanted = self._state.all if selection is None else selection
        check_universe(wanted, self._state.words)
        assert words_max > 0
        coordinates = coordinates_of(wanted)
        for low in range(0, wanted.size, words_max):
            yield self._window(coordinates, low, min(low + words_max, wanted.size))

    def holding(self, least: int, most: int) -> list[int]:
        """The roles that may have a coordinate between these two."""
        near = np.flatnonzero((self._least <= most) & (self._most >= least))
        return [self._roles[at] for at in near]

    def _window(self, wanted: Coordinates, low: int, high: int) -> Array:
        words = np.empty(high - low, DTYPES[self._state.element])
        selection = wanted.selection
        for role in self.holding(selection.nth(low), selection.nth(high - 1)):
            if role not in self._prepared:
                self._prepared[role] = coordinates_of(self._pieces[role])
            ranks, held = meeting(wanted, low, high, self._prepared[role])
            if len(ranks):
                self._read(role, held, words, ranks - low)
        return words

    def _read(self, role: int, held: Array, words: Array, places: Array) -> None:
        """Put the words of these ranks of a role's piece where they belong."""
        size = words.itemsize
        file, begin = self._open(role)
        buffer = memoryview(bytearray(min(RUN_BYTES, (int(held[-1] - held[0]) + 1) * size)))
        with file:
            for first, end in _runs(held, size):
                low, high = int(held[first]), int(held[end - 1]) + 1
                part = buffer[: (high - low) * size]
                file.read_into(part, begin + low * size)
                found = np.frombuffer(part, words.dtype)
                chosen = found if high - low == end - first else found[held[first:end] - low]
                words[_index(places[first:end])] = chosen


def _index(places: Array) -> slice | Array:
    """What numpy takes as these places: a slice where that says it."""
    first, last = int(places[0]), int(places[-1])
    return slice(first, last + 1) if last - first + 1 == len(places) else places


def _runs(held: Array, size: int) -> Iterator[tuple[int, int]]:
    """Ascending ranks of words, cut where they are far apart, or where they take too many bytes."""
    cuts = np.diff(held) * size >= GAP_BYTES
    cells = held // (RUN_BYTES // size)
    cuts |= np.diff(cells) > 0
    bounds = [0, *(np.flatnonzero(cuts) + 1).tolist(), len(held)]
    return pairwise(bounds)
