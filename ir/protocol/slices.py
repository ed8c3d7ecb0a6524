"""The members of a selection between two ranks, as a selection.

Invariant: it has these members and no others; whole copies stay one repeat, so that it has a few
    nodes for each level of the selection, and all nodes of what it takes whole.
Why: a subtree is a range of ranks. As a selection of roles it can be a group of its own.
Entry: `sliced`.
"""

from __future__ import annotations

from collections.abc import Iterator

from alpha.ir.selections import Empty, Join, Repeat, Selection, Stride
from alpha.ir.sharding.families import moved


def sliced(selection: Selection, low: int, high: int) -> Selection:
    """The members with at least `low` and fewer than `high` members below them."""
    parts = tuple(_parts(selection, max(low, 0), min(high, selection.size), 0))
    if len(parts) > 1:
        return Join(parts)
    return parts[0] if parts else Empty()


def _parts(selection: Selection, low: int, high: int, by: int) -> Iterator[Selection]:
    """Selections in ascending order, which together are the slice, moved up by `by`."""
    if low >= high:
        return
    if low == 0 and high == selection.size:
        yield moved(selection, by)
    elif isinstance(selection, Stride):
        yield Stride(selection.nth(low) + by, selection.step, high - low)
    elif isinstance(selection, Repeat):
        inner, step = selection.inner, selection.step
        first, last = -(-low // inner.size), high // inner.size
        if first > last:
            below = last * inner.size
            yield from _parts(inner, low - below, high - below, by + last * step)
            return
        yield from _parts(
            inner, inner.size - (first * inner.size - low), inner.size, by + (first - 1) * step
        )
        if first < last:
            copies = Repeat(last - first, step, inner) if last - first > 1 else inner
            yield moved(copies, by + first * step)
        yield from _parts(inner, 0, high - last * inner.size, by + last * step)
    elif isinstance(selection, Join):
        for part in selection.parts:
            yield from _parts(part, max(low, 0), min(high, part.size), by)
            low -= part.size
            high -= part.size
