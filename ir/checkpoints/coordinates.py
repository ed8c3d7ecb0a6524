"""Members of selections, many at a time: from ranks to members and back, as arrays.

Invariant: both directions say what `Selection.nth` and `Selection.index` say of each. No array is
    longer than what is asked for.
Why: 10^8 words are read in windows; in each of them numpy walks over the words, and Python over the
    nodes of a selection.
Entry: `Coordinates`, `coordinates_of`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from alpha.ir.selections import Join, Repeat, Selection, Stride

Array = np.ndarray[Any, Any]


class Coordinates(ABC):
    """A selection for arrays; all numbers are 64-bit integers."""

    def __init__(self, selection: Selection) -> None:
        self.selection = selection

    @abstractmethod
    def members(self, low: int, high: int) -> Array:
        """The members of the ranks from `low` to `high` - 1, ascending."""

    @abstractmethod
    def ranks(self, numbers: Array) -> Array:
        """The rank of each number, and -1 for one that isn't a member."""


def coordinates_of(selection: Selection) -> Coordinates:
    """A selection, prepared in one step a node."""
    if isinstance(selection, Stride):
        return _Strided(selection)
    if isinstance(selection, Repeat):
        return _Repeated(selection)
    if isinstance(selection, Join):
        if all(isinstance(part, Stride) for part in selection.parts):
            return _JoinedStrides(selection)
        return _Joined(selection)
    return _None(selection)


class _None(Coordinates):
    def members(self, low: int, high: int) -> Array:
        return np.empty(0, np.int64)

    def ranks(self, numbers: Array) -> Array:
        return np.full(len(numbers), -1)


class _Strided(Coordinates):
    def __init__(self, selection: Stride) -> None:
        super().__init__(selection)
        self._stride = selection

    def members(self, low: int, high: int) -> Array:
        return self._stride.start + self._stride.step * np.arange(low, high, dtype=np.int64)

    def ranks(self, numbers: Array) -> Array:
        start, step, count = self._stride.start, self._stride.step, self._stride.count
        turns, rest = np.divmod(numbers - start, step)
        return np.where((rest == 0) & (turns >= 0) & (turns < count), turns, -1)


class _Repeated(Coordinates):
    def __init__(self, selection: Repeat) -> None:
        super().__init__(selection)
        self._repeat = selection
        self._inner = coordinates_of(selection.inner)

    def members(self, low: int, high: int) -> Array:
        size, step = self._repeat.inner.size, self._repeat.step
        parts: list[Array] = []
        while low < high:
            turn, rest = divmod(low, size)
            whole = (high - low) // size if rest == 0 else 0
            if whole:
                starts = step * np.arange(turn, turn + whole, dtype=np.int64)
                parts.append(np.add.outer(starts, self._inner.members(0, size)).reshape(-1))
                low += whole * size
            else:
                end = min(size, rest + high - low)
                parts.append(self._inner.members(rest, end) + turn * step)
                low += end - rest
        return np.concatenate(parts) if parts else np.empty(0, np.int64)

    def ranks(self, numbers: Array) -> Array:
        step, count = self._repeat.step, self._repeat.count
        # What lies before the first copy or behind the last one isn't a member of that one either.
        turns = np.clip((numbers - self._repeat.min) // step, 0, count - 1)
        ranks = self._inner.ranks(numbers - turns * step)
        return np.where(ranks < 0, -1, ranks + turns * self._repeat.inner.size)


class _JoinedStrides(Coordinates):
    """A list of strides: each number finds its own by bisection."""

    def __init__(self, selection: Join) -> None:
        super().__init__(selection)
        strides = [part for part in selection.parts if isinstance(part, Stride)]
        self._starts = np.array([part.start for part in strides])
        self._steps = np.array([part.step for part in strides])
        self._counts = np.array([part.count for part in strides])
        self._before = np.concatenate([[0], np.cumsum(self._counts)])

    def members(self, low: int, high: int) -> Array:
        ranks = np.arange(low, high, dtype=np.int64)
        part = np.searchsorted(self._before, ranks, "right") - 1
        return self._starts[part] + self._steps[part] * (ranks - self._before[part])

    def ranks(self, numbers: Array) -> Array:
        part = np.searchsorted(self._starts, numbers, "right") - 1
        turns, rest = np.divmod(numbers - self._starts[part], self._steps[part])
        fits = (part >= 0) & (rest == 0) & (turns < self._counts[part])
        return np.where(fits, self._before[part] + turns, -1)


class _Joined(Coordinates):
    def __init__(self, selection: Join) -> None:
        super().__init__(selection)
        self._parts = [coordinates_of(part) for part in selection.parts]
        sizes = [part.size for part in selection.parts]
        self._starts = np.array([part.min for part in selection.parts])
        self._before = np.concatenate([[0], np.cumsum(sizes)])

    def members(self, low: int, high: int) -> Array:
        first = int(np.searchsorted(self._before, low, "right")) - 1
        found = [np.empty(0, np.int64)]
        while low < high:
            begin, end = int(self._before[first]), int(self._before[first + 1])
            found.append(self._parts[first].members(low - begin, min(high, end) - begin))
            low, first = end, first + 1
        return np.concatenate(found)

    def ranks(self, numbers: Array) -> Array:
        ranks = np.full(len(numbers), -1)
        if not len(numbers):
            return ranks
        part = np.searchsorted(self._starts, numbers, "right") - 1
        order = np.argsort(part, kind="stable")
        hit, firsts = np.unique(part[order], return_index=True)
        for at, chosen in zip(hit.tolist(), np.split(order, firsts[1:]), strict=True):
            if at >= 0:
                inside = self._parts[at].ranks(numbers[chosen])
                ranks[chosen] = np.where(inside < 0, -1, inside + self._before[at])
        return ranks
