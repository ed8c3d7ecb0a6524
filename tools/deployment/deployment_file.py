"""A deployment file: which roles are on which host, how that is reached, and how edges go.

Invariant: a file that is read has each role on at most one host, and no key that would change
    nothing. Every text of it that becomes part of a command is one word of letters that mean
    nothing to any shell, or is given to a program as one argument.
Refuses: deployment-file, deployment-role.
Entry: `Deployment` (`Deployment.read`), `Host`, `SshAccess`.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from alpha.backends.toolchain.machines import MACHINES
from alpha.ir.frames import ROLES_IN_FRAMES
from alpha.ir.refusals import Note, Refusal
from alpha.tools.deployment.toml_values import Value, read_toml
from alpha.tools.driver.output import InputOutputError, reason_of

CODE = "deployment-file"
BYTES_MAX = 1 << 20

DIRECT, SSH_TUNNEL = "direct", "ssh-tunnel"
TRANSPORTS = (DIRECT, SSH_TUNNEL)

FOLDER = "/tmp"
"""Where the folder of a run is made on a host that is reached over ssh."""

HOST_KEYS = ("roles", "address")
SSH_KEYS = ("ssh", "user", "port", "identity_file", "config_file", "options", "folder", "emulators")

NAME = r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}"
DESTINATION = r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,254}"
USER = r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}"
PATH = r"(/[A-Za-z0-9_][A-Za-z0-9_.-]*)+"
ROLES = r"\d{1,10}(-\d{1,10})?"
OPTION = r"[^\x00-\x1f\x7f]+"

OPTIONS = (
    *("AddressFamily", "BindAddress", "CertificateFile", "CheckHostIP", "Ciphers", "Compression"),
    *("ConnectTimeout", "ConnectionAttempts", "GlobalKnownHostsFile", "HostKeyAlgorithms"),
    *("HostKeyAlias", "IdentitiesOnly", "IdentityAgent", "IPQoS", "KexAlgorithms", "MACs"),
    *("PreferredAuthentications", "ProxyJump", "RekeyLimit", "ServerAliveCountMax"),
    *("ServerAliveInterval", "StrictHostKeyChecking", "TCPKeepAlive", "UserKnownHostsFile"),
    "VerifyHostKeyDNS",
)
"""Options of OpenSSH that neither start programs nor change what a connection is used for."""


@dataclass(frozen=True)
class SshAccess:
    """How a host is reached by OpenSSH's client, and what is there."""

    destination: str
    user: str | None = None
    port: int | None = None
    identity_file: str | None = None
    config_file: str | None = None
    """Both are paths on this machine."""
    options: tuple[tuple[str, str], ...] = ()
    folder: str = FOLDER
    emulators: tuple[tuple[str, str], ...] = ()
    """By machine, the path of what runs its executables there."""


@dataclass(frozen=True)
class Host:
    """A host of the file; without `ssh` it is this machine."""

    name: str
    roles: tuple[range, ...]
    address: str | None
    ssh: SshAccess | None
    given: Value = field(compare=False)
    """What stands in the file."""

    def has(self, role: int) -> bool:
        """Whether a role is on this host."""
        return any(role in each for each in self.roles)

    def part(self, key: str) -> Value:
        """What stands in the file under a key, which is there."""
        return self.given.named("")[key]

    def item(self, role: int) -> Value:
        """What gives a role to this host."""
        items = self.part("roles").items("")
        return next(item for item, each in zip(items, self.roles, strict=True) if role in each)


@dataclass(frozen=True)
class Deployment:
    """All of a deployment file."""

    file: str
    transport: str
    hosts: tuple[Host, ...]

    @classmethod
    def read(cls, file: str) -> Deployment:
        """What a file says.

        Raises:
            Refusal: deployment-file or deployment-role, with the place in the file.
            InputOutputError: it can't be read, or a file that it names.
        """
        try:
            with open(file, "rb") as stream:
                data = stream.read(BYTES_MAX + 1)
        except (OSError, ValueError) as error:
            raise InputOutputError(f"cannot read {file}: {reason_of(error)}") from None
        value = read_toml(file, data[:BYTES_MAX], CODE)
        if len(data) > BYTES_MAX:
            value.refuse(f"a file of at most {BYTES_MAX} bytes", "more")
        return _read(file, value)

    @classmethod
    def of(cls, file: str | None) -> Deployment:
        """What a file says; without one, every role is on this machine.

        Raises:
            Refusal, InputOutputError: as `read`.
        """
        return cls("", DIRECT, ()) if file is None else cls.read(file)

    def addresses(self) -> tuple[object, ...]:
        """What decides the addresses of roles: of each host that has one its roles, and it."""
        return tuple(
            (*((each.start, each.stop) for each in host.roles), host.address)
            for host in self.hosts
            if host.address is not None
        )

    def host_of(self, role: int) -> Host | None:
        """The host of a role; None where no host has it, and it is on this machine."""
        return next((host for host in self.hosts if host.has(role)), None)


