"""A strict reader of the language of Graphviz, of the part that a generated graph may use.

Invariant: what it accepts, `dot` accepts: the grammar of "The DOT Language" with every name in
    quotes, statements ended by semicolons, and known attributes alone. Every node is declared once
    and before an edge names it.
Entry: `read`, `Graph`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

TOKEN = re.compile(r'\s*(?:(->|[{}\[\];,=])|"((?:[^"\\\n]|\\["\\n])*)"|([A-Za-z_][A-Za-z_0-9]*))')
KEYWORDS = {"digraph", "subgraph", "graph", "node", "edge"}
KNOWN = {
    "graph": {"label", "newrank", "labelloc", "bgcolor", "fontcolor", "fontname"},
    "cluster": {"label", "style", "fillcolor"},
    "node": {"label", "shape", "margin", "color", "fontcolor", "fontname", "style", "fillcolor"},
    "edge": {"label", "color", "fontcolor", "fontname", "constraint", "style"}
    | {"arrowhead", "weight"},
}
COLOURS = {"color", "fontcolor", "fillcolor", "bgcolor"}
VALUES = {
    "shape": {"box"},
    "style": {"dotted", "solid", "dashed", "filled", "rounded", "filled,rounded", "dashed,rounded"},
    "constraint": {"false"},
    "newrank": {"true"},
    "labelloc": {"t"},
    "arrowhead": {"none"},
}


@dataclass
class Cluster:
    """A cluster."""

    label: str = ""
    parts: dict[str, Cluster | None] = field(default_factory=dict)
    """What stands in it, in order: clusters by name, and nodes."""

    @property
    def clusters(self) -> dict[str, Cluster]:
        """The clusters in it."""
        return {name: part for name, part in self.parts.items() if part is not None}

    def all_nodes_in_order(self) -> list[str]:
        """Its nodes and those of the clusters in it."""
        return [
            node
            for name, part in self.parts.items()
            for node in ([name] if part is None else part.all_nodes_in_order())
        ]


@dataclass
class Graph:
    """What a text says."""

    name: str = ""
    top: Cluster = field(default_factory=Cluster)
    nodes: dict[str, dict[str, str]] = field(default_factory=dict)
    edges: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)


def read(text: str) -> Graph:
    """The graph of a text; AssertionError where it isn't one."""
    assert text.endswith("}\n") and "\t" not in text
    tokens = list(_tokens(text))
    reader = _Reader(tokens[::-1])
    reader.word("digraph")
    reader.graph.name = reader.name()
    reader.body(reader.graph.top, "graph")
    assert not reader.rest, f"behind the graph: {reader.rest[-1]}"
    return reader.graph


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    at = 0
    while text[at:].strip():
        found = TOKEN.match(text, at)
        assert found, f"no token: {text[at : at + 40]!r}"
        at = found.end()
        sign, name, word = found.groups()
        if name is not None:
            yield "name", re.sub(r"\\(.)", lambda each: "\n" if each[1] == "n" else each[1], name)
        else:
            yield ("sign", sign) if sign else ("word", word)


class _Reader:
    """Reads tokens, the next of which is the last."""

    def __init__(self, rest: list[tuple[str, str]]) -> None:
        self.rest = rest
        self.graph = Graph()
        self._clusters: set[str] = set()

    def word(self, word: str) -> None:
        assert self.rest.pop() == ("word", word)

    def sign(self, sign: str) -> None:
        found = self.rest.pop()
        assert found == ("sign", sign), f"expected {sign}, found {found}"

    def name(self) -> str:
        kind, text = self.rest.pop()
        assert kind == "name", text
        return text

    def body(self, cluster: Cluster, kind: str) -> None:
        """Statements between braces."""
        self.sign("{")
        while self.rest[-1] != ("sign", "}"):
            self.statement(cluster, kind)
        self.sign("}")

    def statement(self, cluster: Cluster, kind: str) -> None:
        token, text = self.rest[-1]
        if token == "name":
            self.node_or_edge(cluster)
        elif text == "subgraph":
            self.word("subgraph")
            name = self.name()
            assert name.startswith("cluster") and name not in self._clusters, name
            self._clusters.add(name)
            inner = cluster.parts[name] = Cluster()
            self.body(inner, "cluster")
            return
        elif text in KEYWORDS:
            self.rest.pop()
            self.attributes(text)
        else:
            assert token == "word", text
            self.rest.pop()
            self.sign("=")
            value = self.rest.pop()[1]
            self.check(kind, text, value)
            if text == "label":
                cluster.label = value
        self.sign(";")

    def node_or_edge(self, cluster: Cluster) -> None:
        name = self.name()
        if self.rest[-1] != ("sign", "->"):
            assert name not in self.graph.nodes, f"{name} is declared twice"
            self.graph.nodes[name] = self.attributes("node")
            assert "label" in self.graph.nodes[name]
            cluster.parts[name] = None
            return
        self.sign("->")
        end = self.name()
        assert {name, end} <= self.graph.nodes.keys(), f"{name} -> {end}: not declared"
        self.graph.edges.append((name, end, self.attributes("edge")))

    def attributes(self, kind: str) -> dict[str, str]:
        found: dict[str, str] = {}
        self.sign("[")
        while True:
            token, key = self.rest.pop()
            assert token == "word" and key not in found, key
            self.sign("=")
            found[key] = self.name()
            self.check(kind, key, found[key])
            if self.rest[-1] != ("sign", ","):
                break
            self.sign(",")
        self.sign("]")
        return found

    def check(self, kind: str, key: str, value: str) -> None:
        assert key in KNOWN[kind], f"{key} of a {kind}"
        assert value in VALUES.get(key, {value}), f"{key}={value}"
        assert key not in COLOURS or re.fullmatch("#[0-9a-f]{6}", value), f"{key}={value}"
