"""Sums and means in plain Python: the oracle of the cases shares no line with the package.

Entry: `ordered`, `different_words`, `column_means`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from oracle.orders import Order, total


def ordered(samples: Sequence[float], groups: Sequence[int], combine: str) -> float:
    """The sum of samples in groups, combined `left` or by `tree<F>`, addition by addition."""
    fan = 0 if combine == "left" else int(combine.removeprefix("tree<").removesuffix(">"))
    return float(total([np.float64(each) for each in samples], Order(tuple(groups), fan)))


def different_words(samples: int, width: int) -> list[float]:
    """As many different words of mixed signs as so many samples have; all their sums are exact."""
    return [float((-1) ** word * (word * word + 3)) for word in range(samples * width)]


def column_means(words: Sequence[float], width: int) -> list[float]:
    """The mean of each word over all samples, where the sums are exact."""
    count = len(words) // width
    return [sum(words[at::width]) / count for at in range(width)]
