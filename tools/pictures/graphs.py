"""The graph of a protocol: its roles or classes of roles, what goes between them, what each does.

Invariant: up to `LANES_MAX` roles are drawn one by one, more by classes. A schedule that is asked
    for one role has that role's whole program, and of its peers the frames between them and it.
Entry: `Graph.of`, `Lane`, `Edge`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from alpha.tools.pictures.classes import Classes, folded
from alpha.tools.pictures.drawings import LANES_MAX, Drawing
from alpha.tools.pictures.programs import Program, mirrored, relabelled
from alpha.tools.pictures.traffic import Direction, Traffic, traffic_of

NOBODY = -1


@dataclass(frozen=True)
class Lane:
    """A role, or several of which this is the first."""

    role: int
    """`NOBODY` where no program says which they are."""
    roles: int
    program: Program | None
    """What it does, with numbers of lanes as peers; None if nothing says it."""


@dataclass(frozen=True)
class Edge:
    """What goes from one lane to another on each of `count` edges."""

    count: int
    traffic: Traffic


@dataclass(frozen=True)
class Graph:
    """The nodes and edges of a topology, and the lanes of a schedule, by number."""

    nodes: tuple[Lane, ...]
    edges: dict[tuple[int, int], Edge]
    lanes: tuple[Lane, ...]
    asked: int | None
    """The role that the schedule was asked for."""

    by_class: bool
    """Whether a node is a class of roles."""

    @property
    def has_rounds(self) -> bool:
        """Whether anything is exchanged in a loop."""
        return any(edge.traffic.rounds.frames for edge in self.edges.values())

    @classmethod
    def of(cls, drawing: Drawing, role: int | None = None) -> Graph:
        """The graph of a protocol, its schedule that of one role if one is given.

        Raises:
            Refusal: what programs and classes refuse.
        """
        if role is not None:
            drawing.program(role)
        known = drawing.roles()
        few = (len(known) if isinstance(known, tuple) else known.size) <= LANES_MAX
        classes = None if few else Classes.of(drawing)
        nodes, lane_of = _classes(drawing, classes) if classes else _roles(drawing)
        edges = _edges(drawing, nodes, lane_of)
        lanes = nodes if role is None else _around(drawing, role, lane_of, not few)
        return cls(nodes, edges, lanes, role, not few)


LaneOf: TypeAlias = Callable[[int], int]


def _roles(drawing: Drawing) -> tuple[tuple[Lane, ...], LaneOf]:
    """The roles, those without a program in one lane where the group is large."""
    members = drawing.group.members
    roles = tuple(members if members.size <= LANES_MAX else drawing.roles())
    number = {role: lane for lane, role in enumerate(roles)}

    def lane_of(role: int) -> int:
        return number.get(role, len(roles))

    def program(role: int) -> Program:
        return folded(relabelled(drawing.program(role), lane_of), only=len(roles))

    lanes = (Lane(role, 1, program(role) if drawing.has(role) else None) for role in roles)
    return (*lanes, *_others(members.size - len(roles))), lane_of


def _classes(drawing: Drawing, classes: Classes) -> tuple[tuple[Lane, ...], LaneOf]:
    """The classes, and behind them in one lane all roles without a program."""
    lanes = (
        Lane(role, size, folded(relabelled(drawing.program(role), classes.lane)))
        for role, size in zip(classes.first, classes.sizes, strict=True)
    )
    others = _others(drawing.group.size - len(classes.class_of))
    return (*lanes, *others), classes.lane


def _others(count: int) -> tuple[Lane, ...]:
    return (Lane(NOBODY, count, None),) if count else ()


def _edges(
    drawing: Drawing, nodes: tuple[Lane, ...], lane_of: LaneOf
) -> dict[tuple[int, int], Edge]:
    """What goes between any two nodes, as the end that has fewer such edges sees it.

    All roles of a class exchange alike with those below; what is above may be of several classes,
    so that not all of them have an edge to each of these.
    """
    found: dict[tuple[int, int], Edge] = {}
    for number, node in enumerate(nodes):
        if node.program is None:
            continue
        for (lane, outgoing), seen in _seen(drawing, node.role, lane_of).items():
            ends = (number, lane) if outgoing else (lane, number)
            edge = Edge(node.roles * len(seen), Traffic.most(seen))
            if ends not in found or edge.count < found[ends].count:
                found[ends] = edge
    return dict(sorted(found.items()))


def _seen(drawing: Drawing, role: int, lane_of: LaneOf) -> dict[Direction, list[Traffic]]:
    """The traffic with each peer, by the peer's lane and the direction."""
    found: dict[Direction, list[Traffic]] = {}
    for (peer, outgoing), traffic in traffic_of(drawing.program(role)).items():
        found.setdefault((lane_of(peer), outgoing), []).append(traffic)
    return found


def _around(drawing: Drawing, role: int, lane_of: LaneOf, by_class: bool) -> tuple[Lane, ...]:
    """One role and its peers, one by one or, where they are too many, by classes."""
    program = drawing.program(role)
    peers = sorted({peer for peer, _ in traffic_of(program)})
    if not by_class or len(peers) < LANES_MAX:
        groups = [[each] for each in sorted((role, *peers))]
    else:
        lanes: dict[int, list[int]] = {}
        for peer in peers:
            lanes.setdefault(lane_of(peer), []).append(peer)
        groups = [[role], *lanes.values()]
    lane = {each: number for number, group in enumerate(groups) for each in group}
    whole = relabelled(program, lane.__getitem__)
    whole = whole if len(lane) == len(groups) else folded(whole)
    own = lane[role]
    return tuple(
        Lane(group[0], len(group), whole if number == own else mirrored(whole, own, number))
        for number, group in enumerate(groups)
    )
