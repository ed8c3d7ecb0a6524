"""Participants of this project that are built and run as their own processes, without a launcher.

Invariant: what is told of a round is the difference of a long and a short run, so that neither the
    start nor the end counts; what is told of a start is a run of one round, from the first process.
Entry: `Built`, `Ended`.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

ALPHA = Path(sys.executable).parent / "alpha"
SECONDS_MAX = 120
FEW = 10
"""Rounds of the short run."""


@dataclass(frozen=True)
class Ended:
    """How long a run took in seconds, and the most memory that a process of it had in bytes."""

    seconds: float
    peak: int


@dataclass(frozen=True)
class Built:
    """A learner that was built for so many rounds, in folders of their own."""

    short: Path
    long: Path
    once: Path
    rounds: int
    roles: int

    @classmethod
    def of(cls, learner: Path, rounds: int, roles: int, *flags: str) -> Built:
        """Build it for the processor of this machine."""
        folders: list[Path] = []
        for number in (FEW, FEW + rounds, 1):
            folder = learner.with_name(f"{learner.stem}-{number}")
            command = [ALPHA, "build", learner, f"--rounds={number}", "-o", folder, *flags]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=SECONDS_MAX)
            folders.append(folder)
        short, long, once = folders
        return cls(short, long, once, rounds, roles)

    def seconds(self) -> float:
        """Of a round."""
        short, long = run(self.short, self.roles), run(self.long, self.roles)
        return (long.seconds - short.seconds) / self.rounds

    def start(self) -> Ended:
        """From the start of the first role to the end of the last, with one round."""
        return run(self.once, self.roles)

    def state(self) -> Path:
        """What the long run ends with, as a file."""
        file = self.long / "state.safetensors"
        command = [ALPHA, "run", self.long, "--save", file]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=SECONDS_MAX)
        return file


def free_ports(count: int) -> int:
    """The first of so many ports of the loopback address, one behind the other, that are free."""
    while True:
        with ExitStack() as stack:
            first = 0
            try:
                for number in range(count):
                    held = stack.enter_context(socket.socket())
                    held.bind(("127.0.0.1", first + number if number else 0))
                    first = held.getsockname()[1] - number
            except (OSError, OverflowError):
                continue
            return first


def run(folder: Path, roles: int) -> Ended:
    """Start every role of a star, and wait until all have ended well."""
    first = free_ports(roles - 1)
    begun = time.perf_counter()
    processes = [_started(folder, role, first) for role in range(roles)]
    peaks: list[int] = []
    for process in processes:
        _, status, used = os.wait4(process, 0)
        if status:
            raise SystemExit(f"a role of {folder} ended with status {status}")
        peaks.append(used.ru_maxrss * 1024)
    return Ended(time.perf_counter() - begun, max(peaks))


def _started(folder: Path, role: int, first: int) -> int:
    """The process of a role that is told its ports: each higher role has one at role 0."""
    at = f"127.0.0.1:{first + role - 1}"
    given: Sequence[str] = ("--peers", at) if role else ("--listen", f"127.0.0.1:{first}")
    quiet = [(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)]
    program = f"{folder}/role-{role}"
    return os.posix_spawn(program, [program, *given], os.environ, file_actions=quiet)
