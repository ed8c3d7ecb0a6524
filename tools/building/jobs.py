"""Processes that share the jobs of this one: what the processor has several of is used.

Invariant: when the context ends, however it does, every process that it started is gone, with its
    temporary files. A job that a process couldn't do is done by this one, so an error is raised as
    if there were no others.
Why: jobs differ in length, so each process takes the next one when it has done one. They are copies
    of this process as it is: what is imported before isn't imported again, and what a job needs
    isn't written and read.
Entry: `Jobs`, `processors`.
"""

from __future__ import annotations

import contextlib
import os
import signal
import struct
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType

PROCESSES_MAX = 8

JOBS_MAX = 8192
"""So many numbers fit into a pipe that nobody reads yet."""

GRACE_SECONDS = 5.0
"""So long a process may take to end what it has begun, once it is told to."""

PAUSE_SECONDS = 0.002

_NUMBER = struct.Struct("<I")

Job = Callable[[], bytes]


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Jobs:
    """Jobs that other processes begin at once; `results` takes part in them."""

    def __init__(self, jobs: Sequence[Job], processes: int | None = None) -> None:
        """`processes` is how many work at most, this one included; by default the processors."""
        wanted = processors() if processes is None else processes
        assert len(jobs) <= JOBS_MAX, "more jobs than their queue holds"
        self._jobs = jobs
        self._helpers = max(0, min(wanted, PROCESSES_MAX, len(self._jobs) + 1) - 1)
        self.children: list[int] = []
        """The processes that were started and not yet waited for."""

        self._results: dict[int, bytes] = {}
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> Jobs:
        if self._helpers:
            made = tempfile.TemporaryDirectory(prefix="alpha-")
            self._folder = Path(self._stack.enter_context(made))
            self._queue, inward = os.pipe()
            self._stack.callback(os.close, self._queue)
            with os.fdopen(inward, "wb") as stream:
                stream.write(b"".join(map(_NUMBER.pack, range(len(self._jobs)))))
            try:
                for _ in range(self._helpers):
                    self._start()
            except BaseException:
                self.close()
                raise
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def results(self) -> list[bytes]:
        """What the jobs made, in their order; what nobody has begun is done here.

        Raises what a job raises.
        """
        while self._helpers and (number := self._next()) is not None:
            self._results[number] = self._jobs[number]()
        for child in list(self.children):
            os.waitpid(child, 0)
            self.children.remove(child)
        return [self._result(number) for number in range(len(self._jobs))]

    def close(self) -> None:
        """End the processes that are left; each ends the tool that it has started."""
        for child in self.children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGTERM)
        until = time.monotonic() + GRACE_SECONDS
        for child in self.children:
            with contextlib.suppress(ChildProcessError):
                _await(child, until)
        self.children = []
        self._stack.close()

    def _result(self, number: int) -> bytes:
        if number not in self._results and self._helpers:
            with contextlib.suppress(OSError):
                return (self._folder / str(number)).read_bytes()
        if number not in self._results:
            self._results[number] = self._jobs[number]()
        return self._results[number]

    def _next(self) -> int | None:
        data = os.read(self._queue, _NUMBER.size)
        return _NUMBER.unpack(data)[0] if data else None

    def _start(self) -> None:
        # An interrupt between the two would leave a process that nobody knows of.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, _TELLING)
        try:
            child = os.fork()
            if child:
                self.children.append(child)
                return
            self._help(before)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def _help(self, mask: set[int]) -> None:
        """Be another process, which does jobs while there are any; never returns."""
        status = 1
        try:
            for kind in _TELLING:
                signal.signal(kind, _leave)
            # Whatever becomes of this process, what it makes there goes with the folder.
            tempfile.tempdir = str(self._folder)
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            while (number := self._next()) is not None:
                data = self._jobs[number]()
                partial = self._folder / f"{number}.partial"
                partial.write_bytes(data)
                partial.rename(self._folder / str(number))
            status = 0
        finally:
            os._exit(status)


_TELLING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class _Told(BaseException):
    """A helper is told to end."""


def _leave(number: int, frame: FrameType | None) -> None:
    """What a signal does to a helper, which has nothing to tell: it leaves what it is doing."""
    for kind in _TELLING:
        signal.signal(kind, signal.SIG_IGN)
    raise _Told


def _await(child: int, until: float) -> None:
    """Wait for the end of a process, and make it come at a moment of the monotonic clock."""
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        if time.monotonic() >= until:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return
        time.sleep(PAUSE_SECONDS)
