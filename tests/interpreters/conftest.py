"""What the tests of the carriers share: words worth trying, and equality of words by their bits."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

DTYPES = {"f64": np.float64, "f32": np.float32}
UNSIGNED = {8: np.uint64, 4: np.uint32, 1: np.uint8}


def _special_words(element: str) -> NDArray:
    """Zeros, subnormals, the ends of the normal range, ones and their neighbours, NaNs."""
    dtype = DTYPES[element]
    info = np.finfo(dtype)
    one, half = dtype(1.0), dtype(0.5)
    positive = [
        dtype(0.0),
        info.smallest_subnormal,
        dtype(3) * info.smallest_subnormal,
        info.smallest_normal - info.smallest_subnormal,
        info.smallest_normal,
        np.nextafter(one, dtype(0)),
        one,
        np.nextafter(one, dtype(2)),
        half,
        dtype(0.1),
        dtype(3.0),
        dtype(2.0) ** dtype(info.nmant + 1),
        dtype(2.0) ** dtype(info.nmant + 1) - one,
        np.sqrt(info.max),
        info.max * half,
        info.max,
        dtype(np.inf),
        dtype(np.nan),
    ]
    words = np.array(positive, dtype)
    signalling = words[-1:].view(UNSIGNED[words.itemsize]) ^ 3
    return np.concatenate([words, np.negative(words), signalling.view(dtype)])


@pytest.fixture(scope="session")
def special_words() -> Callable[[str], NDArray]:
    """The special words of an element type."""
    return _special_words


@pytest.fixture(scope="session")
def mixed_words() -> Callable[..., NDArray]:
    """(generator, element, shape): special words, ordinary ones, and any bits."""

    def make(random: np.random.Generator, element: str, shape: tuple[int, ...]) -> NDArray:
        dtype = np.dtype(DTYPES[element])
        bits = random.integers(0, 256, (*shape, dtype.itemsize), np.uint8)
        anything = bits.view(dtype)[..., 0]
        ordinary = random.standard_normal(shape).astype(dtype)
        special = random.choice(_special_words(element), shape)
        kind = random.choice(3, shape, p=[0.6, 0.3, 0.1])
        return np.asarray(np.choose(kind, [ordinary, special, anything]), dtype)

    return make


@pytest.fixture(scope="session")
def same_words() -> Callable[[NDArray, NDArray], bool]:
    """Equal shape, element and bits, where all NaNs are one word."""

    def same(a: NDArray, b: NDArray) -> bool:
        if a.shape != b.shape or a.dtype != b.dtype:
            return False
        unsigned = UNSIGNED[a.itemsize]
        equal = np.ascontiguousarray(a).view(unsigned) == np.ascontiguousarray(b).view(unsigned)
        return bool(np.all(equal.reshape(a.shape) | (np.not_equal(a, a) & np.not_equal(b, b))))

    return same
