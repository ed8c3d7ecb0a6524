"""Graphs of many roles: one node for all that exchange alike, and how many they are."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from pictures.dot_reading import dashed, graph_of, lanes, messages, number, said
from pictures.drawn import distributed, drawing_of
from protocol.explicit_trees import Node, grow

from alpha.ir.dialects.protocol_role import FrameOp, SendOp
from alpha.ir.refusals import Refusal
from alpha.passes.protocol.projection import project
from alpha.tools.pictures.dot import dot_text
from alpha.tools.pictures.drawings import CHILDREN_MAX, LANES_MAX, Drawing

MEMBERS = re.compile(r"([\d,]+) roles\nsuch as role ([\d,]+):?")


NAMED = """
protocol.global @named group #protocol.group<universe = 66, epoch = 0, id = "", stride(0, 1, 66)> {
  %x = protocol.local at role 0 {
    %c = arith.constant 0.5 : f64
    protocol.yield %c
  }
  %y = protocol.replicate %x along star over stride(0, 1, 66)
  %z = protocol.transfer %y from 0 to 10
  %w = protocol.transfer %y from 20 to 21
}
"""


def test_a_role_that_is_named_is_drawn_apart_from_those_like_it() -> None:
    """What goes to the others before it and behind it comes to the one that stands for them."""
    graph = graph_of(drawing_of(NAMED))
    titles = ["role 0", "62 roles such as role 1", "role 10", "role 20", "role 21"]
    assert [lane.label for lane in lanes(graph)] == titles
    own = lanes(graph)[0].all_nodes_in_order()
    sends = [label for label in (graph.nodes[node]["label"] for node in own) if "send" in label]
    assert sends == [
        "send replicate to 1 and its like\n9 frames, 72 bytes",
        "send replicate to 10\n8 bytes",
        "send replicate to 1 and its like\n9 frames, 72 bytes",
        "send replicate to 20\n8 bytes",
        "send replicate to 21\n8 bytes",
        "send replicate to 1 and its like\n44 frames, 352 bytes",
        "send transfer to 10\n8 bytes",
    ]
    assert not dashed(graph)
    assert len(messages(graph)) == 8
    labels = {(a, b): of["label"] for a, b, of in graph.edges if a.startswith("topology")}
    assert labels["topology 0", "topology 1"] == "62 edges, each\n1 frame\n8 bytes"
    assert labels["topology 0", "topology 2"] == "2 frames\n16 bytes"


@pytest.mark.parametrize("fan_out", [2, 3, 8, 64])
@pytest.mark.parametrize("owners", [65, 100, 657])
def test_many_roles_are_drawn_by_the_sizes_of_their_subtrees(owners: int, fan_out: int) -> None:
    nodes: dict[int, Node] = {}
    grow(list(range(owners)), fan_out, None, nodes)
    sizes = {role: len(node.members()) for role, node in nodes.items()}
    drawing = Drawing.of(distributed(owners, f"tree<{fan_out}>"))
    assert drawing.protocol is not None
    leaf = [op for op in project(drawing.protocol, owners - 1).walk() if isinstance(op, FrameOp)]
    up = sum(isinstance(op, SendOp) for op in leaf)
    down = len(leaf) - up
    graph = graph_of(drawing)
    labels = [of["label"] for name, of in graph.nodes.items() if name.startswith("topology")]
    first = [
        next(role for role in sizes if sizes[role] == size)
        for size in dict.fromkeys(sizes.values())
    ]
    counts = Counter(sizes.values())
    for label, role in zip(labels, first, strict=True):
        many = MEMBERS.match(label)
        assert (many and (number(many[1]), number(many[2])) == (counts[sizes[role]], role)) or (
            counts[sizes[role]] == 1 and label.startswith(f"role {role:,}\n")
        )
    edges = Counter(
        (sizes[node.above.number], sizes[role])
        for role, node in nodes.items()
        if node.above is not None
    )
    shown: dict[tuple[int, int], int] = {}
    for start, end, of in graph.edges:
        if start.startswith("topology"):
            ends = [sizes[first[int(name.split()[1])]] for name in (start, end)]
            label = said(of["label"])
            shown[ends[0], ends[1]] = label.edges
            assert label.frames + label.once_frames == (down if ends[0] > ends[1] else up)
    assert shown == {**edges, **{(below, above): n for (above, below), n in edges.items()}}
    assert messages(graph) and not dashed(graph)


def test_the_limit_of_roles_drawn_one_by_one() -> None:
    for owners, nodes in ((LANES_MAX, LANES_MAX), (LANES_MAX + 1, 2)):
        graph = graph_of(Drawing.of(distributed(owners)))
        assert sum(name.startswith("topology") for name in graph.nodes) == nodes


def test_many_programs_are_drawn_by_what_they_do() -> None:
    graph = graph_of(Drawing.of(distributed(70, "tree<3>", project=True)))
    labels = [of["label"] for name, of in graph.nodes.items() if name.startswith("topology")]
    members = [MEMBERS.match(label) for label in labels]
    assert sum(number(each[1]) if each else 1 for each in members) == 70
    assert 1 < len(labels) <= 10


def test_few_programs_of_many_are_drawn_one_by_one() -> None:
    graph = graph_of(Drawing.of(distributed(100, "tree<3>", project=True, roles=(0, 1, 99))))
    labels = [of["label"] for name, of in graph.nodes.items() if name.startswith("topology")]
    assert [label.split("\n")[0] for label in labels] == [
        "role 0",
        "role 1",
        "role 99",
        "97 other roles",
    ]
    assert [lane.label for lane in lanes(graph)] == ["role 0", "role 1", "role 99"]
    assert len(messages(graph)) == 5  # between 0 and 1
    assert not dashed(graph)


def test_a_role_among_many_is_drawn_with_its_peers_or_their_classes() -> None:
    tree = graph_of(Drawing.of(distributed(1000, "tree<8>")), 1)
    assert [lane.label for lane in lanes(tree)] == [
        f"role {role}" for role in (0, 1, 2, 18, 34, 50, 66, 81, 96, 111)
    ]
    star = graph_of(Drawing.of(distributed(1000, "star")), 0)
    assert [lane.label for lane in lanes(star)] == ["role 0", "999 roles such as role 1"]
    lines = {of["label"].split("\n")[-1] for of in star.nodes.values()}
    assert any(line.startswith("999 frames, ") for line in lines)


def test_what_nobody_could_read_is_refused() -> None:
    for owners, topology, role, found in (
        (CHILDREN_MAX + 2, "star", 0, f"role 0 with {CHILDREN_MAX + 1}"),
        (LANES_MAX + 1, "tree<1>", None, str(LANES_MAX + 1)),
        ((1 << 20) + 1, "tree<1024>", None, str((1 << 20) + 1)),
    ):
        with pytest.raises(Refusal) as refusal:
            dot_text(Drawing.of(distributed(owners, topology)), role)
        assert (refusal.value.code, refusal.value.found) == ("target-unsupported", found)
