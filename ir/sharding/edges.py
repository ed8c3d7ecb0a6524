"""What exchanges cost along the edges of a topology, edge by edge, without a look at all of them.

Invariant: an edge is named by its lower end, a role other than 0; `up` are the bytes that this role
    hands to its parent, `down` those that it gets from it. `ups` and `downs` are the sums over the
    children of a role. So what a role sends is its own `up` and its `downs`.
Why: a subtree is a range of roles, and what the roles of a range own together is known in a few
    steps. So the costs of one of 200,000 roles follow from its own place in the tree.
Entry: `Exchange`, `Constant`, `Pieces`, `Parts`, `Routed`, `Moved`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from alpha.ir.protocol.parts import PartsUp
from alpha.ir.sharding.fragments import owner_of_each
from alpha.ir.sharding.maps import ShardMap
from alpha.ir.topologies import PreorderTree


@dataclass(frozen=True)
class Exchange(ABC):
    """Something that all roles of a tree exchange, in bytes."""

    tree: PreorderTree

    @abstractmethod
    def up(self, role: int) -> int:
        """Bytes from a role to its parent."""

    @abstractmethod
    def down(self, role: int) -> int:
        """Bytes from the parent of a role to it."""

    def ups(self, role: int) -> int:
        """Bytes from all children of a role to it."""
        return sum(map(self.up, self.tree.children(role)))

    def downs(self, role: int) -> int:
        """Bytes from a role to all its children."""
        return sum(map(self.down, self.tree.children(role)))

    def sent_and_received(self, role: int) -> tuple[int, int]:
        """What a role sends and what it receives."""
        up, down = (self.up(role), self.down(role)) if role else (0, 0)
        return up + self.downs(role), down + self.ups(role)


@dataclass(frozen=True)
class Constant(Exchange):
    """The same bytes on every edge, such as words that are delivered to all roles."""

    up_bytes: int
    down_bytes: int

    def up(self, role: int) -> int:
        return self.up_bytes

    def down(self, role: int) -> int:
        return self.down_bytes

    def ups(self, role: int) -> int:
        return self.tree.child_count(role) * self.up_bytes

    def downs(self, role: int) -> int:
        return self.tree.child_count(role) * self.down_bytes


@dataclass(frozen=True)
class Pieces(Exchange):
    """Pieces of `size` words of some bytes, all to role 0 or all from it, by the roles between."""

    map: ShardMap
    size: int
    word: int
    upwards: bool

    def up(self, role: int) -> int:
        return self._of(self.tree.subtree(role)) if self.upwards else 0

    def down(self, role: int) -> int:
        return 0 if self.upwards else self._of(self.tree.subtree(role))

    def ups(self, role: int) -> int:
        return self._of(self.tree.subtree(role)[1:]) if self.upwards else 0

    def downs(self, role: int) -> int:
        return 0 if self.upwards else self._of(self.tree.subtree(role)[1:])

    def _of(self, roles: range) -> int:
        words = self.map.range_size(roles.start, roles.stop, self.tree.count, self.size)
        return words * self.word


@dataclass(frozen=True)
class Parts(Exchange):
    """Sums in parts, of some bytes each, on their way to role 0."""

    parts: PartsUp
    part: int

    def up(self, role: int) -> int:
        return len(self.parts.of(role)) * self.part

    def down(self, role: int) -> int:
        return 0

    def downs(self, role: int) -> int:
        return 0

    def ups(self, role: int) -> int:
        if self.parts.as_combined:
            return self.tree.child_count(role) * self.part
        return super().ups(role)


@dataclass(frozen=True)
class Routed(Exchange):
    """Bytes from role 0 to one role, by those between."""

    target: int
    size: int

    def up(self, role: int) -> int:
        return 0

    def down(self, role: int) -> int:
        return self.size if self.target in self.tree.subtree(role) else 0

    def ups(self, role: int) -> int:
        return 0

    def downs(self, role: int) -> int:
        return self.size if self.target in self.tree.subtree(role)[1:] else 0


@dataclass(frozen=True)
class Moved(Exchange):
    """Each of `size` words, of some bytes, from its owner in one map to that in another."""

    home: ShardMap
    away: ShardMap
    size: int
    word: int

    def up(self, role: int) -> int:
        return self._crossing(role, self._homes, self._aways)

    def down(self, role: int) -> int:
        return self._crossing(role, self._aways, self._homes)

    def ups(self, role: int) -> int:
        below, away = self._children_above(role)
        return int(np.count_nonzero((below >= 0) & (below != away))) * self.word

    def downs(self, role: int) -> int:
        below, away = self._children_above(role)
        return int(np.count_nonzero((away >= 0) & (below != away))) * self.word

    @cached_property
    def _homes(self) -> np.ndarray:
        return owner_of_each(self.home, self.tree.count, self.size)

    @cached_property
    def _aways(self) -> np.ndarray:
        return owner_of_each(self.away, self.tree.count, self.size)

    def _crossing(self, role: int, one: np.ndarray, other: np.ndarray) -> int:
        """Bytes of words that are with the subtree of a role in one map and not in the other."""
        subtree = self.tree.subtree(role)
        inside = ((each >= subtree.start) & (each < subtree.stop) for each in (one, other))
        first, second = inside
        return int(np.count_nonzero(first & ~second)) * self.word

    def _children_above(self, role: int) -> Iterator[np.ndarray]:
        """For each word of both maps the child of a role that its owner is below, or -1."""
        below = self.tree.subtree(role)[1:]
        children = np.asarray(self.tree.children(role), np.int64)
        for owners in (self._homes, self._aways):
            inside = (owners >= below.start) & (owners < below.stop)
            yield np.where(inside, np.searchsorted(children, owners, side="right") - 1, -1)
