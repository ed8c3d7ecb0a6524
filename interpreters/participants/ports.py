"""How participants tell each other where they listen: ports on a stream, in the order of the edges.

Invariant: a port is two bytes, big-endian; a role writes one for each higher peer and reads one for
    each lower peer, both ascending, and reads not a byte more.
Why: whoever starts the roles only passes these bytes on, and needn't know what they are.
Entry: `announce`, `read_ports`.
"""

from __future__ import annotations

import io
import os
import select
from collections.abc import Sequence
from typing import BinaryIO

from alpha.interpreters.participants.deadlines import Deadline, wait
from alpha.interpreters.participants.failures import Overdue, PeerLost

PORT_BYTES = 2


def announce(outward: BinaryIO, ports: Sequence[int], deadline: Deadline) -> None:
    """Write the ports of the listeners.

    Raises:
        Overdue: nobody reads them before the deadline.
        OSError: they can't be written.
    """
    data = b"".join(port.to_bytes(PORT_BYTES, "big") for port in ports)
    outward.flush()
    descriptor = _descriptor(outward)
    if descriptor is None:
        outward.write(data)
        outward.flush()
        return
    while data:
        if not wait(descriptor, select.POLLOUT, deadline):
            raise Overdue(f"no port was read in {deadline.name}")
        # So few bytes never block once a pipe can be written.
        data = data[_write(descriptor, data[: select.PIPE_BUF]) :]


def read_ports(inward: BinaryIO, peers: Sequence[int], deadline: Deadline) -> list[int]:
    """The ports on which these peers listen.

    A stream with a descriptor is read through that: nothing may stand in a buffer before it.

    Raises:
        PeerLost: the port of a peer didn't come before the end of the stream or the deadline, or
            is 0.
        OSError: the stream can't be read.
    """
    data, size = b"", PORT_BYTES * len(peers)
    descriptor = _descriptor(inward)
    while len(data) < size:
        peer = peers[len(data) // PORT_BYTES]
        if descriptor is None:
            more = inward.read(size - len(data))
        elif wait(descriptor, select.POLLIN, deadline):
            more = _read(descriptor, size - len(data))
        else:
            raise PeerLost(peer, f"its port didn't come in {deadline.name}")
        if more == b"":
            ended = f"the input ended after {len(data)} of {size} bytes of ports"
            raise PeerLost(peer, f"its port didn't come: {ended}")
        data += more or b""
    ports = [int.from_bytes(data[at : at + PORT_BYTES], "big") for at in range(0, size, PORT_BYTES)]
    for peer, port in zip(peers, ports, strict=True):
        if port == 0:
            raise PeerLost(peer, "its port is 0, on which nobody listens")
    return ports


def _descriptor(stream: BinaryIO) -> int | None:
    """The descriptor of a stream; None if it is in memory."""
    try:
        return stream.fileno()
    except io.UnsupportedOperation:
        return None


def _read(descriptor: int, size: int) -> bytes | None:
    """Bytes of a descriptor that can be read; None if someone else was faster."""
    try:
        return os.read(descriptor, size)
    except BlockingIOError:
        return None


def _write(descriptor: int, data: bytes) -> int:
    """How many bytes a descriptor has taken."""
    try:
        return os.write(descriptor, data)
    except BlockingIOError:
        return 0
