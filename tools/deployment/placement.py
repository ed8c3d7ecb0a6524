"""Where the roles of one run are: each on this machine or on a host of the deployment file.

Invariant: an edge between two machines has an address at each end that the other can reach, as far
    as an address says that, or goes through a tunnel. What the file says of roles that the run
    hasn't is refused.
Refuses: deployment-role, deployment-address.
Entry: `Placement` (`Placement.of`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from alpha.ir.refusals import Note, Refusal
from alpha.tools.deployment.deployment_file import DIRECT, SSH_TUNNEL, Deployment, Host
from alpha.tools.driver.counts import counted

LOOPBACK = "127.0.0.1"
LOOPBACK_START = "127."

THIS = ""
"""The name of this machine among those of hosts, which are never empty."""


@dataclass(frozen=True)
class Placement:
    """The hosts of the roles of a run, in the order of the roles."""

    deployment: Deployment
    hosts: Mapping[int, Host | None]

    @classmethod
    def of(cls, deployment: Deployment, edges: Mapping[int, Sequence[int]]) -> Placement:
        """The hosts of roles whose peers are given.

        Raises:
            Refusal: deployment-role, the file has a role that the run hasn't; deployment-address,
                a role can't be reached by a peer on another machine.
        """
        for host in deployment.hosts:
            for each in host.roles:
                strange = next((role for role in each if role not in edges), None)
                if strange is not None:
                    known = ", ".join(map(str, list(edges)[:8])) + ", ..." * (len(edges) > 8)
                    wanted = f"some of the {counted(len(edges), 'role')} {known} of the run"
                    found = f"role {strange}"
                    raise Refusal("deployment-role", wanted, found, host.item(strange).place)
        found = cls(deployment, {role: deployment.host_of(role) for role in sorted(edges)})
        found._check_edges(edges)
        return found

    def machine(self, role: int) -> str:
        """The name of a role's host if it is reached over ssh, else `THIS`."""
        host = self.hosts[role]
        return THIS if host is None or host.ssh is None else host.name

    def address(self, role: int) -> str:
        """The IPv4 address on which a role listens, and where its peers look for it."""
        host = self.hosts[role]
        return LOOPBACK if host is None or host.address is None else host.address

    def is_here(self, role: int) -> bool:
        """Whether a role is on this machine."""
        return self.machine(role) == THIS

    def addresses(self) -> dict[int, str] | None:
        """The addresses of all roles; None if all are on the loopback address."""
        found = {role: self.address(role) for role in self.hosts}
        return None if set(found.values()) <= {LOOPBACK} else found

    def is_tunnelled(self, role: int, peer: int) -> bool:
        """Whether the edge between two roles goes through a tunnel."""
        tunnels = self.deployment.transport == SSH_TUNNEL
        return tunnels and self.machine(role) != self.machine(peer)

    def remote(self) -> list[Host]:
        """The hosts that have roles and aren't this machine, in the order of the file."""
        used = {self.machine(role) for role in self.hosts}
        return [host for host in self.deployment.hosts if host.ssh and host.name in used]

    def check_interpreted(self, roles: Collection[int]) -> None:
        """See that roles that are interpreted are on this machine, which has what that needs.

        Raises:
            Refusal: deployment-role.
        """
        for role in roles:
            host = self.hosts.get(role)
            if host is not None and host.ssh is not None:
                wanted = f"role {role}, which is to be interpreted, on this machine"
                found = f"it on {host.name}"
                raise Refusal("deployment-role", wanted, found, host.item(role).place)

    def check_addresses(self, built: Mapping[int, str], folder: Path) -> None:
        """See that executables of a folder look for one another where their hosts are.

        Raises:
            Refusal: deployment-address.
        """
        for role, address in built.items():
            if self.address(role) == address:
                continue
            wanted = f"role {role} at {address}, which {folder} is built for"
            host = self.hosts[role]
            at = None if host is None else host.item(role).place
            note = Note("alpha build --deployment makes executables for the addresses of a file")
            raise Refusal("deployment-address", wanted, self.address(role), at, (note,))

    def _check_edges(self, edges: Mapping[int, Sequence[int]]) -> None:
        if self.deployment.transport != DIRECT:
            return
        for role, peers in edges.items():
            for peer in peers:
                if self.machine(role) != self.machine(peer):
                    self._check_reachable(role, peer)

    def _check_reachable(self, role: int, peer: int) -> None:
        """See that the address of a role is one that another machine can reach."""
        host = self.hosts[role]
        if not self.address(role).startswith(LOOPBACK_START):
            return
        other = self.machine(peer) or "this machine"
        wanted = f"an address of role {role} that its peer {peer} on {other} can reach"
        if host is None:
            found = f"{LOOPBACK}, where roles are that no host has"
            at = self.deployment.hosts[0].given.place if self.deployment.hosts else None
        elif host.address is None:
            found, at = f"none of {host.name}", host.given.place
        else:
            found, at = host.address, host.part("address").place
        note = Note(f'transport = "{SSH_TUNNEL}" needs no addresses')
        raise Refusal("deployment-address", wanted, found, at, (note,))
