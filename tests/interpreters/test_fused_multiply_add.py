"""The fused multiply-add against exact rational arithmetic, and against the C library's."""

from __future__ import annotations

import ctypes
import ctypes.util
import math
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from alpha.interpreters.fused_multiply_add import fused_multiply_add

SpecialWords = Callable[[str], NDArray]
SameWords = Callable[[NDArray, NDArray], bool]

Triples = tuple[NDArray, NDArray, NDArray]
COUNT = 26_000  # of each of the eight random kinds


def _random_words(random: np.random.Generator, count: int, low: int, high: int) -> NDArray:
    """Words of both signs with exponents from `low` to `high`, some with few bits."""
    mantissa = random.integers(1 << 52, 1 << 53, count)
    kept = random.choice([0, 20, 26, 40, 51], count)
    mantissa = (mantissa >> kept << kept) | (np.int64(1) << kept)
    exponent = random.integers(low, high + 1, count) - 53
    sign = random.choice([-1.0, 1.0], count)
    return np.ldexp(sign * mantissa.astype(np.float64), exponent)


def _any_bits(random: np.random.Generator) -> Triples:
    a, b, c = random.integers(0, 1 << 64, (3, COUNT), np.uint64).view(np.float64)
    return a, b, c


def _all_exponents(random: np.random.Generator) -> Triples:
    a, c = (_random_words(random, COUNT, -1020, 1023) for _ in range(2))
    apart = random.integers(-120, 120, COUNT)
    exponent = np.clip(np.frexp(c)[1] - np.frexp(a)[1] + apart, -1020, 1023)
    return a, np.ldexp(_random_words(random, COUNT, 0, 0), exponent), c


def _near(random: np.random.Generator) -> Triples:
    a, b, c = (_random_words(random, COUNT, -60, 60) for _ in range(3))
    return a, b, c


def _cancellation(random: np.random.Generator) -> Triples:
    a, b = (_random_words(random, COUNT, -300, 300) for _ in range(2))
    bits = (-(a * b)).view(np.int64) + random.integers(-2, 3, COUNT)
    return a, b, bits.view(np.float64)


def _ties(random: np.random.Generator) -> Triples:
    """Products of 54 bits, an odd last one: halfway, but for an addend far below."""
    odd = random.integers(1 << 26, 1 << 27, (2, COUNT)) | 1
    a, b = odd.astype(np.float64)
    tiny = np.ldexp(random.choice([-1.0, 1.0], COUNT), random.integers(-1074, -40, COUNT))
    c = np.where(random.random(COUNT) < 0.3, 0.0, tiny)
    scale = random.integers(-100, 100, COUNT)
    return np.ldexp(a, scale), b, c


def _tied_addend(random: np.random.Generator) -> Triples:
    """A product of just half a unit in the last place of the addend, or a little off."""
    c = _random_words(random, COUNT, -900, 900)
    ulps = random.integers(-4, 5, (2, COUNT)).astype(np.float64)
    a, b = 1 + ulps * 2.0**-52
    half = np.frexp(c)[1] - 54 - random.integers(-1, 2, COUNT)
    return a, np.ldexp(b * random.choice([-1.0, 1.0], COUNT), half), c


def _subnormal_results(random: np.random.Generator) -> Triples:
    a = _random_words(random, COUNT, -600, -400)
    far = random.choice([0, -300], COUNT)
    b = np.ldexp(_random_words(random, COUNT, -80, 4), -1022 - np.frexp(a)[1] + far)
    c = np.ldexp(random.integers(-(1 << 53), 1 << 53, COUNT).astype(np.float64), -1074)
    return a, b, np.where(random.random(COUNT) < 0.3, 0.0, c)


