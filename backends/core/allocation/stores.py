"""Where the values that are ever loaded are stored: once, on every way to a load.

A store stands right after the value's definition, or further down: at the start of a block that
dominates all loads, is in fewer loops or at least in no more, and has the value in a register. A
parameter that isn't in a register at the start of its block is stored by the edges into it.

Invariant: the store of a value dominates everything that reads its slot.
Entry: `place_stores`, `Stored`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from alpha.backends.core.allocation.distances import Distances
from alpha.backends.core.allocation.flow import Flow, Node
from alpha.backends.core.program import Value


@dataclass(frozen=True)
class Stored:
    """`parameters` come in memory; `block` is where each other value that has a slot is stored."""

    parameters: set[Value] = field(default_factory=set)
    block: dict[Value, int] = field(default_factory=dict)

    def values(self) -> set[Value]:
        """All values that have a slot."""
        return self.parameters | self.block.keys()


def place_stores(flow: Flow, distances: Distances) -> Stored:
    """Find what needs a slot, and note the stores in the nodes and steps."""
    stored = Stored()
    for block, node in enumerate(flow.nodes):
        live = distances.entry[block]
        stored.parameters.update(
            value for value in node.parameters if value in live and value not in node.entering
        )
    loaded = _loaded(flow, distances, stored)
    homes = _definitions(flow, loaded.keys() - stored.parameters)
    for value, (home, step) in homes.items():
        block = _lowest(flow, value, home, loaded[value])
        stored.block[value] = block
        node = flow.nodes[block]
        if block != home or step < 0:
            node.stores.append(value)
        elif step == len(node.steps) - 1:
            node.edge_stores.append(value)
        else:
            node.steps[step].stores = (*node.steps[step].stores, value)
    return stored


def _loaded(flow: Flow, distances: Distances, stored: Stored) -> dict[Value, set[int]]:
    """The values that are read from memory, each with the blocks at whose end or inside which."""
    found: dict[Value, set[int]] = {}
    for block, node in enumerate(flow.nodes):
        for step in node.steps:
            for value in step.loads:
                if value not in flow.constants:
                    found.setdefault(value, set()).add(block)
    for link in flow.links():
        node, leaving = flow.nodes[link.target], flow.nodes[link.source].leaving
        for value in _brought(node, distances.entry[link.target], link.arguments, stored):
            if value not in leaving and value not in flow.constants:
                found.setdefault(value, set()).add(link.source)
    return found


def _brought(node: Node, live: dict[Value, int], arguments: object, stored: Stored) -> set[Value]:
    """What an edge reads, by its name before the edge."""
    assert isinstance(arguments, (list, tuple))
    found = node.entering.difference(node.parameters)
    for parameter, argument in zip(node.parameters, arguments, strict=True):
        if parameter in node.entering or parameter in stored.parameters:
            found.add(argument)
    return found


def _definitions(flow: Flow, values: set[Value]) -> dict[Value, tuple[int, int]]:
    """The block and step that define each value; the step is -1 for a parameter."""
    found: dict[Value, tuple[int, int]] = {}
    if not values:
        return found
    for block, node in enumerate(flow.nodes):
        for value in node.parameters:
            if value in values:
                found[value] = block, -1
        for at, step in enumerate(node.steps):
            for value in step.defs:
                if value in values:
                    found[value] = block, at
    return found


def _lowest(flow: Flow, value: Value, home: int, loads: set[int]) -> int:
    """The block in the fewest loops that is best to store in; of equals the one run the least."""
    best = flow.dominance.common(loads)
    found, least = home, flow.loops.depth(home)
    for block in flow.dominance.chain(best, home):
        if block == home:
            break
        if value in flow.nodes[block].entering and flow.loops.depth(block) <= least:
            # From below upwards: a later one has to be in fewer loops.
            found, least = block, flow.loops.depth(block) - 1
    return found
