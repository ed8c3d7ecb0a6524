"""Participants of this project that are built and run as their own processes, without a launcher.

Invariant: what is told of a round is the difference of a long and a short run, so that neither the
    start nor the end counts; what is told of a start is a run of one round, from the first process.
Entry: `Built`.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

ALPHA = Path(sys.executable).parent / "alpha"
SECONDS_MAX = 120
FEW = 10
"""Rounds of the short run."""

UNDER_WAY = 0.2
"""Seconds after which a long run has its memory."""


@dataclass(frozen=True)
class Built:
    """A learner that was built for so many rounds, in folders of their own."""

    short: Path
    long: Path
    once: Path
    rounds: int

    @classmethod
    def of(cls, learner: Path, rounds: int, *flags: str) -> Built:
        """Build it for the processor of this machine."""
        folders: list[Path] = []
        for number in (FEW, FEW + rounds, 1):
            folder = learner.with_name(f"{learner.stem}-{number}")
            command = [ALPHA, "build", learner, f"--rounds={number}", "-o", folder, *flags]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=SECONDS_MAX)
            folders.append(folder)
        short, long, once = folders
        return cls(short, long, once, rounds)

    def seconds(self) -> float:
        """Of a round."""
        return (run(self.long) - run(self.short)) / self.rounds

    def start(self) -> float:
        """From the start of the first role to the end of the last, with one round."""
        return run(self.once)

    def peak(self) -> int:
        """The most bytes of memory that a process of the long run has had when it is under way.

        What a process that was spawned has used at most is told together with what its parent had.
        """
        processes = start_all(self.long)
        time.sleep(UNDER_WAY)
        status = [Path(f"/proc/{each}/status").read_text(encoding="ascii") for each in processes]
        wait_for(processes, self.long)
        lines = [line for each in status for line in each.splitlines()]
        return max(int(line.split()[1]) << 10 for line in lines if line.startswith("VmHWM:"))

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


def run(folder: Path) -> float:
    """The seconds from the start of the first role to the end of the last."""
    begun = time.perf_counter()
    wait_for(start_all(folder), folder)
    return time.perf_counter() - begun


def start_all(folder: Path) -> list[int]:
    """Start every role, and give their processes; each edge has a port of its own."""
    described = json.loads((folder / "run.json").read_text(encoding="utf-8"))["roles"]
    higher = [[peer for peer in each["edges"] if peer > each["role"]] for each in described]
    first = free_ports(sum(map(len, higher)))
    ports = {
        edge: first + number
        for number, edge in enumerate(
            (role, peer) for role, peers in enumerate(higher) for peer in peers
        )
    }
    return [_started(folder, each["role"], each["edges"], ports) for each in described]


def wait_for(processes: Sequence[int], folder: Path) -> None:
    """Wait until all have ended well."""
    for process in processes:
        _, status = os.waitpid(process, 0)
        if status:
            raise SystemExit(f"a role of {folder} ended with status {status}")


def _started(
    folder: Path, role: int, edges: Sequence[int], ports: Mapping[tuple[int, int], int]
) -> int:
    """The process of a role that is told where it listens, and where its lower peers do."""
    given: list[str] = []
    if edges and edges[-1] > role:
        listens = next(ports[role, peer] for peer in edges if peer > role)
        given += ["--listen", f"127.0.0.1:{listens}"]
    lower = [f"127.0.0.1:{ports[peer, role]}" for peer in edges if peer < role]
    if lower:
        given += ["--peers", ",".join(lower)]
    quiet = [(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)]
    program = f"{folder}/role-{role}"
    return os.posix_spawn(program, [program, *given], os.environ, file_actions=quiet)
