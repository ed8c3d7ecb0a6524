"""Roles in threads of one process, started as a launcher does, over loopback connections.

Every role's ports pass through pipes of its own, so that an endpoint sees what it sees in a
process. Between a role's announcement and who reads it stands whatever `ports` makes of a port,
such as that of a relay.
"""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from alpha.interpreters.participants.deadlines import Bounds, Deadline
from alpha.interpreters.participants.edges import Edge as Connection
from alpha.interpreters.participants.endpoint import Endpoint
from alpha.ir.frames import Header

IDENTITY = bytes(range(32))
PAIR = ((0, 1),)
SMALLEST = Bounds(wait_seconds_max=10.0, buffer_bytes=1)
"""The system makes of one byte the smallest buffers that it allows."""

SHORT, LONG = Bounds(wait_seconds_max=0.3), Bounds(wait_seconds_max=9.0)

Edge = tuple[int, int]
"""Lower and higher role."""

Work = Callable[[Endpoint], Any]


def header(sender: int, receiver: int, sequence: int = 0, **more: int) -> Header:
    """A header in which what isn't said is 0."""
    rest = {"site": 0, "part": 0, "version": 0, "count": 0, "extent": 0, **more}
    return Header(sender=sender, receiver=receiver, sequence=sequence, **rest)


def peers_of(role: int, edges: Collection[Edge]) -> list[int]:
    """The peers of a role, ascending."""
    return sorted(sum(edge) - role for edge in edges if role in edge)


def run_roles(
    works: Mapping[int, Work],
    edges: Collection[Edge] = PAIR,
    bounds: Bounds | None = None,
    identities: Mapping[int, bytes] | None = None,
    ports: Callable[[Edge, int], int] = lambda edge, port: port,
    session_seconds: float = 20.0,
) -> dict[int, Any]:
    """What every role's work returned, or the exception that ended it, establishing included.

    `ports(edge, port)` is the port that the higher role of an edge is told.
    """
    results: dict[int, Any] = {}
    found: dict[Edge, int] = {}
    threads: list[threading.Thread] = []
    for role in sorted(works):
        input_end, told = os.pipe()
        heard, output_end = os.pipe()

        def perform(role: int = role, source: int = input_end, sink: int = output_end) -> None:
            identity = (identities or {}).get(role, IDENTITY)
            deadline = Deadline.after(session_seconds)
            peers = peers_of(role, edges)
            try:
                with open(source, "rb") as inward, open(sink, "wb") as outward:
                    endpoint = Endpoint.establish(
                        role, peers, inward, outward, {}, deadline, identity, bounds
                    )
                with endpoint:
                    results[role] = works[role](endpoint)
            except BaseException as error:
                results[role] = error

        threads.append(threading.Thread(target=perform, name=f"role {role}"))
        threads[-1].start()
        higher = [peer for peer in peers_of(role, edges) if peer > role]
        with open(heard, "rb") as announced:
            for peer in higher:
                port = int.from_bytes(announced.read(2), "big")
                found[role, peer] = ports((role, peer), port)
        lower = [peer for peer in peers_of(role, edges) if peer < role]
        with open(told, "wb") as telling:
            telling.write(b"".join(found[peer, role].to_bytes(2, "big") for peer in lower))
    for thread in threads:
        thread.join()
    return results


@contextmanager
def scripted(data: bytes, bounds: Bounds = SHORT) -> Iterator[tuple[Endpoint, socket.socket]]:
    """Role 1 with an edge to role 0, on which these bytes lie, and the socket of role 0."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
        near = socket.socket()
        near.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)
        near.connect(listener.getsockname())
        far, _ = listener.accept()
    edges = {0: Connection(0, near)}
    with far, Endpoint(1, IDENTITY, edges, Deadline.after(10), bounds) as endpoint:
        far.sendall(data)
        yield endpoint, far
