"""Families: what many roles in turn hold, said in one item, and the union of what they hold.

Invariant: a family that exists is well formed: counts and steps are at least 1, it is nested at
    most `DEPTH_MAX` deep, and the greatest coordinate of its last role is below 2^63.
Why: 200,000 owners in a few items can be decided on only if nobody walks over the owners. A stride
    or repeat copies what is inside it, and so does a family; copies of copies can be made in any
    order. So the copies of all roles are sorted by their step and nested again, as one selection.
Refuses: select-overflow, source-nesting-limit, select-budget.
Entry: `Family`, `Share`, `shares_of`, `union_of_copies`, `moved`, `scaled`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import gcd, prod
from typing import NamedTuple

from alpha.ir.refusals import Refusal
from alpha.ir.selections import Join, Repeat, Selection, Stride
from alpha.ir.selections.budget import Budget
from alpha.ir.selections.form import DEPTH_MAX, Structure, refuse_outside


@dataclass(frozen=True, slots=True)
class Family:
    """`family(count, step, piece)`: the piece moved up by 0, step, 2 * step, ..., a role each.

    The piece may be a family itself; then each of `count` runs of roles holds that family, moved.
    """

    count: int
    step: int
    piece: Selection | Family

    def __post_init__(self) -> None:
        refuse_outside("the count of a family", 1, self.count)
        refuse_outside("the step of a family", 1, self.step)
        share = shares_of((self,))[0]
        if len(share.levels) > DEPTH_MAX:
            wanted = f"families nested at most {DEPTH_MAX} deep"
            raise Refusal("source-nesting-limit", wanted, f"{len(share.levels)}")
        refuse_outside("the number of roles of a family", 1, share.roles)
        if share.piece.size:
            refuse_outside("the greatest coordinate of a family", 0, share.max)

    def structure(self) -> Structure:
        """The family as nested tuples, for canonical encodings."""
        return ("family", self.count, self.step, self.piece.structure())

    def __str__(self) -> str:
        return f"family({self.count}, {self.step}, {self.piece})"


@dataclass(frozen=True, slots=True)
class Level:
    """One family of a nest: `count` copies, `step` coordinates and `width` roles apart."""

    count: int
    step: int
    width: int


class Share(NamedTuple):
    """What consecutive roles hold, from role `first` on; `levels` begins with the outermost."""

    first: int
    levels: tuple[Level, ...]
    piece: Selection

    @property
    def roles(self) -> int:
        """How many roles these are."""
        return prod(level.count for level in self.levels)

    @property
    def max(self) -> int:
        """The greatest coordinate of the last role; ValueError if the roles hold none."""
        return self.piece.max + sum(level.step * (level.count - 1) for level in self.levels)

    def offset_of(self, role: int) -> int:
        """How far up the piece of a role is moved; one division a level."""
        rest = role - self.first
        offset = 0
        for level in self.levels:
            turn, rest = divmod(rest, level.width)
            offset += turn * level.step
        return offset

    def piece_of(self, role: int) -> Selection:
        """What a role holds; O(nodes of the piece)."""
        return moved(self.piece, self.offset_of(role))

    def first_beyond(self, size: int) -> int | None:
        """The first role that holds a coordinate of `size` or more, or None."""
        piece = self.piece
        if not piece.size or (self.max if self.levels else piece.max) < size:
            return None
        role, missing, reach = self.first, size - piece.max, self.max - piece.max
        for level in self.levels:
            reach -= level.step * (level.count - 1)
            turn = max(0, -((reach - missing) // level.step))
            role += turn * level.width
            missing -= turn * level.step
        return role


def shares_of(items: Iterable[Selection | Family]) -> list[Share]:
    """The items of an explicit map, in role order from role 0 on, with families flattened."""
    shares: list[Share] = []
    first = 0
    for item in items:
        levels: list[tuple[int, int]] = []
        while isinstance(item, Family):
            levels.append((item.count, item.step))
            item = item.piece
        width, nest = 1, ()
        for count, step in reversed(levels):
            nest = (Level(count, step, width), *nest)
            width *= count
        shares.append(Share(first, nest, item))
        first += width
    return shares


def moved(selection: Selection, by: int) -> Selection:
    """The selection with every member moved up by `by`, in the same words; O(nodes)."""
    if by == 0:
        return selection
    if isinstance(selection, Stride):
        return Stride(selection.start + by, selection.step, selection.count)
    if isinstance(selection, Repeat):
        return Repeat(selection.count, selection.step, moved(selection.inner, by))
    if isinstance(selection, Join):
        return Join(tuple(moved(part, by) for part in selection.parts))
    return selection


def scaled(selection: Selection, factor: int) -> Selection:
    """The selection with every member multiplied by `factor`, which is at least 1; O(nodes).

    A step between the copies of a single one is left out: it means nothing, and might not fit.
    """
    if isinstance(selection, Stride):
        step = selection.step * factor if selection.count > 1 else 1
        return Stride(selection.start * factor, step, selection.count)
    if isinstance(selection, Repeat):
        inner = scaled(selection.inner, factor)
        if selection.count == 1:
            return inner
        return Repeat(selection.count, selection.step * factor, inner)
    if isinstance(selection, Join):
        return Join(tuple(scaled(part, factor) for part in selection.parts))
    return selection


def union_of_copies(
    piece: Selection, copies: Sequence[tuple[int, int]], budget: Budget
) -> list[Selection]:
    """Selections that together hold every coordinate as often as the copies of a piece do.

    Each of `copies` is a step and a count: the piece is copied, then all that is copied, and so on.
    Where two copies hold one coordinate, coordinates above the least that is known to be held twice
    may be left out: whoever looks for the first wrong coordinate doesn't miss it.

    A few steps a node where copies nest or are a regular interleaving. Copies that interleave
    without a pattern are taken one by one.

    Raises:
        Refusal: `select-budget` if that takes more visits than the budget has.
    """
    if not piece.size or not copies:
        return [piece]
    node, every = piece, list(copies)
    while isinstance(node, Repeat):
        every.append((node.step, node.count))
        node = node.inner
    if isinstance(node, Stride):
        every.append((node.step, node.count))
        node = Stride(node.start, 1, 1)
    every = _merged(every)
    budget.spend(1 + len(every))
    nested, tangled = _nested(node, every)
    if tangled is None:
        return [nested]
    if isinstance(node, Join):
        return [part for at in node.parts for part in union_of_copies(at, every, budget)]
    return _split(node, every, tangled, budget)


def _merged(copies: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same copies by ascending step; copies of copies that are evenly spaced are one."""
    result: list[tuple[int, int]] = []
    for step, count in sorted(copies):
        if result and step == result[-1][0] * result[-1][1]:
            result[-1] = (result[-1][0], result[-1][1] * count)
        elif count > 1:
            result.append((step, count))
    return result


