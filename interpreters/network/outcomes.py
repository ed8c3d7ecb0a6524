"""How the part of a role in a run ends, and who waits for whom where nobody can move.

Entry: `Outcome` and its kinds, `Wait`, `Deadlock`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from alpha.ir.frames import Header
from alpha.ir.refusals import Refusal


@dataclass(frozen=True)
class Finished:
    """The role did all of its schedule; `time` is in virtual seconds, as everywhere here."""

    time: float

    def __str__(self) -> str:
        return "finished"


@dataclass(frozen=True)
class Refused:
    """The role refused, a frame or something that it computed."""

    time: float
    refusal: Refusal

    @property
    def code(self) -> str:
        """The code of the refusal."""
        return self.refusal.code

    def __str__(self) -> str:
        return f"refused {self.code}: {self.refusal.message}"


@dataclass(frozen=True)
class Lost:
    """The role gave up on a peer, which had closed their edge or let the deadline pass."""

    time: float
    peer: int
    cause: Literal["closed", "deadline"]
    header: Header
    """Of the frame that the role waited at."""

    def __str__(self) -> str:
        why = "closed the edge" if self.cause == "closed" else "let the deadline pass"
        return f"lost: role {self.peer} {why} at {self.header}"


@dataclass(frozen=True)
class Killed:
    """The role was killed by a fault."""

    time: float

    def __str__(self) -> str:
        return "killed"


Outcome: TypeAlias = Finished | Refused | Lost | Killed


@dataclass(frozen=True)
class Wait:
    """A role that can't go on before a peer does: `header` is of the frame that it waits at."""

    role: int
    peer: int
    action: Literal["send", "receive"]
    """What the peer has to do."""
    header: Header
    since: float

    def __str__(self) -> str:
        return f"role {self.role} waits for role {self.peer} to {self.action} {self.header}"


@dataclass(frozen=True)
class Deadlock:
    """A cycle of waits, each for the role of the next and the last for that of the first."""

    time: float
    waits: tuple[Wait, ...]

    def __str__(self) -> str:
        return "\n".join(map(str, self.waits))
