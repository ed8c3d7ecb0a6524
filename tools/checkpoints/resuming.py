"""What a run goes on from: a generation that was found whole, of the same learner.

Invariant: every byte of the generation was compared with its digests before a word of it is used.
    What was passed over on the way to it is said.
Refuses: what reading a generation refuses; checkpoint-learner, checkpoint-version.
Entry: `Resumed` (`Resumed.of`).
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from alpha.ir.checkpoints.facts import states_of
from alpha.ir.checkpoints.reading import Generation, check_learner, check_states
from alpha.ir.digests import learner_parts
from alpha.ir.refusals import Refusal
from alpha.tools.checkpoints.sources import whole_at

if TYPE_CHECKING:
    import numpy as np

    from alpha.ir.learner_words import LearnerWords
    from alpha.ir.learners import Learner


@dataclass(frozen=True)
class Resumed:
    """A generation from which a run goes on."""

    generation: Generation

    @classmethod
    def of(
        cls,
        arguments: argparse.Namespace,
        learner: Learner | None,
        words: LearnerWords | None,
    ) -> Resumed | None:
        """The generation that the flags name; None without them.

        Raises:
            Refusal: there is none that is whole, or it is another learner's, or of a later version
                than the run ends with.
            InputOutputError: a file can't be read.
        """
        if getattr(arguments, "resume", None) is None:
            return None
        if learner is None or words is None:
            wanted = "a learner in the file with --resume"
            raise Refusal("checkpoint-learner", wanted, "none")
        generation = whole_at(Path(arguments.resume))
        check_learner(generation, learner_parts(learner, words), arguments.allow or ())
        # The first words of a state may be allowed to differ; those of another type fit nowhere.
        check_states(generation, states_of(learner))
        return cls(generation)

    @property
    def version(self) -> int:
        """The version that the run begins at."""
        return self.generation.version

    @property
    def digest(self) -> str:
        """What names the generation: the SHA-256 of its manifest, in hexadecimal."""
        return self.generation.digest

    def states(self) -> dict[str, np.ndarray]:
        """The words of every state, in its shape."""
        found: dict[str, np.ndarray] = {}
        for state in self.generation.facts.states:
            words = self.generation.read_words(state.name, None)
            found[state.name] = words.reshape(state.shape)
        return found
