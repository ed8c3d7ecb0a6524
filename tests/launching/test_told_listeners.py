"""Roles that are told where they listen: the run is the same, in whatever order they begin."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from launching.conftest import ADAM, MODES, ROUNDS
from launching.told_listeners import Roles, unused_ports
from native_runs.folders import command, interpreted_folder

KINDS = ("native", "interpreted")


@pytest.fixture(scope="module")
def builds(four_roles: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Builds of one run: executables for two machines, and scripts that interpret roles."""
    folder = tmp_path_factory.mktemp("interpreted") / "four"
    made = interpreted_folder(folder, ADAM, rounds=ROUNDS, partition=MODES)
    wanted = (four_roles / "run.json").read_text()
    assert f'"run": "{made.digests.run}"' in wanted
    return {"native": four_roles, "interpreted": folder}


@pytest.mark.parametrize(
    ("kinds", "order"),
    [
        (("native",) * 4, (0, 1, 2, 3)),
        (("native",) * 4, (3, 2, 1, 0)),
        (("interpreted",) * 4, (2, 3, 0, 1)),
        (("native", "interpreted", "native", "interpreted"), (1, 2, 0, 3)),
        (("interpreted", "native", "interpreted", "native"), (3, 1, 0, 2)),
    ],
)
def test_the_bits_are_the_same(
    kinds: tuple[str, ...],
    order: tuple[int, ...],
    builds: dict[str, Path],
    wanted: list[str],
    tmp_path: Path,
) -> None:
    with unused_ports(3) as first, Roles(tmp_path / "run", first) as roles:
        for role in order:
            roles.start(builds[kinds[role]], role)
        told = roles.collected()
    assert (told.status, told.said) == (0, "")
    assert told.out.splitlines()[1:] == wanted


def test_addresses_come_before_those_of_the_build(
    builds: dict[str, Path], wanted: list[str], tmp_path: Path
) -> None:
    for at, kind in enumerate(KINDS):
        with unused_ports(3) as first, Roles(tmp_path / f"{at}", first, "127.9.8.7") as roles:
            for role in range(4):
                roles.start(builds[kind], role)
            told = roles.collected()
        assert told.out.splitlines()[1:] == wanted


MOST = "expected a port behind --listen of at most 65533, as one for each higher peer follows"
COUNT = "behind --peers, one for each lower peer"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("role", "flags", "status", "said"),
    [
        (0, ("--listen", "127.0.0.1:65534"), 2, f"usage: {MOST}, found 65534"),
        (0, ("--peers", "127.0.0.1:1"), 2, f"usage: expected 0 {COUNT}, found 1"),
        (1, ("--peers", "127.0.0.1:1,1.2.3.4:5"), 2, f"usage: expected 1 {COUNT}, found 2"),
        (
            0,
            ("--listen", "192.0.2.1:5"),
            5,
            "failed: Cannot assign requested address at 192.0.2.1:5",
        ),
        # Who has no higher peer listens nowhere.
        (
            1,
            ("--listen", "192.0.2.1:65535", "--peers", "127.0.0.1:9", "--wait", "0.2"),
            4,
            "lost role 0: no connection to 127.0.0.1:9, ECONNREFUSED, Connection refused",
        ),
        (
            0,
            ("--listen", "127.0.0.1:65533", "--wait", "0.2"),
            4,
            "lost role 1: it didn't connect in the 0.2 s of waiting for a connection",
        ),
        # What isn't said is read.
        (
            1,
            ("--listen", "127.0.0.1:65533"),
            4,
            "lost role 0: its port didn't come: the input ended after 0 of 2 bytes of ports",
        ),
    ],
)
def test_native_roles_and_interpreted_ones_say_the_same(
    kind: str,
    role: int,
    flags: tuple[str, ...],
    status: int,
    said: str,
    builds: dict[str, Path],
    tmp_path: Path,
) -> None:
    with Roles(tmp_path / "run", 0) as roles:
        roles.start(builds[kind], role, flags, told=False)
        assert roles.statuses() == {role: status}
        assert roles.said(role) == f"alpha: role {role}: {said}\n"


@pytest.mark.parametrize("kind", KINDS)
def test_a_port_in_use(kind: str, builds: dict[str, Path], tmp_path: Path) -> None:
    """It is the second one, for the second of the higher peers."""
    with unused_ports(3) as first, Roles(tmp_path / "run", first) as roles:
        with socket.create_server(("127.0.0.1", first + 1)):
            roles.start(builds[kind], 0)
            assert roles.statuses() == {0: 5}
        said = f"alpha: role 0: failed: Address already in use at 127.0.0.1:{first + 1}\n"
        assert roles.said(0) == said


def test_what_alpha_role_cannot_read(builds: dict[str, Path]) -> None:
    wanted = "expected an IPv4 address and a port such as 127.0.0.1:20000, got"
    for flags in (("--listen", "vm:5"), ("--peers", "1.2.3.4:5,,1.2.3.4:6"), ("--peers", "")):
        told = command("role", "none.mlir", *flags)
        assert (told.status, told.out) == (2, "")
        assert f"error: argument {flags[0]}: {wanted} " in told.said
