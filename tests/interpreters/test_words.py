"""The words carrier: each operation is IEEE 754's, in its own element type."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from alpha.interpreters.carriers import OPERATIONS
from alpha.interpreters.words import Words
from alpha.ir import scalars
from alpha.ir.scalars import PREDICATES

SpecialWords = Callable[[str], NDArray]
SameWords = Callable[[NDArray, NDArray], bool]

ELEMENTS = ("f64", "f32")
WORDS = Words()


def _divide(a: float, b: float) -> float:
    if b == 0:
        return math.nan if a == 0 or a != a else math.copysign(math.inf, a) * math.copysign(1.0, b)
    return a / b


PYTHON = {
    "arith.addf": lambda a, b: a + b,
    "arith.subf": lambda a, b: a - b,
    "arith.mulf": lambda a, b: a * b,
    "arith.divf": _divide,
    "arith.negf": lambda a: -a,
    "math.sqrt": lambda a: math.nan if a < 0 else math.sqrt(a),
    "math.absf": abs,
    "math.copysign": lambda a, b: abs(a) if b != b else math.copysign(a, b),
    "pointwise.min": lambda a, b: a if a < b else b,
    "pointwise.max": lambda a, b: a if a > b else b,
}


@pytest.mark.parametrize("operation", PYTHON)
def test_binary64_operations_are_pythons(
    operation: str, special_words: SpecialWords, same_words: SameWords
) -> None:
    words = special_words("f64")
    operands = np.meshgrid(*[words] * len(OPERATIONS[operation].operands))
    lists = [operand.ravel().tolist() for operand in operands]
    expected = np.array([PYTHON[operation](*row) for row in zip(*lists, strict=True)])
    result = WORDS.apply(operation, *operands)
    assert same_words(result.ravel(), expected)


@pytest.mark.parametrize("operation", PYTHON)
def test_binary32_operations_round_the_exact_result_once(
    operation: str, special_words: SpecialWords, same_words: SameWords
) -> None:
    """In binary64 +, -, *, /, sqrt of binary32 words round harmlessly: 53 >= 2 * 24 + 2."""
    words = special_words("f32")
    operands = np.meshgrid(*[words] * len(OPERATIONS[operation].operands))
    wide = WORDS.apply(operation, *(operand.astype(np.float64) for operand in operands))
    with np.errstate(all="ignore"):
        expected = wide.astype(np.float32)
    result = WORDS.apply(operation, *operands)
    assert result.dtype == np.float32
    assert same_words(result, expected)


@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize("predicate", PREDICATES)
def test_comparisons(predicate: str, element: str, special_words: SpecialWords) -> None:
    words = special_words(element)
    a, b = np.meshgrid(words, words)
    result = WORDS.compare(predicate, a, b)
    assert result.dtype == np.bool_
    for x, y, got in zip(a.flat, b.flat, result.flat, strict=True):
        unordered = bool(x != x or y != y)
        relation = {
            "eq": x == y,
            "gt": x > y,
            "ge": x >= y,
            "lt": x < y,
            "le": x <= y,
            "ne": x != y,
        }
        if predicate in ("false", "true"):
            expected = predicate == "true"
        elif predicate in ("ord", "uno"):
            expected = unordered == (predicate == "uno")
        else:
            expected = predicate[0] == "u" if unordered else bool(relation[predicate[1:]])
        assert got == expected, (x, y)


def test_select(special_words: SpecialWords, same_words: SameWords) -> None:
    words = special_words("f32")
    truths = np.arange(len(words)) % 3 == 0
    expected = np.array([w if t else v for t, w, v in zip(truths, words, words[::-1], strict=True)])
    assert same_words(WORDS.apply("arith.select", truths, words, words[::-1]), expected)


def _tells_nans_apart(
    function: Callable[..., NDArray], signature: str, element: str, words: NDArray
) -> bool:
    """Whether putting another NaN for a NaN operand changes a result that isn't a NaN."""
    unsigned = {"f64": np.uint64, "f32": np.uint32}[element]
    quiet = {"f64": 0x7FF8 << 48, "f32": 0x7FC0 << 16}[element]
    sign = {"f64": 1 << 63, "f32": 1 << 31}[element]
    nans = np.array([quiet, quiet | sign, quiet | 5, quiet | sign | 9], unsigned).view(words.dtype)
    others = [np.array([False, True]) if kind == "b" else words for kind in signature]
    for at, kind in enumerate(signature):
        if kind == "b":
            continue
        results = []
        for nan in nans:
            rows = [*others[:at], np.array([nan]), *others[at + 1 :]]
            with np.errstate(all="ignore"):
                result = function(*np.meshgrid(*rows))
            results.append(np.where(result != result, 0, result.view(f"u{result.itemsize}")))
        if any(np.any(result != results[0]) for result in results):
            return True
    return False


