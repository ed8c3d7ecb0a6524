"""The kinds of shard maps: which owner has which coordinates of a domain's row-major index.

Invariant: `cyclic`, `block` and `block_cyclic` are right by construction, for every number of
    owners and every size; an explicit map is right if `check` says so.
Why: coverage is decided from the expressions, never from totals, in a time that grows with neither
    the coordinates nor the owners: an explicit map says what many owners have by one family.
Refuses: shard-owner-range, shard-coverage-missing, shard-coverage-duplicate, select-universe,
    select-overflow, select-order, select-budget.
Entry: `ShardMap` (`ShardMap.parse`), `Cyclic`, `Block`, `BlockCyclic`, `Explicit`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from alpha.ir.refusals import Refusal
from alpha.ir.runs import Runs
from alpha.ir.selections import Empty, Join, Repeat, Selection, Stride
from alpha.ir.selections.form import Structure, refuse_outside
from alpha.ir.sharding.covers import check_shares, holders_of
from alpha.ir.sharding.families import Family, Level, Share, shares_of
from alpha.ir.sharding.form import Difference, ShardMap, check_index, check_numbers

__all__ = [
    "Block",
    "BlockCyclic",
    "Cyclic",
    "Difference",
    "Explicit",
    "Family",
    "ShardMap",
]


@dataclass(frozen=True)
class Cyclic(ShardMap):
    """`cyclic`: coordinate i belongs to role i mod owners."""

    def shares(self, owners: int, size: int) -> Sequence[Share]:
        check_numbers(owners, size)
        turns, larger = divmod(size, owners)
        shares: list[Share] = []
        if larger:
            shares.append(_run(0, larger, 1, Stride(0, owners, turns + 1)))
        rest = Stride(larger, owners, turns) if turns else Empty()
        return (*shares, _run(larger, owners - larger, 1, rest))

    def owner(self, index: int, owners: int, size: int) -> int:
        check_numbers(owners, size)
        check_index(index, size)
        return index % owners

    def stripe(self, owners: int, size: int) -> int | None:
        return 1

    def structure(self) -> Structure:
        return ("cyclic",)

    def __str__(self) -> str:
        return "cyclic"


@dataclass(frozen=True)
class Block(ShardMap):
    """`block`: contiguous in role order, sizes differ by at most one, larger first."""

    def shares(self, owners: int, size: int) -> Sequence[Share]:
        check_numbers(owners, size)
        least, larger = divmod(size, owners)
        shares: list[Share] = []
        if larger:
            shares.append(_run(0, larger, least + 1, Stride(0, 1, least + 1)))
        rest = Stride(larger * (least + 1), 1, least) if least else Empty()
        return (*shares, _run(larger, owners - larger, max(least, 1), rest))

    def owner(self, index: int, owners: int, size: int) -> int:
        check_numbers(owners, size)
        check_index(index, size)
        least, larger = divmod(size, owners)
        start = larger * (least + 1)
        return index // (least + 1) if index < start else larger + (index - start) // least

    def structure(self) -> Structure:
        return ("block",)

    def __str__(self) -> str:
        return "block"


@dataclass(frozen=True)
class BlockCyclic(ShardMap):
    """`block_cyclic<B>`: block k of B coordinates belongs to role k mod owners.

    The last block of the domain may be short.
    """

    block: int

    def __post_init__(self) -> None:
        refuse_outside("the block of block_cyclic<B>", 1, self.block)

    def shares(self, owners: int, size: int) -> Sequence[Share]:
        check_numbers(owners, size)
        whole, short = divmod(size, self.block)
        turns, larger = divmod(whole, owners)
        shares: list[Share] = []
        if larger:
            shares.append(_run(0, larger, self.block, self._blocks(0, turns + 1, owners)))
        if short:
            last = Stride(whole * self.block, 1, short)
            before = self._blocks(larger, turns, owners)
            shares.append(Share(larger, (), Join((before, last)) if turns else last))
            larger += 1
        if larger < owners:
            rest = self._blocks(larger, turns, owners)
            shares.append(_run(larger, owners - larger, self.block, rest))
        return tuple(shares)

    def owner(self, index: int, owners: int, size: int) -> int:
        check_numbers(owners, size)
        check_index(index, size)
        return index // self.block % owners

    def stripe(self, owners: int, size: int) -> int | None:
        return self.block

    def structure(self) -> Structure:
        return ("block_cyclic", self.block)

    def __str__(self) -> str:
        return f"block_cyclic<{self.block}>"

    def _blocks(self, role: int, turns: int, owners: int) -> Selection:
        """The first `turns` whole blocks of a role."""
        if turns == 0:
            return Empty()
        first = Stride(role * self.block, 1, self.block)
        return Repeat(turns, owners * self.block, first) if turns > 1 else first


@dataclass(frozen=True)
class Explicit(ShardMap):
    """`[stride(0, 1, 3), empty, family(5, 2, stride(3, 1, 2))]`: what each role has, in role order.

    A selection is what one role has; a family stands for many roles.
    """

    items: tuple[Selection | Family, ...]
    _shares: tuple[Share, ...] = field(init=False, repr=False, compare=False)
    _firsts: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """The first role of each share, and at the end the number of roles."""
    _sizes: Runs = field(init=False, repr=False, compare=False)
    """How many coordinates each role has."""

    def __post_init__(self) -> None:
        if not self.items:
            raise Refusal("shard-owner-range", "a piece for at least 1 owner", "none")
        shares = shares_of(self.items)
        firsts = [share.first for share in shares]
        firsts.append(firsts[-1] + shares[-1].roles)
        object.__setattr__(self, "_shares", tuple(shares))
        object.__setattr__(self, "_firsts", tuple(firsts))
        sizes = Runs(tuple((share.roles, share.piece.size) for share in shares))
        object.__setattr__(self, "_sizes", sizes)

    @classmethod
    def from_offsets(cls, offsets: Sequence[int]) -> Explicit:
        """The map of which role r has the coordinates from offsets[r] to offsets[r + 1] - 1.

        Raises:
            Refusal: `shard-owner-range` for fewer than two offsets; `select-order` if they
                decrease; `select-overflow` if one is negative or too large.
        """
        for before, offset in pairwise(offsets):
            if offset < before:
                wanted = f"an offset of at least {before}, the one before"
                raise Refusal("select-order", wanted, f"{offset}")
        pieces: list[Selection] = [
            Stride(start, 1, end - start) if end > start else Empty()
            for start, end in pairwise(offsets)
        ]
        return cls(tuple(pieces))

    @property
    def roles(self) -> int:
        """For how many owners the map is."""
        return self._firsts[-1]

    def shares(self, owners: int, size: int) -> Sequence[Share]:
        check_numbers(owners, size)
        if self.roles != owners:
            found = f"{self.roles} pieces for {owners} owners"
            raise Refusal("shard-owner-range", "one piece for each owner", found)
        return self._shares

    def piece_sizes(self, owners: int, size: int) -> Runs:
        self.shares(owners, size)
        return self._sizes

    def owner(self, index: int, owners: int, size: int) -> int:
        shares = self.shares(owners, size)
        check_index(index, size)
        role = next(holders_of(shares, index), None)
        if role is None:
            wanted = f"an owner for each of {size} coordinates"
            raise Refusal("shard-coverage-missing", wanted, f"none for coordinate {index}")
        return role

    def check(self, owners: int, size: int) -> None:
        check_shares(self.shares(owners, size), size)

    def structure(self) -> Structure:
        return ("explicit", *(item.structure() for item in self.items))

    def __str__(self) -> str:
        return f"[{', '.join(map(str, self.items))}]"

    def _share(self, role: int, owners: int, size: int) -> Share:
        shares = self.shares(owners, size)
        if not 0 <= role < owners:
            raise IndexError(f"role {role} of {owners}")
        return shares[bisect_right(self._firsts, role) - 1]


def _run(first: int, count: int, step: int, piece: Selection) -> Share:
    """A piece for each of `count` roles, each `step` above the one before."""
    return Share(first, (Level(count, step, 1),), piece)
