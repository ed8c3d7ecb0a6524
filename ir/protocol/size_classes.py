"""The classes of the nodes of a topology: all nodes whose subtrees have one size are alike.

Invariant: two nodes of one class have as many children, of the same sizes in the same order; so a
    program for the class, with the role as a parameter, is the program of each of its nodes.
Why: every level of a preorder tree has at most two sizes of subtree, so 200,000 roles at fan-out
    64 are six classes, and what is compiled doesn't grow with the roles.
Entry: `size_classes`, `SizeClass`, `children_cover`.
"""

from __future__ import annotations

from dataclasses import dataclass

from alpha.ir.runs import Runs
from alpha.ir.topologies import PreorderTree, child_sizes


@dataclass(frozen=True)
class SizeClass:
    """The nodes whose subtrees have `size` nodes: how many there are, and their children."""

    size: int
    nodes: int
    children: Runs
    """The sizes of the subtrees of a node's children, in order."""


def size_classes(tree: PreorderTree) -> tuple[SizeClass, ...]:
    """The classes of a tree's nodes, largest subtree first: at most two a level; O(depth).

    A chain, of fan-out 1, has as many levels and classes as nodes.
    """
    counts: dict[int, int] = {}
    level = {tree.count: 1}
    while level:
        below: dict[int, int] = {}
        for size, nodes in level.items():
            counts[size] = counts.get(size, 0) + nodes
            for children, child in child_sizes(size, tree.fan_out).pairs:
                below[child] = below.get(child, 0) + nodes * children
        level = below
    return tuple(
        SizeClass(size, nodes, child_sizes(size, tree.fan_out))
        for size, nodes in sorted(counts.items(), reverse=True)
    )


def children_cover(tree: PreorderTree, node: int) -> bool:
    """Whether the subtrees of a node's children hold exactly its descendants, each once.

    The certificate are the ranges themselves: the first begins behind the node, each begins where
    the one before ends and with its own root, and the last ends with the node's; O(fan-out x
    depth).
    """
    own = tree.subtree(node)
    end = node + 1
    for child in tree.children(node):
        part = tree.subtree(child)
        if not child == part.start == end < part.stop:
            return False
        end = part.stop
    return own.start == node and end == own.stop
