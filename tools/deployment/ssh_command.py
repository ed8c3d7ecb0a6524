"""The command lines of OpenSSH's client.

Invariant: no shell of this machine sees them. Nothing asks a user for anything, nothing is
    forwarded that isn't asked for here, and what a configuration of the user's says of terminals,
    commands and forwardings for a host doesn't count; all else of it does.
Entry: `master`, `session`, `forwarding`, `SSH`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from alpha.tools.deployment.deployment_file import SshAccess

SSH = "ssh"

_FIXED = (
    *("BatchMode=yes", "LogLevel=ERROR", "RequestTTY=no", "RemoteCommand=none", "EscapeChar=none"),
    *("PermitLocalCommand=no", "ForwardAgent=no", "ForwardX11=no", "Tunnel=no"),
    "ControlPersist=no",
)

_DEFAULTS = ("ConnectTimeout=10", "ServerAliveInterval=15", "ServerAliveCountMax=3")
"""What the options of a deployment file may say otherwise: the first of two counts."""

SOCKET_BYTES_MAX = 80
"""The longest path of a folder of sockets: 107 of Linux, less a name and what a client adds."""


def master(access: SshAccess, control: Path, command: str) -> Sequence[str]:
    """The client that makes a connection, runs a command, and serves others at a socket."""
    extra = ("ClearAllForwardings=yes", "ControlMaster=yes")
    return (*_client(access, control, extra), "--", access.destination, command)


def session(access: SshAccess, control: Path, command: str) -> Sequence[str]:
    """The client that runs a command in the connection that a socket stands for."""
    extra = ("ClearAllForwardings=yes", "ControlMaster=no")
    return (*_client(access, control, extra), "--", access.destination, command)


def forwarding(access: SshAccess, control: Path, *forward: str) -> Sequence[str]:
    """The client that asks such a connection for a forwarding, as `-L` and `-R` say it."""
    client = _client(access, control, ("ControlMaster=no",))
    return (*client, "-O", "forward", *forward, "--", access.destination)


def _client(access: SshAccess, control: Path, extra: Sequence[str]) -> list[str]:
    found = [SSH, "-S", _literal(str(control))]
    if access.config_file is not None:
        found += ["-F", access.config_file]
    if access.identity_file is not None:
        found += ["-i", _literal(access.identity_file)]
    if access.port is not None:
        found += ["-p", str(access.port)]
    if access.user is not None:
        found += ["-l", access.user]
    given = [f"{name}={value}" for name, value in access.options]
    for option in (*_FIXED, *extra, *given, *_DEFAULTS):
        found += ["-o", option]
    return found


def _literal(path: str) -> str:
    """A path in which nothing is taken for one of the client's own placeholders."""
    return path.replace("%", "%%")
