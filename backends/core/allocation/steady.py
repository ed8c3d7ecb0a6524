"""What an inner loop should begin with in registers, where not everything fits.

The first choice is made without knowing what the loop ends with; what then differs costs loads and
stores in every iteration. So a beginning is tried that is what the last try ended with, as long as
that is cheaper.

Entry: `improve`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from alpha.backends.core.allocation.distances import Distances
from alpha.backends.core.allocation.flow import Flow, Link, Node
from alpha.backends.core.program import Value

TRIES_MAX = 4


def improve(
    flow: Flow,
    distances: Distances,
    body: Sequence[int],
    walk: Callable[[int, set[Value] | None], None],
) -> None:
    """Choose again what a loop begins with; its blocks are given, the header first.

    `walk` decides about the steps of a block, given what it begins with, or chooses that.
    Afterwards all steps are as for the choice that is kept.
    """
    cost = _cost(flow, distances, body)
    if not cost:
        return
    header = flow.nodes[body[0]]
    best = header.entering

    def again(entered: set[Value]) -> None:
        walk(body[0], entered)
        for block in body[1:]:
            walk(block, None)

    for _ in range(TRIES_MAX):
        again(_ended_with(flow, distances, body))
        found = _cost(flow, distances, body)
        if found >= cost:
            again(best)
            return
        cost, best = found, header.entering


def _sources(node: Node, link: Link, live: dict[Value, int]) -> dict[Value, Value]:
    """For each value that is live at the start of a block, its name at the end of an edge."""
    found = {value: value for value in live}
    for parameter, argument in zip(node.parameters, link.arguments, strict=True):
        if parameter in live:
            found[parameter] = argument
    return found


def _ended_with(flow: Flow, distances: Distances, body: Sequence[int]) -> set[Value]:
    """What all edges back to the header have in registers."""
    node, live = flow.nodes[body[0]], distances.entry[body[0]]
    found = set(live)
    for link in node.predecessors:
        if link.source in body:
            leaving = flow.nodes[link.source].leaving
            sources = _sources(node, link, live)
            found = {value for value in found if sources[value] in leaving}
    return found


def _cost(flow: Flow, distances: Distances, body: Sequence[int]) -> int:
    """How many loads and stores there are in a loop."""
    nodes = [flow.nodes[block] for block in body]
    loaded = [value for node in nodes for step in node.steps for value in step.loads]
    count = len(loaded)
    stored = set(loaded)
    in_memory: set[Value] = set()
    for block, node in zip(body, nodes, strict=True):
        live = distances.entry[block]
        in_memory.update(value for value in node.parameters if value not in node.entering)
        for link in node.predecessors:
            if link.source not in body:
                continue
            leaving = flow.nodes[link.source].leaving
            for value, source in _sources(node, link, live).items():
                if source not in leaving:
                    count += value in node.entering
                    stored.add(source)
                elif value in in_memory and value in node.parameters:
                    count += 1
    inside = stored.difference(flow.constants, in_memory)
    return count + sum(flow.home[value] in body for value in inside)
