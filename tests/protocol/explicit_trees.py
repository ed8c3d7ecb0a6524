"""Trees that are built node by node, from the rule that a topology states.

Invariant: nothing of the package is used; what lies below a node is dealt out in turn, one by one.
Entry: `Node`, `grow`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass
class Node:
    """A node of an explicit tree."""

    number: int
    above: Node | None
    children: list[Node] = field(default_factory=list)

    def members(self) -> list[int]:
        """The numbers in the subtree, in preorder."""
        return [self.number] + [one for child in self.children for one in child.members()]


def grow(numbers: Sequence[int], fan_out: int, above: Node | None, nodes: dict[int, Node]) -> Node:
    """The tree of these numbers: the first is the root, the rest is dealt out in turn.

    To deal sizes out one by one gives the first children one more, never two. `nodes` gets each
    node by its number, in preorder.
    """
    root = Node(numbers[0], above)
    nodes[root.number] = root
    rest = numbers[1:]
    sizes = [0] * min(fan_out, len(rest))
    for turn in range(len(rest)):
        sizes[turn % len(sizes)] += 1
    for size in sizes:
        root.children.append(grow(rest[:size], fan_out, root, nodes))
        rest = rest[size:]
    return root
