"""Topologies and preorder trees against trees that are built node by node."""

from __future__ import annotations

import pytest
from protocol.explicit_trees import Node, grow

from alpha.ir.refusals import Refusal
from alpha.ir.topologies import FAN_OUT_MAX, PreorderTree, Topology, child_sizes


@pytest.mark.parametrize("fan_out", range(1, 9))
def test_closed_forms_equal_explicit_trees(fan_out: int) -> None:
    """Every node of every tree of up to 200 nodes; a chain is all depth, so shorter ones."""
    for count in range(1, 201 if fan_out > 1 else 51):
        nodes: dict[int, Node] = {}
        grow(list(range(count)), fan_out, None, nodes)
        tree = PreorderTree(count, fan_out)
        longest = 0
        for number, node in nodes.items():
            assert tree.parent(number) == (node.above.number if node.above else None)
            assert tree.children(number) == tuple(child.number for child in node.children)
            assert tree.child_count(number) == len(node.children)
            assert list(tree.subtree(number)) == node.members()
            path = tree.path(number)
            assert path[-1] == number and (*map(tree.parent, path[1:]),) == path[:-1]
            assert path[0] == 0
            longest = max(longest, len(path) - 1)
        assert tree.depth() == longest


@pytest.mark.parametrize("fan_out", range(1, 9))
def test_additions_equal_recursion(fan_out: int) -> None:
    """Own value, then children's totals in order, as an expression; each operand is complete."""

    def total(node: Node) -> str:
        text = str(node.number)
        for child in node.children:
            text = f"({text}+{total(child)})"
        return text

    for count in range(1, 121):
        nodes: dict[int, Node] = {}
        root = grow(list(range(count)), fan_out, None, nodes)
        texts = [str(number) for number in range(count)]
        for into, of in PreorderTree(count, fan_out).additions():
            texts[into] = f"({texts[into]}+{texts[of]})"
            texts[of] = "used"
        assert texts[0] == total(root)
        assert texts[1:] == ["used"] * (count - 1)


def test_200_000_roles_at_fan_out_64() -> None:
    """Three levels; 64 children of 3,125 roles each, but the last of 3,124; six sizes in all."""
    tree = PreorderTree(200_000, 64)
    assert tree.depth() == 3
    roots = tree.children(0)
    assert [len(tree.subtree(root)) for root in roots] == [3125] * 63 + [3124]
    assert {len(tree.subtree(node)) for root in roots for node in tree.children(root)} == {49, 48}
    assert tree.path(199_999) == (0, 196_876, 199_952, 199_999)


def test_a_descent_has_as_many_steps_as_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    """10^12 nodes: no list of members is made, and a chain needs no descent at all."""
    steps = 0
    descent = PreorderTree._descent

    def counted(tree: PreorderTree, node: int) -> object:
        nonlocal steps
        for step in descent(tree, node):
            steps += 1
            yield step

    monkeypatch.setattr(PreorderTree, "_descent", counted)
    tree = PreorderTree(10**12, 16)
    parent = tree.parent(10**12 - 1)
    assert parent is not None and 10**12 - 1 in tree.children(parent)
    assert tree.subtree(10**12 - 1) == range(10**12 - 1, 10**12)
    assert steps <= 3 * (tree.depth() + 1)
    steps = 0
    chain = PreorderTree(10**12, 1)
    assert chain.parent(10**11) == 10**11 - 1 and chain.parent(0) is None
    assert chain.children(10**11) == (10**11 + 1,)
    assert chain.subtree(10**11) == range(10**11, 10**12)
    assert (steps, chain.depth()) == (0, 10**12 - 1)


@pytest.mark.parametrize("text", ["pair", "star", "tree<1>", "tree<2>", "tree<16777216>"])
def test_words_are_written_back(text: str) -> None:
    """Parsing and printing are inverse."""
    assert str(Topology.parse(text)) == text


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("ring", "source-syntax"),
        ("", "source-syntax"),
        ("tree", "source-syntax"),
        ("tree<>", "source-syntax"),
        ("tree<-2>", "source-syntax"),
        ("tree<2> ", "source-syntax"),
        ("Star", "source-syntax"),
        ("tree<0>", "region-tree-fan-out"),
        (f"tree<{FAN_OUT_MAX + 1}>", "region-tree-fan-out"),
        (f"tree<{'9' * 10_000}>", "source-syntax"),
    ],
)
def test_refused_words(text: str, code: str) -> None:
    """Other words, and fan-outs that no tree has."""
    with pytest.raises(Refusal) as caught:
        Topology.parse(text)
    assert caught.value.code == code


def test_trees_of_topologies() -> None:
    """A pair has two roles; in a star all others are children of role 0."""
    assert Topology.parse("pair").tree(2) == Topology.parse("star").tree(2) == PreorderTree(2, 1)
    assert Topology.parse("star").tree(5).children(0) == (1, 2, 3, 4)
    assert Topology.parse("star").tree(1).children(0) == ()
    assert Topology.parse("tree<2>").tree(7) == PreorderTree(7, 2)
    for text, count in (("pair", 1), ("pair", 3), ("star", 0), ("tree<2>", -1)):
        with pytest.raises(Refusal) as caught:
            Topology.parse(text).tree(count)
        assert caught.value.code == "shard-owner-range"


def test_numbers_that_are_not_nodes() -> None:
    """A caller's mistake is an exception, not an answer."""
    for fan_out in (1, 3):
        for node in (-1, 7):
            for ask in (PreorderTree.parent, PreorderTree.children, PreorderTree.subtree):
                with pytest.raises(IndexError):
                    ask(PreorderTree(7, fan_out), node)
            with pytest.raises(IndexError):
                PreorderTree(7, fan_out).path(node)
    for count, fan_out in ((0, 2), (2, 0)):
        with pytest.raises(ValueError):
            PreorderTree(count, fan_out)


def test_subtrees_below_a_node() -> None:
    """Larger first, no two apart by more than one, also with fewer nodes than children."""
    assert list(child_sizes(11, 4)) == [3, 3, 2, 2]
    assert list(child_sizes(3, 4)) == [1, 1]
    assert list(child_sizes(1, 4)) == []


def test_trees_with_the_same_edges() -> None:
    """A tree is a star as soon as a node may have all others as children."""
    trees = [PreorderTree(count, fan) for count in range(1, 9) for fan in range(1, 10)]
    for one in trees:
        for other in trees:
            edges = [[tree.parent(node) for node in range(tree.count)] for tree in (one, other)]
            assert one.is_same(other) == (edges[0] == edges[1])
