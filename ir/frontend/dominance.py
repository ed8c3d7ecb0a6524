"""Which blocks of a region come before which on every path, in time almost linear in the blocks.

Why: xDSL's own relation holds a set of blocks for each block, and lets nothing dominate a block
    that can't be reached, where MLIR lets everything.
Source: K. D. Cooper, T. J. Harvey, K. Kennedy, "A Simple, Fast Dominance Algorithm", 2001.
Entry: `Dominance`.
"""

from __future__ import annotations

from xdsl.ir import Block, Region


class Dominance:
    """The dominator tree of one region's blocks."""

    def __init__(self, region: Region) -> None:
        order = _post_order(region)
        self._number = {block: number for number, block in enumerate(order)}
        predecessors: dict[Block, list[Block]] = {block: [] for block in order}
        for block in order:
            for successor in _successors(block):
                predecessors[successor].append(block)
        entry = order[-1] if order else None
        self._parent: dict[Block, Block] = {} if entry is None else {entry: entry}
        changed = True
        while changed:
            changed = False
            for block in reversed(order[:-1]):
                known = [each for each in predecessors[block] if each in self._parent]
                parent = known[0]
                for other in known[1:]:
                    parent = self._common(parent, other)
                if self._parent.get(block) is not parent:
                    self._parent[block] = parent
                    changed = True

    def _common(self, left: Block, right: Block) -> Block:
        while left is not right:
            while self._number[left] < self._number[right]:
                left = self._parent[left]
            while self._number[right] < self._number[left]:
                right = self._parent[right]
        return left

    def dominates(self, first: Block, second: Block) -> bool:
        """Whether every path to `second` goes through `first`; true of what can't be reached."""
        if second not in self._parent:
            return True
        while second is not first:
            parent = self._parent[second]
            if parent is second:
                return False
            second = parent
        return True


def _successors(block: Block) -> list[Block]:
    return [] if block.last_op is None else [*block.last_op.successors]


def _post_order(region: Region) -> list[Block]:
    """The blocks that can be reached from the entry, each after its successors."""
    entry = region.blocks.first
    if entry is None:
        return []
    order: list[Block] = []
    seen = {entry}
    stack = [(entry, iter(_successors(entry)))]
    while stack:
        block, rest = stack[-1]
        for successor in rest:
            if successor not in seen:
                seen.add(successor)
                stack.append((successor, iter(_successors(successor))))
                break
        else:
            order.append(block)
            stack.pop()
    return order
