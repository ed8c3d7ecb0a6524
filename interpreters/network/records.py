"""What is written down of a run: steps with their times, and how much went over each edge.

Entry: `Step`, `Edge`, `Flow`.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from alpha.ir.frames import Header

Happening: TypeAlias = Literal[
    "sends",
    "sent",
    "waits",
    "received",
    "advanced",
    "observed",
    "published",
    "stores",
    "stored",
    "finished",
    "refused",
    "lost",
    "killed",
]


class Step(NamedTuple):
    """What happened to a role at a virtual second, and at which frame if at one."""

    time: float
    role: int
    happening: Happening
    header: Header | None


Edge: TypeAlias = tuple[int, int]
"""An edge in one direction: the role that sends and the role that receives."""


class Flow(NamedTuple):
    """What was sent on an edge in one direction: frames, and bytes of their payloads."""

    frames: int
    bytes: int
