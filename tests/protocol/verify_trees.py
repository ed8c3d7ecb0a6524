"""Every role of every tree of up to 500 roles, with fan-outs 2 to 8: of `make verify-schedules`.

Invariant: the exit status is 0 only if a role's parent, children, path, subtree and class are those
    of a tree that is built node by node, for each of the roles.
Entry: `python -m protocol.verify_trees`, with tests/ on the path.
"""

from __future__ import annotations

import sys

from protocol.explicit_trees import Node, grow

from alpha.ir.protocol.groups import Group
from alpha.ir.topologies import Topology
from alpha.tools.progress import progress

ROLES_MAX = 500
FAN_OUTS = range(2, 9)


def wrong_roles(count: int, fan_out: int) -> list[int]:
    """The roles of a tree whose place is another than that of the explicit tree."""
    nodes: dict[int, Node] = {}
    grow(range(count), fan_out, None, nodes)
    sizes = [1] * count
    paths: list[tuple[int, ...]] = []
    for number in range(count - 1, 0, -1):
        above = nodes[number].above
        assert above is not None
        sizes[above.number] += sizes[number]
    for number in range(count):
        above = nodes[number].above
        paths.append((*(paths[above.number] if above else ()), number))
    group, topology = Group.whole(count), Topology("tree", fan_out)
    found: list[int] = []
    for number, node in nodes.items():
        place = (
            group.parent(number, topology),
            group.children(number, topology),
            group.path(number, topology),
            group.subtree(number, topology),
            group.size_class(number, topology),
        )
        wanted = (
            node.above.number if node.above else None,
            tuple(child.number for child in node.children),
            paths[number],
            range(number, number + sizes[number]),
            sizes[number],
        )
        if place != wanted:
            found.append(number)
    return found


def main() -> int:
    """Look at all of them; 1 if one is wrong."""
    trees = [(count, fan_out) for fan_out in FAN_OUTS for count in range(1, ROLES_MAX + 1)]
    wrong = 0
    for count, fan_out in progress(trees, len(trees), "trees"):
        for role in wrong_roles(count, fan_out):
            print(f"role {role} of {count} with fan-out {fan_out} is elsewhere", flush=True)
            wrong += 1
    roles = sum(count for count, _ in trees)
    print(f"trees: {len(trees)}, {roles} roles in their places, {wrong} elsewhere")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
