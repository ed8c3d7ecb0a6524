"""One direction of an edge: frames on their way, in order, and who waits at either end.

Invariant: frames are taken in the order in which they were sent, whatever their latencies, and at
    most `buffer` of those that were sent are on their way while their sender goes on.
Entry: `Channel`, `Frame`.
"""

from __future__ import annotations

from collections import deque
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from alpha.ir.frames import Header, check_header, decode, encode, encode_header
from alpha.ir.refusals import Refusal

if TYPE_CHECKING:
    from alpha.interpreters.network.relays import Relay


class Frame:
    """A frame on its way, due at `arrival`; a relay may have it as bytes.

    A frame that no relay touched has no bytes: it is intact, so only its header is looked at, as a
    value. One that was touched goes through the checks of bytes that a socket's would.
    """

    __slots__ = ("arrival", "counted", "data", "header", "payload")

    def __init__(self, header: Header, payload: np.ndarray, arrival: float) -> None:
        self.header = header
        self.payload = payload
        self.arrival = arrival
        self.counted = True
        """Whether it takes room of the buffer: what a relay adds or has taken on doesn't."""
        self.data: bytearray | None = None

    def copy(self) -> Frame:
        """The same frame once more, as a relay would add it."""
        other = Frame(self.header, self.payload.copy(), self.arrival)
        other.counted = False
        other.data = None if self.data is None else bytearray(self.data)
        return other

    def bytes_of(self, identity: bytes) -> bytearray:
        """The frame as bytes, from now on what the receiver looks at."""
        if self.data is None:
            self.data = bytearray(encode(self.header, identity, self._payload_bytes()))
        return self.data

    def opened(self, expected: Header, identity: bytes) -> np.ndarray:
        """The words, if this is the frame that the receiver expects.

        Raises:
            Refusal: as `ir.frames` does.
        """
        if self.data is None:
            if self.header != expected:
                check_header(encode_header(self.header, identity), expected, identity)
            return self.payload
        payload = decode(bytes(self.data), expected, identity)
        if not self._holds_words():
            return self.payload
        return np.frombuffer(bytearray(payload), self.payload.dtype).reshape(self.payload.shape)

    def _holds_words(self) -> bool:
        """Whether the array's bytes are the frame's; numbers of terms stand for shorter words."""
        return not self.payload.dtype.hasobject and self.payload.nbytes == self.header.extent

    def _payload_bytes(self) -> bytes:
        return self.payload.tobytes() if self._holds_words() else bytes(self.header.extent)


class Channel:
    """The way from one role to another: what is on it, and what was sent on it."""

    __slots__ = (
        "broken",
        "bytes",
        "closed",
        "frames",
        "held",
        "queue",
        "receiver",
        "relay",
        "sender",
    )

    def __init__(self, sender: int, receiver: int, relay: Relay | None) -> None:
        self.sender = sender
        self.receiver = receiver
        self.relay = relay
        self.queue: deque[Frame] = deque()
        self.held = 0
        """How many frames of the queue take room of the buffer."""
        self.closed = inf
        """When the receiver sees that the sender has closed the edge."""
        self.broken = inf
        """When the sender sees that the receiver has."""
        self.frames = 0
        self.bytes = 0

    def other_end(self, role: int) -> int:
        """The role at the other end than this one."""
        return self.receiver if role == self.sender else self.sender

    def surplus(self) -> Refusal:
        """The refusal of a frame that its receiver has no part of its schedule for."""
        way = f"from role {self.sender} to role {self.receiver}"
        wanted = f"the end of the stream behind the last frame {way}"
        return Refusal("frame-extent", wanted, str(self.queue[0].header))
