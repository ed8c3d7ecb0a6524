"""Graphs: what a strict reader finds in them is what the protocol says."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random

import pytest
from pictures.dot_reading import FRAME, dashed, events_of, graph_of, lanes, messages, said
from pictures.dot_syntax import Cluster, Graph
from pictures.drawn import EXAMPLE, Exchange, distributed, drawing_of
from pictures.random_texts import Events, of_role, random_text

from alpha.ir.dialects.protocol_control import RepeatOp
from alpha.ir.dialects.protocol_role import FrameOp, SendOp
from alpha.ir.refusals import Refusal
from alpha.passes.protocol.projection import project
from alpha.tools.pictures.dot import dot_text
from alpha.tools.pictures.drawings import Drawing

TEXTS = 40


def flat(events: Events) -> list[str | tuple[str, str, int]]:
    """What a role has to do, without loops and choices."""
    found: list[str | tuple[str, str, int]] = []
    for event in events:
        match event:
            case ("work",):
                found.append("work")
            case ("loop", _, _, body):
                found += flat(body)
            case ("choice", arms):
                found += [each for arm in arms for each in flat(arm)]
            case (verb, peer, name):
                found.append((verb, name, peer))
    return found


Counts = dict[tuple[int, int], int]


def most(events: Events, inside: bool = False) -> tuple[Counts, Counts]:
    """How many frames go over each edge at most: in a round, and outside of rounds."""
    rounds: Counter[tuple[int, int]] = Counter()
    once: Counter[tuple[int, int]] = Counter()
    for event in events:
        match event:
            case ("message", sender, receiver, _):
                (rounds if inside else once)[sender, receiver] += 1
            case ("loop", bound, _, body):
                times = bound if inside else 1
                rounds.update({edge: times * n for edge, n in most(body, True)[0].items()})
            case ("choice", arms):
                for total, counts in zip(
                    (rounds, once),
                    zip(*(most(arm, inside) for arm in arms), strict=True),
                    strict=True,
                ):
                    edges = {edge for count in counts for edge in count}
                    total.update({edge: max(c.get(edge, 0) for c in counts) for edge in edges})
    return dict(rounds), dict(once)


def traffic(graph: Graph) -> tuple[Counts, Counts]:
    """The bytes of each edge of the topology: in a round, and outside of rounds."""
    labels = {
        (int(start.split()[1]), int(end.split()[1])): said(attributes["label"])
        for start, end, attributes in graph.edges
        if start.startswith("topology")
    }
    rounds = {edge: each.size for edge, each in labels.items() if each.frames}
    once = {edge: each.once_size for edge, each in labels.items() if each.once_frames}
    if graph.top.clusters["cluster topology"].label.endswith(" in a round"):
        return rounds, once
    assert not once
    return {}, rounds


def test_a_graph_says_what_every_role_does_and_how_much_goes_where() -> None:
    for seed in range(TEXTS):
        text, roles, events = random_text(Random(seed))
        graph = graph_of(drawing_of(text))
        assert len(lanes(graph)) == roles
        for role, lane in enumerate(lanes(graph)):
            assert lane.label == f"role {role}"
            assert events_of(graph, lane) == flat(of_role(events, role)), text
        wanted = [{edge: 8 * n for edge, n in counts.items()} for counts in most(events)]
        assert traffic(graph) == tuple(wanted), text
        check_frames(graph)


def check_frames(graph: Graph) -> None:
    """Every frame is an arrow from one send to one receive that name each other."""
    ends = messages(graph)
    starts, stops = [start for start, _ in ends], [end for _, end in ends]
    frames = {name: FRAME.fullmatch(of["label"]) for name, of in graph.nodes.items()}
    assert sorted([*starts, *stops]) == sorted(name for name, frame in frames.items() if frame)
    for start, end in ends:
        send, receive = frames[start], frames[end]
        assert send and receive and (send[1], receive[1]) == ("send", "receive")
        assert (send[2], send[4]) == (receive[2], receive[4])
        lanes = [name.removeprefix("step ").split(".")[0] for name in (start, end)]
        assert [receive[3], send[3]] == lanes


def test_the_chain_of_a_role_leads_through_all_it_does() -> None:
    """Without choices it is a path; a loop has one edge back."""
    graph = graph_of(Drawing.of(distributed(3)))
    chain = [(a, b) for a, b, of in graph.edges if of.get("style") == "dotted"]
    back = [(a, b) for a, b, of in graph.edges if of.get("style") == "dashed"]
    for role, lane in enumerate(lanes(graph)):
        nodes = lane.all_nodes_in_order()
        assert nodes == [f"step {role}.{step}" for step in range(len(nodes))]
        own = [edge for edge in chain if edge[0] in nodes]
        assert own == list(pairwise(nodes))
    loops = [next(iter(lane.clusters.values())) for lane in lanes(graph)]
    assert {loop.label for loop in loops} == {"repeat 3 times"}
    assert back == [(nodes[-1], nodes[0]) for nodes in map(Cluster.all_nodes_in_order, loops)]


CHOICE = """
protocol.global @g group #protocol.group<universe = 2, epoch = 0, id = "", stride(0, 1, 2)> {
  %x, %s = protocol.local at stride(0, 1, 2) {
    %c = arith.constant 0.5 : f64
    %n = arith.cmpf olt, %c, %c : f64
    %w = arith.extui %n : i1 to i64
    protocol.yield %c, %w
  }
  protocol.choice %s {
    %a = protocol.transfer %x from 0 to 1
  } {
    %b = protocol.transfer %x from 1 to 0
    %c = protocol.transfer %x from 0 to 1
  } {
  }
  %d = protocol.transfer %x from 0 to 1
}
"""


def test_the_chain_leads_through_every_arm_and_round_an_empty_one() -> None:
    graph = graph_of(drawing_of(CHOICE))
    first = lanes(graph)[0]
    assert [arm.label for arm in first.clusters.values()] == ["arm 0", "arm 1"]
    chain = {(a, b) for a, b, of in graph.edges if "arrowhead" in of and a.startswith("step 0")}
    steps = {("0", "1"), ("0", "2"), ("2", "3"), ("0", "4"), ("1", "4"), ("3", "4")}
    assert chain == {(f"step 0.{a}", f"step 0.{b}") for a, b in steps}
    labels = {(a, b): of["label"] for a, b, of in graph.edges if a.startswith("topology")}
    assert labels["topology 0", "topology 1"] == "at most 2 frames\nat most 16 bytes"
    assert labels["topology 1", "topology 0"] == "at most 1 frame\nat most 8 bytes"


NESTED = CHOICE.replace(
    CHOICE[CHOICE.index("  protocol.choice") : CHOICE.index("  %d = ")],
    """
  protocol.repeat 5 {
    protocol.repeat 3 {
      %a = protocol.transfer %x from 0 to 1
      protocol.until %s
    }
    protocol.repeat 2 {
      %b = protocol.transfer %x from 1 to 0
    }
  }
