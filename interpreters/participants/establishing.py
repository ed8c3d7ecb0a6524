"""How the edges of a role come into being, in an order that no role can wait in for ever.

Invariant: a role listens on every edge to a higher peer before it announces a port, and connects to
    a lower peer only after that peer's announcement; so roles that are started in ascending order,
    each after the announcements before it, never meet an absent listener. Every edge has a listener
    of its own, so its port says who connects, and the first frame proves it. Where a role is told
    where its lower peers listen, they may begin after it, and it tries until its wait is over.
Why: the order is the same in every role and needs no coordinator.
Entry: `establish`.
"""

from __future__ import annotations

import errno
import itertools
import os
import select
import socket
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from ipaddress import IPv4Address
from typing import BinaryIO

from alpha.interpreters.participants.deadlines import Bounds, Deadline, wait
from alpha.interpreters.participants.edges import Edge
from alpha.interpreters.participants.failures import (
    Call,
    PeerLost,
    explain,
    unless_retried,
)
from alpha.interpreters.participants.listening import Known, Listener
from alpha.interpreters.participants.ports import announce, read_ports

LOOPBACK = "127.0.0.1"
PAUSE_SECONDS_MIN, PAUSE_SECONDS_MAX = 0.001, 0.5
"""Between two attempts to connect; doubled after each."""

PENDING = frozenset({errno.EINPROGRESS, errno.EALREADY, errno.EINTR})
"""The attempt goes on and its socket says how it ended."""


def establish(
    role: int,
    edges: Sequence[int],
    inward: BinaryIO,
    outward: BinaryIO,
    addresses: Mapping[int, str],
    session: Deadline,
    bounds: Bounds,
    known: Known | None = None,
) -> dict[int, Edge]:
    """The connected edges of a role to its peers, which are given in ascending order.

    `addresses` has the IPv4 address, in dotted form, on which a role listens; who isn't in it
    listens on the loopback address. What is `known` comes before that, and isn't passed on streams.

    Raises:
        PeerLost: a peer didn't announce, listen or connect within the bounds.
        Overdue: nobody reads the ports that this role announces.
        OSError: this host failed, or a stream of ports did.
        ValueError: the peers, an address or what is known of them aren't what they should be.
    """
    known = Known() if known is None else known
    if list(edges) != sorted({*edges} - {role}) or (edges and edges[0] < 0):
        raise ValueError(f"the peers of role {role} aren't other roles in ascending order: {edges}")
    misfit = known.misfit(role, edges)
    if misfit:
        raise ValueError(misfit)
    at = {peer: str(IPv4Address(addresses.get(peer, LOOPBACK))) for peer in (role, *edges)}
    lower = [peer for peer in edges if peer < role]
    higher = [peer for peer in edges if peer > role]
    with ExitStack() as opened:
        listeners: dict[int, socket.socket] = {}
        for number, peer in enumerate(higher):
            own = known.own
            address = at[role] if own is None else own.address
            port = 0 if own is None else own.port + number
            listeners[peer] = opened.enter_context(_listener(peer, address, bounds, port))
        if known.own is None:
            ports = [listener.getsockname()[1] for listener in listeners.values()]
            announce(outward, ports, _wait(session, bounds, "announcing"))
        found, attempts = known.lower, None
        if found is None:
            heard = read_ports(inward, lower, _wait(session, bounds, "waiting for ports"))
            found = [Listener(at[peer], port) for peer, port in zip(lower, heard, strict=True)]
            attempts = bounds.connect_attempts_max
        connected: dict[int, Edge] = {}
        for peer, listener in zip(lower, found, strict=True):
            deadline = _wait(session, bounds, "connecting")
            reached = _reach(peer, listener, deadline, bounds, attempts)
            connected[peer] = Edge(peer, opened.enter_context(reached))
        for peer, listener in listeners.items():
            deadline = _wait(session, bounds, "waiting for a connection")
            connection = opened.enter_context(_accept(peer, listener, deadline))
            connected[peer] = Edge(peer, connection)
            listener.close()
        opened.pop_all()  # They are the caller's now.
        return connected


