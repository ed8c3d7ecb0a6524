"""Room for the recursion that a text within the source guard's nesting limit can need.

Why: xDSL's parser and printer take some ten Python frames a level of nesting, so that Python's
    default limit of 1,000 frames ends at about 80 levels, fewer under a caller that is itself deep.
Entry: `recursion_room`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

FRAMES = 10_000
"""About six times what 128 levels of the deepest construct need in xDSL 0.75, measured."""


@contextmanager
def recursion_room() -> Iterator[None]:
    """Raise the recursion limit for what runs inside, and set it back."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
