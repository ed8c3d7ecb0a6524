"""The linear model of time: what a frame and a piece of local work take, in exact ticks.

Invariant: a tick is a fraction of a second of which every duration is a whole multiple; so times
    are added and compared without rounding.
Entry: `Rates`, `Clock`.

A frame of B bytes, header and digest included, keeps its sender busy for B / bandwidth; its first
byte is there `frame_seconds` after its sender began, and it keeps its receiver busy for as long.
A sender doesn't wait for its receiver. Work takes `sample_seconds` for each sample that a role sums
over and `word_seconds` for each word that it adds, divides or updates, divided by its speed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm


@dataclass(frozen=True)
class Rates:
    """The numbers of the model; all but the bandwidth may be 0."""

    frame_seconds: Fraction
    bytes_per_second: Fraction
    sample_seconds: Fraction
    word_seconds: Fraction


class Clock:
    """Durations of a model in ticks, for devices of several speeds."""

    def __init__(self, rates: Rates, speeds: Sequence[Fraction]) -> None:
        """`speeds` are positive factors; role marks number them.

        Raises:
            ValueError: a bandwidth or speed that isn't positive, or a negative duration.
        """
        durations = (rates.frame_seconds, rates.sample_seconds, rates.word_seconds)
        if min(durations) < 0 or min((rates.bytes_per_second, *speeds)) <= 0:
            raise ValueError(f"no model of time: {rates}, speeds {speeds}")
        byte = 1 / rates.bytes_per_second
        samples = [rates.sample_seconds / speed for speed in speeds]
        words = [rates.word_seconds / speed for speed in speeds]
        every = (rates.frame_seconds, byte, *samples, *words)
        self._second = lcm(*(each.denominator for each in every))
        self.frame = self._ticks(rates.frame_seconds)
        self._byte = self._ticks(byte)
        self._samples = list(map(self._ticks, samples))
        self._words = list(map(self._ticks, words))

    def _ticks(self, seconds: Fraction) -> int:
        return int(seconds * self._second)

    def transfer(self, bytes: int) -> int:
        """The ticks for which a frame of so many bytes keeps either end busy."""
        return bytes * self._byte

    def work(self, samples: int, words: int, speed: int) -> int:
        """The ticks of a piece of work at the speed of this number."""
        return samples * self._samples[speed] + words * self._words[speed]

    def seconds(self, ticks: int) -> Fraction:
        """Ticks in seconds."""
        return Fraction(ticks, self._second)
