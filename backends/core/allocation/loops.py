"""Loops of a flow graph, nested, whether or not they have a single entry.

A loop is a strongly connected component; its header is its first block in reverse postorder. Inside
it, edges to the header are left out and the rest is looked at again. For reducible graphs these are
the natural loops; of an irreducible one, the other entries are ordinary blocks of the loop.

Source: B. Steensgaard, "Sequentializing Program Dependence Graphs for Irreducible Programs" (1993).
Entry: `loops_of`, `Loops`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Loops:
    """`around` has the headers of the loops around each block, from the outermost inwards.

    The header of a loop is in it. `body` has the blocks of the loop of each header, in order.
    """

    around: tuple[tuple[int, ...], ...]
    body: dict[int, tuple[int, ...]]

    def depth(self, block: int) -> int:
        """In how many loops a block is."""
        return len(self.around[block])

    def left(self, source: int, target: int) -> int:
        """How many loops an edge leaves."""
        inside = self.around[target]
        return sum(header not in inside for header in self.around[source])


def loops_of(successors: Sequence[Sequence[int]]) -> Loops:
    """The loops of blocks that are numbered in reverse postorder."""
    around: list[tuple[int, ...]] = [()] * len(successors)
    body: dict[int, tuple[int, ...]] = {}
    pending: list[tuple[list[int], int]] = [(list(range(len(successors))), -1)]
    while pending:
        blocks, header = pending.pop()
        for component in _components(blocks, successors, header):
            first = min(component)
            if len(component) == 1 and first not in successors[first]:
                continue
            for block in component:
                around[block] = (*around[block], first)
            body[first] = tuple(sorted(component))
            if len(component) > 1:
                pending.append((component, first))
    return Loops(tuple(around), body)


def _components(
    blocks: Sequence[int], successors: Sequence[Sequence[int]], header: int
) -> list[list[int]]:
    """Strongly connected components among these blocks, the header left out (Tarjan, iterative)."""
    inside = set(blocks) - {header}
    number: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    height: dict[int, int] = {}
    found: list[list[int]] = []
    for root in blocks:
        if root not in inside or root in number:
            continue
        work = [(root, iter(successors[root]))]
        number[root] = low[root] = len(number)
        height[root] = 0
        stack.append(root)
        while work:
            block, rest = work[-1]
            for each in rest:
                if each not in inside:
                    continue
                if each not in number:
                    number[each] = low[each] = len(number)
                    height[each] = len(stack)
                    stack.append(each)
                    work.append((each, iter(successors[each])))
                    break
                if each in height:
                    low[block] = min(low[block], number[each])
            else:
                work.pop()
                if work:
                    above = work[-1][0]
                    low[above] = min(low[above], low[block])
                if low[block] == number[block]:
                    component = stack[height[block] :]
                    del stack[height[block] :]
                    for each in component:
                        del height[each]
                    found.append(component)
    return found
