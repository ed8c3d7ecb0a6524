"""The schedule of a protocol in the language of Graphviz: what each role does, in order.

Invariant: each role is a cluster, each loop and each arm of a choice a cluster in it, and a chain
    of dotted edges leads through what the role does. A frame is an arrow from where it is sent to
    where it is received; one whose peer's program isn't there has no arrow, and one that its peer's
    program doesn't have is dashed as well.
Entry: `write_schedule`.
"""

from __future__ import annotations

from alpha.tools.pictures.dot_text import (
    DATA,
    FAINT,
    GROUP_FILL,
    INK,
    LOST,
    TALK,
    WORK_FILL,
    DotText,
    attributes,
    quoted,
)
from alpha.tools.pictures.graphs import NOBODY, Graph, Lane
from alpha.tools.pictures.placing import Arrow, Cluster, Node, Placed
from alpha.tools.pictures.programs import Loop, Message, Work
from alpha.tools.pictures.wording import is_talk, message_text, plural


def write_schedule(text: DotText, graph: Graph) -> None:
    """Write the lanes of a graph, and the frames between them."""
    title = "schedule: what each role does, in order"
    if graph.asked is not None:
        title = f"schedule: what role {graph.asked:,} does, and its peers with it"
    elif graph.by_class:
        title = "schedule: what one role of each class does, in order"
    placed = Placed(graph)
    with text.braces('subgraph "cluster schedule"'):
        text.line(f"label={quoted(title)};")
        text.line("style=dotted;")
        for number, cluster in placed.lanes.items():
            with text.braces(f"subgraph {quoted(cluster.name)}"):
                text.line(f"label={quoted(_lane_text(graph.lanes[number]))};")
                text.line("style=solid;")
                for part in cluster.parts:
                    _write_part(text, graph, placed, part)
    # Outside of the clusters, since an edge pulls its nodes into the cluster that it stands in.
    for arrow in placed.arrows:
        text.line(_arrow_text(arrow))


def _lane_text(lane: Lane) -> str:
    name = f"role {lane.role:,}"
    return name if lane.roles == 1 else f"{plural(lane.roles, 'role')} such as {name}"


def _write_part(text: DotText, graph: Graph, placed: Placed, part: Node | Cluster) -> None:
    if isinstance(part, Node):
        text.line(f"{quoted(part.name)}{_node_text(graph, placed, part)};")
        return
    with text.braces(f"subgraph {quoted(part.name)}"):
        text.line(f"label={quoted(part.label)};")
        text.line(f'style="filled,rounded"; fillcolor={quoted(GROUP_FILL)};')
        for inner in part.parts:
            _write_part(text, graph, placed, inner)


def _node_text(graph: Graph, placed: Placed, node: Node) -> str:
    """The attributes of a node."""
    match node.of:
        case Work():
            label = "\n".join(node.of.lines)
            return attributes(label=label, style="filled", fillcolor=WORK_FILL)
        case Message():
            peer = graph.lanes[node.of.peer]
            like = " and its like" if peer.roles > 1 else ""
            name = "others" if peer.role == NOBODY else f"{peer.role:,}{like}"
            verb, preposition = ("send", "to") if node.of.outgoing else ("receive", "from")
            first, rest = message_text(node.of)
            label = f"{verb} {first} {preposition} {name}\n{rest}"
            if node.name in placed.alone:
                return attributes(label=label, style="dashed,rounded", color=LOST)
            return attributes(label=label, style="rounded")
        case None:
            return attributes(label="no steps", style="dotted")


def _arrow_text(arrow: Arrow) -> str:
    match arrow.of:
        case Message():
            look = {"color": TALK if is_talk(arrow.of) else DATA}
        case Loop():
            look = {"color": INK, "style": "dashed", "constraint": "false"}
        case None:
            look = {"color": FAINT, "style": "dotted", "arrowhead": "none", "weight": "8"}
    return f"{quoted(arrow.start)} -> {quoted(arrow.end)}{attributes(**look)};"
