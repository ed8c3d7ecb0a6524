"""The logical state at the end of a run, put together from what the roles publish.

Invariant: words are moved and never computed with. A copy is role 0's; every other word is that of
    the one role that has its coordinate, and all are of one version.
Refuses: protocol-publish-missing, protocol-publish-version.
Entry: `State`, `PublishedStates`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.ir import Attribute

from alpha.interpreters.participants.reports import Record
from alpha.ir.learner_words import NUMPY_TYPES
from alpha.ir.refusals import Refusal
from alpha.ir.selections import Selection
from alpha.ir.shapes import element_name, shape_of, word_bytes, words_of
from alpha.ir.sharding.fragments import put


@dataclass(frozen=True)
class State:
    """A state of the learner, in the order in which roles number them."""

    name: str
    type: Attribute
    pieces: Mapping[int, Selection] | None
    """The coordinates of each role; None where role 0 publishes a copy."""


class PublishedStates:
    """Keeps what the roles of a run publish."""

    def __init__(self, states: Sequence[State]) -> None:
        self._states = states
        self._records: dict[tuple[int, int], Record] = {}
        self.version = 0
        """The version that was published last."""

    def take(self, role: int, record: Record) -> None:
        """Keep what a role publishes of a state, but for copies that nobody asks for."""
        self.version = record.version
        if role == 0 or self._states[record.index].pieces is not None:
            self._records[role, record.index] = record

    def whole(self) -> dict[str, np.ndarray]:
        """The words of every state, by name; what was kept is given away.

        Raises:
            Refusal: the programs of roles in a file needn't publish what a protocol has to.
        """
        found: dict[str, np.ndarray] = {}
        for index, state in enumerate(self._states):
            dtype = NUMPY_TYPES[element_name(state.type)]
            if state.pieces is None:
                whole = np.frombuffer(self._words(0, index, words_of(state.type)), dtype)
            else:
                whole = np.empty(words_of(state.type), dtype)
                for role, piece in state.pieces.items():
                    if piece.size:
                        words = self._words(role, index, piece.size)
                        put(whole, piece, np.frombuffer(words, dtype))
            found[state.name] = whole.reshape(shape_of(state.type))
        return found

    def _words(self, role: int, index: int, size: int) -> bytes:
        """What a role published last of a state, which has to be of the version of all others."""
        state, record = self._states[index], self._records.pop((role, index), None)
        wanted = f"role {role} to publish its words of @{state.name}"
        if record is None:
            raise Refusal("protocol-publish-missing", wanted, "none at the end")
        if record.version != self.version:
            wanted += f" at version {self.version}, as others did"
            raise Refusal("protocol-publish-version", wanted, f"version {record.version}")
        found = len(record.words) // word_bytes(state.type)
        if found != size:
            wanted = f"role {role} to publish its {size} words of @{state.name}"
            raise Refusal("protocol-publish-missing", wanted, f"{found}")
        return record.words
