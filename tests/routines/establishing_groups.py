"""Groups of roles that get their edges: which have edges, and how they are started.

Entry: `Group`, `Pipe`, `star`, `mesh`, `pipes`, `read`.
"""

from __future__ import annotations

import contextlib
import os
import struct
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from routines.establisher import SECONDS_MAX, Ended, Setting, end_of, interpreted, native

INTERPRETED = "interpreted"
"""The kind of a role that isn't native; the others are machines."""

Pair = tuple[int, int]
End = Callable[[], tuple[Ended, bytes]]
"""Waits for the end of a role: how it was, and what came from it behind the ports."""


class Pipe:
    """A pipe whose ends are closed once: later their numbers are those of something else."""

    def __init__(self) -> None:
        self.out, self.into = os.pipe()
        self._open = {self.out, self.into}

    def end(self) -> None:
        """Close the end for writing, so that who reads comes to an end."""
        self._close(self.into)

    def drop(self) -> None:
        """Close the end for reading, so that nobody will read."""
        self._close(self.out)

    def _close(self, descriptor: int) -> None:
        if descriptor in self._open:
            self._open.remove(descriptor)
            os.close(descriptor)


def star(count: int, hub: int) -> list[Pair]:
    """The edges of one role with all others, the lower role of each first."""
    return [(min(hub, role), max(hub, role)) for role in range(count) if role != hub]


def mesh(count: int) -> list[Pair]:
    """The edges of all with all."""
    return [(low, high) for high in range(count) for low in range(high)]


class Group:
    """Roles of one run, which are started as a launcher does: in ascending order, with ports."""

    def __init__(self, edges: Sequence[Pair], addresses: Mapping[int, str] | None = None) -> None:
        self._edges = edges
        self._addresses = addresses or {}
        self._ports: dict[Pair, bytes] = {}
        self._stack = contextlib.ExitStack()
        self._ends: dict[int, End] = {}

    def __enter__(self) -> Group:
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def setting(self, role: int) -> Setting:
        """What a role of the group is to do."""
        peers = sorted(a + b - role for a, b in self._edges if role in (a, b))
        return Setting(role, peers, self._addresses)

    def start(self, role: int, kind: str) -> None:
        """Start a role, hand it the ports of those before it, and read those that it announces."""
        setting = self.setting(role)
        given, taken = self._stack.enter_context(pipes())
        begin = self._interpreted if kind == INTERPRETED else partial(self._native, kind)
        self._ends[role] = begin(setting, given.out, taken)
        os.write(given.into, self.ports_for(role))
        for peer in setting.higher:
            self._ports[role, peer] = read(taken.out, 2)

    def ports_for(self, role: int) -> bytes:
        """The ports of the lower peers of a role."""
        lower = [peer for peer in self.setting(role).peers if peer < role]
        return b"".join(self._ports[peer, role] for peer in lower)

    def _interpreted(self, setting: Setting, inward: int, taken: Pipe) -> End:
        found: list[Ended] = []
        thread = threading.Thread(
            target=lambda: found.append(interpreted(setting, inward, taken.into)), daemon=True
        )
        thread.start()

        def end() -> tuple[Ended, bytes]:
            thread.join(SECONDS_MAX)
            return found[0], read(taken.out, len(setting.end))

        return end

    def _native(self, machine: str, setting: Setting, inward: int, taken: Pipe) -> End:
        process = self._stack.enter_context(native(machine, setting, inward, taken.into))
        taken.end()

        def end() -> tuple[Ended, bytes]:
            data = read(taken.out, 1 << 16)
            return end_of(process, setting), data

        return end

    def check(self) -> dict[int, list[tuple[int, ...]]]:
        """See that every role has its edges; the records of the native ones."""
        records: dict[int, list[tuple[int, ...]]] = {}
        for role, end in self._ends.items():
            setting = self.setting(role)
            ended, data = end()
            assert ended == Ended(0), role
            assert data.startswith(setting.end), role
            rest = data[len(setting.end) :]
            if rest:
                records[role] = list(struct.iter_unpack("<8q", rest))
                assert [each[1] for each in records[role]] == list(setting.peers)
                assert all(each[0] > 2 for each in records[role])
                assert {each[2:6] for each in records[role]} == {(0, 0, -1, 0)}
        return records


def read(descriptor: int, size: int) -> bytes:
    """So many bytes, or those before the end."""
    data = b""
    while len(data) < size and (more := os.read(descriptor, size - len(data))):
        data += more
    return data


@contextlib.contextmanager
def pipes() -> Iterator[tuple[Pipe, Pipe]]:
    """Two pipes: what a role is given, and what is taken from it."""
    given, taken = Pipe(), Pipe()
    try:
        yield given, taken
    finally:
        for pipe in (given, taken):
            pipe.end()
            pipe.drop()
