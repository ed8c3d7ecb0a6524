"""What a run says of itself: a heading, observations as they come, the digest, files.

Invariant: the table and the metrics hold the same numbers; the last line on stdout is the digest of
    the state.
Entry: `Recorder`, `Subject`, `heading`, `print_heading`, `print_digest`, `save_state`.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from alpha.tools.driver.counts import counted
from alpha.tools.driver.output import LineFile, flush_stdout, write_line, write_parts, writing

if TYPE_CHECKING:
    import numpy as np
    from xdsl.ir import Attribute

    from alpha.interpreters.learner import Observation
    from alpha.ir.learner_words import LearnerWords
    from alpha.ir.learners import Learner
    from alpha.tools.running.rounds import Rounds


LINES_WRITTEN_MAX = 4096
"""Lines of metrics that are written together, if so many rounds have ended since the last."""


@dataclass(frozen=True)
class Subject:
    """What is run, as its output names it: a learner, and the types of its states."""

    name: str
    types: Mapping[str, Attribute]

    @classmethod
    def of(cls, learner: Learner) -> Subject:
        """A learner that is here."""
        return cls(learner.name, {name: op.type for name, op in learner.states.items()})


def heading(name: str, samples: int, fields: int, words: int) -> str:
    """What is run, in the words of a heading."""
    sizes = ((samples, "sample"), (fields, "field"), (words, "word"))
    return f"learner {name}: {', '.join(counted(*each) for each in sizes)}"


def heading_of(learner: Learner, words: LearnerWords) -> str:
    """The same of a learner that is here."""
    samples = sum(op.count.value.data for op in learner.samples.values())
    size = sum(array.size for array in words.states.values())
    return heading(learner.name, samples, len(learner.states), size)


def print_heading(learner: Learner, words: LearnerWords, owners: str = "") -> None:
    """Say what is run."""
    write_line(f"{heading_of(learner, words)}{owners}")


class Recorder:
    """Prints observations at versions 0, 1, 2, 5, 10, 20, 50, ... and the last; metrics get all.

    Which round is the last isn't known before: a repeat may end before its bound.
    """

    def __init__(self, metrics: LineFile | None) -> None:
        self._held: tuple[int, Sequence[Observation]] | None = None
        self._next = 0
        self._heading = False
        self._metrics = metrics

    def add(self, version: int, observations: Sequence[Observation]) -> None:
        """Record the observations of the round that read this version."""
        if observations:
            self._held = version, observations
            if version >= self._next:
                self._print(version, observations)
        if self._metrics is not None:
            self._metrics.write(_json_line(version, observations))

    def add_rounds(self, rounds: Rounds) -> None:
        """Record what was observed in many rounds."""
        printed = -1
        while (version := rounds.next_observed(self._next)) is not None:
            self._print(version, rounds.observations(version))
            printed = version
        for version in rounds.latest_observed(1):
            if version != printed:
                self._held = version, rounds.observations(version)
        if self._metrics is not None:
            lines = rounds.json_lines()
            while some := list(itertools.islice(lines, LINES_WRITTEN_MAX)):
                self._metrics.write("\n".join(some))

    def end(self) -> None:
        """Print the observations of the last round, unless they are printed."""
        if self._held is not None:
            self._print(*self._held)

    def _print(self, version: int, observations: Sequence[Observation]) -> None:
        self._held = None
        while self._next <= version:
            self._next = _after(self._next)
        if not self._heading:
            self._heading = True
            names = "".join(f"{observation.name:>26}" for observation in observations)
            write_line(f"{'version':>10}{names}")
        means = "".join(f"{observation.mean!r:>26}" for observation in observations)
        write_line(f"{version:>10}{means}")
        # Whoever reads a pipe wants to see it now: there are few lines, and long between them.
        flush_stdout()


def _after(version: int) -> int:
    """The next of 0, 1, 2, 5, 10, 20, 50, ..."""
    if version == 0:
        return 1
    scale = 10 ** (len(str(version)) - 1)
    return {1: 2, 2: 5, 5: 10}[version // scale] * scale


def _json_line(version: int, observations: Sequence[Observation]) -> str:
    values = {
        observation.name: {
            "total": _json_number(float(observation.total)),
            "count": observation.count,
            "mean": _json_number(observation.mean),
        }
        for observation in observations
    }
    return json.dumps({"version": version, "observations": values})


def _json_number(value: float) -> float | str:
    """JSON has no NaN and no infinities: they are written as strings."""
    return value if math.isfinite(value) else str(value)


def save_state(subject: Subject, state: Mapping[str, np.ndarray], version: int, file: str) -> None:
    """Write the state; a failure leaves an old file as it was.

    Raises InputOutputError or OutputClosed.
    """
    # Here, since a run that saves nothing needs none of it.
    from alpha.ir.shapes import element_name
    from alpha.tools.state_files import SavedState, in_parts, state_file

    saved = [
        SavedState(name, element_name(subject.types[name]), words.shape)
        for name, words in state.items()
    ]
    parts = state_file(subject.name, version, saved, lambda name: in_parts(state[name]))
    with writing(file):
        write_parts(parts, file)


def print_digest(subject: Subject, state: Mapping[str, np.ndarray]) -> None:
    """The last line of a run."""
    from alpha.ir.digests import state_digest

    write_line(f"state sha256:{state_digest(subject.types, state)}")
