"""Roles that are told where their lower peers listen wait for these as long as for anything."""

from __future__ import annotations

import time
from pathlib import Path

from launching.conftest import ADAM, MODES, ROUNDS
from launching.told_listeners import Roles, unused_ports
from native_runs.folders import interpreted_folder

SECONDS = 12.0
"""More than the attempts take that are made where peers have announced their ports, about 11 s."""


def test_a_lower_peer_that_begins_much_later(
    four_roles: Path, wanted: list[str], tmp_path: Path
) -> None:
    interpreted = tmp_path / "interpreted"
    interpreted_folder(interpreted, ADAM, rounds=ROUNDS, partition=MODES)
    with unused_ports(3) as first, Roles(tmp_path / "run", first) as roles:
        for role, build in ((1, four_roles), (2, four_roles), (3, interpreted)):
            roles.start(build, role)
        time.sleep(SECONDS)
        roles.start(four_roles, 0)
        told = roles.collected()
    assert (told.status, told.said) == (0, "")
    assert told.out.splitlines()[1:] == wanted
