"""Words at the edges of each type, and pairs of them.

Entry: `integers`, `floats`, `pairs`, `DTYPES`.
"""

from __future__ import annotations

import numpy as np

DTYPES = {
    "i1": np.uint8, "i8": np.uint8, "i16": np.uint16, "i32": np.uint32, "i64": np.uint64,
    "index": np.uint64, "f32": np.float32, "f64": np.float64,
}  # fmt: skip

_PATTERN = 0x0123_4567_89AB_CDEF


def integers(bits: int) -> np.ndarray:
    """Words of so many bits, without a sign."""
    top = 1 << (bits - 1)
    values = {0, 1, 2, 3, 7, top - 1, top, top + 1, 2 * top - 1, 2 * top - 2, top >> 1, _PATTERN}
    return np.array(sorted(each & (2 * top - 1) for each in values), f"u{max(bits, 8) // 8}")


def floats(element: str) -> np.ndarray:
    """Zeros, subnormals, ends of the range, infinities, NaNs of both signs, plain numbers."""
    dtype = np.dtype(DTYPES[element])
    info = np.finfo(dtype)
    tiny, small = float(info.smallest_subnormal), float(info.tiny)
    sizes = [
        0.0,
        tiny,
        3 * tiny,
        small,
        small / 2,
        float(info.max),
        np.inf,
        1.0,
        1.5,
        2.5,
        0.1,
        3e9,
    ]
    # Of a NaN, only `math.copysign` could read the sign, and it doesn't.
    nans = [np.nan, np.copysign(np.nan, -1.0)]
    return np.array([*sizes, *(-each for each in sizes), *nans], dtype)


def pairs(words: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Every word with every word."""
    first, second = np.meshgrid(words, words, indexing="ij")
    return first.reshape(-1).copy(), second.reshape(-1).copy()
