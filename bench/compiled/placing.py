"""Where the arrays of a measured call lie: like those of its peer, and like those of participants.

Invariant: the first begins at a page, the others behind it at multiples of a cache line.
Why: what the system gives begins anywhere. A line's end within a vector, or a load and a store as
    far apart as pages are, cost more than programs differ by, so that the luck of a run decided.
Entry: `placed`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

LINE = 64
PAGE = 4096


def placed(arguments: Sequence[np.ndarray | int]) -> list[np.ndarray | int]:
    """The arguments, with a copy of each array; one that is given twice stays one."""
    sizes = {id(each): _lines(each) for each in arguments if isinstance(each, np.ndarray)}
    block = np.zeros(sum(sizes.values()) + PAGE, np.uint8)
    at = -block.ctypes.data % PAGE
    copies: dict[int, np.ndarray] = {}
    for each in arguments:
        if isinstance(each, np.ndarray) and id(each) not in copies:
            copy = block[at : at + each.nbytes].view(each.dtype).reshape(each.shape)
            copy[...] = each
            copies[id(each)] = copy
            at += sizes[id(each)]
    return [copies[id(each)] if isinstance(each, np.ndarray) else each for each in arguments]


def _lines(array: np.ndarray) -> int:
    """The bytes of the lines that an array takes."""
    return -(-array.nbytes // LINE) * LINE
