"""The check of all roles' schedules: whether they fit together, whoever made them.

The schedules of a group fit iff

1. every role of the group has one;
2. for every two roles a and b, the sends of a to b are the receives of b from a: label by label, in
   one order, each in the same loops, with the same bounds, and in the same arms (`duality`);
3. there is an order of all frames and of the beginnings and ends of all loops that the schedule of
   every role agrees with (`waiting`, where it is shown that then no run sticks);
4. no more is in flight on an edge than a limit says, even if sends don't wait (`bounds`).

Assumed, since schedules don't show it: every role takes the same arm of a choice, and has been told
which before it acts on it; frames of an edge stay in order; local work ends.

Refuses: 1 protocol-role-unfinished; 2 protocol-orphan-send, protocol-orphan-receive,
    protocol-dual-mismatch, protocol-edge-order, protocol-role-unfinished; 3 protocol-wait-cycle;
    4 protocol-buffer-unbounded.
Entry: `check_schedules`, `Limit`.

Time and space of 1 to 3 are linear in the steps of all schedules, however many roles there are and
however deep the loops; 4 takes that times the depth of loops and choices.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from alpha.ir.refusals import Note, Refusal
from alpha.ir.schedules.bounds import Edge, in_flight, payload_sizes, rounds_held
from alpha.ir.schedules.cycles import cycle_among
from alpha.ir.schedules.duality import partners
from alpha.ir.schedules.events import Schedules
from alpha.ir.schedules.hearing import heard
from alpha.ir.schedules.lines import read
from alpha.ir.schedules.matched import Matched
from alpha.ir.schedules.notes import place_at
from alpha.ir.schedules.parties import parties
from alpha.ir.schedules.waiting import WaitGraph


@dataclass(frozen=True)
class Limit:
    """The most that may be in flight in one direction of an edge; None is no limit.

    The default is more than an operation has on an edge before an answer comes, and less than the
    rounds of a run: so it refuses loops in which a sender never hears of its receiver.
    """

    frames: int | None = 1024
    payload_bytes: int | None = None


LIMIT = Limit()


def check_schedules(
    schedules: Schedules, group: Collection[int], limit: Limit | None = LIMIT
) -> Iterator[Refusal]:
    """What is wrong with the schedules of the roles of a group, by role and edge, if anything is.

    Where an edge has several faults, the first is given. Cycles are looked for if all frames have
    both ends, and what is in flight if there is no cycle, and a limit.
    """
    refused = False
    for role in sorted(group):
        if role not in schedules:
            refused = True
            yield Refusal("protocol-role-unfinished", f"a schedule of role {role}", "none")
    lines = read(schedules)
    partner, refusals = partners(lines, group)
    yield from refusals
    if refused or refusals:
        return
    party = parties(lines, partner)
    graph = WaitGraph(lines, partner, party)
    order = graph.order()
    if len(order) < len(graph.nodes):
        yield cycle_among(graph, lines, party, order)
    elif limit is not None:
        yield from _overfull(Matched(lines, partner, party), limit)


def _overfull(matched: Matched, limit: Limit) -> Iterator[Refusal]:
    """The edges on which more may be in flight than the limit says."""
    lines, held = matched.lines, rounds_held(matched)
    found: dict[Edge, tuple[int, int, str]] = {}
    for most, what in ((limit.payload_bytes, "bytes"), (limit.frames, "frames")):
        if most is not None:
            sizes = [1] * len(lines.actions) if what == "frames" else payload_sizes(lines)
            for edge, bound in in_flight(matched, sizes, held).items():
                if bound > most:
                    found[edge] = most, bound, what
    if not found:
        return
    sends: dict[Edge, list[int]] = {edge: [] for edge in found}
    for number, (action, role) in enumerate(zip(lines.actions, lines.role_of, strict=True)):
        if action.kind == "send" and (role, action.peer) in sends:
            sends[role, action.peer].append(number)
    apart = heard(lines, matched.partner, matched.party)
    for (sender, receiver), (most, bound, what) in sorted(found.items()):
        at = sends[sender, receiver]
        yield Refusal(
            "protocol-buffer-unbounded",
            f"at most {most} {what} in flight from role {sender} to role {receiver}",
            f"up to {bound} if sends don't wait",
            lines.actions[at[0]].place,
            tuple(_deaf_loops(matched, apart, at)),
        )


def _deaf_loops(
    matched: Matched, apart: Mapping[int, int | None], sends: Sequence[int]
) -> Iterator[Note]:
    """The loops around some sends that count with all their rounds."""
    lines = matched.lines
    seen = {-1}
    for number in sends:
        scope = lines.scope_of[number]
        while scope not in seen:
            seen.add(scope)
            step = lines.scopes[scope].step
            if step is not None and apart.get(matched.party[scope], 0) is None:
                text = "counts with all rounds, since not all of its roles hear of each other"
                yield Note(f"{lines.scopes[scope]} {text}", place_at(step))
            scope = lines.scopes[scope].around
