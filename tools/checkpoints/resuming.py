"""What a run goes on from: a generation that was found whole, of the same learner.

Invariant: every byte of the generation was compared with its digests before a word of it is used.
    What was passed over on the way to it is said, and if the bits will be others than those of a
    run that wasn't stopped.
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
from alpha.ir.digests import learner_digest, learner_parts
from alpha.ir.refusals import Refusal
from alpha.tools.checkpoints.histories import History
from alpha.tools.checkpoints.inspecting import shortened
from alpha.tools.checkpoints.sources import whole_at
from alpha.tools.driver.boundary import say

if TYPE_CHECKING:
    import numpy as np

    from alpha.ir.learner_words import LearnerWords
    from alpha.ir.learners import Learner


@dataclass(frozen=True)
class Resumed:
    """A generation from which a run goes on."""

    generation: Generation
    learner: str
    """The digest of the run's learner, which may be another one with leave."""

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
        parts = learner_parts(learner, words)
        check_learner(generation, parts, arguments.allow or ())
        # The first words of a state may be allowed to differ; those of another type fit nowhere.
        check_states(generation, states_of(learner))
        return cls(generation, learner_digest(parts))

    @property
    def history(self) -> History:
        """What the run goes on with."""
        learners = frozenset((self.learner, self.generation.facts.learner))
        return History(self.version, self.digest, learners)

    @property
    def version(self) -> int:
        """The version that the run begins at."""
        return self.generation.version

    @property
    def digest(self) -> str:
        """What names the generation: the SHA-256 of its manifest, in hexadecimal."""
        return self.generation.digest

    def say_contracts(self, learner: Learner) -> None:
        """Say of which sums the run has another order than the generation's writer, if of any.

        `learner` is the run's, with the contracts that its owners give it. Where another round was
        allowed there may be other sums, and nothing is compared.
        """
        sums, stored = learner.sums(), self.generation.facts.contracts
        if len(sums) != len(stored):
            return
        for op, before in zip(sums, stored, strict=True):
            now = str(learner.contract_of(op))
            if now != before:
                name = op.callee.string_value()
                orders = f"was {shortened(before)}, and is now {shortened(now)}"
                text = f"the order of the sum of @{name} {orders}"
                say(f"alpha: warning: the bits change from version {self.version} on: {text}\n")

    def states(self) -> dict[str, np.ndarray]:
        """The words of every state, in its shape."""
        found: dict[str, np.ndarray] = {}
        for state in self.generation.facts.states:
            words = self.generation.read_words(state.name, None)
            found[state.name] = words.reshape(state.shape)
        return found
