"""exp, log, tanh and sigmoid of f64 words are within one unit in the last place, and more."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from mathematics.points import around, f64_points
from mathematics.reference import error_units

from alpha.interpreters.words import Words
from alpha.ir.mathematics.lists import FUNCTIONS

WORDS = Words()
COUNT = 8000

UNITS: Mapping[str, float] = {
    "math.exp": 0.71,
    "math.log": 0.91,
    "math.tanh": 0.83,
    "pointwise.sigmoid": 0.81,
}
"""The bounds of docs/mathematics.md on the error of normal results."""

UNITS_SUBNORMAL = 0.86


def bound(operation: str, result: float) -> float:
    """The bound on the error of a result."""
    return UNITS_SUBNORMAL if abs(result) < 2.0**-1022 else UNITS[operation]


@pytest.mark.parametrize("operation", FUNCTIONS)
def test_errors_are_within_the_bound(operation: str) -> None:
    words = f64_points(operation, COUNT, 1)
    results = WORDS.apply(operation, words).tolist()
    for word, result in zip(words.tolist(), results, strict=True):
        assert error_units(operation, word, result) <= bound(operation, result), word.hex()


@pytest.mark.parametrize("operation", FUNCTIONS)
def test_the_measure_sees_one_unit(operation: str) -> None:
    """A result moved by one unit is further off than any bound, or was off to the other side."""
    words = f64_points(operation, 200, 2)
    results = WORDS.apply(operation, words)
    moved = np.nextafter(results, np.inf), np.nextafter(results, -np.inf)
    for word, up, down in zip(words.tolist(), *(each.tolist() for each in moved), strict=True):
        if not np.isinf(word):
            errors = [error_units(operation, word, each) for each in (up, down)]
            assert max(errors) > max(*UNITS.values(), UNITS_SUBNORMAL), word.hex()


@pytest.mark.parametrize("operation", FUNCTIONS)
def test_neighbours_keep_their_order(operation: str) -> None:
    words = np.sort(around(f64_points(operation, 2000, 4)))
    results = WORDS.apply(operation, words[np.isfinite(words)])
    assert np.all(results[:-1] <= results[1:])


def test_tanh_is_odd_to_the_bit() -> None:
    words = np.abs(f64_points("math.tanh", COUNT, 5))
    right, left = WORDS.apply("math.tanh", words), WORDS.apply("math.tanh", -words)
    assert np.array_equal(right.view(np.uint64) ^ np.uint64(1 << 63), left.view(np.uint64))


@pytest.mark.parametrize("shape", [(), (0,), (1,), (3, 0, 2), (2, 3), (2, 3, 4)])
@pytest.mark.parametrize("operation", FUNCTIONS)
def test_a_word_doesnt_depend_on_its_place(operation: str, shape: tuple[int, ...]) -> None:
    words = np.resize(f64_points(operation, 24, 6), shape)
    for element in (np.float64, np.float32):
        with np.errstate(over="ignore"):
            narrow = words.astype(element)
        result = WORDS.apply(operation, narrow)
        assert result.shape == shape
        assert result.dtype == element
        turned = WORDS.apply(operation, np.asfortranarray(narrow).T).T
        single = [WORDS.apply(operation, np.array(word)) for word in narrow.ravel()]
        assert result.tobytes() == np.ascontiguousarray(turned).tobytes()
        assert result.tobytes() == b"".join(word.tobytes() for word in single)
