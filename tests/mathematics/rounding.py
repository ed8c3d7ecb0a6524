"""The correctly rounded f32 results of many words: by numpy's widest floats, or else by mpmath.

Invariant: a result is taken from the wide floats only if it is further from the halfway point of
    two words than these can be wrong; mpmath decides all others.
Entry: `rounded`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from mathematics.reference import rounded_f32
from numpy.typing import NDArray

Wide = np.longdouble
TOLERANCE = np.ldexp(Wide(1), 5 - np.finfo(Wide).nmant)
"""Many times what a library's functions of wide floats are wrong, relative to the result."""


def _sigmoid(x: NDArray) -> NDArray:
    e = np.exp(-np.abs(x))
    return np.where(x < 0, e, Wide(1)) / (1 + e)


FUNCTIONS: Mapping[str, Callable[[NDArray], NDArray]] = {
    "math.exp": np.exp,
    "math.log": np.log,
    "math.tanh": np.tanh,
    "pointwise.sigmoid": _sigmoid,
}


def _finite(words: NDArray[np.float32]) -> NDArray[Any]:
    """Words as wide floats, with 2^128 for infinity."""
    wide = words.astype(Wide)
    return np.where(np.isinf(wide), np.copysign(np.ldexp(Wide(1), 128), wide), wide)


def rounded(operation: str, words: NDArray[np.float32]) -> tuple[NDArray[np.float32], int]:
    """The results, and how many of them mpmath decided."""
    with np.errstate(all="ignore"):
        wide = FUNCTIONS[operation](words.astype(Wide))
        result = wide.astype(np.float32)
        near = np.zeros(words.shape, bool)
        for side in (-np.inf, np.inf):
            halfway = (_finite(result) + _finite(np.nextafter(result, np.float32(side)))) / 2
            near |= np.abs(wide - halfway) <= np.abs(wide) * TOLERANCE
    near &= np.isfinite(wide) & (wide != 0)
    for place in np.flatnonzero(near):
        result[place] = rounded_f32(operation, float(words[place]))
    return result, int(near.sum())
