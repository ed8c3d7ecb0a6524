"""One process a role: started in the order of the roles, told the others' ports, and watched.

Invariant: a launcher only passes ports on and collects; it takes no part in what roles compute.
    Whatever happens, no process that it has started outlives it: each ends by itself within its own
    bounds, or is ended, by the launcher or by its caretaker. Once one has failed the others have
    little time left, since they only have to notice it: one that was stopped never would.
Entry: `Launched`, `Ended`.
"""

from __future__ import annotations

import contextlib
import fcntl
import itertools
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import cached_property

from alpha.interpreters.participants.ports import PORT_BYTES
from alpha.interpreters.participants.reports import END, Record
from alpha.tools.running.caretaker import Caretaker
from alpha.tools.running.collecting import Observations, RecordStream

STDERR_BYTES_MAX = 1 << 16
"""What is kept of what a role says on stderr."""

GRACE_SECONDS = 5.0
"""How long a process may take to end after it was told to."""

PIPE_BYTES = 1 << 18
"""What a role may report before it waits for the launcher, where the system grants so much."""


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
    stream: RecordStream
    ports: bytearray = field(default_factory=bytearray)
    stderr: bytearray = field(default_factory=bytearray)
    order: int | None = None
    whole: bool = False
    informed: bool = False
    stopped: bool = False
    mute: bool = False
    """Whether its output has ended."""
    open: int = 2

    @cached_property
    def lower(self) -> list[int]:
        """The peers that this role connects to."""
        return [peer for peer in self.edges if peer < self.role]

    @cached_property
    def higher(self) -> list[int]:
        """The peers that connect to this role."""
        return [peer for peer in self.edges if peer > self.role]

    @cached_property
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
        observe: Callable[[int, Observations], None] = lambda role, observations: None,
        caretaker: Caretaker | None = None,
        held: Callable[[], AbstractContextManager[None]] = nullcontext,
        port: Callable[[int, int, int], int] = lambda role, peer, port: port,
        wordless: bool = False,
    ) -> None:
        """Start one process a role, in the order of the roles.

        `edges` are the peers of each role, ascending; `report` gets each record of each role, but
        for observations, which `observe` gets. Nothing interrupts within a context of `held`.
        `port` says where a role reaches a lower peer that has announced a port. Records of states
        come without their words where they are `wordless`.

        Raises:
            OSError: a process can't be started.
        """
        self._wordless = wordless
        self._report = report
        self._observe = observe
        self._port = port
        self._order = 0
        self._processes: dict[int, _Process] = {}
        self._owns_caretaker = caretaker is None
        self._caretaker = Caretaker() if caretaker is None else caretaker
        try:
            for role in sorted(commands):
                with held():
                    self._start(role, commands[role], edges[role])
        except BaseException:
            self.close()
            raise

    def _start(self, role: int, command: Sequence[str], edges: Sequence[int]) -> None:
        popen = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self._processes[role] = _Process(role, edges, popen, RecordStream(self._wordless))
        self._caretaker.watch(popen.pid)
        assert popen.stdout is not None
        # There is a bound for all pipes of a user; within it the role waits less.
        with contextlib.suppress(OSError):
            fcntl.fcntl(popen.stdout, fcntl.F_SETPIPE_SZ, PIPE_BYTES)

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
            self._pass_ports_on()
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
        if missing:
            process.ports += data[:missing]
            self._pass_ports_on()
        for told in process.stream.feed(data[missing:]):
            if isinstance(told, Observations):
                self._observe(process.role, told)
            else:
                process.whole |= told.kind == END
                self._report(process.role, told)

    def _note(self, process: _Process) -> None:
        process.order = self._order
        self._order += 1

    def _pass_ports_on(self) -> None:
        """Tell each role the ports of its lower peers, once all of them are known.

        Where one has ended without announcing its own, the input ends there.
        """
        for process in self._processes.values():
            if process.informed:
                continue
            lower = [self._processes[peer] for peer in process.lower]
            if any(each.announces for each in lower):
                continue
            process.informed = True
            known = list(
                itertools.takewhile(lambda each: len(each.ports) == each.ports_bytes, lower)
            )
            stdin = process.popen.stdin
            assert stdin is not None
            # Who has ended doesn't read; how it ended is told by its status.
            with contextlib.suppress(BrokenPipeError):
                stdin.write(b"".join(self._port_of(each, process.role) for each in known))
                stdin.flush()
            with contextlib.suppress(BrokenPipeError):
                stdin.close()

    def _port_of(self, process: _Process, peer: int) -> bytes:
        """Where a higher peer reaches a role that has announced its ports."""
        at = PORT_BYTES * process.higher.index(peer)
        announced = int.from_bytes(process.ports[at : at + PORT_BYTES], "big")
        return self._port(peer, process.role, announced).to_bytes(PORT_BYTES, "big")

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
        self._caretaker.forget()
        if self._owns_caretaker:
            self._caretaker.dismiss()


def _has_failed(process: _Process) -> bool:
    """Whether it has ended, and not well."""
    return not process.open and process.popen.poll() not in (None, 0)
