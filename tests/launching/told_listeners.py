"""Roles that are told where they listen: native ones, and ones that `alpha role` interprets.

Entry: `Roles`, `unused_ports`.
"""

from __future__ import annotations

import contextlib
import random
import shlex
import socket
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from native_runs.folders import Told, command

from alpha.backends.toolchain.emulation import find_runner
from alpha.backends.toolchain.machines import MACHINES
from alpha.tools.building.description import RoleDescription, RunDescription

SECONDS_MAX = 60


@contextlib.contextmanager
def unused_ports(count: int) -> Iterator[int]:
    """The first of so many ports in a row, of those that Linux gives to nobody by itself."""
    while True:
        first = random.randrange(10000, 32000 - count)
        with contextlib.ExitStack() as held:
            try:
                for port in range(first, first + count):
                    held.enter_context(socket.create_server(("127.0.0.1", port)))
            except OSError:
                continue
        yield first
        return


class Roles:
    """The roles of builds of one run, whose results go to a folder as those of a launch do."""

    def __init__(self, folder: Path, first_port: int, address: str = "127.0.0.1") -> None:
        self._folder = folder
        self._first = first_port
        self._address = address
        self._processes: dict[int, subprocess.Popen[bytes]] = {}
        folder.mkdir()

    def __enter__(self) -> Roles:
        return self

    def __exit__(self, *error: object) -> None:
        for process in self._processes.values():
            process.kill()
            process.wait()

    def listeners(self, described: RunDescription, role: RoleDescription) -> list[str]:
        """What a role of a star around role 0 is told of listeners, and how long it waits."""
        told = ["--wait", "30"]
        if role.role:
            at = described.roles[0].edges.index(role.role)
            return [*told, "--peers", f"{self._address}:{self._first + at}"]
        return [*told, "--listen", f"{self._address}:{self._first}"]

    def start(
        self, build: Path, number: int, more: Sequence[str] = (), *, told: bool = True
    ) -> None:
        """Start a role of a build, with more flags behind what it is told, if it is."""
        described = RunDescription.read(build)
        role = described.roles[number]
        program = (build / role.executable).read_bytes()
        # What isn't an executable is a script for this machine.
        native = program[:4] == b"\x7fELF"
        runner = find_runner(MACHINES[role.target]).command if native else ()
        listeners = self.listeners(described, role) if told else []
        command_line = [*runner, str(build / role.executable), *listeners, *more]
        file = shlex.quote(str(self._folder / f"role-{number}"))
        script = f'"$@" >{file}.out 2>{file}.err </dev/null; echo $? >{file}.end'
        self._processes[number] = subprocess.Popen(["sh", "-c", script, "role", *command_line])
        described_at = self._folder / "run.json"
        if not described_at.exists():
            described_at.write_bytes((build / "run.json").read_bytes())

    def statuses(self) -> Mapping[int, int]:
        """How the roles end."""
        for process in self._processes.values():
            process.wait(SECONDS_MAX)
        return {
            role: int((self._folder / f"role-{role}.end").read_text())
            for role in sorted(self._processes)
        }

    def said(self, role: int) -> str:
        """What a role has said."""
        return (self._folder / f"role-{role}.err").read_text()

    def collected(self) -> Told:
        """What is told of all of them, once they have ended."""
        self.statuses()
        return command("launch", "--collect", self._folder)
