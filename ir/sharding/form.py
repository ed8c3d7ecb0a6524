"""What every shard map answers, whatever kind it is.

Invariant: a map is immutable. `check` passes exactly if every coordinate from 0 to size - 1 has one
    owner, role 0 to owners - 1, and no other coordinate has one. Empty pieces, domains without a
    coordinate and more owners than coordinates are legal. Equality and digest are of the
    expression; whether two maps give every owner the same coordinates is another question.
Refuses: shard-owner-range, select-overflow, select-budget.
Entry: `ShardMap`, `Difference`.

A role that isn't below `owners`, or a coordinate that isn't below `size`, is an IndexError.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

from alpha.ir.canonical import digest
from alpha.ir.refusals import Refusal
from alpha.ir.runs import Runs
from alpha.ir.selections import Selection
from alpha.ir.selections.form import Structure, refuse_outside
from alpha.ir.sharding.covers import first_other_pair, holders_of
from alpha.ir.sharding.families import Share


class Difference(NamedTuple):
    """The least coordinate that two maps give to different owners; None where one has no owner."""

    coordinate: int
    owner: int | None
    other_owner: int | None


class ShardMap(ABC):
    """Which owner has which coordinates, for any number of owners and any size of the domain."""

    @staticmethod
    def parse(text: str) -> ShardMap:
        """Read what `str` writes: `cyclic`, `block`, `block_cyclic<2>`, `rows<3, block>`, sizes in
        role order `[1, 2, 3, 0]`, or a list with an item an owner, `[stride(0, 1, 3), empty]`, or
        many: `[family(100, 5, stride(0, 1, 5))]`.

        Raises:
            Refusal: source-syntax, source-integer-limit, source-nesting-limit, and those of the
                constructors.
        """
        # The grammar builds on the kinds; only this name stands on the other side.
        from alpha.ir.sharding.text import parse_map_text

        return parse_map_text(text)

    @abstractmethod
    def shares(self, owners: int, size: int) -> Sequence[Share]:
        """What all owners hold, in role order: a few shares, or one an item of an explicit map.

        Raises:
            Refusal: `shard-owner-range` without an owner, or if the map is one of other owners;
                `select-overflow` if the size doesn't fit 63 bits.
        """

    @abstractmethod
    def owner(self, index: int, owners: int, size: int) -> int:
        """The role that has a coordinate, the first one if there are several.

        Raises:
            Refusal: those of `shares`; `shard-coverage-missing` if no role has it.
        """

    @abstractmethod
    def structure(self) -> Structure:
        """The map as nested tuples, for canonical encodings."""

    def piece(self, role: int, owners: int, size: int) -> Selection:
        """The coordinates of a role; O(nodes of the piece).

        Raises:
            Refusal: those of `shares`.
        """
        return self._share(role, owners, size).piece_of(role)

    def piece_size(self, role: int, owners: int, size: int) -> int:
        """How many coordinates a role has; O(1), for an explicit map O(log items).

        Raises:
            Refusal: those of `shares`.
        """
        return self._share(role, owners, size).piece.size

    def piece_sizes(self, owners: int, size: int) -> Runs:
        """How many coordinates each role has; O(shares).

        Raises:
            Refusal: those of `shares`.
        """
        shares = self.shares(owners, size)
        return Runs(tuple((share.roles, share.piece.size) for share in shares))

    def range_size(self, low: int, high: int, owners: int, size: int) -> int:
        """How many coordinates the roles from `low` to `high` - 1 have together.

        A few steps for a regular map, O(log items) for an explicit one; of one whose owners share
        coordinates it is the sum of their piece sizes. IndexError for what isn't a range of roles.

        Raises:
            Refusal: those of `shares`.
        """
        sizes = self.piece_sizes(owners, size)
        if not 0 <= low <= high <= owners:
            raise IndexError(f"roles {low} to {high} of {owners}")
        return sizes.before(high) - sizes.before(low)

    def blocks(self, owners: int, size: int) -> Runs | None:
        """The sizes of the pieces, if they are contiguous blocks in role order; else None.

        A map that isn't evidently one of blocks, in a few steps a share, isn't taken for one.

        Raises:
            Refusal: those of `shares`.
        """
        end = 0
        for share in self.shares(owners, size):
            length = share.piece.size
            if not length:
                continue
            steps = all(
                level.step == level.width * length for level in share.levels if level.count > 1
            )
            if share.piece.min != end or not (share.piece.is_interval and steps):
                return None
            end += share.roles * length
        return self.piece_sizes(owners, size)

    def stripe(self, owners: int, size: int) -> int | None:
        """The width b if coordinate i belongs to role i // b modulo owners; None if not known."""
        return None

    def check(self, owners: int, size: int) -> None:
        """See that every coordinate of the domain has exactly one owner, and owners no others.

        Regular maps are right for every size. For an explicit map it takes a few visits of index
        nodes an item.

        Raises:
            Refusal: those of `shares`; `select-universe` for a coordinate outside the domain;
                `shard-coverage-missing` or `shard-coverage-duplicate` with the least coordinate
                that hasn't one owner; `select-budget`.
        """
        self.shares(owners, size)

    def first_difference(self, other: ShardMap, owners: int, size: int) -> Difference | None:
        """The least coordinate that isn't the same owner's in another map, or None.

        Maps in equal words are equal; others cost a few visits of index nodes an item.

        Raises:
            Refusal: those of `shares`; `select-budget`.
        """
        shares, others = self.shares(owners, size), other.shares(owners, size)
        if self == other:
            return None
        pair = first_other_pair(shares, others, owners, both_ways=True)
        return None if pair is None else _difference(pair[0], shares, others)

    def first_outside(self, other: ShardMap, owners: int, size: int) -> Difference | None:
        """The least coordinate of a role that isn't that role's in another map, or None.

        None says that each owner's piece lies inside its piece of the other map.

        Raises:
            Refusal: those of `shares`; `select-budget`.
        """
        shares, others = self.shares(owners, size), other.shares(owners, size)
        if self == other:
            return None
        pair = first_other_pair(shares, others, owners, both_ways=False)
        return None if pair is None else _difference(pair[0], shares, others)

    def same_pieces(self, other: ShardMap, owners: int, size: int) -> bool:
        """Whether another map gives every owner the same coordinates, in whatever words.

        Raises:
            Refusal: as `first_difference`.
        """
        return self.first_difference(other, owners, size) is None

    def digest(self) -> str:
        """SHA-256 of the expression, in hexadecimal: equal maps in other words have another."""
        return digest(("shard map", self.structure()))

    def _share(self, role: int, owners: int, size: int) -> Share:
        """The share of a role."""
        for share in self.shares(owners, size):
            if share.first <= role < share.first + share.roles:
                return share
        raise IndexError(f"role {role} of {owners}")


def _difference(coordinate: int, shares: Sequence[Share], others: Sequence[Share]) -> Difference:
    """Who has a coordinate in two maps."""
    owner, other = (next(holders_of(side, coordinate), None) for side in (shares, others))
    return Difference(coordinate, owner, other)


def check_numbers(owners: int, size: int) -> None:
    """Refuse a map for no owners, or of a domain whose size doesn't fit 63 bits."""
    if owners < 1:
        raise Refusal("shard-owner-range", "at least 1 owner", str(owners))
    refuse_outside("the size of a domain", 0, size)


def check_index(index: int, size: int) -> None:
    """IndexError for what isn't a coordinate of the domain."""
    if not 0 <= index < size:
        raise IndexError(f"coordinate {index} of {size}")
