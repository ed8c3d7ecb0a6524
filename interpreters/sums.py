"""The sum of a contribution over samples, group by group, as a contract declares it.

Invariant: a group's sum starts at -0.0 and adds its samples in order, whoever evaluates it and in
    whatever chunks; so two evaluations of the same group have the same bits or terms.
Entry: `group_sums`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np
from xdsl.ir import Attribute

from alpha.interpreters.carriers import Carrier
from alpha.interpreters.programs import Program, Value
from alpha.ir.shapes import element_name, shape_of

CHUNK_WORDS = 1 << 20


def group_sums(
    carrier: Carrier,
    program: Program,
    parameters: Sequence[Value],
    samples: Sequence[np.ndarray],
    groups: Sequence[int],
    types: Sequence[Attribute],
) -> list[list[np.ndarray]]:
    """For each group the sum of each result of a contribution, in the shape of its type.

    `samples` has an array a component, whose first axis is that of the groups' samples, in order;
    `groups` has the number of samples of each. The samples are evaluated in chunks, so that memory
    doesn't grow with their number.
    """
    zeros = [
        np.broadcast_to(carrier.constant(-0.0, element_name(type)), shape_of(type))
        for type in types
    ]
    sums = [list(zeros) for _ in groups]
    ends = list(accumulate(groups))
    chunk = max(1, CHUNK_WORDS // program.words_max)
    group = 0
    for start in range(0, ends[-1] if ends else 0, chunk):
        stop = min(start + chunk, ends[-1])
        part = [Value(array[start:stop], True) for array in samples]
        results = [_per_sample(value, stop - start) for value in program.run([*parameters, *part])]
        at = start
        while at < stop:
            while ends[group] <= at:
                group += 1
            until = min(ends[group], stop)
            cut = slice(at - start, until - start)
            sums[group] = [
                carrier.accumulate_from(total, words[cut], 0)
                for total, words in zip(sums[group], results, strict=True)
            ]
            at = until
    return sums


def _per_sample(value: Value, count: int) -> np.ndarray:
    """A result with one entry a sample, also where it is the same for all."""
    if value.batched:
        return value.words
    return np.broadcast_to(value.words, (count, *value.words.shape))