def _nested(node: Selection, copies: list[tuple[int, int]]) -> tuple[Selection, int | None]:
    """Repeats of a node, and the number of the first copies that don't nest, or None."""
    for number, (step, count) in enumerate(copies):
        if step <= node.span or node.depth == DEPTH_MAX:
            return node, number
        if isinstance(node, Stride) and node.count == 1:
            node = Stride(node.start, step, count)
        else:
            node = Repeat(count, step, node)
    return node, None


def _split(
    point: Selection, copies: list[tuple[int, int]], tangled: int, budget: Budget
) -> list[Selection]:
    """Copies of a point, of which number `tangled` don't nest in those before: some one by one."""
    bound = min(
        (
            one * other // gcd(one, other)
            for at, (other, other_count) in enumerate(copies)
            for one, one_count in copies[:at]
            if other // gcd(one, other) < one_count and one // gcd(one, other) < other_count
        ),
        default=None,
    )
    if bound is not None:
        # The coordinate `bound` above the point is held twice: what lies above doesn't matter.
        copies = [(step, min(count, bound // step + 1)) for step, count in copies]
    # The copies that reach furthest are those that the tangled ones interleave with.
    widest = max(range(tangled), key=lambda at: copies[at][0] * (copies[at][1] - 1))
    step, count = single = min(copies[widest], copies[tangled], key=lambda copy: copy[1])
    budget.spend(count)
    rest = list(copies)
    rest.remove(single)
    return [
        part
        for turn in range(count)
        for part in union_of_copies(moved(point, turn * step), rest, budget)
    ]
