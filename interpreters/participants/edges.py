"""An edge: a connection with one peer, on which bytes pass both ways before a deadline.

Invariant: the socket never blocks; only `wait` does, until a deadline. No more bytes are read than
    were asked for, so that what follows a frame is still there when the edge ends.
Why: while a send is stuck because the peer doesn't read, only the peer's closing can be learned,
    so that is watched; what a peer sent is never read before its turn.
Entry: `Edge`.
"""

from __future__ import annotations

import os
import select
import socket
from collections.abc import Sequence

from alpha.interpreters.participants.deadlines import Deadline, glance, wait
from alpha.interpreters.participants.failures import PeerLost, unless_retried
from alpha.ir.frames import Bytes

# Not on every system. Without the first, a peer that has closed is noticed when a send fails;
# without the second, a process must leave SIGPIPE ignored, as Python does.
PEER_CLOSED: int = getattr(select, "POLLRDHUP", 0)
NO_SIGNAL: int = getattr(socket, "MSG_NOSIGNAL", 0)


class Edge:
    """A connection with `peer`; it takes over the socket, which must be connected."""

    def __init__(self, peer: int, connection: socket.socket) -> None:
        self.peer = peer
        self._socket = connection
        connection.setblocking(False)

    def send(self, pieces: Sequence[Bytes], deadline: Deadline) -> None:
        """Give all bytes of the pieces to the system, one piece after the other.

        Raises:
            PeerLost: the peer has closed its half, even if it would have read on, or the
                connection; or it doesn't read before the deadline.
            OSError: this host failed.
        """
        left = [view.cast("B") for piece in pieces if (view := memoryview(piece)).nbytes]
        size = sum(len(view) for view in left)
        doing = f"{size} bytes were sent"
        # Bytes would vanish in the buffer of a connection whose other end is closed already.
        if glance(self._socket.fileno(), PEER_CLOSED) & PEER_CLOSED:
            self._refuse_closed(doing)
        while left:
            try:
                taken = self._socket.sendmsg(left, (), NO_SIGNAL)
            except OSError as error:
                unless_retried("send", error, self.peer, doing)
                taken = 0
            while left and taken >= len(left[0]):
                taken -= len(left.pop(0))
            if not left:
                return
            left[0] = left[0][taken:]
            happened = wait(self._socket.fileno(), select.POLLOUT | PEER_CLOSED, deadline)
            if happened & PEER_CLOSED:
                self._refuse_closed(doing)
            if not happened:
                gone = size - sum(len(view) for view in left)
                raise PeerLost(self.peer, f"it took {gone} of {size} bytes in {deadline.name}")

    def receive(self, into: Bytes, deadline: Deadline) -> int:
        """Fill `into`; how many bytes came before the stream ended, which is all if it didn't.

        Raises:
            PeerLost: the connection is gone, or the deadline passed first.
            OSError: this host failed.
        """
        view, filled = memoryview(into), 0
        while filled < len(view):
            try:
                arrived = self._socket.recv_into(view[filled:])
            except OSError as error:
                doing = f"{len(view)} bytes were awaited, of which {filled} came"
                unless_retried("receive", error, self.peer, doing)
                in_time = wait(self._socket.fileno(), select.POLLIN, deadline) != 0
            else:
                if not arrived:
                    break
                filled += arrived
                # A peer that sends as slowly as it can must not be waited for longer.
                in_time = filled == len(view) or deadline.remaining() > 0
            if not in_time:
                came = f"{filled} of {len(view)} bytes came in {deadline.name}"
                raise PeerLost(self.peer, came)
        return filled

    def end(self) -> None:
        """Say that nothing more is sent.

        Raises:
            PeerLost: the connection is gone.
        """
        try:
            self._socket.shutdown(socket.SHUT_WR)
        except OSError as error:
            unless_retried("end", error, self.peer, "the stream was ended")

    def close(self) -> None:
        """Close the socket; does nothing the second time."""
        self._socket.close()

    def _refuse_closed(self, doing: str) -> None:
        """Raise what the closing of the peer's half means: its error if there is one."""
        number = self._socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if number:
            unless_retried("send", OSError(number, os.strerror(number)), self.peer, doing)
        raise PeerLost(self.peer, f"it ended its stream, while {doing}")
