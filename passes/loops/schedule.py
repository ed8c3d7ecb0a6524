"""Loops: which items share one, so that data is passed over once.

Invariant: every item stands behind what it reads. Items share a loop only if each reads what
    another gives there at the loop's own coordinate, so that it is there when it is wanted.
Why: a word that is used in the loop that makes it never goes to memory.
Entry: `schedule`, `Loop`, `Leaf`, `Paths`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from xdsl.ir import SSAValue

from alpha.passes.loops.items import Extent, Item

LANES_MAX = 32
"""Most lanes that a fold keeps in one vector; those of more lie in memory."""


@dataclass(eq=False)
class Leaf:
    """An item at one point of all its loops; it may have loops of its own inside."""

    item: Item


@dataclass(eq=False)
class Loop:
    """A loop over one axis that its items share; `width` is 1, or that of a fold in lanes.

    `sequential` if an item adds along it from the left.
    """

    depth: int
    extent: Extent
    width: int = 1
    sequential: bool = False
    items: list[Item] = field(default_factory=list)
    children: list[Node] = field(default_factory=list)


Node = Leaf | Loop


def lane_width(item: Item) -> int:
    """How many lanes of a fold in lanes have elements, as a power of two; 1 for another item."""
    if item.order is None or item.order.kind != "lanes":
        return 1
    length = item.extents[-1]
    assert isinstance(length, int)
    return min(item.order.lanes, 1 << (length - 1).bit_length()) if length else 1


def stands_alone(item: Item) -> bool:
    """Whether a fold has loops of its own along the axis that it reduces: pairs, many lanes."""
    if item.order is None or item.empty_sum:
        return item.empty_sum
    return item.order.kind == "pairs" or lane_width(item) > LANES_MAX


def loops_of(item: Item) -> int:
    """How many axes of an item are loops that it may share."""
    return item.over if stands_alone(item) else len(item.extents)


def schedule(items: Sequence[Item], depth: int = 0) -> list[Node]:
    """The loops of items whose first `depth` axes are shared already, in the order they run."""
    nodes: list[Node] = []
    for item in items:
        first = 1 + max((n for n, node in enumerate(nodes) if _feeds(node, item)), default=-1)
        if loops_of(item) == depth:
            while first < len(nodes) and isinstance(nodes[first], Leaf):
                first += 1
            nodes.insert(first, Leaf(item))
            continue
        for node in nodes[max(first - 1, 0) :]:
            if isinstance(node, Loop) and _may_join(node, item):
                _join(node, item)
                break
        else:
            loop = Loop(depth, item.extents[depth])
            _join(loop, item)
            nodes.append(loop)
    for node in nodes:
        if isinstance(node, Loop):
            node.children = schedule(node.items, depth + 1)
    return nodes


def _items(node: Node) -> list[Item]:
    return [node.item] if isinstance(node, Leaf) else node.items


def _feeds(node: Node, item: Item) -> bool:
    return any(value in item.inputs for each in _items(node) for value in each.results)


def _join(loop: Loop, item: Item) -> None:
    loop.items.append(item)
    loop.width = max(loop.width, _width_at(item, loop.depth))
    loop.sequential = loop.sequential or _is_sequential(item, loop.depth)


def _width_at(item: Item, depth: int) -> int:
    return lane_width(item) if depth >= item.over else 1


def _is_sequential(item: Item, depth: int) -> bool:
    return item.folds and depth >= item.over and lane_width(item) == 1


def _has_more_loops(item: Item, depth: int) -> bool:
    return loops_of(item) != depth + 1 or (stands_alone(item) and not item.empty_sum)


def _may_join(loop: Loop, item: Item) -> bool:
    depth, width = loop.depth, _width_at(item, loop.depth)
    if item.extents[depth] != loop.extent:
        return False
    if width > 1 or loop.width > 1:
        # A vector along this axis: every item of the loop ends with it, none is sequential, and
        # none adds in loops of its own, which are of single words.
        if (
            loop.sequential
            or _is_sequential(item, depth)
            or (min(width, loop.width) > 1 and width != loop.width)
        ):
            return False
        if any(_has_more_loops(each, depth) for each in (item, *loop.items)):
            return False
    for giver in loop.items:
        for value in giver.results:
            for number in item.reads(value):
                if depth >= giver.over or not item.own(number, depth):
                    return False
                if item.kind == "max" and depth >= item.over:
                    return False  # it reads its first element before the loop
    return True


class Paths:
    """In which loops each item of a schedule runs, and where."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self._loops: dict[Item, tuple[Loop, ...]] = {}
        self._steps: dict[Item, tuple[int, ...]] = {}
        self._walk(nodes, (), ())

    def _walk(self, nodes: Sequence[Node], loops: tuple[Loop, ...], steps: tuple[int, ...]) -> None:
        for number, node in enumerate(nodes):
            if isinstance(node, Leaf):
                self._loops[node.item] = loops
                self._steps[node.item] = (*steps, number)
            else:
                self._walk(node.children, (*loops, node), (*steps, number))

    def items(self) -> Iterable[Item]:
        """All items of the schedule."""
        return self._loops.keys()

    def has(self, item: Item) -> bool:
        """Whether an item is one of the schedule's."""
        return item in self._loops

    def of(self, item: Item) -> tuple[Loop, ...]:
        """The loops around an item, the outermost first."""
        return self._loops[item]

    def home(self, item: Item) -> tuple[Loop, ...]:
        """The loops in which an item's results are: those around it that aren't reduced."""
        return self._loops[item][: item.over]

    def shared(self, one: Item, other: Item) -> int:
        """In how many loops both run."""
        pairs = zip(self._loops[one], self._loops[other], strict=False)
        count = 0
        for a, b in pairs:
            if a is not b:
                break
            count += 1
        return count

    def before(self, one: Item, other: Item) -> bool:
        """Whether one item runs first, in each iteration of the loops that both share."""
        return self._steps[one] < self._steps[other]

    def at_hand(self, giver: Item, value: SSAValue, reader: Item) -> bool:
        """Whether a reader runs where the value was made, and reads it at its own coordinate."""
        inside = self.of(reader)[: giver.over] == self.home(giver)
        return inside and all(
            reader.own(number, axis) for number in reader.reads(value) for axis in range(giver.over)
        )
