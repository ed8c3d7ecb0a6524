"""A run with a relay on every edge, which does something wrong in one direction of one of them.

Invariant: what passes every relay is written down behind its fault, so that nothing that a role
    sends is overlooked.
Entry: `run`, `Passed`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

from levels.sockets import connected
from native_faults.casts import Bound, Cast, End, Native, Play, end_of, launched
from participants.relay import Fault, Order, Relay, Stream
from runs.conversations import Direction

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True)
class Passed:
    """How all roles have ended, and the bytes that each sent, as they came to the relays."""

    ends: Mapping[int, End]
    sent: Mapping[Direction, bytes] = field(default_factory=dict)


def run(
    play: Play,
    cast: Cast,
    faults: Mapping[Direction, Sequence[Fault]] | None = None,
    bounds: Mapping[int, Bound] | None = None,
    during: Callable[[Sequence[Native]], None] = lambda processes: None,
    prepare: Callable[[], None] | None = None,
) -> Passed:
    """Run all roles; `during` is called with the native ones when all have been started.

    `prepare` is called in each of their processes before it executes.
    """
    faults, bounds = faults or {}, bounds or {}
    streams: dict[Direction, bytearray] = {}
    roles = [
        launched(play, role, cast(role), bounds.get(role, Bound()), prepare)
        for role in play.programs
    ]
    with ExitStack() as relays:

        def between(edge: tuple[int, int], port: int) -> int:
            lower, higher = edge
            ways: list[Sequence[Fault]] = []
            for way in ((higher, lower), (lower, higher)):
                kept = streams.setdefault(way, bytearray())
                ways.append((_writing(kept), *faults.get(way, ())))
            relay = Relay((LOOPBACK, port), forth=ways[0], back=ways[1])
            return relays.enter_context(relay).port

        during([role for role in roles if isinstance(role, Native)])
        connected(roles, between)
    ends = {role.role: end_of(role) for role in roles}
    return Passed(ends, {way: bytes(data) for way, data in streams.items()})


def _writing(data: bytearray) -> Fault:
    """No fault: it only keeps what passes."""

    def fault(stream: Stream) -> Stream:
        for piece in stream:
            if not isinstance(piece, Order):
                data.extend(piece)
            yield piece

    return fault
