"""Roles that wait for each other in a circle: who stands where, and for whom it waits.

Refuses: protocol-wait-cycle.
Entry: `cycle_among`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from alpha.ir.refusals import Note, Refusal
from alpha.ir.schedules.lines import Lines
from alpha.ir.schedules.notes import place_at
from alpha.ir.schedules.waiting import WaitGraph

SHOWN_MAX = 16
"""Most waits that a message shows; a cycle may lead through all roles."""


def cycle_among(
    graph: WaitGraph, lines: Lines, party: Sequence[int], order: Iterable[int]
) -> Refusal:
    """The refusal of a cycle among the nodes that `order`, of the same graph, has left out.

    It is the shortest one through one of its nodes, and is found in time linear in the graph.
    """
    left = set(range(len(graph.nodes))).difference(order)
    waits = _turns(_shortest(graph, left, _on_a_cycle(graph, left)))
    roles = [role for _, role in waits]
    stands = [_stand(graph, lines, party, node, role) for node, role in waits[:SHOWN_MAX]]
    shown = [f"role {role}: {note.message}" for role, note in zip(roles, stands, strict=False)]
    more = f"; {len(waits) - SHOWN_MAX} more" if len(waits) > SHOWN_MAX else ""
    notes = tuple(
        Note(f"role {role} waits for role {next_role}: {note.message}", note.place)
        for role, next_role, note in zip(roles, [*roles[1:], roles[0]], stands, strict=False)
    )
    found = f"{'; '.join(shown)}{more}; role {roles[0]}"
    wanted = "an order in which roles never wait for each other in a circle"
    return Refusal("protocol-wait-cycle", wanted, found, notes[0].place, notes)


def _on_a_cycle(graph: WaitGraph, left: set[int]) -> int:
    """A node that is on a cycle: each that is left has one before it that is left as well."""
    before = {node: at for at in sorted(left) for node, _ in graph.after[at]}
    seen: set[int] = set()
    at = min(left)
    while at not in seen:
        seen.add(at)
        at = before[at]
    return at


def _shortest(graph: WaitGraph, left: set[int], start: int) -> list[tuple[int, int]]:
    """A shortest way from a node to itself, backwards: nodes, each with the role that goes on."""
    ways: dict[int, tuple[int, int]] = {}
    reached = [start]
    for at in reached:
        for node, role in graph.after[at]:
            if node in left and node not in ways:
                ways[node] = at, role
                reached.append(node)
        if start in ways:
            break
    steps = [ways[start]]
    while steps[-1][0] != start:
        steps.append(ways[steps[-1][0]])
    return steps


def _turns(steps: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The nodes at which a role waits for another one, without those that one role passes alone."""
    following = [*steps[1:], steps[0]]
    turns = [step for step, other in zip(steps, following, strict=True) if step[1] != other[1]]
    return turns or list(steps[:1])


def _stand(graph: WaitGraph, lines: Lines, party: Sequence[int], at: int, role: int) -> Note:
    """What a role is to do at a node, and where that stands."""
    node = graph.nodes[at]
    if node.kind == "frame":
        ends = node.number, graph.partner[node.number]
        action = lines.actions[next(end for end in ends if lines.role_of[end] == role)]
        return Note(str(action), place_at(action))
    scope = next(
        scope
        for number, scope in enumerate(lines.scopes)
        if party[number] == node.number and scope.role == role
    )
    assert scope.step is not None
    return Note(f"{node.kind} {scope}", place_at(scope.step))
