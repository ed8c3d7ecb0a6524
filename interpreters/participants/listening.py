"""Where roles listen, if whoever starts them has said so: then no port passes between them.

Invariant: the listeners for the higher peers of a role have ports that follow one another, in the
    order of those peers. What isn't said is announced and read, as `ports.py` does.
Why: where an engine starts the roles, on hosts that it chooses, nobody passes their ports on.
Entry: `Listener`, `Known`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address

PORT_MAX = 65535

_TEXT = re.compile(r"([0-9.]{7,15}):([1-9][0-9]{0,4})", re.ASCII)


@dataclass(frozen=True)
class Listener:
    """An IPv4 address in dotted form, and a port from 1 to 65535."""

    address: str
    port: int

    def __str__(self) -> str:
        return f"{self.address}:{self.port}"

    @classmethod
    def parse(cls, text: str) -> Listener:
        """Read `ADDRESS:PORT`, in which no number begins with a zero that it doesn't need.

        Raises:
            ValueError: it is something else.
        """
        found = _TEXT.fullmatch(text)
        if found is None or int(found[2]) > PORT_MAX:
            raise ValueError(f"no address and port: {text!r}")
        return cls(str(IPv4Address(found[1])), int(found[2]))


@dataclass(frozen=True)
class Known:
    """What a role is told of listeners before it begins; None is what it has to find out."""

    own: Listener | None = None
    """Where it listens for its first higher peer; for the next at the next port."""

    lower: Sequence[Listener] | None = None
    """Where its lower peers listen for it, ascending."""

    def misfit(self, role: int, edges: Sequence[int]) -> str:
        """What is expected and found, where this can't be of a role with these peers; else ""."""
        lower = sum(peer < role for peer in edges)
        if self.lower is not None and len(self.lower) != lower:
            return (
                f"expected {lower} behind --peers, one for each lower peer, found {len(self.lower)}"
            )
        most = PORT_MAX - max(0, len(edges) - lower - 1)
        if self.own is not None and self.own.port > most:
            return (
                f"expected a port behind --listen of at most {most}, as one for each higher peer "
                f"follows, found {self.own.port}"
            )
        return ""
