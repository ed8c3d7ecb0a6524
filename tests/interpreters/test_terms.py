"""The store of terms: sharing, constants, symbols, limits, places, and evaluation."""

from __future__ import annotations

import numpy as np
import pytest
from counted_calls import calls_of

from alpha.interpreters.terms.carrier import Terms
from alpha.interpreters.terms.store import TermsTooLarge, TermStore


def test_equal_expressions_are_one_term() -> None:
    terms = Terms()
    x = terms.symbol_array("x", (3,), "f64")
    once = terms.apply("arith.subf", x, x[::-1])
    count = len(terms.store)
    assert (terms.apply("arith.subf", x, x[::-1]) == once).all()
    assert len(terms.store) == count
    assert once[0] != once[2]


def test_operands_that_commute_keep_the_order_of_their_first_making() -> None:
    terms = Terms()
    x, y = terms.symbol_array("x", (2,), "f64")
    first = terms.apply("arith.mulf", x, y)
    assert terms.apply("arith.mulf", y, x) == first
    assert terms.describe(first) == "mulf(x[0], x[1])"
    assert terms.describe(terms.apply("arith.addf", y, x)) == "addf(x[1], x[0])"


def test_symbols_are_named_by_field_and_index() -> None:
    terms = Terms()
    x = terms.symbol_array("x", (2, 3), "f32")
    assert terms.describe(x[1, 2]) == "x[1,2]"
    assert terms.describe(terms.symbol_array("rate", (), "f64")) == "rate"
    assert (terms.symbol_array("x", (2, 3), "f32") == x).all()
    assert len(np.unique(x)) == 6
    assert terms.symbol_array("none", (0, 3), "f64").shape == (0, 3)
    for shape, element in (((3, 2), "f32"), ((2, 3), "f64")):
        with pytest.raises(ValueError, match="symbol x is"):
            terms.symbol_array("x", shape, element)


def test_constants_differ_by_bits_and_element_and_all_nans_are_one() -> None:
    terms = Terms()
    words = np.array([0.0, -0.0, 1.0, np.nan, -np.nan])
    wide, narrow = terms.literal(words), terms.literal(words.astype(np.float32))
    assert len({*wide.tolist(), *narrow.tolist()}) == 8
    assert wide[3] == wide[4] and narrow[3] == narrow[4]
    assert terms.constant(-0.0, "f64") == wide[1]
    assert terms.literal(np.array([[True, False]])).shape == (1, 2)
    for infinite in (np.inf, -np.inf):
        assert terms.describe(terms.constant(infinite, "f32")) == str(infinite)


def test_operations_on_constants_are_evaluated() -> None:
    terms = Terms()
    a, b = terms.constant(0.1, "f64"), terms.constant(0.2, "f64")
    assert terms.apply("arith.addf", a, b) == terms.constant(0.1 + 0.2, "f64")
    assert terms.apply("math.fma", a, b, b) == terms.constant(0.22, "f64")
    assert terms.compare("olt", a, b) == terms.literal(np.array(True))
    truth = terms.compare("ogt", a, b)
    assert terms.apply("arith.select", truth, a, b) == b
    third = terms.apply("arith.divf", terms.constant(1.0, "f32"), terms.constant(3.0, "f32"))
    assert terms.describe(third) == "0.33333334"


def test_mixed_elements_and_unknown_operations_are_errors() -> None:
    terms = Terms()
    x, y = terms.symbol_array("x", (), "f64"), terms.symbol_array("y", (), "f32")
    with pytest.raises(TypeError, match=r"arith.addf of f64, f32"):
        terms.apply("arith.addf", x, y)
    with pytest.raises(TypeError, match=r"arith.addf of f64, f32"):
        terms.apply("arith.addf", x, terms.constant(-0.0, "f32"))
    with pytest.raises(TypeError, match=r"arith.select of f64, f64, f64"):
        terms.apply("arith.select", x, x, terms.apply("arith.negf", x))
    truth = terms.compare("olt", x, x)
    with pytest.raises(TypeError, match=r"arith.negf of i1"):
        terms.apply("arith.negf", truth)
    with pytest.raises(TypeError, match="float64 words"):
        terms.apply("arith.addf", x, np.array(1.0))
    with pytest.raises(ValueError, match="no operation symbol"):
        terms.apply("symbol", x)
    with pytest.raises(ValueError, match=r"arith.negf of 2 operands"):
        terms.apply("arith.negf", x, x)


