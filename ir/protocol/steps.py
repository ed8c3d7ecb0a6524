"""What one role does in one operation of a protocol: its frames and additions, in order.

Invariant: every frame is known wholly before the run: peer, part, count of samples, words and their
    type. A receiver learns nothing from a peer but the words.
Entry: `Step`, `Frame`, `Addition`, `AGREEMENT_WORDS`, `CHECKPOINT_WORDS`, `VERDICT_WORDS`,
    `VERDICT_PART`, `PUBLISHED`, `first_half`.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import Attribute

from alpha.ir.contracts import Contract
from alpha.ir.protocol.payloads import element_bytes
from alpha.ir.selections import Selection
from alpha.ir.sharding.maps import ShardMap

AGREEMENT_WORDS = 5
"""What an agreement sends up: a word of status, and the four words of the digest of all copies.

It is the SHA-256 of two digests, of the first half of all bytes and of the rest.
"""

HASHED_BYTES = 64
"""A block of SHA-256 (FIPS 180-4, 5.2.1)."""

CHECKPOINT_WORDS = 5
"""What a checkpoint sends up: the bytes of a manifest, and the four words of its SHA-256."""

VERDICT_WORDS = 1
"""What an agreement or a checkpoint sends down."""

PUBLISHED = 0
"""The verdict of a checkpoint: the generation is there. There is no other, since who can't publish
ends."""

VERDICT_PART = 1
"""The part of an agreement or a checkpoint that comes down; what goes up is part 0."""

RIDING_BYTES = 8


def first_half(size: int) -> int:
    """How many of so many bytes of copies are in the first half: whole blocks, as many as fit."""
    return size // 2 // HASHED_BYTES * HASHED_BYTES


@dataclass(frozen=True)
class Frame:
    """One frame to or from a peer."""

    outgoing: bool
    peer: int
    words: int
    element: Attribute
    """The type of a word: f32, f64 or i64."""

    part: int = 0
    """Which frame of the operation it is on this edge: the group, where a sum is in parts."""

    count: int = 0
    """The samples behind a sum, else 0."""

    riding: int = 0
    """Words of 64 bits behind the others: a digest on its way up, or a verdict on its way down."""

    @property
    def bytes(self) -> int:
        """The bytes of the payload."""
        return self.words * element_bytes(self.element) + RIDING_BYTES * self.riding


@dataclass(frozen=True)
class Addition:
    """The sum of group `of` is added to that of group `into`, as the second operand."""

    into: int
    of: int


@dataclass(frozen=True)
class Step:
    """A role's part of one operation."""

    kind: str
    """One of `protocol_role.KINDS`."""

    site: int
    """The number of the operation in the protocol."""

    actions: tuple[Frame | Addition, ...]
    gives: bool = False
    """Whether the role's operand takes part; else the role only receives and hands on."""

    outcome: Attribute | None = None
    """The payload that the role has afterwards, or None."""

    map: ShardMap | None = None
    """Whose coordinate is which, of the pieces that are sent."""

    contract: Contract | None = None
    """The contract of a sum, by whose groups a role has its own parts."""

    deliver: ShardMap | None = None
    """The map of the owners that get their words directly."""

    part: int = 0
    """The number of the role's own part, of words that aren't a contribution."""

    members: Selection | None = None
    """The roles whose pieces are put together, which get pieces, or which store their words."""

    arms: int = 0
    """How many arms the choice has whose word is told."""

    @property
    def frames(self) -> tuple[Frame, ...]:
        """The frames, in order."""
        return tuple(action for action in self.actions if isinstance(action, Frame))
