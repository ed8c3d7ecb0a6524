"""A run whose roles are on several hosts: these are prepared, and put in order afterwards.

Invariant: nothing is started before every host has answered, has room, and holds what its roles
    need. Whatever happens then, no process and no file is left on a host behind the context, as far
    as the host can still be reached; where it can't, its warden sees to that.
Refuses: target-unsupported.
Entry: `deployed`, `Deployed`.
"""

from __future__ import annotations

import contextlib
import dataclasses
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from alpha.tools.building.description import RoleDescription
from alpha.tools.deployment.connections import last_line
from alpha.tools.deployment.placement import Placement
from alpha.tools.deployment.remote_hosts import FILE, PROGRAM, Copied, RemoteHost
from alpha.tools.deployment.ssh_command import SOCKET_BYTES_MAX
from alpha.tools.deployment.tunnels import Tunnels
from alpha.tools.driver.boundary import say
from alpha.tools.driver.output import InputOutputError
from alpha.tools.exits import INPUT_OUTPUT
from alpha.tools.running.memory import memory_of
from alpha.tools.running.processes import Ended

BEAT_SECONDS = 5.0
SILENCE_SECONDS_MIN = 60
"""A warden ends what it guards if it hears nothing for so long, or for longer than roles wait."""

LOST = 255
"""The status of OpenSSH's client where itself or its connection has failed; no role has it."""

SIGNALLED = 128
"""What a shell adds to the number of a signal that has ended a command."""


class Deployed:
    """The hosts of a run that are reached over ssh."""

    def __init__(
        self, placement: Placement, hosts: Mapping[str, RemoteHost], tunnels: Tunnels
    ) -> None:
        self.placement = placement
        self.commands: dict[int, Sequence[str]] = {}
        """The commands of this machine that start the roles on other hosts."""
        self._hosts = hosts
        self._tunnels = tunnels

    def prepare(
        self, folder: Path, roles: Sequence[RoleDescription], bounds: Sequence[str], seconds: float
    ) -> None:
        """See that each host can have its roles, which are in a folder, and copy them.

        `bounds` are the arguments of each role beside its data; copying to a host may take so many
        seconds.

        Raises:
            Refusal: target-unsupported.
            InputOutputError: a host can't be reached or used, or a file can't be read.
        """
        machine = self.placement.machine
        on = {name: [role for role in roles if machine(role.role) == name] for name in self._hosts}
        runners: dict[tuple[str, str], Sequence[str]] = {}
        for name, host in self._hosts.items():
            host.meet(len(on[name]))
            for role in on[name]:
                if (name, role.target) not in runners:
                    runners[name, role.target] = host.runner(role.target)
            host.check_memory(sum(map(memory_of, on[name])), len(on[name]))
        for (name, target), runner in runners.items():
            if runner:
                numbers = ", ".join(str(role.role) for role in on[name] if role.target == target)
                say(f"alpha: remark: emulated by {runner[0]} on {name}: {numbers}\n")
        for name, host in self._hosts.items():
            host.copy([each for role in on[name] for each in _files(folder, role)], seconds)
            for rank, role in enumerate(on[name]):
                data = None if role.data is None else role.data.sha256
                runner = runners[name, role.target]
                command = host.command(rank, role.role, runner, role.sha256, data, bounds)
                self.commands[role.role] = command

    def heading(self) -> str:
        """What a heading says of the hosts."""
        names = ", ".join(self._hosts)
        return f"; over {self.placement.deployment.transport} on {names}" if names else ""

    def port(self, role: int, peer: int, port: int) -> int:
        """Where a role reaches a lower peer, which has announced a port.

        Raises:
            InputOutputError: it can't be reached.
        """
        return self._tunnels.port(role, peer, port)

    def explain(self, ended: Ended) -> Ended:
        """How a role has ended, in place of how its connection has."""
        host = self._hosts.get(self.placement.machine(ended.role))
        if host is None or ended.stopped:
            return ended
        told = f"alpha: role {ended.role}: " in ended.said
        if host.lost and ended.status and not told:
            why = f"lost host {host.name}, its connection over ssh has ended{host.why_lost()}"
            said = f"alpha: role {ended.role}: {why}\n"
            return dataclasses.replace(ended, status=LOST, said=said)
        if ended.status == LOST:
            why = last_line(ended.said.encode()) or "ssh doesn't say why"
            said = f"alpha: role {ended.role}: failed: host {host.name} doesn't start it: {why}\n"
            return dataclasses.replace(ended, status=INPUT_OUTPUT, said=said)
        if ended.status > SIGNALLED:
            return dataclasses.replace(ended, status=SIGNALLED - ended.status)
        return ended


def _files(folder: Path, role: RoleDescription) -> Iterator[Copied]:
    yield Copied(folder / role.executable, role.sha256, PROGRAM)
    if role.data is not None:
        yield Copied(folder / role.data.file, role.data.sha256, FILE)


@contextlib.contextmanager
def deployed(placement: Placement, sockets: Path, wait_seconds: float) -> Iterator[Deployed]:
    """Connections to the hosts of a placement. `sockets` is a folder that is gone afterwards.

    `wait_seconds` is how long a role waits for another.

    Raises:
        InputOutputError: OpenSSH's client can't be started.
    """
    path = str(sockets)
    if placement.remote() and (len(path.encode()) > SOCKET_BYTES_MAX or ":" in path):
        wanted = f"a short name without a colon of the folder for temporary files, not {path}"
        raise InputOutputError(f"cannot make a socket: expected {wanted}")
    silence = max(SILENCE_SECONDS_MIN, int(wait_seconds) + 1)
    hosts: dict[str, RemoteHost] = {}
    over = threading.Event()

    def beat() -> None:
        while not over.wait(BEAT_SECONDS):
            for host in list(hosts.values()):
                host.beat()

    beats = threading.Thread(target=beat, name="beats", daemon=True)
    try:
        for number, host in enumerate(placement.remote()):
            hosts[host.name] = RemoteHost(host, number, sockets, silence)
        if hosts:
            beats.start()
        yield Deployed(placement, hosts, Tunnels(placement, hosts, sockets))
    finally:
        over.set()
        if beats.is_alive():
            beats.join()
        _close(list(hosts.values()))


def _close(hosts: Sequence[RemoteHost]) -> None:
    """Put all hosts in order at once."""
    for host in hosts:
        host.end_input()
    for host in hosts:
        lost = host.lost
        if not host.close() and not lost:
            say(f"alpha: warning: host {host.name} doesn't say that nothing is left there\n")
