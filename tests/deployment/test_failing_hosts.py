"""Hosts that can't be reached or used: a line that says why, and nothing is started or left."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from deployment.servers import Server, deployment_file, free_port, make_key
from native_runs.folders import BEYOND, HERE, PlayedRole, Told, command, played_folder

MakeServer = Callable[..., Server]


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """Two roles that would run for long."""
    return played_folder(tmp_path / "built", [PlayedRole([["sleep", 600]])] * 2, [("w", 1)])


def run(built: Path, table: str) -> Told:
    return command("run", built, "--deployment", deployment_file(built.parent / "h.toml", table))


def check(told: Told, said: str, status: int = 5) -> None:
    assert (told.status, told.out) == (status, "")
    assert told.said.startswith(f"alpha: error: {said}"), told.said
    assert told.said.count("\n") == 1, told.said


def test_nobody_listens(server: MakeServer, built: Path) -> None:
    left = server("left")
    port = free_port()
    told = run(built, left.table("left", [1], port=port))
    check(told, f"cannot reach host left: ssh: connect to host 127.0.0.1 port {port}: Connection r")


def test_a_name_that_nobody_knows(server: MakeServer, built: Path) -> None:
    left = server("left")
    table = left.table("left", [1], ssh="nobody.invalid")
    check(run(built, table), "cannot reach host left: ssh: Could not resolve hostname")


def test_another_key(server: MakeServer, built: Path) -> None:
    left = server("left")
    make_key(left.folder / "other")
    table = left.table("left", [1], identity_file=str(left.folder / "other"))
    told = run(built, table)
    check(told, "cannot reach host left: ")
    assert "Permission denied (publickey)" in told.said


def test_a_host_that_is_another(server: MakeServer, built: Path) -> None:
    """Nobody is asked whether to trust it."""
    left, right = server("left"), server("right")
    known = {"UserKnownHostsFile": str(right.folder / "known")}
    table = left.table("left", [1], options=known)
    check(run(built, table), "cannot reach host left: Host key verification failed.")


def test_no_folder_there(server: MakeServer, built: Path) -> None:
    left = server("left")
    table = left.table("left", [1], folder=str(left.folder / "none"))
    told = run(built, table)
    check(told, "cannot reach host left: mktemp: ")
    assert "No such file or directory" in told.said


def test_a_full_disk_there(server: MakeServer, built: Path, tmp_path: Path) -> None:
    """A small disk that only the server sees."""
    if os.geteuid():
        pytest.skip("without the rights of root there is no small disk")
    (tmp_path / "left" / "room").mkdir(parents=True)
    (tmp_path / "left" / "room").rmdir()
    mount = 'mount -t tmpfs -o size=16k none "$0" && exec "$@"'
    front = ("unshare", "--mount", "sh", "-c", mount, str(tmp_path / "left" / "room"))
    left = server("left", front=front)
    big = played_folder(
        tmp_path / "big", [PlayedRole([]), PlayedRole([], data=bytes(1 << 16))], [("w", 1)]
    )
    told = run(big, left.table("left", [1]))
    check(told, "cannot copy to host left: ")
    assert "No space left on device" in told.said


def test_a_folder_that_holds_no_programs(server: MakeServer, built: Path, tmp_path: Path) -> None:
    if os.geteuid():
        pytest.skip("without the rights of root there is no small disk")
    (tmp_path / "left").mkdir()
    mount = 'mount -t tmpfs -o noexec none "$0" && exec "$@"'
    front = ("unshare", "--mount", "sh", "-c", mount, str(tmp_path / "left" / "room"))
    left = server("left", front=front)
    told = run(built, left.table("left", [1]))
    check(told, f"cannot copy to host left: {left.room}/alpha-run-")
    assert told.said.endswith(" may not hold programs\n")


def test_no_emulator_there(server: MakeServer, tmp_path: Path) -> None:
    """Refused as it is on this machine."""
    roles = [PlayedRole([]), PlayedRole([], target=BEYOND.name)]
    built = played_folder(tmp_path / "built", roles, [("w", 1)])
    left = server("left")
    table = left.table("left", [1], emulators={BEYOND.name: "/none/qemu"})
    wanted = f"expected a host that runs executables of {BEYOND.name} for Linux"
    found = "which is " + os.uname().machine + " and has no /none/qemu that can be run"
    check(run(built, table), f"[target-unsupported] {wanted}, found left, {found}", 1)


def test_too_little_memory_there(server: MakeServer, tmp_path: Path) -> None:
    built = played_folder(
        tmp_path / "built", [PlayedRole([]), PlayedRole([], memory_bytes=1 << 50)], [("w", 1)]
    )
    table = server("left").table("left", [1])
    told = run(built, table)
    check(told, "[target-unsupported] expected 11258999068", 1)
    assert " bytes of memory on host left for 1 role, found " in told.said


def test_a_shell_that_talks(server: MakeServer, built: Path) -> None:
    """Else its words would be taken for a role's."""
    left = server("left", "ForceCommand echo good morning")
    told = run(built, left.table("left", [1]))
    check(told, "cannot use host left: its login shell says something by itself: 'good morning'")
    right = server("right", 'ForceCommand echo good morning; eval "$SSH_ORIGINAL_COMMAND"')
    told = run(built, right.table("right", [1]))
    check(told, "cannot use host right: its login shell says something by itself: 'good morning'")
    silent = server("silent", "ForceCommand true")
    told = run(built, silent.table("silent", [1]))
    check(told, "cannot reach host silent: ssh ended with status 0")


def test_a_server_that_forwards_nothing(server: MakeServer, built: Path) -> None:
    left = server("left", "AllowTcpForwarding no")
    told = run(built, left.table("left", [1]))
    assert told.status == 5
    assert told.said.startswith("alpha: error: cannot forward a port of host left: "), told.said


def test_no_client_here(server: MakeServer, built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = server("left").table("left", [1])
    monkeypatch.setenv("PATH", "/none")
    check(run(built, table), "cannot run ssh, for host left: No such file or directory")


def test_a_connection_that_ends_while_files_are_copied(
    server: MakeServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = server("left")
    data = [PlayedRole([]), PlayedRole([], data=bytes(1 << 20))]
    built = played_folder(tmp_path / "built", data, [("w", 1)])
    from alpha.tools.deployment import remote_hosts

    put = remote_hosts._put

    def put_and_drop(name: str, *given: object) -> None:
        put(name, *given)  # pyright: ignore[reportArgumentType]
        if name == "sums":
            left.drop()

    monkeypatch.setattr(remote_hosts, "_put", put_and_drop)
    told = run(built, left.table("left", [1]))
    check(told, "cannot copy to host left: ")
    assert HERE.name  # and no folder is left, which the server's fixture sees to
