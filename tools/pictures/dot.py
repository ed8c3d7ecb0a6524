"""The graph of a protocol in the language of Graphviz: its topology, and its schedule.

Invariant: the same protocol gives the same text, byte for byte.
Entry: `dot_text`.
"""

from __future__ import annotations

from alpha.tools.pictures.dot_schedule import write_schedule
from alpha.tools.pictures.dot_text import FAINT, INK, PAPER, ROLE_FILL, DotText, attributes, quoted
from alpha.tools.pictures.drawings import Drawing
from alpha.tools.pictures.graphs import NOBODY, Edge, Graph, Lane
from alpha.tools.pictures.lettering import shortened
from alpha.tools.pictures.wording import (
    BYTES_NOTE,
    holdings_of,
    plural,
    title_of,
    traffic_text,
)

MARGIN = "0.2,0.06"
"""Around the text of a node, in inches: room for a font that is wider than Graphviz's own."""


def dot_text(drawing: Drawing, role: int | None = None) -> str:
    """A protocol as one directed graph; with a role, the schedule is that of the role.

    Raises:
        Refusal: what programs and classes refuse.
    """
    graph = Graph.of(drawing, role)
    text = DotText()
    font = "Helvetica"
    with text.braces(f"digraph {quoted(shortened(drawing.title))}"):
        label = f"{title_of(drawing)}\n{BYTES_NOTE}"
        look = {"labelloc": "t", "bgcolor": PAPER, "fontcolor": INK, "fontname": font}
        text.line(f"graph{attributes(label=label, newrank='true', **look)};")
        look = {"shape": "box", "margin": MARGIN, "color": INK, "fontcolor": INK}
        text.line(f"node{attributes(**look, fontname=font)};")
        text.line(f"edge{attributes(color=FAINT, fontcolor=INK, fontname=font)};")
        _write_topology(text, drawing, graph)
        write_schedule(text, graph)
    return text.whole()


def _write_topology(text: DotText, drawing: Drawing, graph: Graph) -> None:
    with text.braces('subgraph "cluster topology"'):
        often = " in a round" if graph.has_rounds else ""
        text.line(f"label={quoted(f'topology: what goes over each edge{often}')};")
        text.line("style=dotted;")
        for number, node in enumerate(graph.nodes):
            label = "\n".join(_node_lines(drawing, node))
            filled = attributes(label=label, style="filled", fillcolor=ROLE_FILL)
            text.line(f"{node_name(number)}{filled};")
        for (sender, receiver), edge in graph.edges.items():
            arrow = f"{node_name(sender)} -> {node_name(receiver)}"
            # What goes up doesn't turn the picture upside down.
            place = {} if sender <= receiver else {"constraint": "false"}
            text.line(f"{arrow}{attributes(label=_edge_text(edge, graph.has_rounds), **place)};")


def node_name(number: int) -> str:
    """The name of a node of the topology."""
    return quoted(f"topology {number}")


def _node_lines(drawing: Drawing, node: Lane) -> list[str]:
    if node.role == NOBODY:
        return [plural(node.roles, "other role"), "whose programs aren't in the module"]
    lines = [f"role {node.role:,}"]
    if node.program is None:
        lines.append("whose program isn't in the module")
    if node.roles > 1:
        lines = [plural(node.roles, "role"), f"such as role {node.role:,}:"]
    if drawing.distribution is not None:
        lines += holdings_of(drawing.distribution, node.role)
    return lines


def _edge_text(edge: Edge, has_rounds: bool) -> str:
    each = "" if edge.count == 1 else f"{plural(edge.count, 'edge')}, each\n"
    return f"{each}{traffic_text(edge.traffic, has_rounds)}"
