"""Hosts with networks of their own: by their addresses alone, or where only tunnels lead.

Each is a network namespace with a server in it, reached by a pair of virtual wires.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest
from deployment.servers import Server, deployment_file
from native_runs.folders import EXAMPLES, command
from runs.processes import ALPHA, Done, Session

MakeServer = Callable[..., Server]
LEARNER = EXAMPLES / "diabetes_adam.mlir"
FLAGS = ("--partition=optimizer,gradients", "--exchange=sharded", "--rounds=7")
"""With an exchange in which every two roles have an edge."""

PORT = 2022
"""In a network of its own nobody else has it."""


class Network:
    """A network namespace with an address; it is there as long as its process."""

    def __init__(self, number: int) -> None:
        self.address = f"10.77.0.{number}"
        self._process = subprocess.Popen(
            ("unshare", "--net", "sh", "-c", "echo; exec sleep 600"), stdout=subprocess.PIPE
        )
        assert self._process.stdout is not None
        self._process.stdout.readline()
        self.front = ("nsenter", "--target", str(self._process.pid), "--net")
        self.run("ip", "link", "set", "lo", "up")
        self.run("ip", "address", "add", f"{self.address}/32", "dev", "lo")

    def run(self, *words: str) -> None:
        subprocess.run((*self.front, *words), check=True)

    def wire(self, other: Network) -> None:
        """Connect two networks, so that each has a way to the other's address alone."""
        near, far = (f"to{each.address.rpartition('.')[2]}" for each in (other, self))
        self.run(
            *("ip", "link", "add", near, "type", "veth", "peer", "name", far),
            *("netns", str(other._process.pid)),
        )
        for one, name, to in ((self, near, other), (other, far, self)):
            one.run("ip", "link", "set", name, "up")
            route = (f"{to.address}/32", "dev", name, "src", one.address)
            one.run("ip", "route", "add", *route)

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


@pytest.fixture
def networks() -> Iterator[Sequence[Network]]:
    """Three networks, of which nothing is left; the launcher is in the first one."""
    tried = subprocess.run(("unshare", "--net", "true"), capture_output=True, check=False)
    if tried.returncode:
        pytest.skip("without the rights of root there are no network namespaces")
    with ExitStack() as stack:
        found: list[Network] = []
        for number in range(1, 4):
            found.append(Network(number))
            stack.callback(found[-1].close)
        yield found


@pytest.fixture
def hosts(networks: Sequence[Network], server: MakeServer) -> Sequence[Server]:
    """Servers in the second and the third network."""
    left, right = (
        server(name, front=each.front, address=each.address, port=PORT)
        for name, each in zip(("left", "right"), networks[1:], strict=True)
    )
    return left, right


def run(network: Network, *arguments: str | Path) -> Done:
    with Session(*network.front, *ALPHA, *map(str, arguments)) as session:
        return session.end()


def wanted() -> str:
    told = command("run", LEARNER, "--interpret=shard", "--partition=optimizer", "--rounds=7")
    return told.out.splitlines()[-1]


def test_addresses_that_reach_one_another(
    networks: Sequence[Network], hosts: Sequence[Server], tmp_path: Path, mark: str
) -> None:
    """Roles there and here, native and interpreted, from a file and from a folder."""
    here, left, right = networks
    for one, other in ((here, left), (here, right), (left, right)):
        one.wire(other)
    file = deployment_file(
        tmp_path / "hosts.toml",
        hosts[0].table("left", [0, 3], address=left.address),
        hosts[1].table("right", [1], address=right.address),
        f'[hosts.here]\nroles = [2]\naddress = "{here.address}"\n',
        transport="direct",
    )
    built = tmp_path / "built"
    assert command("build", LEARNER, "-o", built, "--deployment", file, *FLAGS).status == 0
    shown = command("inspect", built).out
    assert [shown.count(each.address) for each in networks] == [1, 2, 1]
    for arguments in ((built,), (LEARNER, *FLAGS, "--roles-interpreted=2")):
        done = run(here, "run", *arguments, "--deployment", file)
        assert (done.status, done.said) == (0, "")
        assert done.digest == wanted()
        assert "; over direct on left, right\n" in done.out
        assert [each.left() for each in hosts] == [[], []]


def test_tunnels_where_no_way_leads(
    networks: Sequence[Network], hosts: Sequence[Server], tmp_path: Path, mark: str
) -> None:
    """Two hosts that reach only the launcher, which relays; by their addresses they don't run."""
    here, left, right = networks
    here.wire(left)
    here.wire(right)
    tunnels = deployment_file(
        tmp_path / "tunnels.toml", hosts[0].table("left", [1, 2]), hosts[1].table("right", [0])
    )
    done = run(here, "run", LEARNER, *FLAGS, "--deployment", tunnels)
    assert (done.status, done.said) == (0, "")
    assert done.digest == wanted()
    direct = deployment_file(
        tmp_path / "direct.toml",
        hosts[0].table("left", [1, 2], address=left.address),
        hosts[1].table("right", [0, 3], address=right.address),
        transport="direct",
    )
    done = run(here, "run", LEARNER, *FLAGS, "--deployment", direct, "--wait=2")
    assert done.status == 4
    assert f": lost role 0: no connection to {right.address}:" in done.said
    assert done.said.startswith("alpha: role ")
