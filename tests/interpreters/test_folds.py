"""The declared orders: both carriers against the definition, written with one scalar at a time."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from alpha.interpreters.carriers import Carrier, FoldOrder
from alpha.interpreters.terms.carrier import Terms
from alpha.interpreters.words import Words

MixedWords = Callable[[np.random.Generator, str, tuple[int, ...]], NDArray]
Scalar = Any  # a float64 or float32 of numpy
SameWords = Callable[[NDArray, NDArray], bool]

SIZES = (0, 1, 2, 3, 7, 8, 9, 64, 1000)
ORDERS = ("left", "pairs", *(("lanes", lanes) for lanes in (1, 2, 4, 8, 64, 256)))
DTYPES = {"f64": np.float64, "f32": np.float32}
WORDS = Words()


class Defined(Words):
    """Words with nothing but the definition of an accumulation."""

    accumulate_from = Carrier.accumulate_from


def _step(kind: str, acc: Scalar, x: Scalar) -> Scalar:
    if kind == "add":
        return acc + x
    return acc if acc > x else x


def _fold_scalars(kind: str, order: FoldOrder, xs: list[Scalar], element: str) -> Scalar:
    """Section `pointwise` of the language, word for word."""
    start = DTYPES[element](-0.0) if kind == "add" else xs[0]
    if order == "left":
        acc = start
        for x in xs:
            acc = _step(kind, acc, x)
        return acc
    if order == "pairs":
        while len(xs) > 1:
            pairs = [_step(kind, a, b) for a, b in zip(xs[::2], xs[1::2], strict=False)]
            xs = pairs + xs[len(xs) & ~1 :]
        return xs[0] if xs else start
    assert isinstance(order, tuple)
    lanes = [start] * order[1]
    for i, x in enumerate(xs):
        lanes[i % len(lanes)] = _step(kind, lanes[i % len(lanes)], x)
    while len(lanes) > 1:
        half = len(lanes) // 2
        lanes = [_step(kind, lanes[i], lanes[i + half]) for i in range(half)]
    return lanes[0]


def _fold(kind: str, order: FoldOrder, array: NDArray, axis: int, element: str) -> NDArray:
    rows = np.moveaxis(array, axis, 0)
    columns = rows.reshape(len(rows), math.prod(rows.shape[1:])).T
    with np.errstate(all="ignore"):
        results = [_fold_scalars(kind, order, list(column), element) for column in columns]
    return np.array(results, array.dtype).reshape(rows.shape[1:])


def _layouts(array: NDArray) -> Iterator[NDArray]:
    """The same words, laid out in other ways."""
    yield array
    yield np.asfortranarray(array)
    yield np.flip(np.flip(array).copy())
    yield np.repeat(array, 2, axis=-1)[..., ::2]


@pytest.mark.parametrize("element", DTYPES)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", ["add", "max"])
def test_words_fold_as_defined(
    kind: str, size: int, element: str, mixed_words: MixedWords, same_words: SameWords
) -> None:
    random = np.random.default_rng(size)
    for axis, order in product(range(3), ORDERS):
        shape = [2, 3]
        shape.insert(axis, size)
        if kind == "max" and size == 0:
            continue
        array = mixed_words(random, element, tuple(shape))
        expected = _fold(kind, order, array, axis, element)
        assert same_words(WORDS.fold(kind, order, array, axis), expected)
        assert same_words(WORDS.fold(kind, order, array, axis - 3), expected)
        assert same_words(Defined().fold(kind, order, array, axis), expected)


@pytest.mark.parametrize("element", DTYPES)
@pytest.mark.parametrize("shape", [(9, 200), (200, 9), (130, 65), (3, 5, 70), (1000, 1), (64,)])
def test_layouts_and_both_ways_of_accumulating_agree(
    shape: tuple[int, ...], element: str, mixed_words: MixedWords, same_words: SameWords
) -> None:
    random = np.random.default_rng(1)
    array = mixed_words(random, element, shape)
    for layout, axis in product(_layouts(array), range(len(shape))):
        for kind, order in product(("add", "max"), ("left", ("lanes", 8), "pairs")):
            fast = WORDS.fold(kind, order, layout, axis)
            assert same_words(fast, Defined().fold(kind, order, layout, axis))
            assert same_words(fast, WORDS.fold(kind, order, np.array(layout, order="C"), axis))


def test_broadcast_arrays_fold(same_words: SameWords) -> None:
    array = np.broadcast_to(np.array([0.1, 0.2, 0.3]), (50, 3))
    expected = _fold("add", "left", array, 0, "f64")
    assert same_words(WORDS.fold("add", "left", array, 0), expected)
    assert not same_words(array[0] * 50, expected)


def test_numpys_own_sum_would_be_noticed(same_words: SameWords) -> None:
    array = np.random.default_rng(0).standard_normal((3, 1000))
    assert not same_words(array.sum(axis=1), WORDS.fold("add", "left", array, 1))
    assert not same_words(array.sum(axis=1), WORDS.fold("add", ("lanes", 4), array, 1))


def test_the_orders_differ_from_each_other() -> None:
    array = np.random.default_rng(0).standard_normal((100, 1000))
    folds = [
        WORDS.fold("add", order, array, 1).tobytes() for order in ORDERS if order != ("lanes", 1)
    ]
    assert len(set(folds)) == len(folds)
    assert WORDS.fold("add", ("lanes", 1), array, 1).tobytes() == folds[0]


@pytest.mark.parametrize("order", ORDERS)
def test_sums_keep_a_negative_zero(order: FoldOrder) -> None:
    zeros = np.full((3, 2), -0.0)
    assert np.signbit(WORDS.fold("add", order, zeros, 0)).all()
    assert np.signbit(WORDS.fold("add", order, zeros[:0], 0)).all()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", ["add", "max"])
def test_terms_fold_as_words_do(
    kind: str, size: int, mixed_words: MixedWords, same_words: SameWords
) -> None:
    terms = Terms()
    random = np.random.default_rng(size)
    for axis, order in product(range(2), ORDERS):
        shape = (size, 2) if axis == 0 else (2, size)
        if kind == "max" and size == 0:
            continue
        words = mixed_words(random, "f32", shape)
        symbols = terms.symbol_array(f"x{axis}", shape, "f32")
        folded = terms.fold(kind, order, symbols, axis, "f32")
        expected = WORDS.fold(kind, order, words, axis)
        assert same_words(terms.evaluate(folded, {f"x{axis}": words}), expected)


@pytest.mark.parametrize("shape", [(20, 3), (3, 20)])
def test_both_ways_of_accumulating_give_the_same_terms(shape: tuple[int, ...]) -> None:
    terms = Terms()
    symbols = terms.symbol_array("x", shape, "f64")
    for kind, axis in product(("add", "max"), range(2)):
        rows = np.moveaxis(symbols, axis, 0)
        defined = Carrier.accumulate_from(terms, rows[0], rows[1:], 0, kind)
        assert (terms.fold(kind, "left", symbols, axis) == defined).all()


@pytest.mark.parametrize("carrier", [Words(), Terms()], ids=["words", "terms"])
def test_a_sum_in_chunks_is_the_sum(carrier: Carrier) -> None:
    array = carrier.literal(np.random.default_rng(4).standard_normal((100, 7)))
    total = carrier.constant(-0.0, "f64")
    for start, stop in ((0, 1), (1, 1), (1, 64), (64, 100)):
        total = carrier.accumulate_from(total, array[start:stop], 0)
    assert total.tobytes() == carrier.fold("add", "left", array, 0).tobytes()


@pytest.mark.parametrize("carrier", [Words(), Terms()], ids=["words", "terms"])
def test_what_has_no_meaning_is_an_error(carrier: Carrier) -> None:
    array = carrier.literal(np.ones((0, 3)))
    for order in ORDERS:
        with pytest.raises(ValueError, match="empty axis"):
            carrier.fold("max", order, array, 0, "f64")
    some = carrier.literal(np.ones(4))
    for order in (("lanes", 3), ("lanes", 0), ("lanes", -4), "exact"):
        with pytest.raises(ValueError):
            carrier.fold("add", order, some, 0)
    with pytest.raises(ValueError, match="no reduction mul"):
        carrier.fold("mul", "left", some, 0)


def test_terms_need_the_element_of_an_empty_sum() -> None:
    terms = Terms()
    nothing = np.empty((0, 2), np.int64)
    with pytest.raises(ValueError, match="element"):
        terms.fold("add", "left", nothing, 0)
    zero = terms.constant(-0.0, "f32")
    assert terms.fold("add", "left", nothing, 0, "f32").tolist() == [int(zero)] * 2
    assert terms.fold("add", "left", np.empty((2, 0), np.int64), 0).shape == (0,)


def test_many_lanes_cost_what_the_elements_cost() -> None:
    """65,536 lanes of a thousand words each would be half a gigabyte."""
    array = np.random.default_rng(0).standard_normal((5, 1000))
    few = WORDS.fold("add", ("lanes", 8), array, 0)
    assert WORDS.fold("add", ("lanes", 65536), array, 0).tobytes() == few.tobytes()
