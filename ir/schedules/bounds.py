"""How much an edge carries: in all, and at a time if sends don't wait for their receivers.

In all, the frames of a loop count with every round, and of a choice the arm that has most; so the
figures are reached by some run, unless a loop is left early or frames and bytes are most in
different arms.

At a time, in flight from a to b is what a has sent and b hasn't received yet. When a receives
something from b, nothing is: b has received all that a sent before, as otherwise b would answer
before it receives that, a would send it before it receives the answer, and without buffers both
would wait for ever. So between two answers a's sends add up. A loop in which no answer comes back
on the edge counts with its rounds, or with K + 2 of them if its roles hear of each other through
other roles (`hearing`).

Invariant: no run has more in flight, whatever the speeds of its roles.
Why: a program that queues what it sends needs room for it. Where nothing comes back, a sender may
    be all rounds of a loop ahead, and the room grows with the rounds.
Entry: `EdgeBound`, `edge_bounds`; `in_flight`, `rounds_held` and `payload_sizes` for one figure.

Linear in the actions, times the depth of loops and choices for edges that are used in the innermost
only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from alpha.ir.schedules.flows import ANSWER, IDLE, Flow, flows, send
from alpha.ir.schedules.hearing import heard
from alpha.ir.schedules.lines import Lines
from alpha.ir.schedules.matched import Matched

Edge = tuple[int, int]
"""Sender and receiver."""


@dataclass(frozen=True)
class EdgeBound:
    """The most that one direction of an edge carries; bytes are those of payloads."""

    frames: int
    payload_bytes: int
    frames_in_flight: int
    payload_bytes_in_flight: int


def edge_bounds(matched: Matched) -> dict[Edge, EdgeBound]:
    """The bounds of every edge and direction that has a frame, of schedules that are accepted."""
    frames = [1] * len(matched.lines.actions)
    in_bytes = payload_sizes(matched.lines)
    held = rounds_held(matched)
    figures = (
        _in_all(matched.lines, frames),
        _in_all(matched.lines, in_bytes),
        in_flight(matched, frames, held),
        in_flight(matched, in_bytes, held),
    )
    lines = matched.lines
    edges = {
        (role, action.peer)
        for action, role in zip(lines.actions, lines.role_of, strict=True)
        if action.kind == "send"
    }
    return {edge: EdgeBound(*(figure[edge] for figure in figures)) for edge in sorted(edges)}


def payload_sizes(lines: Lines) -> list[int]:
    """The bytes of every action's words."""
    return [action.label.payload_bytes for action in lines.actions]


def rounds_held(matched: Matched) -> list[int]:
    """For each scope, of how many of its rounds frames may be in flight at a time."""
    lines, party = matched.lines, matched.party
    apart = heard(lines, matched.partner, party)
    held: list[int] = []
    for number, scope in enumerate(lines.scopes):
        others = apart.get(party[number])
        held.append(scope.rounds if others is None else min(scope.rounds, others + 2))
    return held


def _in_all(lines: Lines, sizes: Sequence[int]) -> dict[Edge, int]:
    """The sum of the sizes of all frames of each edge."""
    rounds = [scope.rounds for scope in lines.scopes]

    def worth(number: int) -> Flow:
        return send(sizes[number]) if lines.actions[number].kind == "send" else IDLE

    return {
        (role, peer): flow.most
        for role in lines.marks
        for peer, flow in flows(lines, role, worth, rounds).items()
    }


def in_flight(matched: Matched, sizes: Sequence[int], held: Sequence[int]) -> dict[Edge, int]:
    """The most, in sizes of actions, that each edge holds at a time; `held` is `rounds_held`."""
    lines = matched.lines

    def worth(number: int) -> Flow:
        return send(sizes[number]) if lines.actions[number].kind == "send" else ANSWER

    return {
        (role, peer): flow.most
        for role in lines.marks
        for peer, flow in flows(lines, role, worth, held).items()
    }
