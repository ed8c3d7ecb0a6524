"""Roles on hosts that are reached over ssh end with the bits that they have on one machine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from deployment.servers import Server, deployment_file
from native_runs.folders import BEYOND, EXAMPLES, HERE, Told, command, marked

from alpha.tools.deployment.connections import Connection

MakeServer = Callable[..., Server]

LEARNER = EXAMPLES / "diabetes_adam.mlir"
FLAGS = ("--partition", "optimizer,gradients", "--exchange", "sharded", "--rounds", "7")
"""With an exchange in which every two roles have an edge."""


def run(file: Path, deployment: Path, *flags: str) -> Told:
    return command("run", file, "--deployment", deployment, *flags)


@pytest.fixture
def wanted(temporary: Path) -> str:
    """The digest, as the interpreter of all owners has it."""
    told = command("run", LEARNER, "--interpret=shard", "--partition=optimizer", "--rounds=7")
    return told.out.splitlines()[-1]


def test_on_two_hosts_and_here(
    server: MakeServer, wanted: str, tmp_path: Path, mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Edges between two hosts, to this machine and from it, and on one host."""
    made: list[str] = []
    forward = Connection.forward

    def noted(connection: Connection, *given: str) -> str:
        made.append(f"{connection.name} {given[0]}")
        return forward(connection, *given)

    monkeypatch.setattr(Connection, "forward", noted)
    left, right = server("left"), server("right")
    file = deployment_file(
        tmp_path / "hosts.toml", left.table("left", [0, "3"]), right.table("right", [2])
    )
    told = run(LEARNER, file, *FLAGS)
    assert (told.status, told.said) == (0, "")
    assert told.out.splitlines()[-1] == wanted
    assert told.out.splitlines()[0].endswith(
        f"4 roles, star, native for {HERE.name}; over ssh-tunnel on left, right"
    )
    # Role 0 is looked for by 1 and 2, role 1 by 2 and 3, role 2 by 3; 0 and 3 are on one host.
    assert sorted(made) == ["left -L"] * 2 + ["left -R"] * 2 + ["right -L"] + ["right -R"] * 2
    # At once, and not after a while.
    assert left.left() == right.left() == [] == marked(mark)


def test_emulated_there_and_interpreted_here(
    server: MakeServer, wanted: str, tmp_path: Path
) -> None:
    left = server("left")
    file = deployment_file(tmp_path / "hosts.toml", left.table("left", ["1-2"]))
    targets = f"--targets={HERE.name},{BEYOND.name}"
    told = run(LEARNER, file, *FLAGS, targets, "--roles-interpreted=0,3")
    assert told.out.splitlines()[-1] == wanted
    assert told.status == 0
    assert told.said.startswith("alpha: remark: emulated by /")
    assert told.said.endswith(f"/{BEYOND.qemu} on left: 1\n")
    assert told.said.count("\n") == 1


def test_a_folder_on_one_host(server: MakeServer, wanted: str, tmp_path: Path) -> None:
    """What is built for a tunnel is what is built without a deployment file."""
    left = server("left")
    file = deployment_file(tmp_path / "hosts.toml", left.table("left", ["0-3"]))
    for name, flags in (("one", ()), ("two", ("--deployment", str(file)))):
        assert command("build", LEARNER, "-o", tmp_path / name, *FLAGS, *flags).status == 0
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()
    told = run(tmp_path / "one", file)
    assert (told.status, told.said) == (0, "")
    assert told.out.splitlines()[-1] == wanted


def test_a_server_that_lets_nobody_in_twice(
    server: MakeServer, wanted: str, tmp_path: Path
) -> None:
    """The warden has the only session of its connection; each other makes one of its own."""
    left = server("left", "MaxSessions 1")
    file = deployment_file(tmp_path / "hosts.toml", left.table("left", [0, 1, 3]))
    told = run(LEARNER, file, *FLAGS)
    assert (told.status, told.said) == (0, "")
    assert told.out.splitlines()[-1] == wanted


def test_more_roles_than_a_connection_has_sessions(server: MakeServer, tmp_path: Path) -> None:
    """Ten sessions by default, of which the warden has one: connections for 8, 8 and 3 roles."""
    flags = ("--owners", "20", "--rounds", "3")
    file = EXAMPLES / "least_squares_adam.mlir"
    here = command("run", file, "--interpret=shard", *flags)
    left = server("left", "MaxSessions 10")
    deployment = deployment_file(tmp_path / "hosts.toml", left.table("left", ["1-19"]))
    told = run(file, deployment, *flags)
    assert told.status == 0, told
    assert (left.folder / "log").read_text().count("Accepted publickey") == 3
    assert told.out.splitlines()[-1] == here.out.splitlines()[-1]
