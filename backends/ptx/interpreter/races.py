"""Who wrote and who read each word last, so that accesses in no order are seen.

An access is a number: its block, how many barriers that block had passed, and its thread. Two
accesses to one word are in order if one thread makes both, or if threads of one block do with a
barrier between. Others race if one of them writes.

Invariant: a race with any earlier access is seen, though only one writer and one reader of a word
    are kept. Of readers, those since the block's last barrier are all that a write of this block
    can race with, and `SEVERAL` stands for more than one of them; once threads of two blocks have
    read, any write races. A later write keeps nothing from being seen: it was in order with what it
    took the place of, so whatever races with that races with it.
Entry: `Races`, `access`, `EPOCH`.
"""

from __future__ import annotations

import numpy as np

from alpha.backends.ptx.interpreter.faults import BadAccess

Lanes = np.ndarray
Places = slice | Lanes

GRANULE = 4
"""The bytes of a word: no access is smaller, and each has the alignment of its size."""

_THREAD_BITS = 11
_EPOCH_BITS = 21
_BLOCK_SHIFT = _THREAD_BITS + _EPOCH_BITS
EPOCH = 1 << _THREAD_BITS
"""What a barrier adds to the number of an access."""

EPOCHS_MAX = 1 << _EPOCH_BITS
BLOCKS_MAX = 1 << 30
_SEVERAL = EPOCH - 1
_SEVERAL_BLOCKS = (1 << 63) - 1


def access(blocks: Lanes, threads: Lanes) -> Lanes:
    """The numbers of accesses of these threads before their first barrier."""
    return blocks.astype(np.int64) << _BLOCK_SHIFT | (threads.astype(np.int64) + 1)


def _named(number: int) -> str:
    thread = (number & _SEVERAL) - 1
    if number == _SEVERAL_BLOCKS:
        return "threads of several blocks"
    if thread + 1 == _SEVERAL:
        return f"threads of block {number >> _BLOCK_SHIFT}"
    return f"thread {thread} of block {number >> _BLOCK_SHIFT}"


class Races:
    """The shadow of so many words; 0 is no access."""

    def __init__(self, words: int, kind: str) -> None:
        self._kind = kind
        self._written = np.zeros(words, np.int64)
        self._read = np.zeros(words, np.int64)

    def read(self, places: Places, accesses: Lanes) -> None:
        """One word is read by each access. Raises BadAccess for a race."""
        self._check(self._written[places], accesses, "wrote")
        before = self._read[places]
        made = _joined(before, accesses) if before.any() else accesses
        self._read[places] = made
        if isinstance(places, slice):
            return
        while True:  # accesses to one word at once: until the word stands for all of them
            held = self._read[places]
            joined = _joined(held, made)
            more = np.flatnonzero(joined != held)
            if not len(more):
                return
            places, made = places[more], joined[more]
            self._read[places] = made

    def write(self, places: Places, accesses: Lanes) -> None:
        """One word is written by each access. Raises BadAccess for a race."""
        self._check(self._written[places], accesses, "wrote")
        self._check(self._read[places], accesses, "read")
        self._written[places] = accesses
        if not isinstance(places, slice):
            self._check(self._written[places], accesses, "writes")

    def _check(self, before: Lanes, accesses: Lanes, did: str) -> None:
        if not before.any():
            return
        differ = before ^ accesses
        if not differ.any():
            return
        apart = (differ >> _BLOCK_SHIFT != 0) | (differ >> _THREAD_BITS == 0)
        racing = (before != 0) & (differ != 0) & apart
        if racing.any():
            at = int(np.argmax(racing))
            when = "at once" if did == "writes" else "with no barrier since"
            detail = f"{_named(int(before[at]))} {did} the same word {when}"
            raise BadAccess(self._kind, at, detail)


def _joined(one: Lanes, other: Lanes) -> Lanes:
    """What stands for both readers, or for the later ones where a barrier is between."""
    differ = one ^ other
    latest = np.maximum(one, other)
    several = np.where(differ >> _THREAD_BITS == 0, one | _SEVERAL, latest)
    several = np.where(differ == 0, one, several)
    several = np.where(differ >> _BLOCK_SHIFT != 0, _SEVERAL_BLOCKS, several)
    return np.where(one == 0, other, several)