def _overflow(random: np.random.Generator) -> Triples:
    a = _random_words(random, COUNT, 300, 700)
    b = np.ldexp(_random_words(random, COUNT, 0, 2), 1024 - np.frexp(a)[1])
    largest = np.finfo(np.float64).max
    c = np.where(random.random(COUNT) < 0.5, largest, _random_words(random, COUNT, 960, 1024))
    top = random.random(COUNT) < 0.2  # the largest word and half a unit: rounds to infinity
    a, b = np.where(top, 1.0, a), np.where(top, 2.0**970, b)
    c = np.where(top, largest, c * random.choice([-1.0, 1.0], COUNT))
    return a, b, c


KINDS = (
    _any_bits,
    _all_exponents,
    _near,
    _cancellation,
    _ties,
    _tied_addend,
    _subnormal_results,
    _overflow,
)


def _zero_or_special(a: float, b: float, c: float) -> float | None:
    """The result where it is exact without rounding: a zero, an infinity or a NaN takes part."""
    if math.isnan(a) or math.isnan(b) or math.isnan(c):
        return math.nan
    if math.isinf(a) or math.isinf(b):
        if a == 0 or b == 0:
            return math.nan
        product = math.copysign(math.inf, math.copysign(1.0, a) * math.copysign(1.0, b))
        return math.nan if c == -product else product
    if math.isinf(c):
        return c
    if (a == 0 or b == 0) and c == 0:
        negative = math.copysign(1.0, a) * math.copysign(1.0, b) < 0 and math.copysign(1.0, c) < 0
        return -0.0 if negative else 0.0
    return None


def _reference_f64(a: float, b: float, c: float) -> float:
    special = _zero_or_special(a, b, c)
    if special is not None:
        return special
    (n_a, d_a), (n_b, d_b), (n_c, d_c) = (x.as_integer_ratio() for x in (a, b, c))
    numerator = n_a * n_b * d_c + n_c * d_a * d_b
    try:
        return numerator / (d_a * d_b * d_c)  # Python rounds a quotient of integers correctly
    except OverflowError:
        return math.inf if numerator > 0 else -math.inf


def _reference_f32(a: float, b: float, c: float) -> np.float32:
    """The nearest binary32 word by exact distances; of two, the even one."""
    special = _zero_or_special(a, b, c)
    if special is not None:
        return np.float32(special)
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if exact == 0:
        return np.float32(0.0)
    infinity = np.float32(math.inf if exact > 0 else -math.inf)
    with np.errstate(over="ignore"):
        guess = np.float32(float(exact))
        around = {guess, np.nextafter(guess, infinity), np.nextafter(guess, -infinity)}

    def distance(word: np.float32) -> tuple[Fraction, int]:
        beyond = math.copysign(2.0**128, word)  # where the word after the largest would be
        value = Fraction(beyond if np.isinf(word) else float(word))
        return abs(value - exact), int(word.view(np.uint32)) & 1

    nearest = min(around, key=distance)
    return np.copysign(nearest, infinity) if nearest == 0 else nearest


def _vector(
    reference: Callable[..., float | np.float32], triples: Sequence[NDArray], dtype: type
) -> NDArray:
    columns = zip(*(x.tolist() for x in triples), strict=True)
    return np.array([reference(*row) for row in columns], dtype)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__.strip("_"))
def test_binary64_is_the_exact_result_rounded_once(
    kind: Callable[[np.random.Generator], Triples], same_words: SameWords
) -> None:
    triples = kind(np.random.default_rng(2026))
    expected = _vector(_reference_f64, triples, np.float64)
    assert same_words(fused_multiply_add(*triples), expected)


@pytest.mark.parametrize("element", ["f64", "f32"])
def test_triples_of_special_words(
    element: str, special_words: SpecialWords, same_words: SameWords
) -> None:
    words = special_words(element)
    triples = tuple(x.ravel() for x in np.meshgrid(words, words, words))
    if element == "f32":  # exact distances take their time
        chosen = np.random.default_rng(1).choice(triples[0].size, 10_000, replace=False)
        triples = tuple(x[chosen] for x in triples)
    reference = {"f64": _reference_f64, "f32": _reference_f32}[element]
    assert same_words(fused_multiply_add(*triples), _vector(reference, triples, words.dtype.type))