def _wait(session: Deadline, bounds: Bounds, what: str) -> Deadline:
    return session.within(bounds.wait_seconds_max, what)


@contextmanager
def _failures_of(call: Call, peer: int, doing: str) -> Iterator[None]:
    """Give the errors of a call, none of which is tried again, the meaning that they have."""
    try:
        yield
    except OSError as error:
        unless_retried(call, error, peer, doing)
        raise


@contextmanager
def _said_of(address: str, port: int) -> Iterator[None]:
    """Say which port it is that can't be had, where it isn't the system that chooses one."""
    try:
        yield
    except OSError as error:
        if not port:
            raise
        why = os.strerror(error.errno or 0)
        raise OSError(error.errno, f"{why} at {address}:{port}") from None


@contextmanager
def _closed_unless_whole(connection: socket.socket) -> Iterator[None]:
    """Close a socket with which something went wrong on the way."""
    try:
        yield
    except BaseException:
        connection.close()
        raise


def _open(peer: int, bounds: Bounds) -> socket.socket:
    """A non-blocking socket with the options that a listener's connections inherit from it."""
    doing = "a socket was opened"
    with _failures_of("socket", peer, doing):
        connection = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    with _closed_unless_whole(connection), _failures_of("option", peer, doing):
        connection.setblocking(False)
        # Without it the end of a frame would wait for the acknowledgement of its beginning.
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if bounds.buffer_bytes is not None:
            # Before there is a connection: later its window is agreed on.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, bounds.buffer_bytes)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, bounds.buffer_bytes)
    return connection


def _listener(peer: int, address: str, bounds: Bounds, port: int = 0) -> socket.socket:
    """A socket that listens for one peer; port 0 is one that the system chooses."""
    listener = _open(peer, bounds)
    with _closed_unless_whole(listener):
        with _failures_of("option", peer, "a listener was made"):
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with _failures_of("bind", peer, "a listener was bound"), _said_of(address, port):
            listener.bind((address, port))
        with _failures_of("listen", peer, "a listener was made"):
            listener.listen(1)
    return listener


def _reach(
    peer: int, listener: Listener, deadline: Deadline, bounds: Bounds, attempts: int | None
) -> socket.socket:
    """A connection to where a lower peer listens, by so many attempts if their number is bounded.

    Until the deadline, if not.
    """
    pause, why = PAUSE_SECONDS_MIN, "no attempt is allowed"
    for _ in itertools.count() if attempts is None else range(attempts):
        connection = _open(peer, bounds)
        with _closed_unless_whole(connection):
            why = _attempt(peer, connection, (listener.address, listener.port), deadline)
        if not why:
            return connection
        connection.close()
        time.sleep(min(pause, deadline.remaining()))
        pause = min(2 * pause, PAUSE_SECONDS_MAX)
        if not deadline.remaining():
            break
    raise PeerLost(peer, f"no connection to {listener}, {why}")


def _attempt(
    peer: int, connection: socket.socket, address: tuple[str, int], deadline: Deadline
) -> str:
    """Connect a socket; why it isn't connected, or nothing if it is."""
    number = connection.connect_ex(address)
    if number in PENDING:
        if not wait(connection.fileno(), select.POLLOUT, deadline):
            return f"no answer in {deadline.name}"
        number = connection.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
    if number:
        error = OSError(number, os.strerror(number))
        unless_retried("connect", error, peer, "connecting to {}:{}".format(*address))
        return explain(number)
    # On one host the system may choose, for the near end, the very port where nobody listens yet.
    if connection.getsockname()[1] == address[1]:
        return "it was connected to itself"
    return ""


def _accept(peer: int, listener: socket.socket, deadline: Deadline) -> socket.socket:
    """The connection of the one peer that is told this port."""
    while True:
        try:
            connection, _ = listener.accept()
        except OSError as error:
            unless_retried("accept", error, peer, "accepting a connection")
            if not wait(listener.fileno(), select.POLLIN, deadline):
                raise PeerLost(peer, f"it didn't connect in {deadline.name}") from None
            continue
        doing = "a connection was accepted"
        with _closed_unless_whole(connection), _failures_of("option", peer, doing):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection
