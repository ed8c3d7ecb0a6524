"""Where the buffers of a batch of calls lie: apart from one another, aligned or fenced as asked.

Invariant: between two buffers, before the first and behind the last are `GUARD_BYTES` or more that
    are no buffer's.
Entry: `Layout`, `Region`, `GUARD_BYTES`.
"""

from __future__ import annotations

import mmap
from collections.abc import Sequence
from dataclasses import dataclass

from alpha.backends.toolchain.calls import ALIGNMENT_BYTES, Buffer, Call, Kind, word_of

GUARD_BYTES = 64


@dataclass(frozen=True)
class Region:
    """Where a buffer lies, in bytes behind the beginning of the data, and whose it is.

    `argument` is the number of the first argument that is this buffer.
    """

    call: int
    argument: int
    start: int
    size: int

    @property
    def end(self) -> int:
        """The first byte behind it."""
        return self.start + self.size


class Layout:
    """The places of all buffers, and with them the bits of all arguments.

    `arguments` has for each call the kinds and bits of its arguments, and `regions` the buffers; a
    pointer's bits are an offset in bytes. `fences` are the offsets of pages that can't be touched.

    Raises:
        TypeError: an argument is nothing that a function is given.
        OverflowError: an integer needs more than 64 bits.
    """

    def __init__(self, calls: Sequence[Call]) -> None:
        self.regions: list[Region] = []
        self.fences: list[int] = []
        self._used = 0
        self.arguments = [self._laid_out(index, call) for index, call in enumerate(calls)]
        self.size = _up(self._used + GUARD_BYTES, ALIGNMENT_BYTES)

    def _laid_out(self, index: int, call: Call) -> list[tuple[Kind, int]]:
        mine: dict[int, int] = {}
        found: list[tuple[Kind, int]] = []
        for number, argument in enumerate(call.arguments):
            if not isinstance(argument, Buffer):
                found.append(word_of(argument))
                continue
            if id(argument) not in mine:
                region = self._place(index, number, argument)
                self.regions.append(region)
                mine[id(argument)] = region.start
            found.append(("pointer", mine[id(argument)]))
        return found

    def _place(self, call: int, argument: int, buffer: Buffer) -> Region:
        """Room for a buffer behind all others."""
        size, free = buffer.words.nbytes, self._used + GUARD_BYTES
        if buffer.fence is None:
            start = _up(free, ALIGNMENT_BYTES) + buffer.offset
            self._used = start + size
            return Region(call, argument, start, size)
        if buffer.fence == "before":
            fence = _up(free, mmap.PAGESIZE)
            self.fences.append(fence)
            start = fence + mmap.PAGESIZE
            self._used = start + size
            return Region(call, argument, start, size)
        fence = _up(free + size, mmap.PAGESIZE)
        self.fences.append(fence)
        self._used = fence + mmap.PAGESIZE
        return Region(call, argument, fence - size, size)


def _up(bytes: int, step: int) -> int:
    """The next multiple of a step."""
    return -(-bytes // step) * step
