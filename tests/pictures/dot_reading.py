"""What a graph of a protocol says, from what a strict reader finds in its text.

Entry: `graph_of`, `lanes`, `events_of`, `messages`, `dashed`, `said`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pictures.dot_syntax import Cluster, Graph, read

from alpha.tools.pictures.dot import dot_text
from alpha.tools.pictures.drawings import Drawing

FRAME = re.compile(
    r"(send|receive) (\w+)(?: part \d+)?(?: \+ \w+)? (?:to|from) (\d+)\n(\d+) bytes?"
)
LOAD = r"(?:at most )?([\d,]+) frames?(?:\n|, )(?:at most )?([\d,]+) bytes?"
TRAFFIC = re.compile(rf"(?:([\d,]+) edges, each\n)?(?:{LOAD})?(?:\n?once: {LOAD})?")


def graph_of(drawing: Drawing, role: int | None = None) -> Graph:
    return read(dot_text(drawing, role))


def lanes(graph: Graph) -> list[Cluster]:
    """The clusters of the schedule, one a role."""
    return list(graph.top.clusters["cluster schedule"].clusters.values())


def number(text: str) -> int:
    return int(text.replace(",", ""))


def events_of(graph: Graph, cluster: Cluster) -> list[str | tuple[str, str, int]]:
    """The steps of a lane in the order of the text, without loops and choices."""
    found: list[str | tuple[str, str, int]] = []
    for name in cluster.all_nodes_in_order():
        frame = FRAME.fullmatch(graph.nodes[name]["label"])
        found.append((frame[1], frame[2], int(frame[3])) if frame else "work")
    return found


@dataclass(frozen=True)
class Said:
    """What the label of an edge says: how many edges, and frames and bytes of each."""

    edges: int
    frames: int
    size: int
    once_frames: int
    once_size: int


def said(label: str) -> Said:
    match = TRAFFIC.fullmatch(label)
    assert match and label, label
    edges, *rest = (number(each or "0") for each in match.groups())
    return Said(edges or 1, *rest)


def messages(graph: Graph) -> list[tuple[str, str]]:
    """The arrows of frames."""
    return [
        (start, end)
        for start, end, attributes in graph.edges
        if start.startswith("step") and "style" not in attributes
    ]


def dashed(graph: Graph) -> list[str]:
    """The labels of frames that their peers don't have."""
    return [of["label"] for of in graph.nodes.values() if "dashed" in of.get("style", "")]
