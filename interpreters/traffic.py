"""Counts the bytes that owners send each other, along the edges of their topology.

Invariant: every byte is counted once with its sender and once with its receiver, on every edge of
    the tree that it takes. Bytes are those of words, counts and digests, without frames.
Entry: `Traffic`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from alpha.ir.sharding.costs import DIGEST_BYTES, VERDICT_BYTES
from alpha.ir.topologies import PreorderTree


class Traffic:
    """What each role has sent and received, in bytes."""

    def __init__(self, tree: PreorderTree) -> None:
        self._tree = tree
        self.sent = [0] * tree.count
        self.received = [0] * tree.count

    def send(self, of: int, to: int, size: int) -> None:
        """One message between a role and its parent or child."""
        self.sent[of] += size
        self.received[to] += size

    def route(self, of: int, to: int, size: int) -> None:
        """Bytes from one role to another, along the tree."""
        up, down = self._tree.path(of), self._tree.path(to)
        common = sum(1 for one, other in zip(up, down, strict=False) if one == other)
        steps = [*reversed(up[common - 1 :]), *down[common:]]
        for one, other in pairwise(steps):
            self.send(one, other, size)

    def broadcast(self, size: int) -> None:
        """The same bytes from role 0 to every other, each relayed by its parent."""
        for role in range(1, self._tree.count):
            self.send(self._parent(role), role, size)

    def gather(self, sizes: Sequence[int]) -> None:
        """A piece from every role to role 0, relayed with those of its descendants."""
        for role, size in self._subtree_sizes(sizes):
            self.send(role, self._parent(role), size)

    def scatter(self, sizes: Sequence[int]) -> None:
        """A piece from role 0 to every role, sent with those of its descendants."""
        for role, size in self._subtree_sizes(sizes):
            self.send(self._parent(role), role, size)

    def agree(self) -> None:
        """Digests go up the tree, and a verdict comes down."""
        for role in range(1, self._tree.count):
            self.send(role, self._parent(role), DIGEST_BYTES)
        self.broadcast(VERDICT_BYTES)

    def _subtree_sizes(self, sizes: Sequence[int]) -> list[tuple[int, int]]:
        """For each role but 0, the bytes of all roles of its subtree."""
        totals = list(sizes)
        for role in range(self._tree.count - 1, 0, -1):
            totals[self._parent(role)] += totals[role]
        return list(enumerate(totals))[1:]

    def _parent(self, role: int) -> int:
        parent = self._tree.parent(role)
        assert parent is not None, "role 0 has no parent"
        return parent
