"""A connection of OpenSSH's client to a host, and what is done in it.

Invariant: a connection is authenticated once; sessions and forwardings go through it, and end with
    it. Its client holds the reading end of a pipe of this process: where this process ends, however
    it does, the command at the other end reads the end of its input.
Why: the client is in a session of its own, so that an interrupt from a terminal reaches this
    process first, which can then put the host in order over the connection.
Entry: `Connection`, `HostLost`, `last_line`.
"""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from alpha.tools.deployment import ssh_command
from alpha.tools.deployment.deployment_file import Host, SshAccess
from alpha.tools.deployment.remote_scripts import READY
from alpha.tools.driver.output import InputOutputError, reason_of

GREETING_SECONDS = 60.0
"""How long a host may take from the first packet to its greeting."""

FORWARDING_SECONDS = 30.0

GRACE_SECONDS = 10.0
"""How long a host may take to put itself in order."""

GREETING_BYTES_MAX = 1 << 16


class HostLost(InputOutputError):
    """A host can't be reached, or not any more."""


class Connection:
    """The client of a connection, and the command that it runs first."""

    def __init__(self, host: Host, control: Path, command: str) -> None:
        """`control` is the path of a socket that the client makes.

        Raises:
            InputOutputError: the client can't be started.
        """
        assert host.ssh is not None
        self.name = host.name
        self.access: SshAccess = host.ssh
        self._control = control
        self._answered = False
        self._said = tempfile.TemporaryFile()  # noqa: SIM115
        try:
            self._process = subprocess.Popen(
                ssh_command.master(self.access, control, command),
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._said,
                start_new_session=True,
            )
        except OSError as error:
            self._said.close()
            what = f"cannot run {ssh_command.SSH}, for host {host.name}"
            raise InputOutputError(f"{what}: {reason_of(error)}") from None

    def greeting(self) -> list[str]:
        """The lines that the command says first, up to the one that ends them.

        Raises:
            HostLost: the host wasn't reached, or didn't let the command run.
        """
        assert self._process.stdout is not None
        until, data = time.monotonic() + GREETING_SECONDS, b""
        descriptor = self._process.stdout.fileno()
        while f"{READY}\n".encode() not in data and len(data) < GREETING_BYTES_MAX:
            if not select.select([descriptor], [], [], max(0.0, until - time.monotonic()))[0]:
                raise HostLost(
                    f"cannot reach host {self.name}: no answer in {GREETING_SECONDS:g} s"
                )
            part = os.read(descriptor, 1 << 12)
            if not part:
                break
            data += part
        lines = data.decode("utf-8", "replace").splitlines()
        strange = next((line for line in lines if not line.startswith("alpha ")), None)
        if strange is not None:
            # It would say that before the words of roles, too.
            what = f"cannot use host {self.name}: its login shell says something by itself"
            raise HostLost(f"{what}: {strange[:80]!r}")
        if READY not in lines:
            self._process.wait()
            raise HostLost(f"cannot reach host {self.name}: {self._why()}")
        self._answered = True
        return lines

    def session(self, command: str) -> Sequence[str]:
        """The command of this machine that runs a command on the host."""
        return ssh_command.session(self.access, self._control, command)

    def forward(self, *forward: str) -> str:
        """Make a forwarding, as `-L` and `-R` say it; gives what the client says of it.

        Raises:
            HostLost: it can't be made.
        """
        command = ssh_command.forwarding(self.access, self._control, *forward)
        try:
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=FORWARDING_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise HostLost(f"cannot forward a port of host {self.name}: {error}") from None
        if done.returncode:
            why = self._why() if self.lost else last_line(done.stderr) or "ssh doesn't say why"
            raise HostLost(f"cannot forward a port of host {self.name}: {why}")
        return done.stdout.decode("ascii", "replace").strip()

    @property
    def lost(self) -> bool:
        """Whether the connection has ended."""
        return self._process.poll() is not None

    @property
    def said(self) -> str:
        """The last line that the client has said on stderr."""
        self._said.seek(0)
        return last_line(self._said.read())

    def _why(self) -> str:
        return self.said or f"ssh ended with status {self._process.returncode}"

    def beat(self) -> None:
        """Let the command know that this process is there."""
        # Who has lost the connection is told by its sessions.
        with contextlib.suppress(OSError, ValueError):
            assert self._process.stdin is not None
            self._process.stdin.write(b"\n")

    def end_input(self) -> None:
        """Let the command know that it is over."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()

    def close(self) -> bool:
        """End the connection behind its command; says whether that has ended in time."""
        self.end_input()
        # Who hasn't answered may never have been reached.
        ended = self._ended(time.monotonic() + (GRACE_SECONDS if self._answered else 1.0))
        # With its command gone it only waits for what others still do in the connection.
        with contextlib.suppress(ProcessLookupError):
            self._process.terminate()
        try:
            self._process.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._said.close()
        return ended

    def _ended(self, until: float) -> bool:
        """Whether the output of the command has ended before a time."""
        assert self._process.stdout is not None
        descriptor = self._process.stdout.fileno()
        while select.select([descriptor], [], [], max(0.0, until - time.monotonic()))[0]:
            if not os.read(descriptor, 1 << 12):
                return True
        return False


def last_line(text: bytes) -> str:
    """The last line of what a program has said that isn't empty."""
    lines = [line.strip() for line in text.decode("utf-8", "replace").splitlines()]
    return next((line for line in reversed(lines) if line), "")
