"""Where the functions are measured: at random, and where they are hard.

Invariant: the same points for the same seed. Those that are hard are around multiples of ln 2 and
    halfway between them, where the reduction changes; around 1 for log; around the last words that
    don't overflow or vanish; and in subnormal words and results.
Entry: `f64_points`, `f32_bits_stratified`, `SPECIAL`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Words = NDArray[np.float64]

SPECIAL = (
    *(0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0),
    *(5e-324, -5e-324, 2.0**-1022, -(2.0**-1022), 2.0**-149, -(2.0**-149), 2.0**-126),
    *(1.7976931348623157e308, -1.7976931348623157e308, 3.4028234663852886e38),
    *(709.782712893384, 709.7827128933841, -745.1332191019411, -745.1332191019412),
    *(88.7228317260742, 88.7228393554688, -103.972076416016, -103.972084045410),
)
"""Words at which something changes."""

_LOG_2 = float(np.log(2.0))
_NEIGHBOURS = 3


def around(words: Sequence[float] | Words) -> Words:
    """Each word, and its nearest words on either side."""
    below = above = np.asarray(words, np.float64)
    all_words = [below]
    for _ in range(_NEIGHBOURS):
        below, above = np.nextafter(below, -np.inf), np.nextafter(above, np.inf)
        all_words += [below, above]
    return np.concatenate(all_words)


def tiny(random: Generator, count: int, lowest: int = -1074) -> Words:
    """Words of either sign whose magnitudes are spread over the exponents below 0."""
    sizes = np.ldexp(random.uniform(1, 2, count), random.integers(lowest, 0, count))
    return sizes * random.choice([-1.0, 1.0], count)


def _multiples(low: float, high: float, unit: float) -> Words:
    return around(np.arange(np.ceil(low / unit), np.floor(high / unit) + 1) * unit)


def _exp(random: Generator, count: int) -> list[Words]:
    return [
        random.uniform(-746, 710, count),
        random.uniform(-1, 1, count),
        random.uniform(-745.2, -708, count),
        tiny(random, count),
        _multiples(-746, 710, _LOG_2 / 2),
        around([709.782712893384, -745.1332191019411, -708.3964185322641, 0.0]),
    ]


def _log(random: Generator, count: int) -> list[Words]:
    exponents = np.arange(-1022, 1024)
    return [
        random.integers(1, 0x7FF0 << 48, count).view(np.float64),
        random.uniform(0.5, 2, count),
        1 + tiny(random, count, -53),
        np.abs(tiny(random, count)),
        around(np.ldexp(2 / 3, exponents)),
        around(np.ldexp(1.0, exponents)),
        np.abs(around([5e-324, 2.0**-1022, 1.0])) + 5e-324,
    ]


def _tanh(random: Generator, count: int) -> list[Words]:
    return [
        random.uniform(-22, 22, count),
        random.uniform(-1, 1, count),
        random.uniform(0.1, 0.25, count),
        random.uniform(17, 20, count),
        tiny(random, count),
        _multiples(-20, 20, _LOG_2 / 4),
        around([19.061547465398498, 20.0, -20.0, 0.0]),
    ]


def _sigmoid(random: Generator, count: int) -> list[Words]:
    return [
        random.uniform(-746, 40, count),
        random.uniform(-1, 1, count),
        random.uniform(-745.2, -700, count),
        random.uniform(30, 40, count),
        tiny(random, count),
        _multiples(-746, 40, _LOG_2 / 2),
        around([37.42994775023705, -745.1332191019411, -708.3964185322641, 0.0]),
    ]


_POINTS: Mapping[str, Callable[[Generator, int], list[Words]]] = {
    "math.exp": _exp,
    "math.log": _log,
    "math.tanh": _tanh,
    "pointwise.sigmoid": _sigmoid,
}


def f64_points(operation: str, count: int, seed: int) -> Words:
    """`count` words: a part of those that are always hard, and random ones, in random order."""
    random = np.random.default_rng([seed, len(operation)])
    words = np.concatenate(_POINTS[operation](random, -(-count // 4)))
    return random.permutation(words)[:count]


def f32_bits_stratified(count: int, seed: int) -> NDArray[np.uint32]:
    """Bits of f32 words: the same number in each of the 512 binades of either sign, at random."""
    random = np.random.default_rng(seed)
    each = count // 512
    low = random.integers(0, 1 << 23, (512, each), dtype=np.uint32)
    return ((np.arange(512, dtype=np.uint32) << np.uint32(23))[:, np.newaxis] | low).ravel()
