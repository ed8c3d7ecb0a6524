"""A host that is reached over ssh: what it is, what is copied there, and how roles are started.

Invariant: what is started there are the bytes that were copied, which the host has compared with
    their digests. All of it is in a folder of its own, which is removed behind the run: when it
    ends or fails, or when the launcher or the connection does.
Refuses: target-unsupported.
Entry: `RemoteHost`, `Copied`.
"""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from alpha.backends.toolchain.machines import MACHINES
from alpha.ir.refusals import Refusal
from alpha.tools.deployment import remote_scripts
from alpha.tools.deployment.connections import Connection, HostLost
from alpha.tools.deployment.deployment_file import Host
from alpha.tools.deployment.remote_scripts import words
from alpha.tools.driver.counts import counted
from alpha.tools.driver.output import InputOutputError, reason_of

SESSIONS = 8
"""Roles that share a connection: a server lets one have 10 sessions, if nobody says otherwise."""

PROGRAM, FILE = 0o700, 0o600
"""The modes of what is copied: nobody else's."""


@dataclass(frozen=True)
class Copied:
    """A file that is copied to a host, where it has its digest for a name."""

    path: Path
    sha256: str
    mode: int


class RemoteHost:
    """A host of the deployment file; `close` puts it in order."""

    def __init__(self, host: Host, number: int, sockets: Path, silence_seconds: int) -> None:
        """Begin to connect. `sockets` is a folder for the sockets of connections.

        Raises:
            InputOutputError: OpenSSH's client can't be started.
        """
        assert host.ssh is not None
        self.host = host
        self.name = host.name
        self._sockets = sockets
        self._number = number
        self._given = dict(host.ssh.emulators)
        programs = {
            name: (self._given[name],)
            if name in self._given
            else (machine.qemu, f"{machine.qemu}-static")
            for name, machine in MACHINES.items()
        }
        command = remote_scripts.warden(host.ssh.folder, silence_seconds, programs)
        self._connections = [Connection(host, self._socket(0), command)]
        self._folder = ""
        self._system = ""
        self._memory: int | None = None
        self._emulators: dict[str, str] = {}

    def _socket(self, number: int) -> Path:
        return self._sockets / f"{self._number}-{number}"

    @property
    def connection(self) -> Connection:
        """The connection with the warden, through which also edges go."""
        return self._connections[0]

    @property
    def lost(self) -> bool:
        """Whether one of its connections has ended."""
        return any(each.lost for each in self._connections)

    def meet(self, sessions: int) -> None:
        """See who answers, and make connections for so many roles.

        Raises:
            HostLost: the host can't be reached, or its shell can't be used.
        """
        facts = [line.removeprefix("alpha ") for line in self.connection.greeting()]
        for fact in facts:
            name, _, value = fact.partition(" ")
            if name == "folder":
                self._folder = value
            elif name == "system":
                self._system = value
            elif name == "memory" and (found := re.search(r"(\d+) kB", value)):
                self._memory = 1024 * int(found[1])
            elif name == "emulator":
                machine, _, program = value.partition(" ")
                self._emulators[machine] = program
        with self._understood(self._folder):
            words(self._folder)
        for number in range(1, -(-sessions // SESSIONS)):
            made = Connection(self.host, self._socket(number), remote_scripts.holder())
            self._connections.append(made)
        for each in self._connections[1:]:
            each.greeting()

    @contextmanager
    def _understood(self, text: str) -> Iterator[None]:
        """Say that the host has answered something strange, if that is no word within."""
        try:
            yield
        except ValueError:
            raise HostLost(f"cannot use host {self.name}: it answers {text[:80]!r}") from None

    def check_memory(self, needed: int, roles: int) -> None:
        """See that the host has so many bytes for these roles, if it says what it has.

        Raises:
            Refusal: target-unsupported, with both numbers.
        """
        if self._memory is not None and needed > self._memory:
            wanted = f"{needed} bytes of memory on host {self.name} for {counted(roles, 'role')}"
            found = f"{self._memory}, by MemAvailable of its /proc/meminfo"
            raise Refusal("target-unsupported", wanted, found)

    def runner(self, machine: str) -> Sequence[str]:
        """What stands in front of an executable of a machine there; nothing on the machine itself.

        Raises:
            Refusal: target-unsupported, nothing runs it there.
        """
        system, _, here = self._system.partition(" ")
        wanted = f"a host that runs executables of {machine} for Linux"
        if system != "Linux":
            found = f"{self.name}, which runs {system[:40]}"
            raise Refusal("target-unsupported", wanted, found)
        if here.lower() in MACHINES[machine].hosts:
            return ()
        program = self._emulators.get(machine, "")
        if not program:
            looked = self._given.get(machine)
            none = f"{looked} that can be run" if looked else f"{MACHINES[machine].qemu} in PATH"
            found = f"{self.name}, which is {here} and has no {none}"
            raise Refusal("target-unsupported", wanted, found)
        with self._understood(program):
            return (words(program),)

    def copy(self, files: Sequence[Copied], seconds: float) -> None:
        """Copy files into the folder, each of them once, within a time.

        Raises:
            HostLost: they can't be copied, or aren't there as they are here.
        """
        by_digest = {each.sha256: each for each in files}
        program = next((each.sha256 for each in files if each.mode == PROGRAM), "sums")
        command = self.connection.session(remote_scripts.unpack(self._folder, program))
        with tempfile.TemporaryFile() as said:
            process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=said
            )
            try:
                assert process.stdin is not None
                # Why nobody reads is told by the status.
                with suppress(BrokenPipeError), process.stdin as stream:
                    self._write(list(by_digest.values()), stream)
                status = process.wait(seconds)
            except subprocess.TimeoutExpired:
                raise HostLost(f"cannot copy to host {self.name}: it takes too long") from None
            except OSError as error:
                name = f"{error.filename}: " if error.filename else ""
                what = f"cannot copy to host {self.name}: {name}{reason_of(error)}"
                raise InputOutputError(what) from None
            finally:
                process.kill()
                process.wait()
            if status:
                said.seek(0)
                raise HostLost(f"cannot copy to host {self.name}: {self._reason(said.read())}")

    def _write(self, files: Sequence[Copied], stream: IO[bytes]) -> None:
        """Write an archive of files, and of what starts them and says their digests."""
        sums = "".join(f"{each.sha256}  {self._folder}/{each.sha256}\n" for each in files)
        texts = {"start": remote_scripts.START, "sums": sums}
        for name, text in texts.items():
            _put(name, FILE, io.BytesIO(text.encode("ascii")), stream)
        for each in files:
            with each.path.open("rb") as file:
                _put(each.sha256, each.mode, file, stream)
        stream.write(bytes(2 * tarfile.BLOCKSIZE))

    def _reason(self, said: bytes) -> str:
        """Why something on the host failed: what was said first is the cause of the rest."""
        if self.connection.lost:
            return self.connection.said or "its connection has ended"
        lines = said.decode("utf-8", "replace").strip().splitlines()
        full = next((line for line in lines if "No space left" in line), "")
        return full or next(iter(lines), "it doesn't say why")

    def command(
        self,
        rank: int,
        role: int,
        runner: Sequence[str],
        program: str,
        data: str | None,
        bounds: Sequence[str],
    ) -> Sequence[str]:
        """The command of this machine that starts a role there.

        `rank` is its place among the roles of the host; `program` and `data` are digests.
        """
        started = [*runner, f"{self._folder}/{program}"]
        if data is not None:
            started += ["--data", f"{self._folder}/{data}"]
        start = ("exec", "/bin/sh", f"{self._folder}/start", str(role))
        connection = self._connections[rank // SESSIONS]
        return connection.session(words(*start, *started, *bounds))

    def why_lost(self) -> str:
        """What is said of a connection that has ended, as a part of a line."""
        said = next((each.said for each in self._connections if each.lost and each.said), "")
        return f": {said}" if said else ""

    def beat(self) -> None:
        """Let the warden know that the launcher is there."""
        self.connection.beat()

    def end_input(self) -> None:
        """Let everything there end."""
        for each in self._connections:
            each.end_input()

    def close(self) -> bool:
        """Wait until the host is in order, and end its connections; says whether it is."""
        # The warden comes first: it ends what the others wait for.
        ended = [each.close() for each in self._connections]
        return ended[0]


def _put(name: str, mode: int, file: IO[bytes], stream: IO[bytes]) -> None:
    """Write a file to an archive."""
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = file.seek(0, io.SEEK_END), mode
    file.seek(0)
    stream.write(entry.tobuf(tarfile.GNU_FORMAT))
    shutil.copyfileobj(file, stream)
    stream.write(bytes(-entry.size % tarfile.BLOCKSIZE))