def _binary32_triples(random: np.random.Generator, count: int) -> Triples:
    a, b, c = random.integers(0, 1 << 32, (3, count), np.uint64).astype(np.uint32).view(np.float32)
    third = count // 3
    with np.errstate(all="ignore"):
        off = random.integers(-2, 3, third, np.int32)
        c[:third] = ((-(a * b))[:third].view(np.int32) + off).view(np.float32)  # cancellation
    middle = slice(third, 2 * third)  # the addend's last place, and half of it, and far below
    a[middle] = (random.integers(1 << 11, 1 << 12, third) | 1).astype(np.float32)
    b[middle] = (random.integers(1 << 11, 1 << 12, third) * 2 + 1).astype(np.float32)
    tiny = np.ldexp(random.choice([-1.0, 1.0], third), random.integers(-149, 0, third))
    c[middle] = np.where(random.random(third) < 0.3, 0.0, tiny).astype(np.float32)
    scale = random.integers(-160, 20, third)
    a[middle] = np.ldexp(a[middle], scale)
    return a, b, c


def test_binary32_is_the_exact_result_rounded_once(same_words: SameWords) -> None:
    triples = _binary32_triples(np.random.default_rng(7), 12_000)
    expected = _vector(_reference_f32, triples, np.float32)
    assert same_words(fused_multiply_add(*triples), expected)


def test_agrees_with_the_c_library(same_words: SameWords) -> None:
    fma = ctypes.CDLL(ctypes.util.find_library("m")).fma
    fma.restype, fma.argtypes = ctypes.c_double, [ctypes.c_double] * 3
    for kind in KINDS:
        a, b, c = (x[:4000] for x in kind(np.random.default_rng(11)))
        expected = _vector(fma, (a, b, c), np.float64)
        assert same_words(fused_multiply_add(a, b, c), expected)


def test_two_roundings_would_be_noticed(same_words: SameWords) -> None:
    """The kinds are hard: a product and a sum, each rounded, fail on most of them."""
    failed = []
    for kind in KINDS:
        a, b, c = kind(np.random.default_rng(3))
        with np.errstate(all="ignore"):
            failed.append(not same_words(fused_multiply_add(a, b, c), a * b + c))
    assert sum(failed) == len(KINDS)


def test_broadcasts_and_keeps_the_element() -> None:
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    result = fused_multiply_add(a, np.array(2, np.float32), np.ones(3, np.float32))
    assert result.dtype == np.float32
    assert result.tolist() == [[1, 3, 5], [7, 9, 11]]
    scalar = fused_multiply_add(*(np.array(x) for x in (3.0, 4.0, 5.0)))
    assert isinstance(scalar, np.ndarray) and scalar.shape == () and scalar == 17
    assert fused_multiply_add(np.ones((0, 2)), np.ones(2), np.ones(2)).shape == (0, 2)


def test_mixed_elements_are_an_error() -> None:
    with pytest.raises(TypeError, match="fma of float64, float32 and float64"):
        fused_multiply_add(np.array(1.0), np.array(1.0, np.float32), np.array(1.0))


def test_a_sum_rounded_to_nearest_instead_of_to_odd_would_be_noticed(
    monkeypatch: pytest.MonkeyPatch, same_words: SameWords
) -> None:
    from alpha.interpreters import fused_multiply_add as module

    triples = _ties(np.random.default_rng(5))
    right = fused_multiply_add(*triples)
    narrow = _binary32_triples(np.random.default_rng(7), 12_000)
    right_narrow = fused_multiply_add(*narrow)
    monkeypatch.setattr(module, "_add_to_odd", np.add)
    assert not same_words(fused_multiply_add(*triples), right)
    assert not same_words(fused_multiply_add(*narrow), right_narrow)
