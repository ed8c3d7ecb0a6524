"""The rounds that role 0 has ended, with what was observed in them, many at a time.

Invariant: the observations of a round are those at the version that it read; a round has ended
    when role 0 is at a later one. Words are divided in their own type, as one division a mean.
Entry: `Rounds`, `RoundCollector`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from alpha.interpreters.learner import Observation
from alpha.tools.running.collecting import Observations, joined


@dataclass(frozen=True)
class Rounds:
    """The rounds that read the versions from `first` up to `last`, without `last`."""

    first: int
    last: int
    labels: Sequence[str]
    columns: np.ndarray
    """What was observed, by ascending version; rounds needn't have anything."""

    def next_observed(self, version: int) -> int | None:
        """The first version from this one on at which something was observed."""
        at = int(np.searchsorted(self.columns["version"], version))
        return int(self.columns["version"][at]) if at < len(self.columns) else None

    def latest_observed(self, count: int) -> list[int]:
        """The last versions at which something was observed, ascending."""
        found: list[int] = []
        at = len(self.columns)
        while at and len(found) < count:
            version = self.columns["version"][at - 1]
            found.append(int(version))
            at = int(np.searchsorted(self.columns["version"], version))
        return found[::-1]

    def observations(self, version: int) -> list[Observation]:
        """What was observed at a version, in the order in which it was."""
        versions = self.columns["version"]
        start, stop = np.searchsorted(versions, version), np.searchsorted(versions, version + 1)
        return [
            Observation(
                self.labels[int(row["index"])],
                np.asarray(row["total"], "f4" if row["narrow"] else "f8"),
                int(row["count"]),
                version,
            )
            for row in self.columns[start:stop]
        ]

    def json_lines(self) -> Iterator[str]:
        """A line for each round, also for one in which nothing was observed."""
        columns = self.columns
        names = [json.dumps(label) for label in self.labels]
        lists = [columns[name].tolist() for name in ("version", "index", "total", "count")]
        rows = zip(*lists, _means(columns).tolist(), strict=True)
        row = next(rows, None)
        for version in range(self.first, self.last):
            parts: dict[int, str] = {}
            while row is not None and row[0] == version:
                _, index, total, count, mean = row
                parts[index] = (
                    f'{names[index]}: {{"total": {_number(total)}, "count": {count}, '
                    f'"mean": {_number(mean)}}}'
                )
                row = next(rows, None)
            yield f'{{"version": {version}, "observations": {{{", ".join(parts.values())}}}}}'


def _number(value: float) -> str:
    """A number as JSON has it; NaN and infinities, which it hasn't, as texts."""
    return repr(value) if math.isfinite(value) else f'"{value}"'


def _means(columns: np.ndarray) -> np.ndarray:
    """The means as binary64."""
    totals, counts, narrow = columns["total"], columns["count"], columns["narrow"]
    with np.errstate(all="ignore"):
        found = totals / counts.astype("f8")
        if narrow.any():
            quotients = totals[narrow].astype("f4") / counts[narrow].astype("f4")
            found[narrow] = quotients.astype("f8")
    return found


class RoundCollector:
    """Puts together what role 0 tells of its rounds."""

    def __init__(
        self, labels: Sequence[str], ended: Callable[[Rounds], None], first: int = 0
    ) -> None:
        """`labels` are those of the observations, by number; `ended` is told of rounds.

        `first` is the version at which the first round begins.
        """
        self._labels = labels
        self._ended = ended
        self._held: list[np.ndarray] = []
        self._version = first

    def observe(self, observations: Observations) -> None:
        """Keep observations until their rounds have ended.

        Raises:
            ValueError: one is of an earlier version than what came before it.
        """
        versions = observations.rows["version"]
        before = self._held[-1]["version"][-1] if self._held else self._version
        if versions[0] < before or (versions[1:] < versions[:-1]).any():
            raise ValueError("an observation of a round that has ended")
        self._held.append(observations.rows)

    def advance(self, version: int) -> None:
        """Role 0 is at this version: the rounds that read earlier ones have ended."""
        held = self._held[0] if len(self._held) == 1 else joined(self._held)
        over = int(np.searchsorted(held["version"], version))
        self._held = [held[over:]] if over < len(held) else []
        first, self._version = self._version, version
        self._ended(Rounds(first, version, self._labels, held[:over]))
