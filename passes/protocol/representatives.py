"""The roles whose schedules are read to check those of all: some of each class, and their peers.

Invariant: for every topology of the protocol, and each size of subtree in it, there is a role whose
    subtree has that size, its parent, and a child of each size below it. Small groups, and groups
    that exchange directly, are there with all members; so are roles that are named one by one.
Why: roles of one class do the same but for their numbers, so 200,000 roles are a few programs.
Refuses: select-budget.
Entry: `representatives`, `around`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from xdsl.ir import Operation

from alpha.ir.dialects.protocol_choices import ChoiceOp, UntilOp
from alpha.ir.dialects.protocol_control import RepeatOp
from alpha.ir.dialects.protocol_exchange import TransferOp, topology_of
from alpha.ir.protocol.routes import Along, Listed
from alpha.ir.protocol.view import Protocol, takes_part
from alpha.ir.refusals import Refusal
from alpha.ir.selections import Selection
from alpha.ir.topologies import PreorderTree, Topology

FEW = 16
"""Groups of at most so many roles are looked at role by role."""

NAMED_MAX = 64
"""Most roles that are there because an operation names them one by one."""

SIZES_MAX = 1 << 12
"""Most sizes of subtrees in one tree, as in a long chain: some seconds."""

CHILDREN_MAX = 1 << 16
"""Most children of one role, as in a large star."""


def representatives(protocol: Protocol) -> list[int]:
    """The roles whose schedules stand for those of all, ascending.

    Raises:
        Refusal: `select-budget` for a tree with more sizes of subtrees, or a role with more
            children, than can be looked at.
    """
    if protocol.group.size <= FEW:
        return list(protocol.group.members)
    found: set[int] = set()
    for op in protocol.sites:
        found.update(_named(op))
        for members, tree in _trees(op):
            children = min(tree.fan_out, tree.count - 1)
            if children > CHILDREN_MAX:
                wanted = f"at most {CHILDREN_MAX} children of one role to check"
                raise Refusal("select-budget", wanted, str(children), op)
            for number, rank in enumerate(_of_classes(tree)):
                if number == SIZES_MAX:
                    wanted = f"at most {SIZES_MAX} sizes of subtrees to check"
                    raise Refusal("select-budget", wanted, "more", op)
                found.update(map(members.nth, _close(tree, rank)))
    return sorted(found)


def around(protocol: Protocol, role: int) -> Iterator[int]:
    """A role, and in each tree its parent and a child of each size."""
    yield role
    for op in protocol.sites:
        for members, tree in _trees(op):
            if role in members:
                yield from map(members.nth, _close(tree, members.index(role)))


def _trees(op: Operation) -> Iterator[tuple[Selection, PreorderTree]]:
    """The members and the tree of an operation that goes along one."""
    if isinstance(op, ChoiceOp | UntilOp):
        if op.routes is not None and isinstance(op.routes.data, Along):
            members, topology = op.routes.data.members, op.routes.data.topology
            yield members, topology.tree(members.size)
        return
    way: Topology | None = None if isinstance(op, RepeatOp) else _topology(op)
    if way is not None:
        members = takes_part(op)
        yield members, way.tree(members.size)


def _topology(op: Operation) -> Topology | None:
    way = op.properties.get("way")
    return None if way is None else topology_of(way)  # pyright: ignore[reportArgumentType]


def _named(op: Operation) -> Iterable[int]:
    """Roles that an operation names, or all members of one that is direct or has few."""
    if isinstance(op, RepeatOp):
        return ()
    if isinstance(op, ChoiceOp | UntilOp):
        if op.routes is None or not isinstance(op.routes.data, Listed):
            return ()
        pairs = op.routes.data.pairs[:NAMED_MAX]
        return {role for pair in pairs for role in pair}
    members = takes_part(op)
    direct = _topology(op) is None
    if isinstance(op, TransferOp) or direct or members.size <= FEW:
        return list(members)
    return ()


def _of_classes(tree: PreorderTree) -> Iterator[int]:
    """A node of each size of subtree; O(sizes x fan-out)."""
    seen: set[int] = set()
    level = [0]
    while level:
        below: list[int] = []
        for node in level:
            size = len(tree.subtree(node))
            if size not in seen:
                seen.add(size)
                yield node
                below += _one_of_each(tree, node)
        level = below


def _one_of_each(tree: PreorderTree, node: int) -> list[int]:
    """The first child of each size of subtree."""
    found: dict[int, int] = {}
    for child in tree.children(node):
        found.setdefault(len(tree.subtree(child)), child)
    return list(found.values())


def _close(tree: PreorderTree, node: int) -> list[int]:
    """A node, its parent, and a child of each size."""
    parent = tree.parent(node)
    return [node, *([] if parent is None else [parent]), *_one_of_each(tree, node)]
