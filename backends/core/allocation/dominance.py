"""Dominators of blocks that are numbered in reverse postorder.

Source: Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm" (2001).
Entry: `dominators`, `Dominance`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Dominance:
    """The tree of dominators: `parent` of each block, that of block 0 is 0."""

    parent: tuple[int, ...]
    depth: tuple[int, ...]

    def common(self, blocks: Iterable[int]) -> int:
        """The last block that every way to any of these passes. At least one has to be given."""
        rest = iter(blocks)
        found = next(rest)
        for block in rest:
            found = _meet(self.parent, found, block)
        return found

    def dominates(self, above: int, below: int) -> bool:
        """Whether every way to `below` passes `above`; a block dominates itself."""
        while self.depth[below] > self.depth[above]:
            below = self.parent[below]
        return below == above

    def chain(self, below: int, above: int) -> Iterable[int]:
        """From `below` up to `above`, which dominates it, with both."""
        while below != above:
            yield below
            below = self.parent[below]
        yield above


def dominators(predecessors: Sequence[Sequence[int]]) -> Dominance:
    """The dominators, given the predecessors of each block; all can be reached from block 0."""
    parent = [-1] * len(predecessors)
    parent[0] = 0
    changed = True
    while changed:
        changed = False
        for block in range(1, len(predecessors)):
            found = -1
            for each in predecessors[block]:
                if parent[each] >= 0:
                    found = each if found < 0 else _meet(parent, found, each)
            if parent[block] != found:
                parent[block] = found
                changed = True
    depth = [0] * len(parent)
    for block in range(1, len(parent)):
        depth[block] = depth[parent[block]] + 1
    return Dominance(tuple(parent), tuple(depth))


def _meet(parent: Sequence[int], first: int, second: int) -> int:
    while first != second:
        while first > second:
            first = parent[first]
        while second > first:
            second = parent[second]
    return first
