"""The first common member of two selections, by a descent into what overlaps.

Invariant: the answer is exact. A pair of nodes is looked at once per distance between them, since
    what they share doesn't depend on where they lie; a pair whose intervals don't overlap is not
    looked at further.
Why: two strides meet where two congruences do, and that is a greatest common divisor, not a search.
    Two repeats are the same with copies in place of points: copies meet at few distances if the
    steps have a large common divisor, and each distance first occurs where two congruences meet.
Refuses: select-budget.
Entry: `first_meeting`.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd

from alpha.ir.selections.budget import Budget
from alpha.ir.selections.nodes import Join, Repeat, Selection, Stride


def first_meeting(one: Selection, other: Selection, budget: Budget) -> int | None:
    """The least number that is a member of both, or None if there is none.

    Raises:
        Refusal: `select-budget` if that takes more visits than the budget has.
    """
    if not one.size or not other.size:
        return None
    return _Descent(budget).meet(one, other, 0)


class _Descent:
    """One question; remembers what it found out about pairs of nodes."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._known: dict[tuple[int, int, int], int | None] = {}

    def meet(self, one: Selection, other: Selection, shift: int) -> int | None:
        """The least member of `one` that is also `shift` more than a member of `other`."""
        low, high = max(one.min, other.min + shift), min(one.max, other.max + shift)
        if low > high:
            return None
        self._budget.spend(1)
        if one.is_interval:
            first = other.nth(other.rank(low - shift)) + shift
            return first if first <= high else None
        if other.is_interval:
            first = one.nth(one.rank(low))
            return first if first <= high else None
        # Both are nodes of the two selections, which outlive the descent: ids name them.
        key = (id(one), id(other), shift)
        if key not in self._known:
            self._known[key] = self._meet_inside(one, other, shift, low, high)
        return self._known[key]

    def _meet_inside(
        self, one: Selection, other: Selection, shift: int, low: int, high: int
    ) -> int | None:
        if isinstance(one, Join):
            parts = (one.parts[at] for at in one.parts_between(low, high))
            found = (self.meet(part, other, shift) for part in parts)
        elif isinstance(other, Join):
            parts = (other.parts[at] for at in other.parts_between(low - shift, high - shift))
            found = (self.meet(one, part, shift) for part in parts)
        else:
            found = self._meetings_of_copies(one, other, shift, low, high)
        # Parts and copies ascend without overlap, so that the first meeting found is the least.
        return next((member for member in found if member is not None), None)

    def _meetings_of_copies(
        self, one: Selection, other: Selection, shift: int, low: int, high: int
    ) -> Iterator[int | None]:
        """Where copies meet, ascending: by the cheapest of three ways to enumerate them."""
        inner, step = copies_of(one)
        with_inner, with_step = copies_of(other)
        turns = _turns_between(inner, step, low, high)
        with_turns = _turns_between(with_inner, with_step, low - shift, high - shift)
        # Copies that overlap are between `nearest` and `farthest` apart, and all copies are
        # `shift` apart modulo the common divisor of their steps.
        divisor = gcd(step, with_step)
        nearest, farthest = inner.min - with_inner.max, inner.max - with_inner.min
        nearest += (shift - nearest) % divisor
        distances = max(0, (farthest - nearest) // divisor + 1)
        if distances <= min(len(turns), len(with_turns), self._budget.left):
            self._budget.spend(distances)
            firsts: list[tuple[int, int]] = []
            for distance in range(nearest, farthest + 1, divisor):
                apart = (distance - shift) // divisor
                turn = _first_turn(turns, with_turns, step // divisor, with_step // divisor, apart)
                if turn is not None:
                    firsts.append((turn, distance))
            for turn, distance in sorted(firsts):
                yield _plus(self.meet(inner, with_inner, distance), turn * step)
        elif len(turns) <= len(with_turns):
            for turn in turns:
                yield _plus(self.meet(inner, other, shift - turn * step), turn * step)
        else:
            for turn in with_turns:
                yield self.meet(one, with_inner, shift + turn * with_step)


def _first_turn(
    turns: range, with_turns: range, ratio: int, with_ratio: int, apart: int
) -> int | None:
    """The least i in `turns` with i * ratio + apart = j * with_ratio for some j in `with_turns`.

    The ratios have no common factor, so that modulo the second the first has an inverse.
    """
    least = max(turns.start, -((apart - with_turns.start * with_ratio) // ratio))
    turn = least + (-apart * pow(ratio, -1, with_ratio) - least) % with_ratio
    with_turn = (turn * ratio + apart) // with_ratio
    return turn if turn < turns.stop and with_turn < with_turns.stop else None


def copies_of(node: Selection) -> tuple[Selection, int]:
    """What a stride or repeat copies, and the step between copies.

    A stride copies the point 0; its start is left to the bounds of its members.
    """
    if isinstance(node, Stride):
        return Stride(node.start, 1, 1), node.step
    assert isinstance(node, Repeat)
    return node.inner, node.step


def _turns_between(inner: Selection, step: int, low: int, high: int) -> range:
    """The numbers of the copies that have a place between `low` and `high`, bounds included."""
    return range(-((inner.max - low) // step), (high - inner.min) // step + 1)


def _plus(member: int | None, offset: int) -> int | None:
    return None if member is None else member + offset
