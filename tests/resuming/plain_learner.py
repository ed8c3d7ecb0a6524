"""What an uninterrupted run of a learner has at each version: nothing of resuming is in it.

Invariant: the learner-level interpreter runs round after round from the learner's own words; where
    another contract takes over at a version, another learner goes on with the words in memory.
Entry: `versions_of`, `going_on`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from resuming.runs import Outcome, Seen

from alpha.interpreters.learner import LearnerInterpreter
from alpha.interpreters.words import Words
from alpha.ir.digests import state_digest
from alpha.tools.learner_file import LearnerFile


class Whole(NamedTuple):
    """A run without an interruption."""

    states: list[dict[str, np.ndarray]]
    """At each version, from that on at which it began."""
    observed: list[Seen]
    digests: list[str]
    begin: int = 0

    def at(self, version: int) -> dict[str, np.ndarray]:
        """The words of every state at a version."""
        return self.states[version - self.begin]

    def outcome(self, begin: int, version: int) -> Outcome:
        """That of a run that begins at one version and ends at another."""
        seen = [each for each in self.observed if begin <= each[0] < version]
        words = {name: array.tobytes() for name, array in self.at(version).items()}
        return Outcome(version, seen, words, self.digests[version - self.begin])


def versions_of(file: Path, rounds: int) -> Whole:
    """The first versions of the learner in a file."""
    return _stepped(LearnerFile.read(str(file)), None, 0, rounds)


def going_on(file: Path, state: dict[str, np.ndarray], version: int, rounds: int) -> Whole:
    """The versions up to `rounds` of the learner in a file that has this state at a version."""
    return _stepped(LearnerFile.read(str(file)), state, version, rounds)


def _stepped(
    file: LearnerFile, state: dict[str, np.ndarray] | None, version: int, rounds: int
) -> Whole:
    running = LearnerInterpreter(file.learner, file.words, Words(), state, version)
    types = {name: op.type for name, op in file.learner.states.items()}
    states, observed, digests = [], [], []

    def note(observations: Sequence[object] = ()) -> None:
        states.append({name: words.copy() for name, words in running.state.items()})
        digests.append(f"state sha256:{state_digest(types, running.state)}")

    note()
    while running.version < rounds:
        at = running.version
        for each in running.step():
            observed.append((at, each.name, float(each.total), each.count))
        note()
    return Whole(states, observed, digests, version)
