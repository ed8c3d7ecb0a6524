"""Until when a participant waits: one deadline for the session, and one for each wait in it.

Invariant: deadlines are of the monotonic clock, so that no step of the wall clock moves them; no
    wait ends later than the session, and none is without an end.
Entry: `Deadline`, `Bounds`, `wait`, `glance`.
"""

from __future__ import annotations

import math
import select
import time
from dataclasses import dataclass

from alpha.interpreters.participants.failures import Overdue

POLL_MILLISECONDS_MAX = 3_600_000
"""A poll takes a C int; who waits for longer polls again."""


@dataclass(frozen=True)
class Deadline:
    """A moment of the monotonic clock, in seconds, and how a message names what ends then."""

    at: float
    name: str

    @classmethod
    def after(cls, seconds: float, what: str = "the session") -> Deadline:
        """The moment `seconds` from now."""
        return cls(time.monotonic() + seconds, f"the {seconds:g} s of {what}")

    def within(self, seconds: float, what: str) -> Deadline:
        """The end of a wait of at most `seconds` from now, or this deadline if that is sooner."""
        wait = Deadline.after(seconds, what)
        return wait if wait.at < self.at else self

    def check(self) -> None:
        """See that the moment hasn't passed.

        Raises:
            Overdue: it has.
        """
        if not self.remaining():
            raise Overdue(f"{self.name} have passed")

    def remaining(self) -> float:
        """Seconds until then; 0 when it has passed."""
        return max(0.0, self.at - time.monotonic())


@dataclass(frozen=True)
class Bounds:
    """How long a participant waits for what, in seconds, and how large its sockets' buffers are.

    A wait for a frame contains what the peer computes before it sends, and that its own peers do.
    """

    wait_seconds_max: float = 60.0
    """For one frame to arrive or leave, a peer to connect or be reached, or a stream to end."""

    connect_attempts_max: int = 30
    """Attempts to connect to one peer; with the pauses between them about 11 s."""

    buffer_bytes: int | None = None
    """SO_SNDBUF and SO_RCVBUF of every socket; None leaves them to the system."""


def wait(descriptor: int, events: int, deadline: Deadline) -> int:
    """Wait for an event of a descriptor; the events that are there, or 0 after the deadline."""
    poll = select.poll()
    poll.register(descriptor, events)
    # Rounded up, or the last fraction of a millisecond would be spent polling for nothing.
    while milliseconds := math.ceil(deadline.remaining() * 1000):
        for _, happened in poll.poll(min(milliseconds, POLL_MILLISECONDS_MAX)):
            return happened
    return 0


def glance(descriptor: int, events: int) -> int:
    """The events of a descriptor that are there now."""
    poll = select.poll()
    poll.register(descriptor, events)
    return sum(happened for _, happened in poll.poll(0))
