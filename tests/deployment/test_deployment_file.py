"""What a deployment file may say, and the place and the words with which all else is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from alpha.ir.refusals import Refusal
from alpha.tools.deployment.deployment_file import BYTES_MAX, Deployment, SshAccess
from alpha.tools.deployment.placement import Placement
from alpha.tools.driver.output import InputOutputError

HOST = '[hosts.left]\nroles = [1]\nssh = "left"\n'


def read(text: str, folder: Path) -> Deployment:
    path = folder / "hosts.toml"
    path.write_text(text)
    return Deployment.read(str(path))


def test_all_that_can_be_said(tmp_path: Path) -> None:
    (tmp_path / "key").touch()
    (tmp_path / "config").touch()
    text = """
transport = "ssh-tunnel"
[hosts."left.1"]
roles = [0, "5-7", 3, "9"]
ssh = "left.example.org"
user = "ada"
port = 2222
identity_file = "key"
config_file = "./config"
folder = "/scratch/a_b-c.d"
emulators = { aarch64 = "/usr/bin/qemu-aarch64" }
[hosts."left.1".options]
StrictHostKeyChecking = "accept-new"
UserKnownHostsFile = "/a b"
[hosts.here]
roles = []
"""
    found = read(text, tmp_path)
    left, here = found.hosts
    assert (found.transport, left.name, here.name) == ("ssh-tunnel", "left.1", "here")
    assert [role for role in range(12) if left.has(role)] == [0, 3, 5, 6, 7, 9]
    assert left.ssh == SshAccess(
        "left.example.org",
        "ada",
        2222,
        str(tmp_path / "key"),
        str(tmp_path / "config"),
        (("StrictHostKeyChecking", "accept-new"), ("UserKnownHostsFile", "/a b")),
        "/scratch/a_b-c.d",
        (("aarch64", "/usr/bin/qemu-aarch64"),),
    )
    assert here.ssh is None
    assert found.host_of(6) is left
    assert found.host_of(8) is None


def test_what_nobody_says(tmp_path: Path) -> None:
    found = read('[hosts.one]\nroles = [0]\naddress = "10.0.0.2"\n', tmp_path)
    assert found.transport == "direct"
    assert read("hosts = {}", tmp_path).hosts == ()
    assert Deployment.of(None).host_of(0) is None


ROLES = 'a role below 4294967296, or a text of the first and the last such as "2-5"'
NAME = "a host whose name is of letters, digits, _, - and ., at most 64"
WORDS = "an absolute path of letters, digits, _, - and ."
ADDRESS = "the IPv4 address of one host, such as 10.0.0.2"
KEYS = (
    "one of the keys roles, address, ssh, user, port, identity_file, config_file, options, folder, "
    "emulators of hosts.left"
)

REFUSED = [
    ("", "a table with the key hosts", "none", 1, 1),
    ("host = 1", "one of the keys transport, hosts", "host", 1, 8),
    ("hosts = 1", "hosts to be a table of hosts", "1", 1, 9),
    ("transport = 'tcp'\nhosts = {}", "transport to be direct or ssh-tunnel", "'tcp'", 1, 13),
    ("transport = 1\nhosts = {}", "transport to be direct or ssh-tunnel", "1", 1, 13),
    ("[hosts]\nleft = 1", "hosts.left to be a table", "1", 2, 8),
    ("[hosts]\n'a b' = {}", NAME, "hosts.'a b'", 2, 9),
    ("[hosts.left]\n", "hosts.left to be a table with the key roles", "none", 1, 1),
    (f"{HOST}name = 1", KEYS, "name", 4, 8),
    (
        "[hosts.left]\nroles = 1",
        'hosts.left.roles to be an array of roles such as [0, "2-5"]',
        "1",
        2,
        9,
    ),
    *(
        (f"[hosts.left]\nroles = [0,\n {role}]", f"hosts.left.roles[1] to be {ROLES}", said, 3, 2)
        for role, said in (
            ("-1", "-1"),
            ("1.0", "1.0"),
            ("true", "true"),
            ("4294967296", "4294967296"),
            ("'5-4'", "'5-4'"),
            ("'1-4294967296'", "'1-4294967296'"),
            ("'1-'", "'1-'"),
            ("''", "''"),
            ("'1,2'", "'1,2'"),
            ("'٣'", "'٣'"),
            ("[1]", "an array of 1"),
            ("2020-01-01", "2020-01-01"),
        )
    ),
    *(
        (
            f"[hosts.left]\nroles = []\naddress = '{text}'",
            f"hosts.left.address to be {ADDRESS}",
            f"'{text}'",
            3,
            11,
        )
        for text in (
            "0.0.0.0",
            "10.0.0",
            "10.0.0.256",
            "10.0.0.02",
            "224.0.0.1",
            "::1",
            "left",
            "255.255.255.255",
            "10.0.0.2 ",
        )
    ),
    *(
        (
            f"[hosts.left]\nroles = []\nssh = {text}",
            "hosts.left.ssh to be the name or the address of a host",
            said,
            3,
            7,
        )
        for text, said in (
            ("'-oProxyCommand=x'", "'-oProxyCommand=x'"),
            ("''", "''"),
            ("1", "1"),
            ("'a b'", "'a b'"),
            ("'a;b'", "'a;b'"),
            ("'ada@left'", "'ada@left'"),
        )
    ),
    (f"{HOST}user = '-l'", "hosts.left.user to be the name of a user", "'-l'", 4, 8),
    (f"{HOST}user = '$(id)'", "hosts.left.user to be the name of a user", "'$(id)'", 4, 8),
    (f"{HOST}port = 0", "hosts.left.port to be a number from 1 to 65535", "0", 4, 8),
    (f"{HOST}port = '22'", "hosts.left.port to be a number from 1 to 65535", "'22'", 4, 8),
    (f"{HOST}identity_file = ''", "hosts.left.identity_file to be the name of a file", "''", 4, 17),
    (f"{HOST}folder = 'tmp'", f"hosts.left.folder to be {WORDS}", "'tmp'", 4, 10),
    (f"{HOST}folder = '/a b'", f"hosts.left.folder to be {WORDS}", "'/a b'", 4, 10),
    (f"{HOST}folder = '/a/../b'", f"hosts.left.folder to be {WORDS}", "'/a/../b'", 4, 10),
    (f"{HOST}folder = '/'", f"hosts.left.folder to be {WORDS}", "'/'", 4, 10),
    (
        f"{HOST}emulators.arm = '/q'",
        "one of the keys x86-64, aarch64 of hosts.left.emulators",
        "arm",
        4,
        17,
    ),
    (f"{HOST}emulators.aarch64 = 'q'", f"hosts.left.emulators.aarch64 to be {WORDS}", "'q'", 4, 21),
    (f"{HOST}options.Port = '1'", "", "Port", 4, 16),
    (f"{HOST}options.ProxyCommand = 'x'", "", "ProxyCommand", 4, 24),
    (f"{HOST}options.ControlPath = 'x'", "", "ControlPath", 4, 23),
    (f"{HOST}options.RemoteCommand = 'x'", "", "RemoteCommand", 4, 25),
    (
        f'{HOST}options.Ciphers = "a\\nb"',
        "hosts.left.options.Ciphers to be a text on one line, as ssh_config has it",
        "'a\\nb'",
        4,
        19,
    ),
    (
        f"{HOST}options.Ciphers = 3",
        "hosts.left.options.Ciphers to be a text on one line, as ssh_config has it",
        "3",
        4,
        19,
    ),
    *(
        (
            f"[hosts.left]\nroles = [1]\n{key} = {value}",
            f"hosts.left.ssh with hosts.left.{key}",
            "a host without it, which is this machine",
            3,
            len(key) + 4,
        )
        for key, value in (
            ("user", "'a'"),
            ("port", "1"),
            ("identity_file", "'a'"),
            ("config_file", "'a'"),
            ("options", "{}"),
            ("folder", "'/a'"),
            ("emulators", "{}"),
        )
    ),
    (
        f"transport = 'ssh-tunnel'\n{HOST}address = '10.0.0.2'",
        'transport = "direct" with hosts.left.address',
        "ssh-tunnel, in which roles listen on the loopback address",
        5,
        11,
    ),
]


@pytest.mark.parametrize(("text", "expected", "found", "line", "column"), REFUSED)
def test_what_cannot_be_said(
    text: str, expected: str, found: str, line: int, column: int, tmp_path: Path
) -> None:
    with pytest.raises(Refusal) as caught:
        read(text, tmp_path)
    refusal = caught.value
    assert refusal.code == "deployment-file"
    if expected:
        assert refusal.expected == expected
    assert refusal.found == found
    assert refusal.place is not None
    assert (refusal.place.line, refusal.place.column) == (line, column)


@pytest.mark.parametrize(
    ("roles", "again", "line", "column"),
    [
        (["[0, 1]", "[1]"], 1, 4, 10),
        (["['0-5']", "[7, '5-6']"], 5, 4, 13),
        (["[9, 2, '1-3']"], 2, 2, 13),
        (["[7]", "['0-100000000']"], 7, 2, 10),
    ],
)
def test_a_role_on_two_hosts(
    roles: list[str], again: int, line: int, column: int, tmp_path: Path
) -> None:
    text = "".join(f"[hosts.h{at}]\nroles = {each}\n" for at, each in enumerate(roles))
    with pytest.raises(Refusal) as caught:
        read(text, tmp_path)
    refusal = caught.value
    assert (refusal.code, refusal.expected) == ("deployment-role", "each role on one host")
    assert refusal.found == f"role {again} again"
    assert refusal.place is not None
    assert (refusal.place.line, refusal.place.column) == (line, column)
    assert len(refusal.notes) == 1


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputOutputError, match=r"^cannot read .*none.toml: No such file"):
        Deployment.read(str(tmp_path / "none.toml"))
    with pytest.raises(
        InputOutputError, match=r"/key, which is hosts.left.identity_file of .*: No"
    ):
        read(f"{HOST}identity_file = 'key'", tmp_path)
    with pytest.raises(InputOutputError, match=r"^cannot read /, which is hosts.left.config_file"):
        read(f"{HOST}config_file = '/'", tmp_path)
    with pytest.raises(Refusal, match="more"):
        read("#" * BYTES_MAX + "\nhosts = {}", tmp_path)


STAR = {0: (1, 2, 3), 1: (0,), 2: (0,), 3: (0,)}


def placed(text: str, folder: Path) -> Placement:
    return Placement.of(read(text, folder), STAR)


def test_where_roles_are(tmp_path: Path) -> None:
    text = (
        '[hosts.a]\nroles = [0]\nssh = "a"\naddress = "10.0.0.2"\n'
        '[hosts.b]\nroles = [1]\nssh = "b"\naddress = "10.0.0.3"\n'
        '[hosts.c]\nroles = []\nssh = "c"\n'
        '[hosts.here]\nroles = ["2-3"]\naddress = "10.0.0.1"\n'
    )
    found = placed(text, tmp_path)
    assert [found.machine(role) for role in range(4)] == ["a", "b", "", ""]
    assert [found.address(role) for role in range(4)] == [
        *("10.0.0.2", "10.0.0.3", "10.0.0.1", "10.0.0.1"),
    ]
    assert [host.name for host in found.remote()] == ["a", "b"]
    assert [role for role in range(4) if found.is_here(role)] == [2, 3]
    assert not any(found.is_tunnelled(0, peer) for peer in (1, 2, 3))
    tunnelled = placed("transport = 'ssh-tunnel'\n" + HOST, tmp_path)
    assert tunnelled.addresses() is None
    assert tunnelled.is_tunnelled(1, 0)
    assert not tunnelled.is_tunnelled(2, 0)


def test_all_on_addresses_of_one_machine(tmp_path: Path) -> None:
    """Loopback addresses and hosts without one: they reach one another."""
    text = '[hosts.a]\nroles = [1]\naddress = "127.0.0.2"\n[hosts.b]\nroles = [2]\n'
    assert placed(text, tmp_path).addresses() == {
        0: "127.0.0.1",
        1: "127.0.0.2",
        2: "127.0.0.1",
        3: "127.0.0.1",
    }


@pytest.mark.parametrize(
    ("text", "found", "line", "column"),
    [
        (
            '[hosts.left]\nroles = [1]\nssh = "left"\n',
            "127.0.0.1, where roles are that no host has",
            1,
            1,
        ),
        (
            '[hosts.here]\nroles = [0, 2, 3]\naddress = "10.0.0.1"\n' + HOST,
            "none of left",
            4,
            1,
        ),
        (
            '[hosts.here]\nroles = [0, 2, 3]\naddress = "127.8.0.1"\n'
            + HOST
            + 'address = "10.0.0.2"',
            "127.8.0.1",
            3,
            11,
        ),
    ],
)
def test_an_address_that_nobody_reaches(
    text: str, found: str, line: int, column: int, tmp_path: Path
) -> None:
    with pytest.raises(Refusal) as caught:
        placed(text, tmp_path)
    refusal = caught.value
    assert (refusal.code, refusal.found) == ("deployment-address", found)
    assert refusal.place is not None
    assert (refusal.place.line, refusal.place.column) == (line, column)


def test_roles_that_there_are_not(tmp_path: Path) -> None:
    with pytest.raises(Refusal) as caught:
        placed('[hosts.a]\nroles = [0, "2-1000000000"]\n', tmp_path)
    refusal = caught.value
    assert refusal.code == "deployment-role"
    assert refusal.expected == "some of the 4 roles 0, 1, 2, 3 of the run"
    assert (refusal.found, str(refusal.place)[-4:]) == ("role 4", "2:13")


def test_a_role_that_is_interpreted_elsewhere(tmp_path: Path) -> None:
    found = placed("transport = 'ssh-tunnel'\n" + HOST, tmp_path)
    found.check_interpreted((0, 2))
    with pytest.raises(Refusal, match="found it on left") as caught:
        found.check_interpreted((0, 1))
    assert caught.value.code == "deployment-role"


def test_a_folder_of_other_addresses(tmp_path: Path) -> None:
    found = placed('[hosts.a]\nroles = [1]\naddress = "127.0.0.2"\n', tmp_path)
    built = {0: "127.0.0.1", 1: "127.0.0.2", 2: "127.0.0.1", 3: "127.0.0.1"}
    found.check_addresses(built, tmp_path)
    with pytest.raises(Refusal, match=r"role 1 at 127.0.0.3, which .* is built for, found 127.0.0"):
        found.check_addresses({**built, 1: "127.0.0.3"}, tmp_path)
    with pytest.raises(Refusal, match=r"role 2 at 127.0.0.4, which .* found 127.0.0.1"):
        found.check_addresses({**built, 2: "127.0.0.4"}, tmp_path)
