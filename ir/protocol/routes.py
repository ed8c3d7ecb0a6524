"""Who hears of a choice from whom: routes that are listed, or those of a topology over roles.

Invariant: every role is introduced once, after the role that tells it; only the authority is
    introduced by nobody. So the routes are a tree whose root is the authority, and their order is
    one in which they can be taken.
Why: a role that forwards a word before it has it would have to invent it.
Refuses: protocol-choice-receiver-twice, protocol-choice-forwarder-early, protocol-role-range.
Entry: `Listed`, `Along`, `Routes`, `selection_of`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from alpha.ir.protocol.slices import sliced
from alpha.ir.refusals import Refusal
from alpha.ir.selections import Empty, Join, Selection, Stride
from alpha.ir.topologies import Topology


def selection_of(roles: Iterable[int]) -> Selection:
    """The compact selection of these roles: one stride for each run of successive ones."""
    runs: list[list[int]] = []
    for role in sorted(set(roles)):
        if runs and role == runs[-1][0] + runs[-1][1]:
            runs[-1][1] += 1
        else:
            runs.append([role, 1])
    parts = tuple(Stride(start, 1, count) for start, count in runs)
    if len(parts) > 1:
        return Join(parts)
    return parts[0] if parts else Empty()


@dataclass(frozen=True)
class Listed:
    """`[0 -> 1, 1 -> 2]`: each pair is a role that tells and one that is told, in order."""

    pairs: tuple[tuple[int, int], ...]

    def check(self, authority: int) -> None:
        """See that the routes are a tree from the authority, in an order that can be taken.

        Raises:
            Refusal: `protocol-choice-receiver-twice` for a role that would be told twice,
                `protocol-choice-forwarder-early` for one that tells before it was told.
        """
        informed = {authority}
        for teller, told in self.pairs:
            if told in informed:
                wanted = "routes that tell each role once, and never the authority"
                found = f"{teller} -> {told}, and role {told} knows already"
                raise Refusal("protocol-choice-receiver-twice", wanted, found)
            if teller not in informed:
                wanted = "routes from roles that were told before"
                found = f"{teller} -> {told} before anybody tells role {teller}"
                raise Refusal("protocol-choice-forwarder-early", wanted, found)
            informed.add(told)

    @cached_property
    def receivers(self) -> Selection:
        """The roles that are told."""
        return selection_of(told for _, told in self.pairs)

    def teller(self, role: int) -> int | None:
        """Who tells a role, or None."""
        return self._tellers.get(role)

    def told_by(self, role: int) -> tuple[int, ...]:
        """Whom a role tells, in order."""
        return tuple(self._told.get(role, ()))

    @cached_property
    def _tellers(self) -> dict[int, int]:
        return {told: teller for teller, told in self.pairs}

    @cached_property
    def _told(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for teller, told in self.pairs:
            found.setdefault(teller, []).append(told)
        return found

    def __str__(self) -> str:
        return f"[{', '.join(f'{teller} -> {told}' for teller, told in self.pairs)}]"


@dataclass(frozen=True)
class Along:
    """`tree<64> over stride(0, 1, 200000)`: along a topology whose first member decides."""

    topology: Topology
    members: Selection

    def check(self, authority: int) -> None:
        """See that the authority is the root.

        Raises:
            Refusal: `protocol-choice-authority`; `shard-owner-range` for a pair that isn't two.
        """
        self.topology.tree(self.members.size)
        if self.members.min != authority:
            wanted = f"the first member, role {self.members.min}, as the authority"
            raise Refusal("protocol-choice-authority", wanted, f"role {authority}")

    @cached_property
    def receivers(self) -> Selection:
        """The roles that are told: all members but the first."""
        return sliced(self.members, 1, self.members.size)

    def teller(self, role: int) -> int | None:
        """Who tells a role, or None."""
        if role not in self.members:
            return None
        tree = self.topology.tree(self.members.size)
        above = tree.parent(self.members.rank(role))
        return None if above is None else self.members.nth(above)

    def told_by(self, role: int) -> tuple[int, ...]:
        """Whom a role tells, in order."""
        if role not in self.members:
            return ()
        tree = self.topology.tree(self.members.size)
        return tuple(map(self.members.nth, tree.children(self.members.rank(role))))

    def __str__(self) -> str:
        return f"{self.topology} over {self.members}"


Routes: TypeAlias = "Listed | Along"
