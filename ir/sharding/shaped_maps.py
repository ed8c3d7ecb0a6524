"""Shard maps by the shape of a domain: blocks of given sizes, and whole rows.

Invariant: as in `maps`; a map of sizes covers exactly the domains of their total.
Refuses: shard-owner-range, shard-coverage-missing, select-universe, select-overflow.
Entry: `Sizes`, `Rows`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from alpha.ir.refusals import Refusal
from alpha.ir.selections import Empty, Join, Repeat, Selection, Stride
from alpha.ir.selections.form import Structure, refuse_outside
from alpha.ir.sharding.families import Level, Share
from alpha.ir.sharding.maps import ShardMap


@dataclass(frozen=True)
class Sizes(ShardMap):
    """`[1, 2, 3, 0]`: contiguous blocks in role order, of these sizes."""

    sizes: tuple[int, ...]
    _ends: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """Where each role's block ends."""

    def __post_init__(self) -> None:
        if not self.sizes:
            raise Refusal("shard-owner-range", "a size for at least 1 owner", "none")
        for size in self.sizes:
            refuse_outside("the size of a block", 0, size)
        object.__setattr__(self, "_ends", tuple(accumulate(self.sizes)))
        refuse_outside("the sum of the sizes", 0, self._ends[-1])

    def shares(self, owners: int, size: int) -> Sequence[Share]:
        self._check_owners(owners, size)
        return [self._share_of(role) for role in range(owners)]

    def check(self, owners: int, size: int) -> None:
        self._check_owners(owners, size)
        total = self._ends[-1]
        if total < size:
            wanted = f"an owner for each of {size} coordinates"
            raise Refusal("shard-coverage-missing", wanted, f"none for coordinate {total}")
        if total > size:
            found = f"coordinate {size}, with owner {bisect_right(self._ends, size)}"
            raise Refusal("select-universe", f"coordinates below {size}", found)

    def owner(self, index: int, owners: int, size: int) -> int:
        self._check_owners(owners, size)
        _check_index(index, size)
        role = bisect_right(self._ends, index)
        if role == len(self.sizes):
            wanted = f"an owner for each of {size} coordinates"
            raise Refusal("shard-coverage-missing", wanted, f"none for coordinate {index}")
        return role

    def structure(self) -> Structure:
        return ("sizes", *self.sizes)

    def __str__(self) -> str:
        return f"[{', '.join(map(str, self.sizes))}]"

    def _share(self, role: int, owners: int, size: int) -> Share:
        self._check_owners(owners, size)
        if not 0 <= role < owners:
            raise IndexError(f"role {role} of {owners}")
        return self._share_of(role)

    def _share_of(self, role: int) -> Share:
        length = self.sizes[role]
        block = Stride(self._ends[role] - length, 1, length) if length else Empty()
        return Share(role, (), block)

    def _check_owners(self, owners: int, size: int) -> None:
        refuse_outside("the size of a domain", 0, size)
        if len(self.sizes) != owners:
            found = f"{len(self.sizes)} sizes for {owners} owners"
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
        _check_index(index, size)
        return self.of_rows.owner(index // self.width, owners, self._rows(size))

    def structure(self) -> Structure:
        return ("rows", self.width, self.of_rows.structure())

    def __str__(self) -> str:
        return f"rows<{self.width}, {self.of_rows}>"

    def _rows(self, size: int) -> int:
        """The number of rows of a domain; each has all its words."""
        if size % self.width:
            wanted = f"a domain of whole rows of {self.width} words"
            raise Refusal("shard-coverage-missing", wanted, f"{size} words")
        return size // self.width


def _check_index(index: int, size: int) -> None:
    if not 0 <= index < size:
        raise IndexError(f"coordinate {index} of {size}")


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
