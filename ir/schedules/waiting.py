"""Who waits for whom: one graph of all schedules, in which a cycle is roles that wait for ever.

The graph, of schedules that are dual. Its nodes are

- every frame, which is a send and its receive together;
- of every party of a loop that is run more than once, the loop's beginning and its end.

An edge leads from one node to another wherever a role comes to them one behind the other, in its
line with every loop's body once and the arms of a choice beside each other. So each role's part of
a loop, and what it does before and behind it, are tied to the one beginning and end that all roles
of the party share.

Invariant: if the graph has no cycle, no run sticks: whatever arms are taken and whenever loops are
    left, every role comes to its end and every frame is received, with any number of frames that
    an edge may hold, none included.

Why it holds. Without cycles there is an order of all nodes that every edge agrees with. In one such
order each loop of a party stands together, from beginning to end: take the loop as a single node;
any way out of it leads over its end and any way into it over its beginning, so a cycle through the
single node would lead from the end to the beginning, and with the loop's own way from beginning to
end it would be a cycle of the graph. The same holds inside the loop for the loops in its body. Now
write every loop out, body behind body, and leave out the arms that aren't taken: each role's run
is a part of what results, because two actions of one role stand in it as in the role's line, round
by round. So all runs are parts of one order. Take the first frame in it that isn't made yet: all
that either of its roles does before is done, so both have come to it and, since the edge has the
same frames at both ends, to the same frame. It can be made. If edges hold frames, fewer roles wait.

Once is enough for a loop's body only because of its beginning and end. Roles that share no frame
may each have a part of a loop, with a third role between them: if one does its part and then meets
the other, which does so before its own part, then the second round of the one and the first of the
other wait for each other, though one copy of the body has no cycle.

What is refused without need: schedules that stick only through frames of two arms of one choice, or
only if a loop ran more often than it does. A set of schedules in which every loop stands together
in one order is accepted, so whatever is projected from a protocol is.

Entry: `WaitGraph`, `Node`.

Nodes and edges are at most two for each mark of a line, and an order or a cycle is found in time
linear in them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from alpha.ir.schedules.events import Branch
from alpha.ir.schedules.lines import Lines, Mark

NOWHERE = -1


@dataclass(frozen=True, slots=True)
class Node:
    """A frame, the beginning or end of a party's loop, or where a role's arms come together."""

    kind: Literal["frame", "begin", "end", "join"]
    number: int
    """Of a frame's send, of the party, or of the choice's last arm."""


class WaitGraph:
    """The graph of schedules that are dual; `after` has each node's next ones, with the role.

    `partner` is the other end of every action, `party` the party of every scope.
    """

    def __init__(self, lines: Lines, partner: Sequence[int], party: Sequence[int]) -> None:
        self.nodes: list[Node] = []
        self.after: list[list[tuple[int, int]]] = []
        self.partner = partner
        self._lines = lines
        self._party = party
        self._frames = [NOWHERE] * len(lines.actions)
        for number, action in enumerate(lines.actions):
            if action.kind == "send":
                node = self._node(Node("frame", number))
                self._frames[number] = self._frames[partner[number]] = node
        self._ends: dict[int, tuple[int, int]] = {}
        for number, scope in enumerate(lines.scopes):
            if scope.rounds > 1 and party[number] == number:
                self._ends[number] = (
                    self._node(Node("begin", number)),
                    self._node(Node("end", number)),
                )
        for role in lines.marks:
            self._line(role)

    def _node(self, node: Node) -> int:
        self.nodes.append(node)
        self.after.append([])
        return len(self.nodes) - 1

    def _line(self, role: int) -> None:
        """The edges of one role."""
        last = NOWHERE
        forks: list[tuple[int, set[int]]] = []
        for mark, number in self._lines.marks[role]:
            if mark is Mark.ACT:
                last = self._edge(last, self._frames[number], role)
                continue
            scope = self._lines.scopes[number]
            if isinstance(scope.step, Branch):
                if mark is Mark.OPEN:
                    if scope.arm == 0:
                        forks.append((last, set()))
                    last = forks[-1][0]
                    continue
                forks[-1][1].add(last)
                if scope.arm + 1 == len(scope.step.arms):
                    last = self._join(number, *forks.pop(), role)
            elif scope.rounds > 1:
                begin, end = self._ends[self._party[number]]
                last = self._edge(last, begin if mark is Mark.OPEN else end, role)

    def _edge(self, last: int, node: int, role: int) -> int:
        if last != NOWHERE:
            self.after[last].append((node, role))
        return node

    def _join(self, number: int, fork: int, ends: set[int], role: int) -> int:
        """Where a role is behind a choice: after the ends of all arms that aren't empty."""
        ends = ends - {fork}
        if len(ends) < 2:
            return min(ends, default=fork)
        join = self._node(Node("join", number))
        for end in sorted(ends):
            self._edge(end, join, role)
        return join

    def order(self) -> list[int]:
        """The nodes in an order that all edges agree with; those on and behind cycles are left out.

        Linear in nodes and edges.
        """
        missing = [0] * len(self.nodes)
        for following in self.after:
            for node, _ in following:
                missing[node] += 1
        found = [node for node, count in enumerate(missing) if not count]
        for node in found:
            for next_node, _ in self.after[node]:
                missing[next_node] -= 1
                if not missing[next_node]:
                    found.append(next_node)
        return found