""",
)


def test_a_round_is_one_of_the_outermost_loop_and_a_bound_is_said_to_be_one() -> None:
    graph = graph_of(drawing_of(NESTED))
    labels = {(a, b): of["label"] for a, b, of in graph.edges if a.startswith("topology")}
    assert labels == {
        ("topology 0", "topology 1"): "at most 3 frames\nat most 24 bytes\nonce: 1 frame, 8 bytes",
        ("topology 1", "topology 0"): "2 frames\n16 bytes",
    }


def test_of_one_round_no_edge_leads_back() -> None:
    graph = graph_of(drawing_of(EXAMPLE.read_text()))
    assert not [of for _, _, of in graph.edges if of.get("style") == "dashed"]
    assert {each.label for lane in lanes(graph) for each in lane.clusters.values()} == {"one round"}


def test_a_node_of_the_topology_says_what_its_role_has() -> None:
    graph = graph_of(drawing_of(EXAMPLE.read_text()))
    for role, samples in enumerate((1, 2, 3, 0)):
        label = graph.nodes[f"topology {role}"]["label"]
        states = "has all of w, m, v, b1_power, b2_power"
        assert label == f"role {role}\n{states}\n{samples} of 6 samples of data"


@pytest.mark.parametrize("exchange", ["gather", "sharded"])
def test_the_edges_of_a_partitioned_example_are_the_frames_of_its_projection(
    exchange: Exchange,
) -> None:
    drawing = Drawing.of(distributed(5, "star", True, exchange))
    assert drawing.protocol is not None
    wanted: tuple[Counts, Counts] = ({}, {})
    for role in range(5):
        for op in project(drawing.protocol, role).walk():
            if isinstance(op, SendOp):
                words = op.words.data + (0 if op.riding is None else op.riding.data)
                perform = op.parent_op()
                assert perform is not None
                sizes = wanted[0 if isinstance(perform.parent_op(), RepeatOp) else 1]
                edge = role, op.peer.data
                sizes[edge] = sizes.get(edge, 0) + 8 * words
    graph = graph_of(drawing)
    assert traffic(graph) == wanted
    check_frames(graph)
    label = graph.nodes["topology 4"]["label"]
    assert "role 4\nowns 0 of 4 words of w, m, v\nhas all of b1_power, b2_power\n" in label


def test_every_level_has_the_same_graph() -> None:
    texts = {
        dot_text(Drawing.of(distributed(6, "tree<2>", project=project)))
        for project in (False, True)
    }
    assert len(texts) == 1


def test_the_schedule_of_a_role_has_what_its_peers_do_with_it() -> None:
    """It costs the projection of one role; the topology stays whole."""
    module = distributed(6, "tree<2>")
    whole, graph = graph_of(Drawing.of(module)), graph_of(Drawing.of(module), 1)
    assert traffic(graph) == traffic(whole)
    everyone, own = lanes(whole), lanes(graph)
    assert [lane.label for lane in own] == ["role 0", "role 1", "role 2", "role 3"]
    assert events_of(graph, own[1]) == events_of(whole, everyone[1])
    for lane, role in ((0, 0), (2, 2), (3, 3)):
        wanted = [each for each in events_of(whole, everyone[role]) if each[2:] == (1,)]
        assert events_of(graph, own[lane]) == wanted
    for start, end in messages(graph):
        assert "step 1." in start + " " + end


def test_a_frame_that_its_peer_does_not_have_is_dashed() -> None:
    module = distributed(3, project=True)
    frame = next(op for op in module.walk() if isinstance(op, FrameOp))
    frame.detach()
    graph = graph_of(Drawing.of(module))
    frames = [FRAME.fullmatch(label) for label in dashed(graph)]
    assert [(each[1], each[3]) for each in frames if each] == [("send", "0")]


@pytest.mark.parametrize(
    ("role", "code"), [(4, "protocol-role-range"), (2, "protocol-role-unbound")]
)
def test_a_role_that_is_not_there_is_refused(role: int, code: str) -> None:
    drawing = Drawing.of(distributed(4, project=True, roles=(0, 1)))
    with pytest.raises(Refusal) as refusal:
        dot_text(drawing, role)
    assert refusal.value.code == code


def test_two_protocols_are_refused() -> None:
    """One role twice, roles of two protocols, and a protocol beside the roles of one."""
    for other, expected in (
        (distributed(2, project=True, roles=(0,)), "one program of each role"),
        (distributed(2, partitioned=True, project=True, roles=(1,)), "one protocol"),
        (distributed(2), "one protocol"),
    ):
        module = distributed(2, project=True, roles=(0,))
        twin = other.body.block.last_op
        assert twin is not None
        twin.detach()
        module.body.block.add_op(twin)
        with pytest.raises(Refusal) as refusal:
            Drawing.of(module)
        assert refusal.value.code == "protocol-learner-count"
        assert refusal.value.expected == expected


def test_what_decides_has_another_colour_than_what_moves_words() -> None:
    text = CHOICE.replace("choice %s {", "choice %s by 0 along [0 -> 1] {")
    graph = graph_of(drawing_of(text))
    colours: dict[str, set[str]] = {"decide": set(), "transfer": set()}
    for start, end in messages(graph):
        frame = FRAME.fullmatch(graph.nodes[start]["label"])
        assert frame
        of = next(of for a, b, of in graph.edges if (a, b) == (start, end))
        colours[frame[2]].add(of["color"])
    assert len(colours["decide"]) == len(colours["transfer"]) == 1
    assert colours["decide"] != colours["transfer"]


def test_names_are_written_so_that_they_are_read_again() -> None:
    graph = graph_of(drawing_of(CHOICE.replace("@g ", '@"a\\"b\\\\c\\01<é>" ')))
    assert graph.name == 'a"b\\c\ufffd<é>'
