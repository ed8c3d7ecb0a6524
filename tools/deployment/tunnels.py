"""The ways of edges between two hosts, through connections over ssh.

Invariant: a role listens on the loopback address of its own host and connects to one, and only
    bytes go from one to the other. The relay is OpenSSH on this machine and on both hosts; it reads
    no frame and holds no secret of the run, and what it changed, lost or added would be found by
    the frames' digests and headers like any other fault of an edge.
Why: hosts that reach one another in no other way, or not without somebody listening in.
Entry: `Tunnels`.
"""

from __future__ import annotations

import socket
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from alpha.tools.deployment.connections import Connection, HostLost
from alpha.tools.deployment.placement import LOOPBACK, THIS, Placement
from alpha.tools.deployment.remote_hosts import RemoteHost

ATTEMPTS = 8
"""So many ports of this machine are tried, of which others may be quicker to take one."""


class Tunnels:
    """Makes the way of an edge when the port is known at which its lower role listens."""

    def __init__(
        self, placement: Placement, hosts: Mapping[str, RemoteHost], sockets: Path
    ) -> None:
        """`hosts` are those that are reached over ssh, by name."""
        self._placement = placement
        self._hosts = hosts
        self._sockets = sockets
        self._count = 0

    def port(self, role: int, peer: int, port: int) -> int:
        """Where a role reaches a lower peer, which listens on a port of its own host.

        Raises:
            HostLost: a port can't be forwarded.
        """
        if not self._placement.is_tunnelled(role, peer):
            return port
        near, far = self._placement.machine(role), self._placement.machine(peer)
        target = f"{LOOPBACK}:{port}"
        if near == THIS:
            return _forward_here(self._hosts[far].connection, target)
        if far != THIS:
            # Between the two, on this machine, a socket that no other user can open.
            self._count += 1
            between = self._sockets / f"edge-{self._count}"
            self._hosts[far].connection.forward("-L", f"{between}:{target}")
            target = str(between)
        return _forward_there(self._hosts[near].connection, target)


def _forward_there(connection: Connection, target: str) -> int:
    """A port of a host whose connections go to a target on this machine."""
    said = connection.forward("-R", f"{LOOPBACK}:0:{target}")
    if not said.isdecimal() or not 0 < int(said) < 1 << 16:
        what = f"cannot forward a port of host {connection.name}"
        raise HostLost(f"{what}: ssh names none, but says {said[:80]!r}")
    return int(said)


def _forward_here(connection: Connection, target: str) -> int:
    """A port of this machine whose connections go to a target on a host."""
    for attempt in range(ATTEMPTS):
        with closing(socket.socket()) as held:
            # Both this socket and the client's may have the port until one of them listens.
            held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            held.bind((LOOPBACK, 0))
            port = held.getsockname()[1]
            try:
                connection.forward("-L", f"{LOOPBACK}:{port}:{target}")
                return port
            except HostLost:
                if connection.lost or attempt == ATTEMPTS - 1:
                    raise
    raise AssertionError
