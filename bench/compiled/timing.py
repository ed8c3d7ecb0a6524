"""Times functions against one another: in turn, in one process, without Python in the loop.

Invariant: a pair is measured back to back, and what is told is the median of the ratios of pairs.
Entry: `Timer`, `Measured`.
"""

from __future__ import annotations

import ctypes
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

ARGUMENTS_MAX = 20
PAIRS = 41
BATCH_NS = 2e6
"""A batch of calls lasts about as long as this, so that the clock doesn't count."""


Measurable = tuple[int, Sequence["np.ndarray | int"]]
"""A function by its address, and what it is given."""


@dataclass(frozen=True)
class Measured:
    """Nanoseconds a call of ours and of a peer, and the median of the ratios."""

    ours: float
    theirs: float
    ratio: float


class Timer:
    """Calls functions by way of `repeat.c`."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._nanoseconds = library.nanoseconds
        self._nanoseconds.restype = ctypes.c_double
        self._instructions = library.instructions
        self._instructions.restype = ctypes.c_long

    def nanoseconds(
        self, function: int, arguments: Sequence[np.ndarray | int], times: int
    ) -> float:
        """The mean of so many calls of the function at an address."""
        return self._nanoseconds(ctypes.c_void_p(function), _words(arguments), ctypes.c_long(times))

    def instructions(self, function: int, arguments: Sequence[np.ndarray | int]) -> int | None:
        """Instructions of a call, None where the processor doesn't count for us."""
        found = self._instructions(ctypes.c_void_p(function), _words(arguments))
        return None if found < 0 else found

    def compare(
        self,
        ours: Measurable,
        theirs: Measurable,
        pairs: int = PAIRS,
    ) -> Measured:
        """Ours and theirs in turn, which goes first changing with each pair."""
        once = max(self.nanoseconds(*each, 1) for each in (ours, theirs, ours, theirs))
        times = max(1, round(BATCH_NS / max(once, 1.0)))
        found: list[tuple[float, float]] = []
        for number in range(pairs):
            if number % 2:
                b = self.nanoseconds(*theirs, times)
                a = self.nanoseconds(*ours, times)
            else:
                a = self.nanoseconds(*ours, times)
                b = self.nanoseconds(*theirs, times)
            found.append((a, b))
        return Measured(
            statistics.median(a for a, _ in found),
            statistics.median(b for _, b in found),
            statistics.median(a / b for a, b in found),
        )


def _words(arguments: Sequence[np.ndarray | int]) -> ctypes.Array[ctypes.c_long]:
    words = [each if isinstance(each, int) else each.ctypes.data for each in arguments]
    return (ctypes.c_long * ARGUMENTS_MAX)(*words, *([0] * (ARGUMENTS_MAX - len(words))))
