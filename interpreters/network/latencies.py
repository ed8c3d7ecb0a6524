"""How long a frame is on its way, in virtual seconds.

Entry: `Latency`, `uniform`, `link`.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TypeAlias

Latency: TypeAlias = Callable[[Random, int, int, int], float]
"""From what draws, the sender, the receiver and the payload's bytes to seconds, at least 0."""


def uniform(low: float, high: float) -> Latency:
    """Drawn between two bounds for each frame, whatever its size.

    Raises:
        ValueError: unless 0 <= low <= high.
    """
    if not 0 <= low <= high:
        raise ValueError(f"latencies from {low} to {high} seconds")
    span = high - low
    return lambda random, sender, receiver, extent: low + span * random.random()


def link(seconds: float, bytes_per_second: float) -> Latency:
    """The same for each frame: a fixed part, and one that is in proportion to its bytes.

    Raises:
        ValueError: unless `seconds` is at least 0 and `bytes_per_second` positive.
    """
    if seconds < 0 or bytes_per_second <= 0:
        raise ValueError(f"a link of {seconds} seconds and {bytes_per_second} bytes a second")
    return lambda random, sender, receiver, extent: seconds + extent / bytes_per_second
