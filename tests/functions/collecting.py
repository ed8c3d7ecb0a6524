"""Python's search for rings of objects, done once behind each batch: IR is all rings.

Why: a campaign spends half of its time in that search if it is done as often as Python does it; if
    it is never done, no memory is enough.
Entry: `settle`, `searched_once`.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


def settle() -> None:
    """What there is already is never searched again: modules and tables, in every process."""
    gc.collect()
    gc.freeze()


@contextmanager
def searched_once() -> Iterator[None]:
    """Work whose rings are looked for when it is done, and not before."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.collect()
