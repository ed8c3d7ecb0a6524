"""The small examples on random samples of all sizes, and fused operations on hard words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from oracle import orders
from oracle.learners import EXAMPLES
from oracle_comparison.running import (
    DTYPES,
    example_file,
    first_difference,
    interpreter,
    with_samples,
)

from alpha.interpreters.words import Words
from alpha.ir.refusals import Refusal

SMALL = [name for name in EXAMPLES if not name.startswith(("diabetes", "digits"))]
SEEDS = 12
ROUNDS = 8


def odd_words(random: np.random.Generator, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """Words of very unequal sizes, with zeros of both signs and subnormal words among them."""
    low, high = (-1080, 120) if dtype is np.float64 else (-152, 30)
    spread = random.integers(1, 60)
    exponents = np.clip(random.integers(-spread, spread, shape), low, high)
    words = np.ldexp(random.standard_normal(shape), exponents)
    rare = random.random(shape)
    words = np.where(rare < 0.1, np.copysign(0.0, words), words)
    words = np.where((rare >= 0.1) & (rare < 0.2), np.ldexp(words, low - exponents), words)
    return words.astype(dtype)


@pytest.mark.parametrize("element", DTYPES)
@pytest.mark.parametrize("name", SMALL)
def test_random_samples_have_the_bits_of_the_oracle(
    name: str, element: str, tmp_path: Path
) -> None:
    file, example, dtype = example_file(name, element, tmp_path), EXAMPLES[name], DTYPES[element]
    finite = 0
    for seed in range(SEEDS):
        random = np.random.default_rng(seed)
        data = [odd_words(random, np.shape(part), dtype) for part in example.data]
        running, seen = interpreter(with_samples(file, data)), []
        for rounds in range(1, ROUNDS + 1):
            with np.errstate(all="ignore"):
                wanted = example.run(dtype, data, example.order, rounds)
            if not all(np.isfinite(words).all() for words in wanted[0].values()):
                with pytest.raises(Refusal, match="finite") as refused:
                    running.step()
                assert refused.value.code == "numeric-nonfinite"
                break
            seen.extend(observation.total for observation in running.step())
            assert first_difference((running.state, seen), wanted) is None, (seed, rounds)
            finite += 1
    assert finite > SEEDS * ROUNDS / 4


@pytest.mark.parametrize("element", DTYPES)
def test_fused_operations_agree_where_rounding_is_hard(element: str) -> None:
    """Addends near minus the product, near half of its last place, and far below it."""
    dtype, random = DTYPES[element], np.random.default_rng(1)
    a, b = (random.standard_normal(1500).astype(dtype) for _ in range(2))
    digits = np.finfo(dtype).nmant
    near = -(a * b)
    half = np.ldexp(a * b, -random.integers(digits - 1, digits + 4, 1500)).astype(dtype)
    least = np.full(1500, np.finfo(dtype).smallest_subnormal)
    # With few digits in the factors, the sum is often half-way between two words.
    short = [
        np.ldexp(random.integers(1, 2 ** (digits // 2 + 2), 1500), -9).astype(dtype) for _ in "ab"
    ]
    ties = np.ldexp(short[0] * short[1], random.integers(digits - 4, digits + 4, 1500)).astype(
        dtype
    )
    tiny = np.ldexp(a, np.finfo(dtype).minexp // 2 - 6).astype(dtype)
    cases = [(a, b, near), (a, b, half), (a, b, least), (a, b, -least), (*short, ties)]
    cases += [(tiny, np.ldexp(b, np.finfo(dtype).minexp // 2 - 6).astype(dtype), least)]
    for x, y, z in cases:
        found = Words().apply("math.fma", x, y, z)
        wanted = np.array([orders.fused(*words) for words in zip(x, y, z, strict=True)], dtype)
        assert found.tobytes() == wanted.tobytes()
