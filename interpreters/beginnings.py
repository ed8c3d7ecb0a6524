"""The words with which a role begins its work: the learner's, or those of a generation.

Refuses: checkpoint-path.
Entry: `begin_work`, `MakeWork`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

import numpy as np

from alpha.interpreters.prepared import Prepared
from alpha.interpreters.work import RoleWork
from alpha.ir.dialects.protocol import GlobalOp
from alpha.ir.dialects.protocol_role import RoleOp
from alpha.ir.learner_words import LearnerWords
from alpha.ir.protocol.advances import begin_of
from alpha.ir.protocol.generations import check_begun


class MakeWork(Protocol):
    """Makes a role's work, from what `RoleWork` is made from."""

    def __call__(
        self, prepared: Prepared, role: int, words: LearnerWords, *, begin: int
    ) -> RoleWork:
        """The work of a role that begins at a version with these words."""
        ...


def begin_work(
    op: GlobalOp | RoleOp,
    prepared: Prepared,
    role: int,
    words: LearnerWords,
    states: Mapping[str, np.ndarray] | None = None,
    make: MakeWork = RoleWork,
) -> RoleWork:
    """A role's work of a protocol, or of its own program, at the version at which it begins.

    `words` are the learner's; `states` are the whole states of the generation that the protocol
    begins with, each with the shape and the type of the learner's, and None where it begins with
    none. `make` is what does the work: by default this process.

    Raises:
        Refusal: `checkpoint-path` for a protocol that begins with a generation and no states, or
            the reverse.
    """
    check_begun(op, states is not None)
    if states is not None:
        for name, array in words.states.items():
            fits = states[name].shape == array.shape and states[name].dtype == array.dtype
            assert fits, f"words of @{name} that aren't of its type"
        words = replace(words, states=dict(states))
    return make(prepared, role, words, begin=begin_of(op))
