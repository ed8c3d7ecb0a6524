"""What a model says of a fleet: its classes of roles, what a round costs, and when it is done.

Invariant: counts, bytes and roles are exact; times are exact for the rates of the model.
Entry: `Fleet`, `FleetClass`, `Range`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from alpha.ir.protocol.fleets import Contributors
from alpha.ir.protocol.size_classes import SizeClass
from alpha.ir.selections import Selection


@dataclass(frozen=True)
class Range:
    """The least and the most of a number, over the roles of a class."""

    least: int
    most: int

    @classmethod
    def over(cls, numbers: Iterable[int]) -> Range:
        """The range of some numbers, at least one."""
        every = list(numbers)
        return cls(min(every), max(every))

    def __str__(self) -> str:
        return str(self.least) if self.least == self.most else f"{self.least}..{self.most}"


COSTS = (
    "edges",
    "samples",
    "words",
    "frames sent",
    "frames received",
    "bytes sent",
    "bytes received",
)
"""What a role of a class has: samples and own words of state, and what it exchanges in a round."""

MEMORY = ("state", "samples", "replicas", "sums", "frames", "all")
"""What a role of a class holds, in bytes."""


@dataclass(frozen=True)
class FleetClass:
    """Roles whose programs are equal but for their numbers, on devices of one capability."""

    size: int | None
    """The roles of the subtree of each, itself included; None where there is no one tree."""
    capability: str | None
    control: bool
    roles: int
    first: int
    members: Selection | None
    """The roles, unless it takes too many words to say which they are."""
    costs: Mapping[str, Range]
    """By the names of `COSTS`."""
    memory: Mapping[str, Range]
    """By the names of `MEMORY`."""
    longest_wait: Fraction
    """The longest that one of the roles waits for one frame, in seconds."""


@dataclass(frozen=True)
class Seconds:
    """When the last role is done, in seconds from the beginning."""

    first_round: Fraction | None
    """From the beginning to the end of the first round; None if there is none."""
    later_rounds: Fraction | None
    """How long each other round takes; None if there is none, or they differ."""
    all: Fraction | None
    """The whole run; None where it isn't known, since rounds differ."""


@dataclass(frozen=True)
class Fleet:
    """A model of a run."""

    title: str
    roles: int
    rounds: int
    versions: int
    """How many versions all rounds make, and what stands before and behind them."""
    depth: int
    """The most edges between the root and a role."""
    fan_out: int
    """The most children of a role; where there is no one tree, the most edges."""
    size_classes: Sequence[SizeClass]
    """The classes of the tree's nodes; none where there is no one tree."""
    classes: Sequence[FleetClass]
    round_frames: int
    round_bytes: int
    frames: int
    bytes: int
    """Of all rounds, and of what stands before and behind them."""
    seconds: Seconds
    longest_wait: Fraction
    busiest_role: tuple[int, int]
    """The role that sends and receives most bytes in a round, and how many."""
    busiest_edge: tuple[int, int, int] | None
    """The lower and the upper end of the edge with most bytes in a round, and how many."""
    contributors: Contributors
    programs: int
    """How many programs were projected and followed."""
    kinds: int
    """How many kinds of subtrees, or roles, were followed."""
    visits: int
    """How many roles were looked at to find them."""