def test_arrays_broadcast_and_may_be_empty() -> None:
    terms = Terms()
    x, y = terms.symbol_array("x", (4, 1), "f64"), terms.symbol_array("y", (3,), "f64")
    product = terms.apply("arith.mulf", x, y)
    assert product.shape == (4, 3) and len(np.unique(product)) == 12
    assert terms.describe(product[3, 2]) == "mulf(x[3,0], y[2])"
    assert terms.apply("arith.mulf", x[:0], y).shape == (0, 3)
    assert terms.element_of(x) == "f64" and terms.element_of(x[:0]) is None


def test_too_many_terms_stop_with_the_limit() -> None:
    terms = Terms(nodes_max=100)
    x = terms.symbol_array("x", (60,), "f64")
    with pytest.raises(TermsTooLarge, match="more than 100 terms") as caught:
        terms.apply("arith.mulf", x, x)
    assert caught.value.nodes_max == 100
    assert len(terms.store) <= 100
    with pytest.raises(TermsTooLarge):
        terms.symbol_array("y", (10**12,), "f64")


def test_a_term_remembers_the_place_that_made_it_first() -> None:
    terms = Terms()
    store = terms.store
    x = terms.symbol_array("x", (), "f64")
    with store.origin("in.mlir:1:1"):
        square = terms.apply("arith.mulf", x, x)
        with store.origin("in.mlir:2:1"):
            assert terms.apply("arith.mulf", x, x) == square
            root = terms.apply("math.sqrt", square)
        negative = terms.apply("arith.negf", root)
    after = terms.apply("math.absf", x)
    with store.origin("in.mlir:3:1"), store.origin("in.mlir:4:1"):
        again = terms.apply("math.absf", root)
    places = [store.origin_of(int(term)) for term in (x, square, root, negative, after, again)]
    assert places == ["", "in.mlir:1:1", "in.mlir:2:1", "in.mlir:1:1", "", "in.mlir:4:1"]


def test_deep_terms_neither_overflow_the_stack_nor_grow() -> None:
    terms = Terms()
    x = terms.symbol_array("x", (), "f64")
    start = len(terms.store)
    for _ in range(5000):
        x = terms.apply("arith.addf", x, x)
    assert len(terms.store) == start + 5000
    assert len(terms.describe(x)) < 80
    assert terms.evaluate(x, {"x": np.array(1.0)}) == np.inf


def test_evaluation_wants_every_field_and_one_element() -> None:
    terms = Terms()
    x, y = terms.symbol_array("x", (2,), "f64"), terms.symbol_array("y", (2,), "f32")
    words = {"x": np.array([1.0, 2.0]), "y": np.array([3, 4], np.float32)}
    assert terms.evaluate(y, words).dtype == np.float32
    assert terms.evaluate(terms.compare("olt", x, x[::-1]), words).tolist() == [True, False]
    with pytest.raises(KeyError):
        terms.evaluate(x, {"y": words["y"]})
    with pytest.raises(TypeError, match="2 element types: f32, f64"):
        terms.evaluate(np.concatenate([x, y]), words)
    with pytest.raises(TypeError, match="0 element types"):
        terms.evaluate(x[:0], words)


@pytest.mark.parametrize("axis", [0, 1])
def test_making_a_term_takes_the_same_work_for_each(axis: int) -> None:
    """Twice the terms, twice the calls; sums of more addends than there are sums, and of fewer."""

    def calls(length: int) -> int:
        terms = Terms()
        shape = (length, 8) if axis == 0 else (8, length)
        x = terms.symbol_array("x", shape, "f64")
        before = len(terms.store)
        work = calls_of(lambda: terms.fold("add", "left", terms.apply("arith.mulf", x, x), 0))
        assert len(terms.store) - before == 8 * length + x.size - x.shape[1]
        return work

    calls(10)
    assert calls(400) < 2.1 * calls(200)


def test_two_hundred_thousand_terms_are_made() -> None:
    terms = Terms()
    x = terms.symbol_array("x", (200, 500), "f64")
    total = terms.fold("add", "left", terms.apply("arith.mulf", x, x), 0)
    assert total.shape == (500,) and len(terms.store) > 199_000


def test_a_store_without_rules_keeps_every_operation() -> None:
    terms = Terms(TermStore(rules=()))
    x = terms.symbol_array("x", (), "f64")
    kept = terms.apply("arith.addf", x, terms.constant(-0.0, "f64"))
    assert terms.describe(kept) == "addf(x, -0.0)"
