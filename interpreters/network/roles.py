"""A participant in a run: where it stands, and what it waits for.

Entry: `Role`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from alpha.interpreters.network.channels import Channel
from alpha.interpreters.network.events import Participant
from alpha.interpreters.network.faults import Kill, Silence
from alpha.interpreters.network.outcomes import Lost, Outcome, Wait
from alpha.ir.frames import Header


class Role:
    """One role of a run; the network alone changes it."""

    __slots__ = (
        "answer",
        "death",
        "events",
        "header",
        "inbound",
        "number",
        "outbound",
        "outcome",
        "parked",
        "participant",
        "resume",
        "silences",
        "since",
        "turn",
        "version",
        "waits_on",
    )

    def __init__(self, number: int, participant: Participant) -> None:
        self.number = number
        self.participant = participant
        self.resume = participant.send
        self.turn = 0
        """Counts its steps: what was planned for an earlier turn is void."""
        self.events = 0
        """How many events its participant has yielded."""
        self.version = -1
        """The last version that it has advanced to, or -1."""
        self.answer: np.ndarray | None = None
        """What its participant resumes with, where that isn't the words of a frame."""
        self.parked = False
        """Whether it is held where it advanced, until others are there too."""
        self.outcome: Outcome | None = None
        self.waits_on: Channel | None = None
        self.header: Header | None = None
        """Of the frame that it waits at."""
        self.since = 0.0
        self.inbound: dict[int, Channel] = {}
        self.outbound: dict[int, Channel] = {}
        self.death: Kill | None = None
        """The first of its ends, if it is to be killed."""
        self.silences: list[Silence] = []

    def let_fail(self, fault: Kill | Silence) -> None:
        """Have this happen to the role; of several ends the first is what it comes to."""
        if isinstance(fault, Silence):
            self.silences.append(fault)
        elif self.death is None or fault.after < self.death.after:
            self.death = fault

    def silenced(self, events: int) -> Sequence[Silence]:
        """The silences that have begun when it has done so many events."""
        return [fault for fault in self.silences if events >= fault.after]

    @property
    def peer(self) -> int:
        """The role that it waits for; only while it waits."""
        channel = self.waits_on
        assert channel is not None, f"role {self.number} doesn't wait"
        return channel.other_end(self.number)

    @property
    def stuck(self) -> Wait | None:
        """What it waits for, if no frame is on its way that would end the wait."""
        channel, header = self.waits_on, self.header
        if channel is None or header is None:
            return None
        receives = channel.receiver == self.number
        if receives and channel.queue:
            return None
        action = "send" if receives else "receive"
        return Wait(self.number, self.peer, action, header, self.since)

    def lost(self, time: float, cause: Literal["closed", "deadline"]) -> Lost:
        """How it ends if the peer that it waits for is lost."""
        assert self.header is not None, f"role {self.number} doesn't wait"
        return Lost(time, self.peer, cause, self.header)
