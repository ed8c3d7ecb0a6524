"""What selections have to do with one another: common members, containment, equality, cover.

Invariant: an answer is exact and comes with the least index that shows it; where it would take more
    visits of index nodes than are allowed, the question is refused and never guessed.
Why: a shard map is right if its selections hold every coordinate exactly once. That is decided from
    the expressions, in a time that depends on them and not on the number of coordinates.
Refuses: select-budget, select-universe.
Entry: `disjoint`, `contains`, `same_members`, `check_cover`, and for the witnesses `first_common`,
    `first_outside`, `first_difference`.

Each question may take `VISITS_MAX` visits and `VISITS_PER_NODE_MAX` more a node of its selections,
or `visits_max` where that is given; a visit is about a microsecond.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from alpha.ir.refusals import Refusal
from alpha.ir.selections.budget import Budget
from alpha.ir.selections.meeting import first_meeting
from alpha.ir.selections.nodes import Selection
from alpha.ir.selections.windows import first_forbidden, pieces_of

VISITS_MAX = 1 << 16
"""Visits that any question may take: well under a second."""

VISITS_PER_NODE_MAX = 16
"""Further visits for each node of a question's selections."""


def first_common(one: Selection, other: Selection, visits_max: int | None = None) -> int | None:
    """The least common member of two selections, or None if they are disjoint.

    Raises:
        Refusal: `select-budget`.
    """
    budget = _budget("common members of two selections", (one, other), visits_max)
    return first_meeting(one, other, budget)


def disjoint(one: Selection, other: Selection, visits_max: int | None = None) -> bool:
    """Whether two selections have no common member.

    Raises:
        Refusal: `select-budget`.
    """
    return first_common(one, other, visits_max) is None


def first_outside(inner: Selection, outer: Selection, visits_max: int | None = None) -> int | None:
    """The least member of `inner` that isn't a member of `outer`, or None if `outer` contains it.

    Raises:
        Refusal: `select-budget`.
    """
    budget = _budget("containment of a selection", (inner, outer), visits_max)
    return _first_with_weight_outside((inner, outer), (0, 2, 3), budget)


def contains(outer: Selection, inner: Selection, visits_max: int | None = None) -> bool:
    """Whether every member of `inner` is a member of `outer`.

    Raises:
        Refusal: `select-budget`.
    """
    return first_outside(inner, outer, visits_max) is None


def first_difference(one: Selection, other: Selection, visits_max: int | None = None) -> int | None:
    """The least index that is a member of exactly one of two selections, or None.

    Raises:
        Refusal: `select-budget`.
    """
    if one == other:
        return None
    budget = _budget("equality of two selections", (one, other), visits_max)
    return _first_with_weight_outside((one, other), (0, 3), budget)


def same_members(one: Selection, other: Selection, visits_max: int | None = None) -> bool:
    """Whether two selections are the same set, whatever their expressions are.

    Raises:
        Refusal: `select-budget`.
    """
    return first_difference(one, other, visits_max) is None


@dataclass(frozen=True)
class CoverFlaw:
    """The least coordinate that isn't held exactly once.

    `holders` are the numbers of the first two parts that hold it; there are none if it is missing.
    """

    coordinate: int
    holders: tuple[int, ...]

    @property
    def is_missing(self) -> bool:
        """Whether no part holds the coordinate, rather than several."""
        return not self.holders


def check_cover(
    parts: Sequence[Selection], size: int, visits_max: int | None = None
) -> CoverFlaw | None:
    """See whether the parts hold every coordinate from 0 to `size` - 1 exactly once.

    None if they do, and otherwise the least coordinate where they don't. Families of n parts that
    are blocks, or cyclic with one period, cost O(n log n), whatever `size` is.

    Raises:
        Refusal: `select-universe` if a part has a member that isn't below `size`; `select-budget`.
    """
    budget = _budget("cover by selections", parts, visits_max)
    pieces = [piece for part in parts for piece in pieces_of(part, 1)]
    if max((piece.high for piece in pieces), default=-1) >= size:
        number = next(at for at, part in enumerate(parts) if part.size and part.max >= size)
        member = parts[number].nth(parts[number].rank(size))
        found = f"member {member} in part {number}"
        raise Refusal("select-universe", f"members below {size}", found)
    coordinate = first_forbidden(pieces, 0, size - 1, (1,), budget)
    if coordinate is None:
        return None
    holders = [number for number, part in enumerate(parts) if coordinate in part]
    return CoverFlaw(coordinate, tuple(holders[:2]))


def _first_with_weight_outside(
    selections: tuple[Selection, Selection], allowed: tuple[int, ...], budget: Budget
) -> int | None:
    """The least index whose weight isn't allowed: 1 in the first selection, 2 in the second."""
    pieces = [
        piece
        for weight, selection in enumerate(selections, 1)
        for piece in pieces_of(selection, weight)
    ]
    low = min((piece.low for piece in pieces), default=0)
    high = max((piece.high for piece in pieces), default=-1)
    return first_forbidden(pieces, low, high, allowed, budget)


def _budget(question: str, selections: Sequence[Selection], visits_max: int | None) -> Budget:
    if visits_max is None:
        nodes = sum(selection.nodes for selection in selections)
        visits_max = VISITS_MAX + VISITS_PER_NODE_MAX * nodes
    return Budget(question, visits_max)
