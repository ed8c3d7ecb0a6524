"""Compact sets of indices: coordinates of a domain, or roles of a protocol.

Invariant: a selection that exists is well formed: its members enumerate in strictly ascending
    order, each once; members and size are below 2^63; only `empty` has no members; it is nested at
    most `DEPTH_MAX` deep, has at most `NODES_MAX` nodes, and its text reads back as itself.
    Equality and digest are of the expression; whether two expressions have the same members is
    another question (`relations`).
Why: 200,000 roles or 10^12 coordinates cost what their few index nodes cost. Without the rule that
    a repeat's step exceeds the span of what it repeats, membership would be subset-sum; with it,
    the local rules hold exactly when the enumeration is strictly ascending, and one division a
    level finds the only copy that can hold a number.
Refuses: select-empty, select-overlap, select-order, select-repeat-span, select-universe,
    select-overflow, select-budget, source-nesting-limit.
Entry: `Selection` (`Selection.parse`), `Stride`, `Repeat`, `Join`, `Empty`, `as_group`.

Nothing is normalised: `stride(0, 7, 1)` keeps its step and `join(a)` its one part. The rules hold
for a count of 1 as well, so that a count can change without another look at the rest.

Sizes, bounds, nodes and depth are known from construction, which costs O(1) a node and O(1) a part.
Membership, rank and n-th member follow one path: a division at a repeat, a bisection at a join.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from alpha.ir.refusals import Note, Refusal
from alpha.ir.selections.form import (
    DEPTH_MAX,
    LIMIT,
    NODES_MAX,
    Selection,
    Structure,
    refuse_outside,
    shown,
)

__all__ = ["Empty", "Join", "Repeat", "Selection", "Stride", "as_group", "check_universe"]

OVERLAP_VISITS_MAX = 1 << 12
"""Visits that a join spends to say which of its two rules is broken."""


@dataclass(frozen=True, slots=True)
class Empty(Selection):
    """No index at all: `empty`. Legal for coordinates; a group of roles refuses it."""

    @property
    def size(self) -> int:
        return 0

    @property
    def min(self) -> int:
        raise ValueError("the empty selection has no least member")

    @property
    def max(self) -> int:
        raise ValueError("the empty selection has no greatest member")

    @property
    def nodes(self) -> int:
        return 1

    @property
    def depth(self) -> int:
        return 1

    def __contains__(self, number: object) -> bool:
        return False

    def rank(self, number: int) -> int:
        return 0

    def nth(self, index: int) -> int:
        raise IndexError(f"member {index} of 0")

    def __iter__(self) -> Iterator[int]:
        return iter(())

    def structure(self) -> Structure:
        return ("empty",)

    def __str__(self) -> str:
        return "empty"


@dataclass(frozen=True, slots=True)
class Stride(Selection):
    """`stride(start, step, count)`: start, start + step, ..., `count` of them.

    The step and the count are at least 1.
    """

    start: int
    step: int
    count: int

    def __post_init__(self) -> None:
        if not (0 <= self.start < LIMIT and 0 < self.step < LIMIT and 0 < self.count < LIMIT):
            refuse_outside("the start of a stride", 0, self.start)
            refuse_outside("the step of a stride", 1, self.step)
            refuse_outside("the count of a stride", 1, self.count)
        if self.start + self.step * (self.count - 1) >= LIMIT:
            refuse_outside("the greatest member of a stride", 0, self.max)

    @property
    def size(self) -> int:
        return self.count

    @property
    def min(self) -> int:
        return self.start

    @property
    def max(self) -> int:
        return self.start + self.step * (self.count - 1)

    @property
    def nodes(self) -> int:
        return 1

    @property
    def depth(self) -> int:
        return 1

    def __contains__(self, number: object) -> bool:
        if not isinstance(number, int):
            return False
        turn, rest = divmod(number - self.start, self.step)
        return rest == 0 and 0 <= turn < self.count

    def rank(self, number: int) -> int:
        below = -((self.start - number) // self.step)
        return min(max(below, 0), self.count)

    def nth(self, index: int) -> int:
        if not 0 <= index < self.count:
            raise IndexError(f"member {index} of {self.count}")
        return self.start + self.step * index

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.start, self.max + 1, self.step))

    def structure(self) -> Structure:
        return ("stride", self.start, self.step, self.count)

    def __str__(self) -> str:
        return f"stride({self.start}, {self.step}, {self.count})"


class _Extent(NamedTuple):
    """What is known of a node that has nodes inside; computed once, when it is made."""

    size: int
    min: int
    max: int
    nodes: int
    depth: int


@dataclass(frozen=True, slots=True)
class _Composite(Selection):
    """A node that has nodes inside."""

    _extent: _Extent = field(init=False, repr=False, compare=False)

    def _keep(self, form: str, extent: _Extent) -> None:
        """Refuse what breaks a limit although the nodes inside keep them; else remember it."""
        if extent.max >= LIMIT or extent.size >= LIMIT:
            refuse_outside(f"the greatest member of a {form}", 0, extent.max)
            refuse_outside(f"the size of a {form}", 1, extent.size)
        if extent.depth > DEPTH_MAX:
            wanted = f"selections nested at most {DEPTH_MAX} deep"
            raise Refusal("source-nesting-limit", wanted, f"{extent.depth}")
        if extent.nodes > NODES_MAX:
            wanted = f"a selection of at most {NODES_MAX} index nodes"
            raise Refusal("select-budget", wanted, f"{extent.nodes}")
        object.__setattr__(self, "_extent", extent)

    @property
    def size(self) -> int:
        return self._extent.size

    @property
    def min(self) -> int:
        return self._extent.min

    @property
    def max(self) -> int:
        return self._extent.max

    @property
    def nodes(self) -> int:
        return self._extent.nodes

    @property
    def depth(self) -> int:
        return self._extent.depth


@dataclass(frozen=True, slots=True)
class Repeat(_Composite):
    """`repeat(count, step, inner)`: the members of inner, plus 0, step, ..., count times.

    The step exceeds the span of inner, so that a copy ends before the next one begins.
    """

    count: int
    step: int
    inner: Selection

    def __post_init__(self) -> None:
        count, step, inner = self.count, self.step, self.inner
        size = inner.size
        if not size:
            raise Refusal("select-empty", "something to repeat", str(inner))
        low, high = inner.min, inner.max
        if not 0 < count < LIMIT:
            refuse_outside("the count of a repeat", 1, count)
        if step <= high - low:
            wanted = f"a step above {high - low}, the span (max - min) of what is repeated"
            raise Refusal("select-repeat-span", wanted, shown(step))
        if step >= LIMIT:
            refuse_outside("the step of a repeat", 1, step)
        last = step * (count - 1) + high
        extent = _Extent(count * size, low, last, inner.nodes + 1, inner.depth + 1)
        self._keep("repeat", extent)

    def __contains__(self, number: object) -> bool:
        if not isinstance(number, int):
            return False
        turn = (number - self.min) // self.step
        return 0 <= turn < self.count and number - turn * self.step in self.inner

    def rank(self, number: int) -> int:
        turn = (number - self.min) // self.step
        if turn < 0:
            return 0
        if turn >= self.count:
            return self.size
        return turn * self.inner.size + self.inner.rank(number - turn * self.step)

    def nth(self, index: int) -> int:
        if not 0 <= index < self.size:
            raise IndexError(f"member {index} of {self.size}")
        turn, rest = divmod(index, self.inner.size)
        return turn * self.step + self.inner.nth(rest)

    def __iter__(self) -> Iterator[int]:
        for turn in range(self.count):
            for member in self.inner:
                yield turn * self.step + member

    def structure(self) -> Structure:
        return ("repeat", self.count, self.step, self.inner.structure())

    def __str__(self) -> str:
        return f"repeat({self.count}, {self.step}, {self.inner})"


@dataclass(frozen=True, slots=True)
class Join(_Composite):
    """`join(a, b, ...)`: the members of all parts; each part ends before the next one begins."""

    parts: tuple[Selection, ...]
    _before: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """How many members the parts before each part have, and at the end, how many there are."""

    def __post_init__(self) -> None:
        parts = self.parts
        if not parts:
            raise Refusal("select-empty", "at least one part of a join", "none")
        end, size, nodes, depth = -1, 0, 1, 0
        before = [0]
        for number, part in enumerate(parts):
            if not part.size:
                raise Refusal("select-empty", f"members in part {number} of a join", "none")
            if part.min <= end:
                _refuse_parts(parts, number)
            end = part.max
            size += part.size
            nodes += part.nodes
            depth = max(depth, part.depth)
            before.append(size)
        object.__setattr__(self, "_before", tuple(before))
        self._keep("join", _Extent(size, parts[0].min, end, nodes, depth + 1))

    def parts_between(self, low: int, high: int) -> range:
        """The numbers of the parts that aren't wholly below `low` or wholly above `high`."""
        first = bisect_left(self.parts, low, key=_max_of)
        return range(first, bisect_right(self.parts, high, lo=first, key=_min_of))

    def __contains__(self, number: object) -> bool:
        if not isinstance(number, int):
            return False
        at = bisect_left(self.parts, number, key=_max_of)
        return at < len(self.parts) and number in self.parts[at]

    def rank(self, number: int) -> int:
        at = bisect_left(self.parts, number, key=_max_of)
        return self._before[at] + (self.parts[at].rank(number) if at < len(self.parts) else 0)

    def nth(self, index: int) -> int:
        if not 0 <= index < self.size:
            raise IndexError(f"member {index} of {self.size}")
        at = bisect_right(self._before, index) - 1
        return self.parts[at].nth(index - self._before[at])

    def __iter__(self) -> Iterator[int]:
        for part in self.parts:
            yield from part

    def structure(self) -> Structure:
        return ("join", *(part.structure() for part in self.parts))

    def __str__(self) -> str:
        return f"join({', '.join(map(str, self.parts))})"


