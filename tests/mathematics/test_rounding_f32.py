"""exp, log, tanh and sigmoid of f32 words are correctly rounded."""

from __future__ import annotations

import numpy as np
import pytest
from mathematics.hard_words import HARD
from mathematics.points import f32_bits_stratified
from mathematics.reference import f32_bits, rounded_f32
from mathematics.rounding import rounded

from alpha.interpreters.words import Words
from alpha.ir.mathematics.lists import FUNCTIONS

WORDS = Words()
COUNT = 1 << 19


def _same(found: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    both_nan = np.isnan(found) & np.isnan(wanted)
    return both_nan | (found.view(np.uint32) == wanted.view(np.uint32))


@pytest.mark.parametrize("operation", FUNCTIONS)
def test_a_sample_of_every_binade(operation: str) -> None:
    words = f32_bits_stratified(COUNT, 1).view(np.float32)
    wanted, _ = rounded(operation, words)
    found = WORDS.apply(operation, words)
    assert found[~_same(found, wanted)].tolist() == []


@pytest.mark.parametrize("operation", FUNCTIONS)
def test_the_words_whose_results_are_closest_to_halfway(operation: str) -> None:
    bits = np.array(HARD[operation], np.uint32)
    words = bits.view(np.float32)
    found = WORDS.apply(operation, words).view(np.uint32)
    wanted = [f32_bits(rounded_f32(operation, word)) for word in words.tolist()]
    assert [hex(each) for each in found.tolist()] == [hex(each) for each in wanted]


@pytest.mark.parametrize("operation", FUNCTIONS)
def test_the_two_references_agree(operation: str) -> None:
    words = f32_bits_stratified(1024, 2).view(np.float32)
    words = words[np.isfinite(words) & ((words > 0) | (operation != "math.log"))]
    wanted, _ = rounded(operation, words)
    assert wanted.tolist() == [rounded_f32(operation, word) for word in words.tolist()]


def test_the_order_is_kept() -> None:
    bits = np.arange(0, 0x7F80_0000, 4001).astype(np.uint32)
    words = bits.view(np.float32)
    words = np.concatenate([-words[::-1], words])
    for operation in FUNCTIONS:
        inside = words[words > 0] if operation == "math.log" else words
        results = WORDS.apply(operation, inside)
        assert np.all(results[:-1] <= results[1:]), operation
