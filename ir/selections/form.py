"""What every selection answers, whatever it is made of, and the limits that all of them keep.

Invariant: a selection is immutable; its members are integers from 0 to `LIMIT` - 1.
Refuses: select-overflow.
Entry: `Selection`, `LIMIT`, `DEPTH_MAX`, `NODES_MAX`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator

from alpha.ir.canonical import digest
from alpha.ir.refusals import Refusal

LIMIT = 1 << 63
"""Members and sizes are below this: they fit a signed 64-bit word on every target."""

DEPTH_MAX = 64
"""Deepest nesting: each repeat of at least two copies doubles the span, so 63 bits hold 63."""

NODES_MAX = 1 << 20
"""Most nodes of one selection: the text of so many is already about 20 MB."""

Structure = tuple["str | int | Structure", ...]


class Selection(ABC):
    """A set of integers from 0 to 2^63 - 1."""

    __slots__ = ()

    @staticmethod
    def parse(text: str) -> Selection:
        """Read what `str` writes, such as `repeat(8, 40, stride(0, 1, 20))`; linear in the text.

        Raises:
            Refusal: source-syntax, source-integer-limit, source-nesting-limit, and those of the
                constructors.
        """
        # The grammar builds on the nodes; only this name stands on the other side.
        from alpha.ir.selections.text import parse_selection_text

        return parse_selection_text(text)

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of members."""

    @property
    @abstractmethod
    def min(self) -> int:
        """The least member; ValueError if there is none."""

    @property
    @abstractmethod
    def max(self) -> int:
        """The greatest member; ValueError if there is none."""

    @property
    @abstractmethod
    def nodes(self) -> int:
        """The number of index nodes of the expression."""

    @property
    @abstractmethod
    def depth(self) -> int:
        """The number of nodes on the longest path from the outermost to a leaf."""

    @property
    def span(self) -> int:
        """The greatest member minus the least; ValueError if there is none."""
        return self.max - self.min

    @property
    def is_interval(self) -> bool:
        """Whether every integer from the least to the greatest member is a member."""
        return self.size == 0 or self.size == self.max - self.min + 1

    @abstractmethod
    def __contains__(self, number: object) -> bool: ...

    @abstractmethod
    def rank(self, number: int) -> int:
        """How many members are below `number`."""

    @abstractmethod
    def nth(self, index: int) -> int:
        """The member with `index` members below it; IndexError if there are no more than that."""

    @abstractmethod
    def __iter__(self) -> Iterator[int]:
        """The members, ascending, made one at a time."""

    @abstractmethod
    def structure(self) -> Structure:
        """The expression as nested tuples, for canonical encodings."""

    def index(self, member: int) -> int:
        """How many members are below `member`; ValueError if it isn't one."""
        if member not in self:
            raise ValueError(f"{member} is not a member")
        return self.rank(member)

    def digest(self) -> str:
        """SHA-256 of the expression, in hexadecimal: equal sets in other words have another."""
        return digest(("selection", self.structure()))


def shown(number: int) -> str:
    """A number for a message; Python refuses to write out very long ones."""
    bits = number.bit_length()
    return str(number) if bits <= 256 else f"a number of {bits} bits"


def refuse_outside(what: str, low: int, number: int) -> None:
    if not low <= number < LIMIT:
        raise Refusal("select-overflow", f"{what} from {low} to 2^63 - 1", shown(number))
