"""Sums of contributions of least squares beside the same loops in C, and numpy's two products.

Entry: `rows`.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from compiled.learners import contribution_learner
from compiled.ours import library_of
from compiled.peers import Compiler
from compiled.placing import placed
from compiled.timing import Measurable, Timer
from compiled.updates import DTYPES, Row, address_of, counts, require_equal

SHAPES = ((10_000, 100), (1_000, 1_000))
"""Samples and features: 8 MB each, which the third cache holds on many machines."""

PAIRS_NUMPY = 9


def _arguments(samples: int, features: int, dtype: np.dtype) -> list[np.ndarray | int]:
    source = np.random.default_rng(2)
    w = source.standard_normal(features).astype(dtype)
    x = source.standard_normal((samples, features)).astype(dtype)
    y = source.standard_normal(samples).astype(dtype)
    return placed([w, x, y, np.zeros(features, dtype), samples])


def rows(timer: Timer, compilers: Sequence[Compiler], folder: Path) -> Iterator[Row]:
    """Every shape and element type beside every peer; times are of a word of the samples."""
    for element, dtype in DTYPES.items():
        for samples, features in SHAPES:
            what = f"contribution {element} S={samples} K={features}"
            ours = library_of(contribution_learner(features, element))
            mine = (address_of(ours, "gradient"), _arguments(samples, features, dtype))
            words = samples * features
            more = [f"-DFEATURES={features}", *(("-DSINGLE",) if element == "f32" else ())]
            for each in compilers:
                peer = each.library("kernels.c", folder, *more)
                same = (address_of(peer, "gradient"), _arguments(samples, features, dtype))
                require_equal(timer, mine, same, what)
                # On the same words: those of a pair wouldn't fit into the cache together.
                theirs = (same[0], mine[1])
                found = timer.compare(mine, theirs)
                per_word = found.ours / words, found.theirs / words
                yield Row(what, each.command, *per_word, found.ratio, counts(timer, mine, theirs))
            yield _beside_numpy(timer, mine, words, what)


def _beside_numpy(timer: Timer, mine: Measurable, words: int, what: str) -> Row:
    """Beside two matrix products, whose sums have whatever order is fastest."""
    w, x, y = (each for each in mine[1][:3] if isinstance(each, np.ndarray))
    pairs: list[tuple[float, float]] = []
    for _ in range(PAIRS_NUMPY):
        ours = timer.nanoseconds(*mine, 3)
        start = time.thread_time_ns()
        for _ in range(3):
            np.matmul(x.T, x @ w - y)
        pairs.append((ours, (time.thread_time_ns() - start) / 3))
    return Row(
        what,
        "numpy, X.T @ (X @ w - y)",
        statistics.median(a for a, _ in pairs) / words,
        statistics.median(b for _, b in pairs) / words,
        statistics.median(a / b for a, b in pairs),
        "",
    )
