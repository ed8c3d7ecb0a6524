"""How far every value is from its next use, at the start and end of every block.

A distance is counted in instructions along the shortest way; an edge that leaves a loop adds
`OUT_OF_LOOP`, so that what a loop uses is always nearer than what it doesn't. An argument of an
edge is as far as the parameter that it becomes; a value without a distance is dead.

Source: "Register Spilling and Live-Range Splitting for SSA-Form Programs" (CC 2009),
    doi 10.1007/978-3-642-00722-4_13.
Entry: `distances_of`, `Distances`, `OUT_OF_LOOP`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from alpha.backends.core.allocation.flow import Link, Node
from alpha.backends.core.allocation.loops import Loops
from alpha.backends.core.program import Value

OUT_OF_LOOP = 1 << 32
"""More instructions than a function has."""

CHEAP = 4
"""A value that needs no store where it is spilled goes before one that does, whose next use may be
so many times farther: a loop rather loads again what it doesn't change than stores what it does,
since a store and a load in a chain of sums cost more than their number says."""

Distance = dict[Value, int]


@dataclass(frozen=True)
class Distances:
    """By block: `entry` has the live parameters and the values that are live into it."""

    entry: list[Distance]
    exit: list[Distance]


def distances_of(nodes: Sequence[Node], loops: Loops) -> Distances:
    """The distances of a function's blocks: the least solution of the equations of liveness."""
    exposed = [_exposed(node) for node in nodes]
    defined = [{value for step in node.steps for value in step.defs} for node in nodes]
    entry: list[Distance] = [{} for _ in nodes]
    exit: list[Distance] = [{} for _ in nodes]
    dirty = [True] * len(nodes)
    while any(dirty):
        for block in range(len(nodes) - 1, -1, -1):
            if not dirty[block]:
                continue
            dirty[block] = False
            node = nodes[block]
            exit[block] = _joined(node, nodes, entry, loops)
            length, hidden = len(node.steps), defined[block]
            found = {
                value: distance + length
                for value, distance in exit[block].items()
                if value not in hidden
            }
            found.update(exposed[block])
            if found != entry[block]:
                entry[block] = found
                for link in node.predecessors:
                    dirty[link.source] = True
    return Distances(entry, exit)


def carried(link: Link, target: Node, entry: Distance) -> Distance:
    """What an edge has to bring, by its name before the edge, and how far behind it that is."""
    found = dict(entry)
    for parameter in target.parameters:
        found.pop(parameter, None)
    for parameter, argument in zip(target.parameters, link.arguments, strict=True):
        distance = entry.get(parameter)
        if distance is not None and distance < found.get(argument, distance + 1):
            found[argument] = distance
    return found


def _joined(node: Node, nodes: Sequence[Node], entry: Sequence[Distance], loops: Loops) -> Distance:
    """The distances at the end of a block."""
    found: Distance = {}
    for link in node.successors:
        extra = OUT_OF_LOOP * loops.left(link.source, link.target)
        for value, distance in carried(link, nodes[link.target], entry[link.target]).items():
            if distance + extra < found.get(value, distance + extra + 1):
                found[value] = distance + extra
    return found


def _exposed(node: Node) -> Distance:
    """The first use of each value that is not defined before it in the block."""
    found: Distance = {}
    defined: set[Value] = set()
    for at, step in enumerate(node.steps):
        for value in step.uses:
            if value not in found and value not in defined:
                found[value] = at
        defined.update(step.defs)
    return found