@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_all_nans_are_one_word(operation: str, element: str, special_words: SpecialWords) -> None:
    """What the rules of terms rest on: no operation tells the sign or payload of a NaN."""
    words = special_words(element)
    words = words[~np.isnan(words)]
    signature = OPERATIONS[operation].operands

    def function(*operands: NDArray) -> NDArray:
        return WORDS.apply(operation, *operands)

    assert not _tells_nans_apart(function, signature, element, words)


def test_reading_the_sign_of_a_nan_would_be_noticed(special_words: SpecialWords) -> None:
    assert _tells_nans_apart(np.copysign, "ff", "f64", special_words("f64")[:5])


def test_operations_are_those_of_the_language() -> None:
    names = {name for name in OPERATIONS if not name.startswith(scalars.COMPARE)}
    assert names | {scalars.COMPARE, scalars.CONSTANT} == set(scalars.OPERATIONS)


@pytest.mark.parametrize(
    ("element", "value", "bits"),
    [
        ("f64", 0.1, "3fb999999999999a"),
        ("f64", -0.0, "8000000000000000"),
        ("f32", 0.1, "3dcccccd"),
        ("f32", 1e39, "7f800000"),
        ("f32", 16777217.0, "4b800000"),
    ],
)
def test_constants(element: str, value: float, bits: str) -> None:
    word = WORDS.constant(value, element)
    assert word.shape == ()
    assert word.tobytes()[::-1].hex() == bits
    assert WORDS.constant(bytes.fromhex(bits)[::-1], element).tobytes() == word.tobytes()


def test_constants_keep_the_bits_of_a_nan() -> None:
    signalling = struct.pack("<I", 0xFFA00001)
    assert WORDS.constant(signalling, "f32").tobytes() == signalling
    with pytest.raises(ValueError, match="4 bytes of f64"):
        WORDS.constant(signalling, "f64")


def test_literals() -> None:
    big_endian = np.array([1.0, 2.0], ">f4")
    words = WORDS.literal(big_endian)
    assert words.dtype == np.dtype("=f4") and words.tolist() == [1, 2]
    with pytest.raises(TypeError, match="words of int64"):
        WORDS.literal(np.array([1, 2]))


def test_nothing_is_promoted() -> None:
    wide, narrow = np.ones(2), np.ones(2, np.float32)
    with pytest.raises(TypeError, match=r"arith.addf of float64, float32"):
        WORDS.apply("arith.addf", wide, narrow)
    with pytest.raises(TypeError, match=r"arith.select of float64"):
        WORDS.apply("arith.select", wide, wide, wide)
    with pytest.raises(TypeError, match=r"arith.addf of int64"):
        WORDS.apply("arith.addf", np.ones(2, np.int64), np.ones(2, np.int64))
    with pytest.raises(TypeError):
        WORDS.accumulate_from(wide[0:1], narrow, 0)
    with pytest.raises(ValueError, match=r"no operation arith.maximumf"):
        WORDS.apply("arith.maximumf", wide, wide)
    with pytest.raises(ValueError, match=r"arith.negf of 2 operands"):
        WORDS.apply("arith.negf", wide, wide)


def test_results_are_arrays_and_raise_no_warning(recwarn: pytest.WarningsRecorder) -> None:
    for operation, signature in OPERATIONS.items():
        operands = [np.array(kind == "b" or 0.0) for kind in signature.operands]
        operands = [np.asarray(o, bool if o.dtype == bool else np.float64) for o in operands]
        result = WORDS.apply(operation, *operands)
        assert isinstance(result, np.ndarray) and result.shape == ()
    WORDS.apply("arith.mulf", np.array([1e308, np.inf, 5e-324]), np.array([10.0, 0.0, 0.5]))
    assert not recwarn.list


def test_a_process_that_flushes_subnormals_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(np, "multiply", lambda a, b: a * b * 0)
    with pytest.raises(RuntimeError, match="flushes subnormal f64 words"):
        Words()
