"""The classes of a tree's nodes, against nodes that are built one by one."""

from __future__ import annotations

from collections import Counter

import pytest
from protocol.explicit_trees import Node, grow

from alpha.ir.protocol.size_classes import children_cover, size_classes
from alpha.ir.topologies import PreorderTree, Topology


@pytest.mark.parametrize("fan_out", [*range(2, 9), 500])
def test_classes_equal_explicit_trees(fan_out: int) -> None:
    """Every class of trees of up to 500 nodes: its nodes, and the children of each of them."""
    for count in (*range(1, 60), 100, 211, 499, 500):
        nodes: dict[int, Node] = {}
        grow(range(count), fan_out, None, nodes)
        sizes = {number: len(node.members()) for number, node in nodes.items()}
        classes = size_classes(PreorderTree(count, fan_out))
        found = {each.size: each for each in classes}
        assert [each.size for each in classes] == sorted(found, reverse=True)
        assert {size: each.nodes for size, each in found.items()} == Counter(sizes.values())
        for number, node in nodes.items():
            below = [sizes[child.number] for child in node.children]
            assert list(found[sizes[number]].children) == below


def test_a_chain_has_as_many_classes_as_nodes() -> None:
    classes = size_classes(PreorderTree(40, 1))
    assert [(each.size, each.nodes) for each in classes] == [(40 - at, 1) for at in range(40)]


def sizes_one_by_one(count: int, fan_out: int) -> list[int]:
    """The size of every subtree: each node deals what is below it out in turn."""
    sizes = [count] + [0] * (count - 1)
    for node in range(count):
        below = sizes[node] - 1
        children = min(fan_out, below)
        at = node + 1
        for child in range(children):
            sizes[at] = below // children + (child < below % children)
            at += sizes[at]
    return sizes


def test_200_000_roles_are_six_classes() -> None:
    classes = size_classes(PreorderTree(200_000, 64))
    assert [each.size for each in classes] == [200_000, 3125, 3124, 49, 48, 1]
    assert [each.nodes for each in classes] == [1, 63, 1, 63 * 52 + 51, 63 * 12 + 13, 195_839]
    counted = Counter(sizes_one_by_one(200_000, 64))
    assert {each.size: each.nodes for each in classes} == counted
    assert classes[0].children.pairs == ((63, 3125), (1, 3124))
    star = size_classes(Topology.parse("star").tree(200_000))
    assert [(each.size, each.nodes) for each in star] == [(200_000, 1), (1, 199_999)]


def test_at_most_two_classes_a_level() -> None:
    for count in (*range(2, 400), 10**6, 10**9 + 7, 10**12):
        for fan_out in (2, 3, 7, 64):
            tree = PreorderTree(count, fan_out)
            classes = size_classes(tree)
            assert sum(each.nodes for each in classes) == count
            assert len(classes) <= 2 * tree.depth() + 1


class Overlapping(PreorderTree):
    """Says of every second child that its subtree begins a node earlier."""

    def subtree(self, node: int) -> range:
        own = super().subtree(node)
        return range(own.start - 1, own.stop) if node % 2 and node > 1 else own


class Short(PreorderTree):
    """Leaves the last child out."""

    def children(self, node: int) -> tuple[int, ...]:
        return super().children(node)[:-1]


class Twice(PreorderTree):
    """Has the first child twice."""

    def children(self, node: int) -> tuple[int, ...]:
        below = super().children(node)
        return (*below[:1], *below)


class Swapped(PreorderTree):
    """Has its children in descending order."""

    def children(self, node: int) -> tuple[int, ...]:
        return super().children(node)[::-1]


class Beyond(PreorderTree):
    """Says of a node that its subtree ends one later."""

    def subtree(self, node: int) -> range:
        own = super().subtree(node)
        return range(own.start, own.stop + (node == self.count - 1))


class Misnamed(PreorderTree):
    """Says the children by other numbers, for which it knows their subtrees."""

    def children(self, node: int) -> tuple[int, ...]:
        return tuple(child + self.count for child in super().children(node))

    def subtree(self, node: int) -> range:
        return super().subtree(node % self.count)


@pytest.mark.parametrize("kind", [Overlapping, Short, Twice, Swapped, Beyond, Misnamed])
def test_the_certificate_finds_what_is_wrong(kind: type[PreorderTree]) -> None:
    for count in range(4, 60):
        for fan_out in (2, 3, 5):
            tree = kind(count, fan_out)
            assert not all(children_cover(tree, node) for node in range(count))


@pytest.mark.parametrize("fan_out", [1, 2, 3, 5, 64])
def test_the_certificate_holds_of_all_trees(fan_out: int) -> None:
    for count in range(1, 60):
        tree = PreorderTree(count, fan_out)
        assert all(children_cover(tree, node) for node in range(count))
    tree = PreorderTree(200_000, fan_out)
    assert all(children_cover(tree, node) for node in (0, 1, 3126, 196_876, 199_999))