def as_group(selection: Selection, universe: int) -> Selection:
    """The same selection, checked as a group of roles of `universe` roles, 0 to universe - 1.

    Raises:
        Refusal: `select-empty` without a member, `select-universe` with one beyond the last role.
    """
    if not selection.size:
        raise Refusal("select-empty", "a group with at least one role", str(selection))
    check_universe(selection, universe)
    return selection


def check_universe(selection: Selection, universe: int) -> None:
    """See that every member is below `universe`; `empty` lies in every universe.

    Raises:
        Refusal: `select-universe`, naming the first member that isn't.
    """
    if selection.size and selection.max >= universe:
        first = selection.nth(selection.rank(universe))
        raise Refusal("select-universe", f"members below {universe}", f"member {first}")


def _max_of(part: Selection) -> int:
    return part.max


def _min_of(part: Selection) -> int:
    return part.min


def _refuse_parts(parts: tuple[Selection, ...], late: int) -> None:
    """Refuse a join whose part `late` is the first that begins before its predecessor ends.

    A member that it shares with an earlier part is an overlap, and otherwise only the order of the
    parts is wrong. Where that can't be told within a few visits, the order is wrong in any case.
    """
    # The relations build on the nodes; only this refusal needs them here.
    from alpha.ir.selections.relations import first_common

    part = parts[late]
    notes = tuple(
        Note(f"part {number} has members from {parts[number].min} to {parts[number].max}")
        for number in (late - 1, late)
    )
    try:
        shared = first_common(Join(parts[:late]), part, visits_max=OVERLAP_VISITS_MAX)
    except Refusal as refusal:
        if refusal.code != "select-budget":
            raise
        shared = None
    if shared is not None:
        holder = next(number for number in range(late) if shared in parts[number])
        found = f"member {shared} in parts {holder} and {late}"
        raise Refusal("select-overlap", "disjoint parts of a join", found, notes=notes)
    wanted = f"part {late} of a join to begin after {parts[late - 1].max}"
    raise Refusal("select-order", wanted, f"its first member {part.min}", notes=notes)
