"""What one role does: its sends and receives in order, with the loops and choices around them.

Invariant: a schedule says everything but which arm of a choice is taken and, of a loop with
    `until`, after which round it is left; both are decided once, alike for all roles that have a
    loop or choice of that site.
Why: the checks of this folder know nothing of the protocol, of its projection or of its IR, so
    they notice what any of these does wrong.
Entry: `Label`, `Action`, `Loop`, `Branch`, `Step`, `Schedules`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from alpha.ir.refusals import Place


@dataclass(frozen=True, slots=True)
class Label:
    """What both ends of a frame say alike: where it belongs and what it holds."""

    site: int
    """Which operation of the protocol."""

    part: int
    """Which frame of that operation on this edge, in this direction."""

    count: int
    """The samples behind a sum, else 0."""

    words: int
    element: str
    """The type of a word: its letter and its bits, such as `f64`."""

    riding: int = 0
    """Words of 64 bits that stand behind the others."""

    @property
    def payload_bytes(self) -> int:
        """The bytes of the words; a frame's header and digest aren't counted."""
        return self.words * (-(-int(self.element[1:]) // 8)) + 8 * self.riding

    def __str__(self) -> str:
        part = f" part {self.part}" if self.part else ""
        count = f" count {self.count}" if self.count else ""
        riding = f" riding {self.riding}" if self.riding else ""
        return f"site {self.site}{part}{count} words {self.words}{riding} : {self.element}"


@dataclass(frozen=True, slots=True)
class Action:
    """One frame sent to a peer or received from it."""

    kind: Literal["send", "receive"]
    peer: int
    label: Label
    place: Place | Operation | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return f"{self.kind} {'to' if self.kind == 'send' else 'from'} {self.peer}, {self.label}"


@dataclass(frozen=True, slots=True)
class Loop:
    """A body that is run `bound` times, or with `until` between once and `bound` times.

    With `until`, a choice of this site decides behind each round whether another one follows.
    """

    bound: int
    until: bool
    site: int
    body: Sequence[Step]
    place: Place | Operation | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if self.bound < 1:
            raise ValueError(f"a loop of {self.bound} rounds")


@dataclass(frozen=True, slots=True)
class Branch:
    """A choice: one of the arms is run, each time that a role comes to it."""

    site: int
    arms: tuple[Sequence[Step], ...]
    place: Place | Operation | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if not self.arms:
            raise ValueError("a choice without arms")


Step: TypeAlias = "Action | Loop | Branch"

Schedules: TypeAlias = "Mapping[int, Sequence[Step]]"
"""The schedule of each role, by role."""
