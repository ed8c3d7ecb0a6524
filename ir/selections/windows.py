"""The first index at which weighted selections add up to a forbidden weight, without listing them.

Every selection has a weight; the weight of an index is the sum over the selections that hold it.
Cover, containment and equality are each a set of weights that are allowed.

Invariant: the answer is exact, and is the least such index.
Why: a sweep over intervals leaves clusters of pieces that lie inside one another. In a cluster the
    equally spaced owners of a cyclic map are one piece, with its loops exchanged. A cluster whose
    steps have a small common multiple P repeats itself every P indices for as long as the same
    pieces last, so one cell of P indices stands for all of them, and is looked at in the same way.
    In a cluster without such a P the pieces with the largest steps are cut into their copies, in
    windows that double in width, so that what is wrong early is found early.
Refuses: select-budget.
Entry: `Piece`, `pieces_of`, `first_forbidden`.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from math import lcm
from operator import itemgetter
from typing import NamedTuple

from alpha.ir.selections.budget import Budget
from alpha.ir.selections.form import DEPTH_MAX
from alpha.ir.selections.nodes import Join, Repeat, Selection, Stride

ROUNDS_MAX = 100
"""Deepest recursion: cells halve the width of a window, so that 63 bits need fewer."""

POINT = Stride(0, 1, 1)
"""What a stride repeats."""


class Piece(NamedTuple):
    """Copies of `inner`, `period` apart, from index `low` to index `high`, both included.

    There are at least two copies, and then they don't fill an interval; or `period` is 1 and
    `inner` is POINT: an interval.
    """

    low: int
    high: int
    weight: int
    period: int
    inner: Selection


def pieces_of(node: Selection, weight: int, offset: int = 0) -> Iterable[Piece]:
    """The pieces of a selection that is moved up by `offset`."""
    if isinstance(node, Stride):
        start = node.start + offset
        if node.count == 1:
            return (Piece(start, start, weight, 1, POINT),)
        return (Piece(start, node.max + offset, weight, node.step, POINT),)
    if isinstance(node, Repeat):
        low, inner = node.min + offset, node.inner
        if node.count == 1 or inner.size == node.step:
            return _copies(low, node.count, weight, node.step, inner)
        return (Piece(low, node.max + offset, weight, node.step, inner),)
    if isinstance(node, Join):
        return [piece for part in node.parts for piece in pieces_of(part, weight, offset)]
    return ()


def _copies(low: int, count: int, weight: int, period: int, inner: Selection) -> Iterable[Piece]:
    """The pieces of `count` copies of `inner` of which the first begins at `low`."""
    if count == 1:
        return pieces_of(inner, weight, low - inner.min)
    high = low + (count - 1) * period + inner.span
    if inner.size == period:
        return (Piece(low, high, weight, 1, POINT),)
    return (Piece(low, high, weight, period, inner),)


def first_forbidden(
    pieces: Iterable[Piece], low: int, high: int, allowed: Container[int], budget: Budget
) -> int | None:
    """The least index from `low` to `high` whose weight isn't allowed, or None.

    All pieces lie between `low` and `high`. The pieces of one selection don't overlap.

    Raises:
        Refusal: `select-budget` if that takes more visits than the budget has.
    """
    return _Search(allowed, budget).sweep(list(pieces), low, high, 0)


class _Search:
    """One question: which weights are allowed, and what may be spent on it."""

    def __init__(self, allowed: Container[int], budget: Budget) -> None:
        self._allowed = allowed
        self._budget = budget
        self._gaps_allowed = 0 in allowed

    def sweep(self, pieces: list[Piece], low: int, high: int, rounds: int) -> int | None:
        """Cluster the pieces whose intervals overlap, and look at each cluster, ascending."""
        self._budget.spend(len(pieces))
        pieces.sort(key=itemgetter(0))
        at, total = 0, len(pieces)
        while at < total:
            start, end, *_ = piece = pieces[at]
            if start > low and not self._gaps_allowed:
                return low
            last = at + 1
            while last < total and pieces[last][0] <= end:
                end = max(end, pieces[last][1])
                last += 1
            if last > at + 1:
                found = self._together(pieces[at:last], start, end, rounds)
            else:
                found = self._alone(piece)
            if found is not None:
                return found
            low, at = end + 1, last
        return low if low <= high and not self._gaps_allowed else None

    def _alone(self, piece: Piece) -> int | None:
        if piece.weight not in self._allowed:
            return piece.low
        if piece.period == 1 or self._gaps_allowed:
            return None
        return piece.low - piece.inner.min + _first_gap(piece.inner)

    def _together(self, pieces: list[Piece], low: int, high: int, rounds: int) -> int | None:
        """A cluster of several pieces, from the least to the greatest index of any."""
        if rounds == ROUNDS_MAX:
            self._budget.refuse()
        pieces = _families(pieces)
        if len(pieces) == 1:
            return self._alone(pieces[0])
        periods = sorted({piece.period for piece in pieces})
        if periods[-1] == 1:
            return self._intervals(pieces)
        common = 1
        for period in periods:
            multiple = lcm(common, period)
            if 2 * multiple > high - low + 1:
                return self._doubling(pieces, low, high, period, rounds)
            common = multiple
        return self._cells(pieces, low, high, common, rounds)

    def _intervals(self, pieces: list[Piece]) -> int | None:
        """Intervals alone: the weight changes at their bounds, and nowhere else."""
        changes: dict[int, int] = {}
        for piece in pieces:
            changes[piece.low] = changes.get(piece.low, 0) + piece.weight
            changes[piece.high + 1] = changes.get(piece.high + 1, 0) - piece.weight
        weight = 0
        for at in sorted(changes)[:-1]:
            weight += changes[at]
            if weight not in self._allowed:
                return at
        return None

    def _doubling(
        self, pieces: list[Piece], low: int, high: int, period: int, rounds: int
    ) -> int | None:
        """Windows of doubling width, with single copies for pieces of at least this period."""
        width = 4 * period
        while low <= high:
            end = min(low + width - 1, high)
            window: list[Piece] = []
            for piece in pieces:
                for part in self._clip(piece, low, end):
                    window += (part,) if part.period < period else self._single_copies(part)
            found = self.sweep(window, low, end, rounds + 1)
            if found is not None:
                return found
            low, width = end + 1, 2 * width
        return None

    def _single_copies(self, piece: Piece) -> list[Piece]:
        """The pieces of every copy on its own."""
        low, high, weight, period, inner = piece
        starts = range(low, high - inner.span + 1, period)
        self._budget.spend(len(starts) * inner.nodes)
        return [part for at in starts for part in pieces_of(inner, weight, at - inner.min)]

    def _cells(
        self, pieces: list[Piece], low: int, high: int, width: int, rounds: int
    ) -> int | None:
        """Cells of a width that is a multiple of every period: equal cells are looked at once."""
        runs: dict[tuple[int, int], list[Piece]] = {}
        for piece in pieces:
            for first, last, parts in self._runs(piece, low, width):
                runs.setdefault((first, last), []).extend(parts)
        bounds = {first for first, _ in runs} | {last + 1 for _, last in runs}
        begin: dict[int, list[tuple[int, int]]] = {}
        for run in runs:
            begin.setdefault(run[0], []).append(run)
        present: list[tuple[int, int]] = []
        for cell in sorted(bounds):
            start = low + cell * width
            if start > high:
                break
            present = [run for run in present if cell <= run[1]] + begin.get(cell, [])
            self._budget.spend(len(present))
            moved: list[Piece] = []
            for run in present:
                moved += _moved(runs[run], (cell - run[0]) * width)
            found = self.sweep(moved, start, min(start + width - 1, high), rounds + 1)
            if found is not None:
                return found
        return None

    def _runs(
        self, piece: Piece, base: int, width: int
    ) -> Iterable[tuple[int, int, Iterable[Piece]]]:
        """First cell, last cell and what of the piece lies in the first of these equal cells."""
        low, high, weight, period, inner = piece
        first, last = (low - base) // width, (high - base) // width
        if first == last:
            return ((first, last, (piece,)),)
        if period == width and (low - base) % width + inner.span < width:
            self._budget.spend(inner.nodes)
            return ((first, last, pieces_of(inner, weight, low - inner.min)),)
        runs: list[tuple[int, int, list[Piece]]] = []
        for begin, stop in ((first, first), (first + 1, last - 1), (last, last)):
            if begin <= stop:
                start = base + begin * width
                runs.append((begin, stop, list(self._clip(piece, start, start + width - 1))))
        return _merged(runs, width)

    def _clip(self, piece: Piece, low: int, high: int) -> Iterator[Piece]:
        """What of a piece lies between two indices, both included."""
        self._budget.spend(1)
        if low <= piece.low and piece.high <= high:
            yield piece
            return
        start, _, weight, period, inner = piece
        # Copies number `first` to `last` have a place in the window, those from `whole` to
        # `whole_last` with all their members.
        first = max(-((start + inner.span - low) // period), 0)
        last = (min(piece.high, high) - start) // period
        whole = max(-((start - low) // period), 0)
        whole_last = (min(piece.high, high) - inner.span - start) // period
        if first < whole and first <= last:
            yield from self._clip_node(inner, weight, start + first * period - inner.min, low, high)
        if whole <= whole_last:
            count = whole_last - whole + 1
            if count == 1:
                self._budget.spend(inner.nodes)
            yield from _copies(start + whole * period, count, weight, period, inner)
        if max(whole, whole_last + 1) <= last:
            yield from self._clip_node(inner, weight, start + last * period - inner.min, low, high)

    def _clip_node(
        self, node: Selection, weight: int, offset: int, low: int, high: int
    ) -> Iterator[Piece]:
        """What of a node, moved up by `offset`, lies between two indices, both included."""
        while isinstance(node, Repeat) and node.count == 1:
            node = node.inner
        if isinstance(node, Join):
            for number in node.parts_between(low - offset, high - offset):
                yield from self._clip_node(node.parts[number], weight, offset, low, high)
            return
        for piece in pieces_of(node, weight, offset):
            yield from self._clip(piece, low, high)


def _families(pieces: list[Piece]) -> list[Piece]:
    """The pieces, which ascend, with one in place of each run of equally spaced equal ones.

    Copies that are `period` apart, at each of several offsets that are `apart` and that all fit
    into one period, are that many offsets for each of the copies: the owners of a cyclic map
    become one piece, or two where their counts differ.
    """
    result: list[Piece] = []
    at, total = 0, len(pieces)
    while at < total:
        low, high, weight, period, inner = pieces[at]
        last, span = at + 1, inner.span
        apart = pieces[last].low - low if last < total else 0
        if apart > span and inner.depth < DEPTH_MAX:
            until = min(total, last + (period - 1 - span) // apart)
            while last < until and _is_shifted(pieces[last], pieces[at], apart * (last - at)):
                last += 1
        if last > at + 1:
            count = (high - span - low) // period + 1
            result += _copies(low, count, weight, period, Repeat(last - at, apart, inner))
        else:
            result.append(pieces[at])
        at = last
    return result


def _is_shifted(piece: Piece, other: Piece, by: int) -> bool:
    """Whether a piece is another one of the same weight, moved up."""
    low, high, weight, period, inner = piece
    if (low, high, weight, period) != (other.low + by, other.high + by, other.weight, other.period):
        return False
    if isinstance(inner, Stride) and isinstance(other.inner, Stride):
        return (inner.step, inner.count) == (other.inner.step, other.inner.count)
    return inner is other.inner or inner == other.inner


def _moved(pieces: list[Piece], by: int) -> list[Piece]:
    if by == 0:
        return pieces
    return [
        Piece(low + by, high + by, weight, period, inner)
        for low, high, weight, period, inner in pieces
    ]


def _merged(
    runs: list[tuple[int, int, list[Piece]]], width: int
) -> list[tuple[int, int, list[Piece]]]:
    """Adjacent runs of equal cells as one."""
    result = runs[:1]
    for begin, last, parts in runs[1:]:
        start, _, before = result[-1]
        if parts == _moved(before, (begin - start) * width):
            result[-1] = (start, last, before)
        else:
            result.append((begin, last, parts))
    return result


def _first_gap(node: Selection) -> int:
    """The least index above the least member that isn't one, between or after the members."""
    if node.is_interval:
        return node.max + 1
    if isinstance(node, Stride):
        return node.start + 1
    if isinstance(node, Repeat):
        return _first_gap(node.inner)
    assert isinstance(node, Join)
    at = node.min
    for part in node.parts:
        if part.min > at:
            break
        if not part.is_interval:
            return _first_gap(part)
        at = part.max + 1
    return at
