"""The declared orders of addition, one element after another, in plain Python and numpy.

Invariant: every addition is one IEEE operation in the dtype of its operands, in the order that is
    written here. Arrays are used elementwise alone; no reduction of numpy is called.
Why: it shares no line with the package, so that a misreading would have to be made twice.
Entry: `left`, `pairs`, `lanes`, `Order`, `total`, `combined`, `mean`, `fused`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

Word = Any  # an np.float64 or np.float32, or an array of them that is used elementwise
Fold = Callable[[Sequence[Word]], Word]


def nothing(like: Word) -> Word:
    """-0.0, the identity of IEEE addition, in the shape and dtype of `like`."""
    return np.full_like(like, -0.0)


def left(terms: Sequence[Word]) -> Word:
    """((-0.0 + t0) + t1) + ..."""
    acc = nothing(terms[0])
    for term in terms:
        acc = acc + term
    return acc


def pairs(terms: Sequence[Word]) -> Word:
    """Adjacent pairs, again and again; an odd last one is carried up."""
    row = list(terms)
    while len(row) > 1:
        carried = row[len(row) - len(row) % 2 :]
        row = [row[i] + row[i + 1] for i in range(0, len(row) - 1, 2)] + carried
    return row[0]


def lanes(width: int) -> Fold:
    """Term i goes to lane i mod width; then lanes l and l + half are added, halving."""

    def fold(terms: Sequence[Word]) -> Word:
        row = [nothing(terms[0]) for _ in range(width)]
        for i, term in enumerate(terms):
            row[i % width] = row[i % width] + term
        while len(row) > 1:
            half = len(row) // 2
            row = [row[lane] + row[lane + half] for lane in range(half)]
        return row[0]

    return fold


class Order(NamedTuple):
    """A contract: how many samples each group has, and how groups combine.

    `fan` 0 is left-deep; F > 0 is the preorder tree whose nodes have at most F children.
    """

    groups: tuple[int, ...]
    fan: int = 0


def total(rows: Sequence[Word], order: Order) -> Word:
    """The sum of one contribution a sample, in the order of the contract."""
    partials, at = [], 0
    for size in order.groups:
        acc = nothing(rows[0])
        for row in rows[at : at + size]:
            acc = acc + row
        partials.append(acc)
        at += size
    assert at == len(rows), "the groups have every sample once"
    return combined(partials, order.fan)


def combined(partials: Sequence[Word], fan: int) -> Word:
    """The total of the groups' sums, left-deep or over the tree.

    In the tree the first group is the root's own; the rest are its children's subtrees, cut in
    order into parts that differ by at most one in size, larger first.
    """
    if fan == 0:
        return left(partials)
    acc, at, rest = partials[0], 1, len(partials) - 1
    for child in range(min(fan, rest)):
        size = rest // fan + (1 if child < rest % fan else 0)
        acc = acc + combined(partials[at : at + size], fan)
        at += size
    return acc


def mean(sum_: Word, count: int, dtype: type) -> Word:
    """One division."""
    return sum_ / dtype(count)


def fused(a: Word, b: Word, c: Word) -> Word:
    """a * b + c of three finite words, rounded once: of the nearest words, the even one."""
    exact = Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))
    if exact == 0:
        return a * b + c  # nothing is rounded; this gives the zero its sign
    dtype = type(a)
    near = dtype(float(exact))
    around = (near, np.nextafter(near, dtype(-np.inf)), np.nextafter(near, dtype(np.inf)))

    def distance(word: Word) -> tuple[Fraction, int]:
        return abs(Fraction(float(word)) - exact), int(word.view(f"u{word.itemsize}")) & 1

    return min(around, key=distance)
