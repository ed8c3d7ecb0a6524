"""A sequence of integers by its runs: 199,994 zeros in a row are one entry.

Invariant: a sequence has one form: no run is empty, and two neighbours have different values. So
    equal sequences are equal and have one hash, however they were made.
Why: 200,000 owners of 6 samples have groups of sizes 1 (six times) and 0; what is said in two runs
    is kept, compared, summed and printed in two steps.
Entry: `Runs`, `even_runs`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import overload

WRITTEN_OUT_MAX = 8
"""Longest run that the text writes out, number by number."""


@dataclass(frozen=True, slots=True)
class Runs(Sequence[int]):
    """Integers in order, as (count, value) pairs; `Runs.of([1, 1, 0])` is that of `(2, 1), (1, 0)`.

    Its text is `1, 1, 0`; a run of more than 8 equal numbers is `repeat(COUNT, NUMBER)`. Equality
    is with other `Runs` alone. A number is found by a bisection of the runs.
    """

    pairs: tuple[tuple[int, int], ...]
    _ends: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """Where each run ends."""
    _sums: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """The sum of all numbers before each run, and at the end that of all."""

    def __post_init__(self) -> None:
        pairs: list[tuple[int, int]] = []
        for count, value in self.pairs:
            if count < 0:
                raise ValueError(f"a run of {count} numbers")
            if pairs and pairs[-1][1] == value:
                count += pairs.pop()[0]
            if count:
                pairs.append((count, value))
        end, total = 0, 0
        ends: list[int] = []
        sums = [0]
        for count, value in pairs:
            end += count
            total += count * value
            ends.append(end)
            sums.append(total)
        object.__setattr__(self, "pairs", tuple(pairs))
        object.__setattr__(self, "_ends", tuple(ends))
        object.__setattr__(self, "_sums", tuple(sums))

    @classmethod
    def of(cls, values: Iterable[int]) -> Runs:
        """The sequence of these numbers; O(runs) if it is one already, else O(numbers)."""
        if isinstance(values, Runs):
            return values
        return cls(tuple((sum(1 for _ in run), value) for value, run in groupby(values)))

    @property
    def length(self) -> int:
        """How many numbers there are; unlike `len`, it may be more than a machine word holds."""
        return self._ends[-1] if self._ends else 0

    @property
    def total(self) -> int:
        """The sum of all numbers; O(1)."""
        return self._sums[-1]

    @property
    def least(self) -> int:
        """The least number; ValueError if there is none. O(runs)."""
        return min(value for _, value in self.pairs)

    def before(self, index: int) -> int:
        """The sum of the first `index` numbers; IndexError if there aren't so many."""
        if not 0 <= index <= self.length:
            raise IndexError(f"the first {index} of {self.length}")
        if index == self.length:
            return self._sums[-1]
        at = bisect_right(self._ends, index)
        count, value = self.pairs[at]
        return self._sums[at] + (index - self._ends[at] + count) * value

    def at(self, offset: int) -> int:
        """Which number holds unit `offset` of the sum: the first i with before(i + 1) > offset.

        The numbers are sizes, at least 0. IndexError if the sum isn't greater than `offset`.
        """
        if not 0 <= offset < self.total:
            raise IndexError(f"unit {offset} of {self.total}")
        run = bisect_right(self._sums, offset) - 1
        count, value = self.pairs[run]
        return self._ends[run] - count + (offset - self._sums[run]) // value

    def gathered(self, widths: Runs) -> Runs:
        """The sums of as many consecutive numbers as each of `widths` says; O(runs of both).

        The widths are at least 0, and their sum is how many numbers there are.
        """
        pairs: list[tuple[int, int]] = []
        at = 0
        for count, width in widths.pairs:
            while count:
                # Sums inside one run are equal; one that reaches beyond it stands alone.
                run = bisect_right(self._ends, at)
                equal = (self._ends[run] - at) // width if width and run < len(self._ends) else 0
                equal = min(count, max(equal, 1)) if width else count
                pairs.append((equal, self.before(at + width) - self.before(at)))
                at += equal * width
                count -= equal
        return Runs(tuple(pairs))

    def split_by(self, others: Runs) -> int | None:
        """The least end of one of `others` that isn't the end of a number here, or None.

        Both are sizes, at least 0, of parts of one line, from 0 on; what is beyond the sum here
        doesn't matter. O(runs of both).
        """
        start = 0
        for count, size in others.pairs:
            at, last = start + size, start + count * size
            start = last
            while size and at <= min(last, self.total):
                run = bisect_right(self._sums, at - 1) - 1
                own, end = self.pairs[run][1], self._sums[run + 1]
                # If the ends at two steps are multiples of a run's size, so are all others in it.
                for each in (at, at + size):
                    if each <= min(last, end) and (each - self._sums[run]) % own:
                        return each
                at += ((end - at) // size + 1) * size
        return None

    def first_other(self, others: Runs) -> int | None:
        """The first index at which two sequences of one length differ, or None; O(runs of both)."""
        at = 0
        while at < min(self.length, others.length):
            run, other = bisect_right(self._ends, at), bisect_right(others._ends, at)
            if self.pairs[run][1] != others.pairs[other][1]:
                return at
            at = min(self._ends[run], others._ends[other])
        return None

    def __len__(self) -> int:
        return self.length

    @overload
    def __getitem__(self, index: int) -> int: ...

    @overload
    def __getitem__(self, index: slice) -> Runs: ...

    def __getitem__(self, index: int | slice) -> int | Runs:
        if isinstance(index, slice):
            low, high, step = index.indices(self.length)
            if step != 1:
                return Runs.of(self[at] for at in range(low, high, step))
            return Runs(tuple(self._between(low, high)))
        number = index + self.length if index < 0 else index
        if not 0 <= number < self.length:
            raise IndexError(f"number {index} of {self.length}")
        return self.pairs[bisect_right(self._ends, number)][1]

    def __iter__(self) -> Iterator[int]:
        for count, value in self.pairs:
            for _ in range(count):
                yield value

    def __contains__(self, value: object) -> bool:
        return any(value == each for _, each in self.pairs)

    def __str__(self) -> str:
        return ", ".join(
            f"repeat({count}, {value})"
            if count > WRITTEN_OUT_MAX
            else ", ".join([str(value)] * count)
            for count, value in self.pairs
        )

    def _between(self, low: int, high: int) -> Iterator[tuple[int, int]]:
        """The runs of the numbers from `low` to `high` - 1."""
        for (count, value), end in zip(self.pairs, self._ends, strict=True):
            held = min(high, end) - max(low, end - count)
            if held > 0:
                yield held, value


def even_runs(total: int, parts: int) -> Runs:
    """`total` cut into `parts` sizes that differ by at most one, larger first."""
    size, larger = divmod(total, parts)
    return Runs(((larger, size + 1), (parts - larger, size)))
