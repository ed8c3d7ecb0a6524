"""Comparing the copies of words that several roles computed: digests up, a verdict down.

Invariant: a role's digest is over its copies alone, bit for bit; where two roles of a subtree
    differ, its root says so to the role above, and the verdict is one for all.
Why: the digest is that of two halves, so that a processor can read both at once.
Refuses: data-parallel-replicas-diverge.
Entry: `Agreement`, `require_agreed`, `verdict_words`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from alpha.ir.protocol.steps import first_half
from alpha.ir.refusals import Refusal

AGREED, DIVERGED = 0, 1


class Agreement:
    """One role's side: its own digest, and whether anybody below has another."""

    def __init__(self, copies: Sequence[np.ndarray]) -> None:
        self._digest = np.frombuffer(_digest(copies), "<i8")
        self.status = AGREED
        self.differs: int | None = None
        """The first role whose copies, or those of a role below it, are others."""

    def hear(self, peer: int, words: np.ndarray) -> None:
        """Take in what a child sends: its status and its digest."""
        if int(words[0]) != AGREED or not np.array_equal(words[1:], self._digest):
            self.status = DIVERGED
            self.differs = peer if self.differs is None else self.differs

    def words(self) -> np.ndarray:
        """What goes up: status and digest."""
        return np.concatenate([verdict_words(self.status), self._digest])


def _digest(copies: Sequence[np.ndarray]) -> bytes:
    """The SHA-256 of those of two halves of all bytes, of which the first has whole blocks.

    A message of SHA-256 is read in blocks of 64 bytes (FIPS 180-4, 5.2.1).
    """
    pieces = [np.ascontiguousarray(copy).tobytes() for copy in copies]
    left = first_half(sum(map(len, pieces)))
    front, behind = hashlib.sha256(), hashlib.sha256()
    for piece in pieces:
        front.update(piece[:left])
        behind.update(piece[left:])
        left = max(0, left - len(piece))
    return hashlib.sha256(front.digest() + behind.digest()).digest()


def verdict_words(verdict: int) -> np.ndarray:
    """A verdict as what is sent."""
    return np.array([verdict], np.int64)


def require_agreed(verdict: int, version: int, differs: int | None = None) -> None:
    """See that all roles have the same words of a version.

    Raises:
        Refusal: `data-parallel-replicas-diverge`.
    """
    if verdict != AGREED:
        whose = "of another role" if differs is None else f"from role {differs}"
        wanted = f"equal copies with every role at version {version}"
        raise Refusal("data-parallel-replicas-diverge", wanted, f"those {whose} differ")
