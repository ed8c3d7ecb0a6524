"""Which words of a shard are wanted, and where they go: the common members of two selections.

Invariant: ranks in both selections come in the same, ascending order of members. Two strides cost
    one step and what is found; else the selection with fewer members nearby is looked through.
Entry: `meeting`, `Meeting`.
"""

from __future__ import annotations

from math import gcd, lcm
from typing import Any, NamedTuple

import numpy as np

from alpha.ir.checkpoints.coordinates import Coordinates
from alpha.ir.selections import Stride

Array = np.ndarray[Any, Any]


class Meeting(NamedTuple):
    """The common members of two selections, by their ranks in each."""

    ranks: Array
    other_ranks: Array


def meeting(one: Coordinates, low: int, high: int, other: Coordinates) -> Meeting:
    """Common members, of those that have the ranks from `low` to `high` - 1 in the first one.

    Both have members, and `low` is below `high`.
    """
    mine, others = one.selection, other.selection
    least = max(mine.nth(low), others.min)
    most = min(mine.nth(high - 1), others.max)
    if isinstance(mine, Stride) and isinstance(others, Stride):
        return _of_strides(mine, others, least, most)
    low, high = mine.rank(least), mine.rank(most + 1)
    other_low, other_high = others.rank(least), others.rank(most + 1)
    if high - low <= other_high - other_low:
        found = other.ranks(one.members(low, max(low, high)))
        hit = np.flatnonzero(found >= 0)
        return Meeting(low + hit, found[hit])
    found = one.ranks(other.members(other_low, max(other_low, other_high)))
    hit = np.flatnonzero(found >= 0)
    return Meeting(found[hit], other_low + hit)


def _of_strides(one: Stride, other: Stride, least: int, most: int) -> Meeting:
    """Where two congruences meet, which is every so many members of each."""
    divisor = gcd(one.step, other.step)
    apart = other.start - one.start
    if apart % divisor:
        return Meeting(np.empty(0, np.int64), np.empty(0, np.int64))
    ratio = other.step // divisor
    turn = apart // divisor * pow(one.step // divisor, -1, ratio) % ratio
    step = lcm(one.step, other.step)
    first = one.start + turn * one.step
    first += -((first - least) // step) * step
    turns = np.arange(max(0, (most - first) // step + 1), dtype=np.int64)
    return Meeting(
        (first - one.start) // one.step + step // one.step * turns,
        (first - other.start) // other.step + step // other.step * turns,
    )
