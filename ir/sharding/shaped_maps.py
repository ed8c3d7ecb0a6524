"""Shard maps by the shape of a domain: blocks of given sizes, and whole rows.

Invariant: as in `maps`; a map of sizes covers exactly the domains of their total.
Refuses: shard-owner-range, shard-coverage-missing, select-universe, select-overflow.
Entry: `Sizes`, `Rows`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from alpha.ir.refusals import Refusal
from alpha.ir.runs import Runs
from alpha.ir.selections import Empty, Join, Repeat, Selection, Stride
from alpha.ir.selections.form import Structure, refuse_outside
from alpha.ir.sharding.families import Level, Share
from alpha.ir.sharding.form import ShardMap, check_index
from alpha.ir.topologies import FAN_OUT_MAX


@dataclass(frozen=True, init=False)
class Sizes(ShardMap):
    """`[1, 2, 3, 0]`: contiguous blocks in role order, of these sizes.

    More than 8 blocks of one size in a row are written as `repeat(COUNT, SIZE)`.
    """

    sizes: Runs

    def __init__(self, sizes: Iterable[int]) -> None:
        runs = Runs.of(sizes)
        if not runs.length:
            raise Refusal("shard-owner-range", "a size for at least 1 owner", "none")
        if runs.length > FAN_OUT_MAX:
            wanted = f"sizes for at most {FAN_OUT_MAX} owners"
            raise Refusal("shard-owner-range", wanted, f"{runs.length}")
        for _, size in runs.pairs:
            refuse_outside("the size of a block", 0, size)
        refuse_outside("the sum of the sizes", 0, runs.total)
        object.__setattr__(self, "sizes", runs)

    def shares(self, owners: int, size: int) -> Sequence[Share]:
        self._check_owners(owners, size)
        shares: list[Share] = []
        first = start = 0
        for count, length in self.sizes.pairs:
            block = Stride(start, 1, length) if length else Empty()
            shares.append(Share(first, (Level(count, max(length, 1), 1),), block))
            first += count
            start += count * length
        return shares

    def check(self, owners: int, size: int) -> None:
        self._check_owners(owners, size)
        total = self.sizes.total
        if total < size:
            wanted = f"an owner for each of {size} coordinates"
            raise Refusal("shard-coverage-missing", wanted, f"none for coordinate {total}")
        if total > size:
            found = f"coordinate {size}, with owner {self.sizes.at(size)}"
            raise Refusal("select-universe", f"coordinates below {size}", found)

    def owner(self, index: int, owners: int, size: int) -> int:
        self._check_owners(owners, size)
        check_index(index, size)
        if index >= self.sizes.total:
            wanted = f"an owner for each of {size} coordinates"
            raise Refusal("shard-coverage-missing", wanted, f"none for coordinate {index}")
        return self.sizes.at(index)

    def structure(self) -> Structure:
        return ("sizes", *self.sizes)

    def __str__(self) -> str:
        return f"[{self.sizes}]"

    def piece_sizes(self, owners: int, size: int) -> Runs:
        self._check_owners(owners, size)
        return self.sizes

    def _share(self, role: int, owners: int, size: int) -> Share:
        self._check_owners(owners, size)
        if not 0 <= role < owners:
            raise IndexError(f"role {role} of {owners}")
        length, start = self.sizes[role], self.sizes.before(role)
        return Share(role, (), Stride(start, 1, length) if length else Empty())

    def _check_owners(self, owners: int, size: int) -> None:
        refuse_outside("the size of a domain", 0, size)
        if self.sizes.length != owners:
            found = f"{self.sizes.length} sizes for {owners} owners"
            raise Refusal("shard-owner-range", "one size for each owner", found)


@dataclass(frozen=True)
class Rows(ShardMap):
    """`rows<W, MAP>`: rows of W words each belong to the owner that MAP gives the row's number."""

    width: int
    of_rows: ShardMap

    def __post_init__(self) -> None:
        refuse_outside("the width W of rows<W, MAP>", 1, self.width)

    def shares(self, owners: int, size: int) -> Sequence[Share]:
        return [
            Share(
                share.first,
                tuple(
                    Level(level.count, level.step * self.width, level.width)
                    for level in share.levels
                ),
                widened(share.piece, self.width),
            )
            for share in self.of_rows.shares(owners, self._rows(size))
        ]

    def check(self, owners: int, size: int) -> None:
        self.of_rows.check(owners, self._rows(size))

    def owner(self, index: int, owners: int, size: int) -> int:
        check_index(index, size)
        return self.of_rows.owner(index // self.width, owners, self._rows(size))

    def structure(self) -> Structure:
        return ("rows", self.width, self.of_rows.structure())

    def __str__(self) -> str:
        return f"rows<{self.width}, {self.of_rows}>"

    def range_size(self, low: int, high: int, owners: int, size: int) -> int:
        return self.width * self.of_rows.range_size(low, high, owners, self._rows(size))

    def stripe(self, owners: int, size: int) -> int | None:
        rows = self.of_rows.stripe(owners, self._rows(size))
        return None if rows is None else rows * self.width

    def _rows(self, size: int) -> int:
        """The number of rows of a domain; each has all its words."""
        if size % self.width:
            wanted = f"a domain of whole rows of {self.width} words"
            raise Refusal("shard-coverage-missing", wanted, f"{size} words")
        return size // self.width


def widened(selection: Selection, width: int) -> Selection:
    """The words of the rows of a selection: each member i becomes width * i and those behind it.

    `width` is at least 1; O(nodes).
    """
    if isinstance(selection, Stride):
        if selection.step == 1 or selection.count == 1:
            return Stride(selection.start * width, 1, selection.count * width)
        row = Stride(selection.start * width, 1, width)
        return Repeat(selection.count, selection.step * width, row)
    if isinstance(selection, Repeat):
        return Repeat(selection.count, selection.step * width, widened(selection.inner, width))
    if isinstance(selection, Join):
        return Join(tuple(widened(part, width) for part in selection.parts))
    return selection
