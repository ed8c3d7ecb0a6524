"""Random words for random functions: edges and plain ones, buffers at any place, aliases.

Entry: `Parameter`, `random_calls`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from functions.writing import FLOATS, width_of
from selection.points import DTYPES, floats, integers

from alpha.backends.toolchain.calls import ALIGNMENT_BYTES, Buffer, Call, Fence, Kind

SPECIAL = (0.0, 0.1, 0.5)
"""How many words are special ones: some of these shares in each call."""

FENCED_EVERY = 40
FENCES: Mapping[int, Fence] = {0: "before", 1: "behind"}
"""Of so many buffers, these lie next to a page that can't be read."""


class Parameter(NamedTuple):
    """The type of a parameter; of memory, its element and the number of its words."""

    type: str
    element: str = ""
    words: int = 0


def random_calls(
    name: str, parameters: Sequence[Parameter], returned: Kind | None, seed: int, count: int
) -> Iterator[Call]:
    """So many calls of a function."""
    for number in range(count):
        generator = np.random.default_rng([seed, number])
        special = SPECIAL[number % len(SPECIAL)]
        made: list[Any] = [_argument(generator, each, special) for each in parameters]
        if generator.random() < 0.1:
            _alias(generator, parameters, made)
        yield Call(name, made, returned)


def _argument(generator: np.random.Generator, parameter: Parameter, special: float) -> Any:
    type = parameter.type
    if parameter.words:
        words = _words(generator, parameter.element, parameter.words, special)
        fence = FENCES.get(int(generator.integers(FENCED_EVERY)))
        return Buffer(words, 0 if fence else int(generator.integers(ALIGNMENT_BYTES)), fence)
    (word,) = _words(generator, type, 1, special)
    if type in FLOATS:
        return word
    # What lies above a narrow argument means nothing; a truth is a byte.
    width = 8 if type == "i1" else width_of(type)
    above = int(generator.integers(1 << 63)) << width if width < 64 else 0
    return (int(word) | above) & ((1 << 64) - 1)


def _words(generator: np.random.Generator, element: str, count: int, special: float) -> np.ndarray:
    dtype = np.dtype(DTYPES[element])
    if element == "i1":
        return generator.integers(0, 2, count).astype(dtype)
    chosen = generator.random(count) < special
    if element in FLOATS:
        plain = generator.standard_normal(count) * np.exp2(generator.integers(-4, 8, count))
        edges = generator.choice(floats(element), count)
        return np.where(chosen, edges, plain.astype(dtype)).astype(dtype)
    width = width_of(element)
    plain = generator.integers(0, 1 << (width - 1), count, np.uint64)
    small = generator.random(count) < 0.4
    plain = np.where(small, plain & np.uint64(15), plain) * generator.choice(
        np.array([1, (1 << 64) - 1], np.uint64), count
    )
    edges = generator.choice(integers(width), count)
    return np.where(chosen, edges.astype(np.uint64), plain).astype(dtype)


def _alias(
    generator: np.random.Generator, parameters: Sequence[Parameter], made: list[Any]
) -> None:
    """One buffer in the place of another one of the same type and size."""
    buffers = [at for at, each in enumerate(parameters) if each.words]
    at, other = (int(each) for each in generator.choice(buffers, 2))
    if parameters[at][1:] == parameters[other][1:]:
        made[at] = made[other]
