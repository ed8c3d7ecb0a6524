"""A group of roles: who may take part in an operation of a protocol, and who they are.

Invariant: the members are roles of the universe, ascending and at least one; the identity says
    which deployment they belong to, and the epoch which of its memberships this is. A digest of
    all of these stands for the group, so that a peer of another membership is told apart.
Why: a group of 200,000 roles costs what the few nodes of its selection cost, and so does a place in
    the tree of its members.
Refuses: select-empty, select-universe, protocol-role-range, protocol-group-scope,
    protocol-group-identity.
Entry: `Group`.

A member's rank is its position among the members, from 0. Exchanges go along a tree of the ranks.
"""

from __future__ import annotations

from dataclasses import dataclass

from alpha.ir.canonical import digest
from alpha.ir.protocol.slices import sliced
from alpha.ir.refusals import Refusal
from alpha.ir.selections import Selection, Stride, as_group
from alpha.ir.selections.form import LIMIT
from alpha.ir.selections.relations import first_outside
from alpha.ir.topologies import PreorderTree, Topology

EPOCHS = 1 << 64
"""How many epochs there are: one is an unsigned word of 64 bits."""

IDENTITY_BYTES_MAX = 64
"""Longest identity: any digest fits, and a name of a few words."""


@dataclass(frozen=True)
class Group:
    """Roles out of a universe of `universe` roles, numbered 0 to `universe` - 1."""

    universe: int
    epoch: int
    identity: bytes
    members: Selection

    def __post_init__(self) -> None:
        if not 1 <= self.universe < LIMIT:
            wanted = "a universe of 1 to 2^63 - 1 roles"
            raise Refusal("protocol-role-range", wanted, str(self.universe))
        if not 0 <= self.epoch < EPOCHS:
            wanted = "an epoch from 0 to 2^64 - 1"
            raise Refusal("protocol-group-identity", wanted, str(self.epoch))
        if len(self.identity) > IDENTITY_BYTES_MAX:
            wanted = f"an identity of at most {IDENTITY_BYTES_MAX} bytes"
            raise Refusal("protocol-group-identity", wanted, f"{len(self.identity)}")
        as_group(self.members, self.universe)

    @classmethod
    def whole(cls, universe: int, epoch: int = 0, identity: bytes = b"") -> Group:
        """All roles of a universe."""
        return cls(universe, epoch, identity, Stride(0, 1, max(universe, 1)))

    @property
    def size(self) -> int:
        """How many roles are members."""
        return self.members.size

    def rank(self, role: int) -> int:
        """The position of a member among the members, ascending; O(nodes on one path).

        Raises:
            Refusal: `protocol-role-range` for a role outside the universe, `protocol-group-scope`
                for one that isn't a member.
        """
        if not 0 <= role < self.universe:
            wanted = f"a role from 0 to {self.universe - 1}"
            raise Refusal("protocol-role-range", wanted, str(role))
        if role not in self.members:
            raise Refusal("protocol-group-scope", f"a member of {self.members}", f"role {role}")
        return self.members.rank(role)

    def role(self, rank: int) -> int:
        """The member at a position among the members; IndexError if there are no more than that."""
        return self.members.nth(rank)

    def tree(self, topology: Topology) -> PreorderTree:
        """The tree of the members' ranks along which they exchange.

        Raises:
            Refusal: `shard-owner-range` for a pair whose members aren't two.
        """
        return topology.tree(self.size)

    def parent(self, role: int, topology: Topology) -> int | None:
        """The role above a member, or None for the first; O(depth)."""
        above = self.tree(topology).parent(self.rank(role))
        return None if above is None else self.role(above)

    def children(self, role: int, topology: Topology) -> tuple[int, ...]:
        """The roles below a member, ascending; O(depth + fan-out)."""
        return tuple(map(self.role, self.tree(topology).children(self.rank(role))))

    def path(self, role: int, topology: Topology) -> tuple[int, ...]:
        """The roles from the first member to this one, both included; O(depth)."""
        return tuple(map(self.role, self.tree(topology).path(self.rank(role))))

    def subtree(self, role: int, topology: Topology) -> range:
        """The ranks of a member and of all below it; O(depth)."""
        return self.tree(topology).subtree(self.rank(role))

    def subtree_members(self, role: int, topology: Topology) -> Selection:
        """A member and all below it, as roles; a few nodes for each level of the selection."""
        ranks = self.subtree(role, topology)
        return sliced(self.members, ranks.start, ranks.stop)

    def size_class(self, role: int, topology: Topology) -> int:
        """How many members are below a member, itself included: its class in the tree.

        Members of one class exchange alike: see `size_classes`.
        """
        return len(self.subtree(role, topology))

    def subgroup(self, members: Selection) -> Group:
        """The group of some of the members, of the same universe, epoch and identity.

        Raises:
            Refusal: `protocol-group-scope` naming the first role that isn't a member;
                `select-empty` without a role; `select-budget`.
        """
        outside = first_outside(members, self.members)
        if outside is not None:
            wanted = f"members of the enclosing group {self.members}"
            raise Refusal("protocol-group-scope", wanted, f"role {outside}")
        return Group(self.universe, self.epoch, self.identity, members)

    def digest(self) -> str:
        """SHA-256 of the group, in hexadecimal: equal members in other words have another."""
        members = self.members.structure()
        return digest(("group", self.universe, self.epoch, self.identity, members))

    def __str__(self) -> str:
        """What stands between the brackets of `#protocol.group<...>`."""
        return (
            f'universe = {self.universe}, epoch = {self.epoch}, id = "{self.identity.hex()}", '
            f"{self.members}"
        )
