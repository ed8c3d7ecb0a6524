"""A role that is killed at a place of what it sends, and one that never appears.

Entry: `killed`, `Absent`, `with_an_absent_one`.
"""

from __future__ import annotations

import socket
from collections.abc import Mapping, Sequence

from levels.sockets import RoleEnd, connected
from native_faults.casts import Bound, Cast, End, Native, Play, end_of, launched
from native_faults.relayed import Passed, run
from participants.relay import Order, Stream
from runs.conversations import Direction

LOOPBACK = "127.0.0.1"


def killed(play: Play, cast: Cast, way: Direction, place: int) -> Passed:
    """A run in which the sender is killed when so many bytes of a direction have passed.

    It may have sent more by then, which is lost with it.
    """
    processes: list[Native] = []
    target = way[0]

    def fault(stream: Stream) -> Stream:
        passed = 0
        if not place:
            _kill(processes, target)
        for piece in stream:
            if isinstance(piece, Order):
                yield piece
                continue
            left = place - passed
            passed += len(piece)
            if left > 0:
                yield piece[:left]
                if left <= len(piece):
                    _kill(processes, target)

    return run(play, cast, {way: (fault,)}, during=processes.extend)


def _kill(processes: Sequence[Native], role: int) -> None:
    (process,) = (each.process for each in processes if each.role == role)
    process.kill()


class Absent:
    """In the place of a role: ports on which nobody listens, or on which nobody accepts."""

    def __init__(self, role: int, peers: Sequence[int], silent: bool) -> None:
        self.role = role
        self._higher = [peer for peer in peers if peer > role]
        self._sockets = {peer: socket.socket() for peer in self._higher}
        for each in self._sockets.values():
            each.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
            each.bind((LOOPBACK, 0))
            if silent:
                each.listen()

    def announced(self) -> dict[int, int]:
        """The port for each higher peer, which nobody else can have meanwhile."""
        return {peer: each.getsockname()[1] for peer, each in self._sockets.items()}

    def tell(self, ports: Mapping[int, int]) -> None:
        """It listens to nobody."""

    def collect(self) -> RoleEnd:
        """There is nothing to tell."""
        return RoleEnd()

    def close(self) -> None:
        """Let go of its ports."""
        for each in self._sockets.values():
            each.close()


def with_an_absent_one(
    play: Play, cast: Cast, absent: int, bound: Bound, silent: bool
) -> tuple[Mapping[int, End], Mapping[int, int]]:
    """How the others end, and the ports that the absent role has announced."""
    stands_for = Absent(absent, play.peers[absent], silent)
    others = {
        role: launched(play, role, cast(role), bound) for role in play.programs if role != absent
    }
    ports = stands_for.announced()
    connected([others.get(role, stands_for) for role in play.programs])
    stands_for.close()
    return {role: end_of(each) for role, each in others.items()}, ports
