"""The first coordinate that isn't covered exactly once, decided residue by residue where possible.

Invariant: the coordinate is that of `check_cover`, which also decides where nothing is reduced.
Why: where all parts step by multiples of one number q, what lies on one residue modulo q has
    nothing to do with the others. A residue may change hands at its own times, and so may each of
    hundreds: looked at together, every change would be a new pattern of all of them.
Refuses: select-universe, select-budget.
Entry: `cover_flaw`.

A part is cut into products: a footprint in one window of q coordinates, and the numbers of the
windows in which it lies. If the footprints cover a window exactly once, then a coordinate is held
as often as its window's number is in the numbers of its footprint. These are a cover again, of
size / q, and so on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import gcd

from alpha.ir.selections import Join, Repeat, Selection, Stride
from alpha.ir.selections.relations import CoverFlaw, check_cover
from alpha.ir.sharding.families import moved

CLUSTER_PARTS_MIN = 8
"""Fewer parts that lie inside one another are left to `check_cover`."""


def cover_flaw(parts: Sequence[Selection], size: int) -> CoverFlaw | None:
    """See whether the parts hold every coordinate from 0 to `size` - 1 exactly once.

    The holders of a flaw are numbers of some parts: only how many there are means something.

    Raises:
        Refusal: as `check_cover`.
    """
    parts = [part for part in parts if part.size]
    if all(part.is_interval for part in parts):
        return check_cover(parts, size)
    windows = _windows(parts, size)
    if windows is None:
        return _by_cluster(parts, size)
    period, turns = windows
    least: CoverFlaw | None = None
    for footprint, numbers in turns.items():
        flaw = cover_flaw(numbers, (size - 1 - footprint.max) // period + 1)
        if flaw is not None:
            coordinate = flaw.coordinate * period + footprint.min
            if least is None or coordinate < least.coordinate:
                least = CoverFlaw(coordinate, flaw.holders)
    return least


def _by_cluster(parts: Sequence[Selection], size: int) -> CoverFlaw | None:
    """Parts that lie inside one another are decided on their own; then they are one interval."""
    clusters: list[list[Selection]] = []
    end = -1
    for part in sorted(parts, key=_min_of):
        if part.min > end:
            clusters.append([])
        clusters[-1].append(part)
        end = max(end, part.max)
    if len(clusters) < 2:
        return check_cover(parts, size)
    whole: list[Selection] = []
    flaws: dict[int, CoverFlaw] = {}
    for cluster in clusters:
        if len(cluster) < CLUSTER_PARTS_MIN:
            whole += cluster
            continue
        low, length = cluster[0].min, max(part.max for part in cluster) - cluster[0].min + 1
        flaw = cover_flaw([moved(part, -low) for part in cluster], length)
        if flaw is not None:
            length = flaw.coordinate
            flaws[low + length] = CoverFlaw(low + length, flaw.holders)
        if length:
            whole.append(Stride(low, 1, length))
    flaw = check_cover(whole, size)
    return None if flaw is None else flaws.get(flaw.coordinate, flaw)


def _min_of(part: Selection) -> int:
    return part.min


def _windows(
    parts: Sequence[Selection], size: int
) -> tuple[int, dict[Selection, list[Selection]]] | None:
    """A period, and for each footprint in a window of it the numbers of its windows, by part.

    None if there is no period above 1, if each part begins on a residue of its own, or if
    footprints cross the bounds of windows, leave gaps or overlap.
    """
    period = gcd(*(step for part in parts for step in _outer_steps(part)))
    if not 1 < period < size:
        return None
    if len({part.min % period for part in parts}) == len(parts):
        # No residue changes hands: nothing would be gained.
        return None
    turns: dict[Selection, list[Selection]] = {}
    for part in parts:
        for product in _products(part, period):
            if product is None:
                return None
            footprint, numbers = product
            turns.setdefault(footprint, []).append(numbers)
    for footprint in turns:
        # The end of the domain would cut the last copy of this one.
        if (size - 1 - footprint.min) // period != (size - 1 - footprint.max) // period:
            return None
    return None if cover_flaw(list(turns), period) else (period, turns)


def _outer_steps(node: Selection) -> Iterator[int]:
    """The outermost step of each way through a node; 0 where there is only one copy."""
    if isinstance(node, Join):
        for part in node.parts:
            yield from _outer_steps(part)
    elif isinstance(node, Stride):
        yield node.step if node.count > 1 else 0
    elif isinstance(node, Repeat):
        if node.count > 1:
            yield node.step
        else:
            yield from _outer_steps(node.inner)


def _products(node: Selection, period: int) -> Iterator[tuple[Selection, Selection] | None]:
    """Footprints in the window from 0 to `period` - 1, each with the numbers of its windows.

    None in the place of what crosses the bound of a window.
    """
    if isinstance(node, Join):
        for part in node.parts:
            yield from _products(part, period)
    elif isinstance(node, Stride) and node.step % period == 0:
        turn, start = divmod(node.start, period)
        yield Stride(start, 1, 1), Stride(turn, node.step // period, node.count)
    elif isinstance(node, Repeat) and (node.step % period == 0 or node.count == 1):
        for product in _products(node.inner, period):
            if product is None or node.count == 1:
                yield product
            else:
                footprint, numbers = product
                yield footprint, Repeat(node.count, node.step // period, numbers)
    else:
        turn = node.min // period
        inside = node.max // period == turn
        yield (moved(node, -turn * period), Stride(turn, 1, 1)) if inside else None
