"""Runs a process of the host within a time limit, and ends it with all that it has started.

Invariant: when `run` returns or raises, the process is gone, and so is whatever it started that
    could still write on its output. What is kept of the output is bounded; the rest is read and
    dropped, so that the process never waits for a reader.
Why: an assembler was seen to spin for ten minutes because of an odd HOME, and generated code that
    is wrong may do anything.
Entry: `run`, `Ended`, `quiet_environment`.
"""

from __future__ import annotations

import contextlib
import math
import os
import resource
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from alpha.backends.toolchain.failures import ToolFailure

OUTPUT_BYTES_MAX = 1 << 20

TOOL_SECONDS_MAX = 60.0
"""For one run of an assembler or linker; they take about 6 µs a line."""

# What a tool may need to be found and to start; whatever else is set could change what it makes.
PASSED_ON = ("PATH", "LD_LIBRARY_PATH", "TMPDIR")


@dataclass(frozen=True)
class Ended:
    """How a process ended: its exit status, or minus the number of a signal.

    `output` is what it wrote on stdout and stderr. `in_time` is false if it had to be ended.
    """

    status: int
    output: str
    in_time: bool = True

    @property
    def manner(self) -> str:
        """The end as a message tells it."""
        if self.status >= 0:
            return f"exit status {self.status}"
        try:
            return signal.Signals(-self.status).name
        except ValueError:
            return f"signal {-self.status}"


def quiet_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment of a tool: where to find things, messages in English, and nothing else."""
    kept = {name: environment[name] for name in PASSED_ON if name in environment}
    return {**kept, "LC_ALL": "C"}


def run(
    command: Sequence[str],
    folder: Path,
    seconds: float,
    environment: Mapping[str, str],
    stdin: int = subprocess.DEVNULL,
) -> Ended:
    """Run a command in a folder until it has ended, but no longer than `seconds`.

    `stdin` is a descriptor that the process gets as its standard input.

    Raises:
        ToolFailure: it can't be started.
    """
    until = time.monotonic() + seconds
    try:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=dict(environment),
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        raise ToolFailure(f"{command[0]} can't be started: {error.strerror}") from error
    try:
        _limit(process, seconds)
        output, in_time = _read(process, until)
        if in_time:
            try:
                process.wait(max(0.0, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                in_time = False
    finally:
        _end(process)
    return Ended(process.returncode, output.decode("utf-8", "replace"), in_time)


def _limit(process: subprocess.Popen[bytes], seconds: float) -> None:
    """See that it doesn't compute for ever if nobody is left to end it: this process may be killed.

    Its time on all processors is bounded by what it could have in `seconds`.
    """
    most = math.ceil(seconds * (os.cpu_count() or 1)) + 1
    with contextlib.suppress(ProcessLookupError, PermissionError):
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (most, most))


def _read(process: subprocess.Popen[bytes], until: float) -> tuple[bytes, bool]:
    """Output up to its end or a moment of the monotonic clock, and whether it has ended."""
    stream = process.stdout
    assert stream is not None
    os.set_blocking(stream.fileno(), False)
    kept = bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(stream, selectors.EVENT_READ)
        while (left := until - time.monotonic()) > 0:
            if not selector.select(left):
                continue
            data = os.read(stream.fileno(), 1 << 16)
            if not data:
                return bytes(kept), True
            kept += data[: OUTPUT_BYTES_MAX - len(kept)]
    return bytes(kept), False


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the whole group, unless the process was waited for: its number may be another's then."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    if process.stdout is not None:
        process.stdout.close()