def _read(file: str, value: Value) -> Deployment:
    top = value.table(("transport", "hosts"), needed=("hosts",))
    transport = DIRECT
    if "transport" in top:
        wanted = " or ".join(TRANSPORTS)
        transport = top["transport"].text("|".join(TRANSPORTS), wanted)
    hosts: list[Host] = []
    for name, each in top["hosts"].named("a table of hosts").items():
        if not _is_name(name):
            wanted = "a host whose name is of letters, digits, _, - and ., at most 64"
            raise Refusal(CODE, wanted, each.name, each.place)
        hosts.append(_host(name, each, transport, Path(file).parent))
    _refuse_twice(hosts)
    return Deployment(file, transport, tuple(hosts))


def _is_name(name: str) -> bool:
    return re.fullmatch(NAME, name, re.ASCII) is not None


def _host(name: str, value: Value, transport: str, folder: Path) -> Host:
    fields = value.table((*HOST_KEYS, *SSH_KEYS), needed=("roles",))
    roles = tuple(map(_roles, fields["roles"].items('an array of roles such as [0, "2-5"]')))
    address = None
    if "address" in fields:
        address = _address(fields["address"])
        if transport == SSH_TUNNEL:
            wanted = f'transport = "{DIRECT}" with {fields["address"].name}'
            found = f"{SSH_TUNNEL}, in which roles listen on the loopback address"
            raise Refusal(CODE, wanted, found, fields["address"].place)
    if "ssh" in fields:
        return Host(name, roles, address, _access(fields, folder), value)
    for key in SSH_KEYS:
        if key in fields:
            wanted = f"{value.name}.ssh with {fields[key].name}"
            raise Refusal(
                CODE, wanted, "a host without it, which is this machine", fields[key].place
            )
    return Host(name, roles, address, None, value)


def _access(fields: Mapping[str, Value], folder: Path) -> SshAccess:
    def text(key: str, pattern: str, wanted: str) -> str | None:
        return fields[key].text(pattern, wanted) if key in fields else None

    options: list[tuple[str, str]] = []
    if "options" in fields:
        for key, value in fields["options"].table(OPTIONS).items():
            options.append((key, value.text(OPTION, "a text on one line, as ssh_config has it")))
    emulators: list[tuple[str, str]] = []
    if "emulators" in fields:
        for machine, value in fields["emulators"].table(tuple(MACHINES)).items():
            emulators.append((machine, value.text(PATH, _WORDS)))
    return SshAccess(
        destination=fields["ssh"].text(DESTINATION, "the name or the address of a host"),
        user=text("user", USER, "the name of a user"),
        port=fields["port"].number(1, 65535) if "port" in fields else None,
        identity_file=_file(fields.get("identity_file"), folder),
        config_file=_file(fields.get("config_file"), folder),
        options=tuple(options),
        folder=text("folder", PATH, _WORDS) or FOLDER,
        emulators=tuple(emulators),
    )


_WORDS = "an absolute path of letters, digits, _, - and ."


def _file(value: Value | None, folder: Path) -> str | None:
    """A file of this machine, relative to the folder of the deployment file."""
    if value is None:
        return None
    text = value.text(OPTION, "the name of a file")
    path = folder.absolute() / Path(text).expanduser()
    try:
        with path.open("rb"):
            return str(path)
    except (OSError, ValueError) as error:
        what = f"cannot read {path}, which is {value.name} of {value.place.file}"
        raise InputOutputError(f"{what}: {reason_of(error)}") from None


def _roles(value: Value) -> range:
    wanted = f'a role below {ROLES_IN_FRAMES}, or a text of the first and the last such as "2-5"'
    if not isinstance(value.value, str):
        role = value.number(0, ROLES_IN_FRAMES - 1, wanted)
        return range(role, role + 1)
    first, _, last = value.text(ROLES, wanted).partition("-")
    found = range(int(first), int(last or first) + 1)
    if not found or found.stop > ROLES_IN_FRAMES:
        value.refuse(wanted)
    return found


def _address(value: Value) -> str:
    wanted = "the IPv4 address of one host, such as 10.0.0.2"
    text = value.text(r"(\d{1,3}\.){3}\d{1,3}", wanted)
    parts = [int(part) for part in text.split(".")]
    # 0.0.0.0/8, multicast, what is reserved, and broadcast: RFC 6890, table 1 to 15, RFC 5771.
    one = 0 < parts[0] < 224 and max(parts) < 256
    if not one or text != ".".join(map(str, parts)):
        value.refuse(wanted)
    return text


def _refuse_twice(hosts: Sequence[Host]) -> None:
    """See that no role is on two hosts, or twice on one."""
    found = [
        (each, item)
        for host in hosts
        for each, item in zip(host.roles, host.part("roles").items(""), strict=True)
    ]
    found.sort(key=lambda pair: pair[0].start)
    for (before, first), (after, second) in itertools.pairwise(found):
        if after.start < before.stop:
            notes = (Note(f"it is {first.name} first", first.place),)
            wanted = "each role on one host"
            raise Refusal(
                "deployment-role", wanted, f"role {after.start} again", second.place, notes
            )
