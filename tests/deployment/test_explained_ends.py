"""How a role on another host has ended, where its process here is a client of OpenSSH."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import pytest

from alpha.tools.deployment.deployed import Deployed
from alpha.tools.deployment.placement import Placement
from alpha.tools.deployment.remote_hosts import RemoteHost
from alpha.tools.deployment.tunnels import Tunnels
from alpha.tools.running.processes import Ended
from alpha.tools.running.roles import status_of, told


@dataclass
class OneHost:
    """A host that has role 1, and has lost its connection or not."""

    lost: bool = False
    name: str = "left"

    def machine(self, role: int) -> str:
        return self.name if role == 1 else ""

    def why_lost(self) -> str:
        return ": Broken pipe"


def explained(
    role: int, status: int, said: str, lost: bool = False, stopped: bool = False
) -> Ended:
    host = OneHost(lost)
    made = Deployed(cast(Placement, host), {"left": cast(RemoteHost, host)}, cast(Tunnels, None))
    return made.explain(Ended(role, status, said, 0, status == 0, stopped))


OWN = "alpha: role 1: lost role 0: it ended its stream\n"
LOST = "alpha: role 1: lost host left, its connection over ssh has ended: Broken pipe\n"


@pytest.mark.parametrize(
    ("end", "said", "status"),
    [
        (explained(1, 255, "client_loop: bad\n", lost=True), LOST, 4),
        (explained(1, 2, "sh: 0: cannot open start\n", lost=True), LOST, 4),
        (explained(1, 4, OWN, lost=True), OWN, 4),
        (explained(1, 3, OWN), OWN, 3),
        (
            explained(1, 255, "kex: no\nConnection reset by peer\n"),
            "alpha: role 1: failed: host left doesn't start it: Connection reset by peer\n",
            5,
        ),
        (
            explained(1, 255, ""),
            "alpha: role 1: failed: host left doesn't start it: ssh doesn't say why\n",
            5,
        ),
        (explained(1, 137, ""), "alpha: role 1: was ended by SIGKILL\n", 4),
        (explained(1, 139, OWN), OWN, 4),
        (
            explained(1, -15, "", lost=True, stopped=True),
            "alpha: role 1: didn't end by itself, and was ended\n",
            4,
        ),
        (
            explained(0, 255, "", lost=True),
            "alpha: role 0: ended with status 255, without having told everything\n",
            4,
        ),
    ],
)
def test_what_is_told(end: Ended, said: str, status: int) -> None:
    assert (told(end, is_cause=True), status_of(end)) == (said, status)


def test_a_role_that_ended_well_stays_so() -> None:
    """Also if its host was lost behind it."""
    assert explained(1, 0, "", lost=True) == Ended(1, 0, "", 0, whole=True, stopped=False)
