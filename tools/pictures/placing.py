"""The nodes of a schedule: every step of every lane has a name, and every frame its two ends.

Invariant: nodes are numbered in the order of the schedule. A frame of roles has one send and one
    receive; where nothing is known of its peer, it has one end and no arrow. Of a class one role
    is drawn, which has one parent; that the class has children of it, and that the parent of the
    drawn role is of another class, are both true and are drawn alike.
Entry: `Placed.of`, `Node`, `Cluster`, `Arrow`.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

from alpha.tools.pictures.graphs import Graph
from alpha.tools.pictures.programs import Choice, Loop, Message, Program, Work
from alpha.tools.pictures.wording import repeat_text

End: TypeAlias = tuple[int, str, int, int, int]
"""Site, name and part of a message, and the lanes of its sender and receiver."""


@dataclass(frozen=True)
class Node:
    """A step of a lane; `of` is None where the lane does nothing."""

    name: str
    of: Work | Message | None


@dataclass(frozen=True)
class Cluster:
    """A loop or an arm, or a whole lane, with what stands in it."""

    name: str
    label: str
    parts: tuple[Node | Cluster, ...]


@dataclass(frozen=True)
class Arrow:
    """From one node to another."""

    start: str
    end: str
    of: Message | Loop | None
    """The message that goes, the loop that begins again, or None: what is next."""


class Placed:
    """The clusters of all lanes, the arrows between their nodes, and the ends without a partner."""

    def __init__(self, graph: Graph) -> None:
        self.arrows: list[Arrow] = []
        self._sent: dict[End, list[tuple[str, Message]]] = {}
        self._received: dict[End, list[tuple[str, Message]]] = {}
        self.lanes = {
            number: _Lane(self, number).cluster(lane.program)
            for number, lane in enumerate(graph.lanes)
            if lane.program is not None
        }
        self.alone = self._pair(graph.by_class)

    def add_end(self, name: str, lane: int, message: Message) -> None:
        """Keep one end of a message."""
        ends = (lane, message.peer) if message.outgoing else (message.peer, lane)
        kept = self._sent if message.outgoing else self._received
        kept.setdefault((message.site, message.name, message.part, *ends), []).append(
            (name, message)
        )

    def _pair(self, by_class: bool) -> set[str]:
        """Draw the messages; returns the nodes of those of which the other end isn't there."""
        senders = {end[:4]: sent for end, sent in self._sent.items()}
        receivers = {(*end[:3], end[4]): received for end, received in self._received.items()}
        alone: set[str] = set()
        for end in sorted({*self._sent, *self._received}):
            site, name, part, sender, receiver = end
            sent, received = self._sent.get(end, []), self._received.get(end, [])
            if {sender, receiver} - self.lanes.keys():
                continue
            if by_class:
                sent = sent or senders.get((site, name, part, sender), [])
                received = received or receivers.get((site, name, part, receiver), [])
            if by_class and len(sent) != len(received):
                pairs = list(product(sent, received))
            else:
                pairs = list(zip(sent, received, strict=False))
            self.arrows += [Arrow(start, stop, message) for (start, message), (stop, _) in pairs]
            drawn = {node for pair in pairs for node, _ in pair}
            alone.update(node for node, _ in (*sent, *received) if node not in drawn)
        return alone


class _Lane:
    """Names the nodes of one lane."""

    def __init__(self, placed: Placed, number: int) -> None:
        self._placed = placed
        self._number = number
        self._nodes = 0
        self._clusters = 0

    def cluster(self, program: Program) -> Cluster:
        """The lane, with at least one node."""
        parts, _ = self._program(program, [])
        parts = parts or [self._node(None)]
        return Cluster(f"cluster lane {self._number}", "", tuple(parts))

    def _node(self, of: Work | Message | None) -> Node:
        node = Node(f"step {self._number}.{self._nodes}", of)
        self._nodes += 1
        if isinstance(of, Message):
            self._placed.add_end(node.name, self._number, of)
        return node

    def _inner(self, label: str, program: Program, ends: list[str]) -> tuple[Cluster, list[str]]:
        name = f"cluster lane {self._number}.{self._clusters}"
        self._clusters += 1
        parts, ends = self._program(program, ends)
        return Cluster(name, label, tuple(parts)), ends

    def _program(self, program: Program, ends: list[str]) -> tuple[list[Node | Cluster], list[str]]:
        """Place steps behind the nodes at which the lane may come from; returns where it ends."""
        parts: list[Node | Cluster] = []
        for item in program:
            match item:
                case Work() | Message():
                    node = self._node(item)
                    self._placed.arrows += [Arrow(end, node.name, None) for end in ends]
                    parts.append(node)
                    ends = [node.name]
                case Loop():
                    first = f"step {self._number}.{self._nodes}"
                    cluster, ends = self._inner(repeat_text(item), item.body, ends)
                    parts.append(cluster)
                    if item.bound > 1:
                        self._placed.arrows += [Arrow(end, first, item) for end in ends]
                case Choice():
                    arms = [
                        self._inner(f"arm {number}", arm, ends)
                        for number, arm in enumerate(item.arms)
                    ]
                    parts += [cluster for cluster, _ in arms if cluster.parts]
                    ends = list(dict.fromkeys(end for _, last in arms for end in last))
        return parts, ends
