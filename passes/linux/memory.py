"""Where a role's words lie: places in its arena, in its data file, and in constants.

Invariant: a place is known before the run, and its words are those of one value at a time; behind
    every place that `Arena.place` gives there is room for what rides on a frame.
Why: a role's memory is known wholly before it starts, so nothing is allocated while it runs, and
    what doesn't fit is told at the start.
Entry: `Place`, `Arena`, `Total`, `Part`, `Held`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from alpha.ir.protocol.steps import AGREEMENT_WORDS, RIDING_BYTES
from alpha.passes.linux.data_layout import ALIGNMENT, WORD_BYTES

ARENA, DATA = "", " data"
"""Bases of places; any other is the name of a constant. A symbol is neither empty nor begins so."""

ROOM_BYTES = AGREEMENT_WORDS * RIDING_BYTES


@dataclass(frozen=True)
class Place:
    """Words of one type, one behind the other."""

    base: str
    offset: int
    """In bytes."""

    words: int
    element: str
    """f64, f32 or i64."""

    room: bool = False
    """Whether what rides on a frame may be written behind the words."""

    @property
    def bytes(self) -> int:
        """How long it is."""
        return self.words * WORD_BYTES[self.element]

    def part(self, first: int, words: int) -> Place:
        """Some of its words, from the one with this number."""
        assert 0 <= first <= first + words <= self.words
        if words == self.words:
            return self
        offset = self.offset + first * WORD_BYTES[self.element]
        return replace(self, offset=offset, words=words, room=False)

    def overlaps(self, other: Place) -> bool:
        """Whether a word of it is one of another place."""
        if self.base != other.base:
            return False
        return self.offset < other.offset + other.bytes and other.offset < self.offset + self.bytes


@dataclass(frozen=True)
class Part:
    """The sum of a group, or of groups that were combined into it, with its count."""

    place: Place
    count: int


@dataclass(frozen=True)
class Total:
    """What the role has of a sum over samples, with the number of samples in all of it."""

    place: Place
    count: int


Parts = dict[int, Part]

Held = Place | Parts | Total
"""What the role has of a value."""


class Arena:
    """Gives out places, one behind the other."""

    def __init__(self) -> None:
        self.bytes = 0

    def place(self, words: int, element: str) -> Place:
        """Room for so many words."""
        place = Place(ARENA, self.bytes, words, element, room=True)
        self.bytes += -(-(place.bytes + ROOM_BYTES) // ALIGNMENT) * ALIGNMENT
        return place


def words_of_held(held: Held) -> Place:
    """The words of what a role has, apart from a count."""
    if isinstance(held, Total):
        return held.place
    assert isinstance(held, Place), "no parts of a sum"
    return held
