"""Hosts that are reached over ssh: real servers of OpenSSH on this machine, each as a host.

A server listens on a port of its own, has keys of its own, and gives what it starts the mark of the
test; what is copied to it goes to a folder of its own, in which nothing may be left.

Entry: `Server`, `deployment_text`.
"""

from __future__ import annotations

import contextlib
import getpass
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from native_runs.folders import MARK

SSHD = shutil.which("sshd", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
USER = getpass.getuser()
SECONDS = 20.0
# A server of root wants this folder, which Debian's service makes.
PRIVILEGED_FOLDER = Path("/run/sshd")


def free_port(address: str = "127.0.0.1") -> int:
    """A port on which nobody listens at the moment."""
    with socket.socket() as held:
        held.bind((address, 0))
        return held.getsockname()[1]


def make_key(path: Path) -> None:
    """Make a pair of keys without a passphrase."""
    command = ("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path))
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)


class Server:
    """A server; as a context it runs, and nothing of it is left."""

    def __init__(
        self,
        folder: Path,
        mark: str,
        settings: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
        front: Sequence[str] = (),
        address: str = "127.0.0.1",
        port: int | None = None,
    ) -> None:
        """`front` stands before the command; `address` is where it listens in its network."""
        self.folder = folder
        self.address = address
        self.port = free_port() if port is None else port
        self.room = folder / "room"
        self.room.mkdir(parents=True)
        # Where login shells look for what they do first.
        self.home = folder / "home"
        self.home.mkdir()
        self._front = front
        for name in ("host", "user"):
            make_key(folder / name)
        public = (folder / "user.pub").read_text()
        (folder / "authorized").write_text(public)
        name = f"[{address}]:{self.port}" if self.port != 22 else address
        kind, key, *_ = (folder / "host.pub").read_text().split()
        (folder / "known").write_text(f"{name} {kind} {key}\n")
        (folder / "client").write_text("")
        variables = {MARK: mark, "HOME": self.home, **(environment or {})}
        (folder / "settings").write_text(
            "\n".join(
                (
                    f"Port {self.port}",
                    f"ListenAddress {address}",
                    f"HostKey {folder / 'host'}",
                    f"AuthorizedKeysFile {folder / 'authorized'}",
                    "StrictModes no",
                    "UsePAM no",
                    "PermitRootLogin yes",
                    "PasswordAuthentication no",
                    "KbdInteractiveAuthentication no",
                    "PidFile none",
                    "SetEnv " + " ".join(f"{key}={value}" for key, value in variables.items()),
                    *settings,
                    "",
                )
            )
        )
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Server:
        assert SSHD is not None, "Debian's openssh-server isn't installed"
        if os.geteuid() == 0:
            PRIVILEGED_FOLDER.mkdir(mode=0o755, exist_ok=True)
        with (self.folder / "log").open("wb") as log:
            # A session of its own: what ends its group is a lost host.
            self._process = subprocess.Popen(
                (*self._front, SSHD, "-D", "-e", "-f", str(self.folder / "settings")),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                env={key: value for key, value in os.environ.items() if key != MARK},
            )
        until = time.monotonic() + SECONDS
        while b"Server listening" not in (self.folder / "log").read_bytes():
            assert self._process.poll() is None, (self.folder / "log").read_text()
            assert time.monotonic() < until
            time.sleep(0.01)
        return self

    def __exit__(self, *error: object) -> None:
        self.drop()
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def sessions(self) -> list[int]:
        """The processes of the server that serve a connection."""
        assert self._process is not None
        found: list[int] = []
        parents = {self._process.pid}
        for _ in range(3):
            children = {pid for pid, parent in _parents().items() if parent in parents}
            parents = {pid for pid in children if _name(pid).startswith("sshd")}
            found += sorted(parents)
        return found

    def drop(self) -> None:
        """End all connections, without a word to anybody."""
        for pid in self.sessions():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def left(self) -> list[str]:
        """What is in the folder to which roles are copied."""
        return sorted(os.listdir(self.room))

    def table(self, name: str, roles: Sequence[object], **more: object) -> str:
        """This host in a deployment file."""
        values = {
            "roles": list(roles),
            "ssh": self.address,
            "user": USER,
            "port": self.port,
            "identity_file": str(self.folder / "user"),
            "config_file": str(self.folder / "client"),
            "folder": str(self.room),
            "options": {"UserKnownHostsFile": str(self.folder / "known")},
            **more,
        }
        lines = [f"{key} = {_toml(value)}" for key, value in values.items() if value is not None]
        return "\n".join((f"[hosts.{name}]", *lines, ""))


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def deployment_file(path: Path, *tables: str, transport: str = "ssh-tunnel") -> Path:
    """A deployment file with these hosts."""
    path.write_text("\n".join((f'transport = "{transport}"', *tables)))
    return path


def _parents() -> dict[int, int]:
    found: dict[int, int] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(OSError):
                text = Path(f"/proc/{name}/stat").read_text()
                found[int(name)] = int(text.rpartition(")")[2].split()[1])
    return found


def _name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text()
    except OSError:
        return ""
