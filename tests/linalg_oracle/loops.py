"""What `linalg` means: its loops in plain Python, one scalar operation of numpy at a time.

Invariant: nothing of the project is imported here; the loops run in row-major order of the
    iteration space, as in MLIR's `-linalg-generalize-named-ops -convert-linalg-to-loops`.
Entry: `run_loops`, `dot`, `matvec`, `vecmat`, `matmul`, `same_words`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

Index = tuple[int, ...]
Body = Callable[..., tuple[Any, ...]]


def run_loops(
    extents: Sequence[int],
    ins: Sequence[tuple[NDArray, Index]],
    outs: Sequence[tuple[NDArray, Index]],
    body: Body,
) -> list[NDArray]:
    """The results of a nest of loops: each operand comes with the loops that are its indices.

    `body` takes the words of `ins` and of `outs` and returns the new words of `outs`.
    """
    results = [init.copy() for init, _ in outs]
    with np.errstate(all="ignore"):
        for point in product(*(range(extent) for extent in extents)):
            words = [array[tuple(point[loop] for loop in index)] for array, index in ins]
            places = [tuple(point[loop] for loop in index) for _, index in outs]
            old = [result[place] for result, place in zip(results, places, strict=True)]
            for result, place, word in zip(results, places, body(*words, *old), strict=True):
                assert word.dtype == result.dtype, "no operation may promote a word"
                result[place] = word
    return results


def dot(x: NDArray, y: NDArray, init: NDArray) -> NDArray:
    """`linalg.dot`."""
    acc = init[()]
    with np.errstate(all="ignore"):
        for k in range(len(x)):
            acc = acc + x[k] * y[k]
    return np.asarray(acc)


def matvec(a: NDArray, x: NDArray, init: NDArray) -> NDArray:
    """`linalg.matvec`."""
    result = init.copy()
    with np.errstate(all="ignore"):
        for i in range(a.shape[0]):
            for k in range(a.shape[1]):
                result[i] = result[i] + a[i, k] * x[k]
    return result


def vecmat(x: NDArray, a: NDArray, init: NDArray) -> NDArray:
    """`linalg.vecmat`."""
    result = init.copy()
    with np.errstate(all="ignore"):
        for j in range(a.shape[1]):
            for k in range(a.shape[0]):
                result[j] = result[j] + x[k] * a[k, j]
    return result


def matmul(a: NDArray, b: NDArray, init: NDArray) -> NDArray:
    """`linalg.matmul`."""
    result = init.copy()
    with np.errstate(all="ignore"):
        for i in range(a.shape[0]):
            for j in range(b.shape[1]):
                for k in range(a.shape[1]):
                    result[i, j] = result[i, j] + a[i, k] * b[k, j]
    return result


def same_words(one: NDArray, other: NDArray) -> bool:
    """Whether two arrays have the same words: the same bits, NaN being one value."""
    if (one.dtype, one.shape) != (other.dtype, other.shape):
        return False
    one, other = (np.where(np.isnan(each), each.dtype.type(np.nan), each) for each in (one, other))
    return one.tobytes() == other.tobytes()
