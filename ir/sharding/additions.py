"""Which sums of groups can be added where they meet, in the order of a contract.

Invariant: an addition is made once, and only where both operands are there and complete: nothing
    is to be added before to the one it is added into, and nothing at all to the other.
Why: what a role can add depends only on the groups that it has. So it is found from these, in a
    few steps each, and not from a list of all additions of the contract.
Entry: `Additions`, `parts_upwards`.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from alpha.ir.contracts import Contract
from alpha.ir.runs import Runs
from alpha.ir.topologies import PreorderTree, child_sizes


class _Waiting(NamedTuple):
    """The groups that are still to be added into one, in order, all of them its children."""

    children: Runs
    added: int


class Additions:
    """The additions of one sum that aren't made yet; a group's are looked up when it is named."""

    def __init__(self, contract: Contract) -> None:
        self._tree = contract.combine.tree(contract.groups.length)
        self._waiting: dict[int, _Waiting] = {}

    def possible(self, held: Container[int], new: Iterable[int]) -> Iterator[tuple[int, int]]:
        """Additions (into, of) that can be made of the sums that somebody holds, one by one.

        Whoever takes one makes it, and has taken `of` out of `held` when it asks for the next.
        `new` are those of the groups of which a role didn't know before: others are only looked at
        as their operands. A few steps a group and O(depth) of the contract's tree.
        """
        stack = list(new)
        while stack:
            into = stack.pop()
            if into not in held:
                continue
            while (of := self._next(into)) is not None and of in held and self._next(of) is None:
                waiting = self._waiting[into]
                self._waiting[into] = waiting._replace(added=waiting.added + 1)
                yield into, of
            parent = self._tree.parent(into)
            if parent is None or parent not in held or self._next(into) is not None:
                continue
            if self._next(parent) == into:
                stack.append(parent)

    def _next(self, group: int) -> int | None:
        """The group that is to be added next into this one, or None if it is complete."""
        waiting = self._waiting.get(group)
        if waiting is None:
            sizes = child_sizes(len(self._tree.subtree(group)), self._tree.fan_out)
            waiting = self._waiting[group] = _Waiting(sizes, 0)
        children, added = waiting
        return group + 1 + children.before(added) if added < children.length else None


def parts_upwards(
    tree: PreorderTree, deal: Mapping[int, Iterable[int]], contract: Contract, top: int = 0
) -> Iterator[tuple[int, dict[int, int]]]:
    """Each role with what it hands to its parent: how many samples each of its sums is over.

    `deal` are the groups that roles of the subtree of `top` have at first; roles come in descending
    order, and `top` last; one that has nothing is left out. The parts are those of the moment: they
    go on changing as they travel.

    O((groups + roles) x depth), where that is little; a chain hands on long lists without a copy.
    """
    groups, additions = contract.groups, Additions(contract)
    held = {role: {group: groups[group] for group in own} for role, own in deal.items()}
    new = {role: list(parts) for role, parts in held.items()}
    waiting = [-role for role, parts in held.items() if parts]
    heapify(waiting)
    # Descendants have higher numbers, so downwards every role has heard from those below.
    while waiting:
        role = -heappop(waiting)
        parts = held.pop(role)
        for into, of in additions.possible(parts, new.pop(role)):
            parts[into] += parts.pop(of)
        yield role, parts
        parent = tree.parent(role)
        if role == top or parent is None:
            continue
        if parent not in held or not held[parent]:
            heappush(waiting, -parent)
            held[parent], new[parent] = parts, []
            continue
        fewer, more = sorted((held[parent], parts), key=len)
        new[parent].extend(fewer)
        more.update(fewer)
        held[parent] = more
