"""Roles in threads of one process, over TCP on the loopback address: a run in milliseconds.

A thread does what `alpha role` does, with pipes in the place of stdin and stdout; the caller's
thread passes the ports on and collects the records, as a launcher does.

Entry: `run_roles`, `connected`, `Role`, `RoleEnd`.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import takewhile
from typing import IO, Protocol

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from alpha.interpreters.network.stores import Store
from alpha.interpreters.participants.deadlines import Bounds, Deadline
from alpha.interpreters.participants.ports import PORT_BYTES
from alpha.interpreters.participants.reports import Record, RecordReader
from alpha.interpreters.participants.running import run_role
from alpha.interpreters.role import find_roles
from alpha.ir.dialects.protocol_role import RoleOp
from alpha.ir.learner_words import LearnerWords

BOUNDS = Bounds(wait_seconds_max=20.0)
SESSION_SECONDS = 60.0

Edge = tuple[int, int]
"""Lower and higher role."""


@dataclass
class RoleEnd:
    """How a role has ended: its records, and what it raised, if anything."""

    records: list[Record] = field(default_factory=list)
    error: BaseException | None = None


class Role:
    """A role at work in a thread; it announces its ports through a pipe and is told through one."""

    def __init__(
        self,
        op: RoleOp,
        words: LearnerWords | None,
        bounds: Bounds = BOUNDS,
        session: Deadline | None = None,
        store: Store | None = None,
        states: Mapping[str, np.ndarray] | None = None,
    ) -> None:
        session = session or Deadline.after(SESSION_SECONDS)
        self.role = op.role.data
        self.peers = [edge.data for edge in op.edges.data]
        self.end = RoleEnd()
        inward, self._told = os.pipe()
        self._heard, outward = os.pipe()
        self._thread = threading.Thread(
            target=self._run, args=(op, words, inward, outward, bounds, session, store, states)
        )
        self._thread.start()

    def _run(
        self,
        op: RoleOp,
        words: LearnerWords | None,
        inward: int,
        outward: int,
        bounds: Bounds,
        session: Deadline,
        store: Store | None,
        states: Mapping[str, np.ndarray] | None,
    ) -> None:
        try:
            with open(inward, "rb") as source, open(outward, "wb") as sink:
                given = {"store": store, "states": states}
                run_role(op, words, source, sink, session, bounds, **given)
        except BaseException as error:
            self.end.error = error

    def announced(self) -> dict[int, int]:
        """The port for each higher peer; fewer if the role has ended."""
        return announced_ports(self.role, self.peers, self._heard)

    def tell(self, ports: Mapping[int, int]) -> None:
        """Tell the role the ports on which its lower peers listen for it, up to a missing one."""
        tell_ports(self.role, self.peers, ports, self._told)

    def collect(self) -> RoleEnd:
        """Wait for the end of the role."""
        with open(self._heard, "rb") as heard:
            self.end.records += records_of(heard)
        self._thread.join()
        return self.end


class Launched(Protocol):
    """A role that was started, however it is run."""

    role: int

    def announced(self) -> dict[int, int]:
        """The port for each higher peer; fewer if the role has ended."""
        ...

    def tell(self, ports: Mapping[int, int]) -> None:
        """Tell the role the ports on which its lower peers listen for it."""
        ...

    def collect(self) -> RoleEnd:
        """Wait for the end of the role."""
        ...


def announced_ports(role: int, peers: Sequence[int], heard: int) -> dict[int, int]:
    """The ports that a role announces there; fewer if it has ended."""
    higher = [peer for peer in peers if peer > role]
    data = b""
    while len(data) < PORT_BYTES * len(higher):
        more = os.read(heard, PORT_BYTES * len(higher) - len(data))
        if not more:
            break
        data += more
    found = [int.from_bytes(data[at : at + 2], "big") for at in range(0, len(data), PORT_BYTES)]
    return dict(zip(higher, found, strict=False))


def tell_ports(role: int, peers: Sequence[int], ports: Mapping[int, int], told: int) -> None:
    """Tell a role the ports of its lower peers there, up to a missing one, and end the stream."""
    lower = sorted(peer for peer in peers if peer < role)
    known = takewhile(ports.__contains__, lower)
    data = b"".join(ports[peer].to_bytes(PORT_BYTES, "big") for peer in known)
    # Who has ended by now doesn't read; how it ended is told by its end.
    with suppress(BrokenPipeError), open(told, "wb", buffering=0) as telling:
        telling.write(data)


def records_of(heard: IO[bytes]) -> Iterator[Record]:
    """The records of a stream, to its end."""
    reader = RecordReader()
    while data := os.read(heard.fileno(), 1 << 16):
        yield from reader.feed(data)


def run_roles(
    module: ModuleOp,
    words: LearnerWords | None,
    bounds: Bounds = BOUNDS,
    seconds: float = SESSION_SECONDS,
    between: Callable[[Edge, int], int] = lambda edge, port: port,
    stores: Mapping[int, Store] | None = None,
    states: Mapping[str, np.ndarray] | None = None,
) -> dict[int, RoleEnd]:
    """Run every role of a module to its end.

    `between(edge, port)` is the port that the higher role is told, such as that of a relay. Roles
    store their parts of generations in `stores`, and begin with `states`.
    """
    session = Deadline.after(seconds)
    roles: Sequence[Role] = [
        Role(op, words, bounds, session, (stores or {}).get(role), states)
        for role, op in sorted(find_roles(module).items())
    ]
    return connected(roles, between)


def connected(
    roles: Sequence[Launched], between: Callable[[Edge, int], int] = lambda edge, port: port
) -> dict[int, RoleEnd]:
    """Pass the ports of roles on, which come in their order, and wait for the end of each."""
    ports: dict[Edge, int] = {}
    for role in roles:
        told = {lower: port for (lower, higher), port in ports.items() if higher == role.role}
        role.tell(told)
        for peer, port in role.announced().items():
            edge = role.role, peer
            ports[edge] = between(edge, port)
    return {role.role: role.collect() for role in roles}
