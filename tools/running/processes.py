"""One process a role: started in the order of the roles, told the others' ports, and watched.

Invariant: a launcher only passes ports on and collects; it takes no part in what roles compute.
    Whatever happens, no process that it has started outlives it: each ends by itself within its own
    bounds, or is ended. Once one has failed the others have little time left, since they only have
    to notice it: one that was stopped never would.
Entry: `Launched`, `Ended`.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from alpha.interpreters.participants.ports import PORT_BYTES
from alpha.interpreters.participants.reports import END, Record, RecordReader

STDERR_BYTES_MAX = 1 << 16
"""What is kept of what a role says on stderr."""

GRACE_SECONDS = 5.0
"""How long a process may take to end after it was told to."""


@dataclass
class Ended:
    """How a role's process ended: its exit status, or minus the number of a signal."""

    role: int
    status: int
    said: str
    order: int
    """Its place in the order in which the roles ended or first said something on stderr."""

    whole: bool
    """Whether it has told that everything was reported."""

    stopped: bool
    """Whether the launcher had to end it."""


@dataclass
class _Process:
    role: int
    edges: Sequence[int]
    popen: subprocess.Popen[bytes]
    ports: bytearray = field(default_factory=bytearray)
    reader: RecordReader = field(default_factory=RecordReader)
    stderr: bytearray = field(default_factory=bytearray)
    order: int | None = None
    whole: bool = False
    informed: bool = False
    stopped: bool = False
    mute: bool = False
    """Whether its output has ended."""
    open: int = 2

    @property
    def higher(self) -> list[int]:
        """The peers that connect to this role."""
        return [peer for peer in self.edges if peer > self.role]

    @property
    def ports_bytes(self) -> int:
        """The bytes of ports that it announces."""
        return PORT_BYTES * len(self.higher)

    @property
    def announces(self) -> bool:
        """Whether ports of it are still to come."""
        return len(self.ports) < self.ports_bytes and not self.mute


class Launched:
    """The processes of a run; as a context it ends those that are left."""

    def __init__(
        self,
        commands: Mapping[int, Sequence[str]],
        edges: Mapping[int, Sequence[int]],
        report: Callable[[int, Record], None],
    ) -> None:
        """Start one process a role, in the order of the roles.

        `edges` are the peers of each role, ascending; `report` gets each record of each role.

        Raises:
            OSError: a process can't be started.
        """
        self._report = report
        self._order = 0
        self._processes: dict[int, _Process] = {}
        try:
            for role in sorted(commands):
                popen = subprocess.Popen(
                    commands[role],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                )
                self._processes[role] = _Process(role, edges[role], popen)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Launched:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def run(self, seconds: float, seconds_after_failure: float) -> list[Ended]:
        """Pass ports on and collect records until every process has ended.

        After `seconds` those that are left are ended, and so many seconds after one has failed.
        Roles come in their order.
        """
        until, failed = time.monotonic() + seconds, False
        with selectors.DefaultSelector() as selector:
            for process in self._processes.values():
                for stream in (process.popen.stdout, process.popen.stderr):
                    assert stream is not None
                    os.set_blocking(stream.fileno(), False)
                    selector.register(stream, selectors.EVENT_READ, process)
            while selector.get_map() and time.monotonic() < until:
                for key, _ in selector.select(max(0.0, min(1.0, until - time.monotonic()))):
                    self._read(selector, key)
                if not failed and any(map(_has_failed, self._processes.values())):
                    failed = True
                    until = min(until, time.monotonic() + seconds_after_failure)
        for process in self._processes.values():
            # Who has closed its streams has done all that it had to do, and is about to end.
            if not process.open:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.popen.wait(GRACE_SECONDS)
        self.close()
        return [self._ended(process) for process in self._processes.values()]

    def _read(self, selector: selectors.BaseSelector, key: selectors.SelectorKey) -> None:
        process: _Process = key.data
        try:
            data = os.read(key.fd, 1 << 16)
        except BlockingIOError:
            return
        if not data:
            selector.unregister(key.fileobj)
            process.open -= 1
            if key.fileobj is process.popen.stdout:
                process.mute = True
                self._pass_ports_on()
            if not process.open and process.order is None:
                self._note(process)
            return
        if key.fileobj is process.popen.stderr:
            if process.order is None:
                self._note(process)
            room = STDERR_BYTES_MAX - len(process.stderr)
            process.stderr += data[:room]
            return
        missing = process.ports_bytes - len(process.ports)
        process.ports += data[:missing]
        self._pass_ports_on()
        for record in process.reader.feed(data[missing:]):
            process.whole |= record.kind == END
            self._report(process.role, record)

    def _note(self, process: _Process) -> None:
        process.order = self._order
        self._order += 1

    def _pass_ports_on(self) -> None:
        """Tell each role the ports of its lower peers, once all of them are known.

        Where one has ended without announcing its own, the input ends there.
        """
        for process in self._processes.values():
            lower = [self._processes[peer] for peer in process.edges if peer < process.role]
            if process.informed or any(each.announces for each in lower):
                continue
            process.informed = True
            known = list(
                itertools.takewhile(lambda each: len(each.ports) == each.ports_bytes, lower)
            )
            stdin = process.popen.stdin
            assert stdin is not None
            # Who has ended doesn't read; how it ended is told by its status.
            with contextlib.suppress(BrokenPipeError):
                stdin.write(b"".join(_port(each, process.role) for each in known))
                stdin.flush()
                if len(known) < len(lower):
                    stdin.close()

    def _ended(self, process: _Process) -> Ended:
        status = process.popen.wait()
        order = self._order if process.order is None else process.order
        said = process.stderr.decode("utf-8", "replace")
        return Ended(process.role, status, said, order, process.whole, process.stopped)

    def close(self) -> None:
        """End every process that is left, and wait for it."""
        for process in self._processes.values():
            if process.popen.poll() is None:
                process.stopped = True
                with contextlib.suppress(ProcessLookupError):
                    process.popen.send_signal(signal.SIGTERM)
                    process.popen.send_signal(signal.SIGCONT)
        until = time.monotonic() + GRACE_SECONDS
        for popen in (each.popen for each in self._processes.values()):
            try:
                popen.wait(max(0.0, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                popen.kill()
                popen.wait()
            for stream in (popen.stdin, popen.stdout, popen.stderr):
                if stream is not None:
                    with contextlib.suppress(OSError):
                        stream.close()


def _has_failed(process: _Process) -> bool:
    """Whether it has ended, and not well."""
    return not process.open and process.popen.poll() not in (None, 0)


def _port(process: _Process, peer: int) -> bytes:
    """The port on which a role listens for a higher peer."""
    at = PORT_BYTES * process.higher.index(peer)
    return bytes(process.ports[at : at + PORT_BYTES])
