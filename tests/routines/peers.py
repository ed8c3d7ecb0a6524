"""What tests of edges share: places in the arena, and the peers of a process in this one.

Entry: `process`, `listening`, `joined`, `reset`.
"""

from __future__ import annotations

import contextlib
import socket
import struct
from collections.abc import Iterator

from routines.remote import Remote, after

LOOPBACK = 0x7F000001
EDGE, OTHER, PIECES, ROOM, DATA = 0, 64, 256, 128, 65536
"""Where things are in the arena: records, pieces, an option, bytes."""

REST = (7, 11, 12)
FREE = (-1, *REST, -1, 13, 14, 15)
"""The record of an edge that isn't made, with words that nothing may change."""

SMALLEST = 1
"""A buffer that the system makes as small as it can."""


@contextlib.contextmanager
def process(machine: str, *changes: tuple[str, str]) -> Iterator[Remote]:
    """A process whose records are free."""
    with Remote(machine, changes=changes) as remote:
        remote.store_words(EDGE, *FREE)
        remote.store_words(OTHER, *FREE)
        yield remote


def listening(backlog: int = 1, buffer: int = 0) -> socket.socket:
    """A socket that listens on a port that the system chose."""
    listener = socket.socket()
    if buffer:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, buffer)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    listener.bind(("127.0.0.1", 0))
    listener.listen(backlog)
    listener.settimeout(20)
    return listener


def port_of(connection: socket.socket) -> int:
    return connection.getsockname()[1]


@contextlib.contextmanager
def joined(remote: Remote, buffer: int = 0) -> Iterator[socket.socket]:
    """The peer's end of the edge, to which the process has connected."""
    with listening(buffer=buffer) as listener:
        port = port_of(listener)
        assert remote.call("alpha_connect", EDGE, LOOPBACK, port, buffer, after(10)) == 0
        peer, _ = listener.accept()
        with peer:
            peer.settimeout(20)
            yield peer


def reset(peer: socket.socket) -> None:
    """Close a connection with a reset instead of an end."""
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    peer.close()
