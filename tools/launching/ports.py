"""The ports at which roles listen where nobody passes them on: one for each edge, counted up.

Invariant: all ports of a run differ, on whatever hosts its roles are; those of one role follow one
    another in the order of its higher peers, as `--listen` of a role takes them.
Refuses: target-unsupported.
Entry: `Ports`, `ports_of`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from alpha.interpreters.participants.listening import PORT_MAX
from alpha.ir.refusals import Refusal
from alpha.tools.building.description import RoleDescription
from alpha.tools.driver.counts import counted


@dataclass(frozen=True)
class Ports:
    """How far behind the first port of the run those of its roles are."""

    count: int
    """How many there are."""

    own: Mapping[int, int | None]
    """The first of each role; None for one that has no higher peer."""

    lower: Mapping[int, Sequence[tuple[int, int]]]
    """Of each role its lower peers, ascending, with where these listen for it."""


def ports_of(roles: Sequence[RoleDescription], first: int) -> Ports:
    """The ports of these roles, which are ascending, where the run's first one is `first`.

    Raises:
        Refusal: target-unsupported, there are too few from there on.
    """
    count = 0
    own: dict[int, int | None] = {}
    lower: dict[int, list[tuple[int, int]]] = {role.role: [] for role in roles}
    for role in roles:
        higher = [peer for peer in role.edges if peer > role.role]
        own[role.role] = count if higher else None
        for peer in higher:
            lower[peer].append((role.role, count))
            count += 1
    if first + count - 1 > PORT_MAX:
        wanted = f"ports for {counted(count, 'edge')}, each another one, from {first} on"
        left = PORT_MAX - first + 1
        raise Refusal("target-unsupported", wanted, f"{left}, as the last is {PORT_MAX}")
    return Ports(count, own, lower)
