"""Who exchanges with whom, `pair`, `star` or `tree<F>`, and the preorder tree behind all three.

Invariant: nodes 0..n-1 are numbered in preorder, so a subtree is a contiguous range that begins
    with its root. The descendants of a node fall, in order, into at most F chunks, the subtrees of
    its children, whose sizes differ by at most one, larger first. A pair and a star are the tree in
    which every node but 0 is a child of 0.
Why: every level has at most two sizes of subtree, so a node's parent, children and range follow
    from its number by one division a level, and no list of the members is made.
Refuses: shard-owner-range, region-tree-fan-out, source-syntax.
Entry: `Topology`, `PreorderTree`, `child_sizes`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from alpha.ir.refusals import Refusal
from alpha.ir.runs import Runs, even_runs

FAN_OUT_MAX = 1 << 24
"""Most children of a node: as many as there can be owners."""

_TREE = re.compile(r"tree<([0-9]{1,20})>", re.ASCII)


@dataclass(frozen=True)
class Topology:
    """`pair` (two roles), `star` (all others exchange with role 0) or `tree<F>`."""

    form: Literal["pair", "star", "tree"]
    fan_out: int = 0
    """F of `tree<F>`; 0 for a pair and a star, which have none."""

    def __post_init__(self) -> None:
        if self.form == "tree":
            check_fan_out(self.fan_out)

    @classmethod
    def parse(cls, text: str) -> Topology:
        """Read `pair`, `star` or `tree<F>`.

        Raises:
            Refusal: `source-syntax` for another word, `region-tree-fan-out` for a wrong F.
        """
        if text == "pair":
            return cls("pair")
        if text == "star":
            return cls("star")
        match = _TREE.fullmatch(text)
        if match is None:
            raise Refusal("source-syntax", "pair, star or tree<F>", text[:40])
        return cls("tree", int(match.group(1)))

    def __str__(self) -> str:
        return f"tree<{self.fan_out}>" if self.form == "tree" else self.form

    def tree(self, count: int) -> PreorderTree:
        """The tree of `count` roles along which they exchange.

        Raises:
            Refusal: `shard-owner-range` without a role, or for a pair that isn't two.
        """
        if count < 1:
            raise Refusal("shard-owner-range", "at least 1 owner", str(count))
        if self.form == "pair" and count != 2:
            raise Refusal("shard-owner-range", "2 owners in a pair", str(count))
        return PreorderTree(count, self.fan_out if self.form == "tree" else max(count - 1, 1))


def check_fan_out(fan_out: int) -> None:
    """See that a tree can have this fan-out.

    Raises:
        Refusal: `region-tree-fan-out` unless it is from 1 (a chain) to 2^24.
    """
    if not 1 <= fan_out <= FAN_OUT_MAX:
        wanted = f"a fan-out from 1 to {FAN_OUT_MAX} in tree<F>"
        raise Refusal("region-tree-fan-out", wanted, f"{fan_out}")


def child_sizes(size: int, fan_out: int) -> Runs:
    """The sizes of the subtrees below the root of one of `size` nodes, both at least 1; O(1)."""
    below = size - 1
    return even_runs(below, min(fan_out, below)) if below else Runs(())


@dataclass(frozen=True)
class PreorderTree:
    """The tree of `count` nodes in which a node has at most `fan_out` children; both at least 1.

    `parent`, `subtree`, `child_count` and `path` cost one division a level, `children` also its
    length. A chain (fan-out 1) has as many levels as nodes; there only `path` costs that much. A
    number that isn't a node's is an IndexError.
    """

    count: int
    fan_out: int

    def __post_init__(self) -> None:
        if self.count < 1 or self.fan_out < 1:
            raise ValueError(f"a tree of {self.count} nodes with {self.fan_out} children each")

    def is_same(self, other: PreorderTree) -> bool:
        """Whether both have the same edges, also where one may have more children than nodes."""
        bound = max(self.count - 1, 1)
        fans = min(self.fan_out, bound), min(other.fan_out, bound)
        return self.count == other.count and fans[0] == fans[1]

    def parent(self, node: int) -> int | None:
        """The node above, or None for the root."""
        if self.fan_out == 1:
            self._check(node)
            return node - 1 if node else None
        path = self.path(node)
        return path[-2] if node else None

    def children(self, node: int) -> tuple[int, ...]:
        """The roots of the chunks of the node's descendants, ascending."""
        subtree = self.subtree(node)
        return tuple(at for at, _ in self._chunks(node, len(subtree)))

    def child_count(self, node: int) -> int:
        """How many children a node has; costs no step for each of them."""
        return min(self.fan_out, len(self.subtree(node)) - 1)

    def subtree(self, node: int) -> range:
        """The node and its descendants."""
        if self.fan_out == 1:
            self._check(node)
            return range(node, self.count)
        *_, (_, size) = self._descent(node)
        return range(node, node + size)

    def path(self, node: int) -> tuple[int, ...]:
        """The nodes from the root to this one, both included."""
        return tuple(at for at, _ in self._descent(node))

    def depth(self) -> int:
        """The most edges between the root and a node; the first child's subtree is the largest."""
        if self.fan_out == 1:
            return self.count - 1
        size, edges = self.count, 0
        while size > 1:
            size = -(-(size - 1) // self.fan_out)
            edges += 1
        return edges

    def additions(self) -> Iterator[tuple[int, int]]:
        """How totals are made in place: each (into, of) adds the total of `of` to that of `into`.

        A node starts with its own value and adds its children's totals in ascending order, each
        when it is complete. At the end node 0 has the total of all. O(count) time and space.
        """
        sizes = [self.count] + [0] * (self.count - 1)
        for node in range(self.count):
            for child, size in self._chunks(node, sizes[node]):
                sizes[child] = size
        # Descendants have higher numbers, so downwards every child is complete before its parent.
        for node in range(self.count - 1, -1, -1):
            for child, _ in self._chunks(node, sizes[node]):
                yield node, child

    def _chunks(self, node: int, size: int) -> Iterator[tuple[int, int]]:
        """Root and size of the subtree of each child of a node with a subtree of `size` nodes."""
        at = node + 1
        for chunk in child_sizes(size, self.fan_out):
            yield at, chunk
            at += chunk

    def _descent(self, node: int) -> Iterator[tuple[int, int]]:
        """Each node from the root to this one, with the size of its subtree."""
        self._check(node)
        at, size = 0, self.count
        while True:
            yield at, size
            if at == node:
                return
            below = size - 1
            chunk, larger = divmod(below, min(self.fan_out, below))
            offset = node - at - 1
            if offset < larger * (chunk + 1):
                size = chunk + 1
                at += 1 + offset // size * size
            else:
                offset -= larger * (chunk + 1)
                size = chunk
                at = node - offset % size

    def _check(self, node: int) -> None:
        if not 0 <= node < self.count:
            raise IndexError(f"node {node} of {self.count}")
