"""The first difference of two terms, as the text that a person reads."""

from __future__ import annotations

from textwrap import dedent

import numpy as np
import pytest
from counted_calls import calls_of
from numpy.typing import NDArray

from alpha.interpreters.terms.carrier import Terms
from alpha.interpreters.terms.difference import (
    difference_text,
    first_difference,
    words_difference,
)


class Fields:
    """Symbols to build terms of, and the difference of two as text."""

    def __init__(self) -> None:
        self.terms = Terms()
        self.apply = self.terms.apply
        self.x = self.terms.symbol_array("x", (6, 3), "f64")
        self.y = self.terms.symbol_array("y", (6,), "f64")
        self.w = self.terms.symbol_array("w", (3,), "f64")
        self.z = self.terms.symbol_array("z", (400,), "f64")
        self.rate = self.terms.symbol_array("rate", (), "f64")

    def constant(self, value: float, element: str = "f64") -> NDArray:
        return self.terms.constant(value, element)

    def add(self, *operands: NDArray) -> NDArray:
        total = operands[0]
        for operand in operands[1:]:
            total = self.apply("arith.addf", total, operand)
        return total

    def mul(self, a: NDArray, b: NDArray) -> NDArray:
        return self.apply("arith.mulf", a, b)

    def text(
        self, left: NDArray, right: NDArray, labels: tuple[str, str] = ("left", "right")
    ) -> str:
        store = self.terms.store
        difference = first_difference(store, int(left), int(right), labels)
        assert difference is not None
        return difference_text(store, difference, "w[2]", labels)


@pytest.fixture
def fields() -> Fields:
    return Fields()


def check(text: str, expected: str) -> None:
    assert text == dedent(expected).strip("\n")


def test_equal_terms_have_no_difference(fields: Fields) -> None:
    a, b = fields.mul(fields.rate, fields.y[0]), fields.mul(fields.y[0], fields.rate)
    assert first_difference(fields.terms.store, int(a), int(b)) is None
    assert words_difference(fields.terms.store, "w", fields.w, fields.w.copy()) is None


def test_another_word_of_a_field(fields: Fields) -> None:
    left = fields.add(fields.w[0], fields.mul(fields.x[0, 1], fields.y[0]))
    right = fields.add(fields.w[0], fields.mul(fields.x[0, 1], fields.y[1]))
    check(
        fields.text(left, right),
        """
        w[2]: differs at .rhs.rhs: another word of y
        addf
        |- w[0]
        `- mulf
           |- x[0,1]
           `- left: y[0]   right: y[1]
        """,
    )


def test_another_symbol_where_operands_commute(fields: Fields) -> None:
    """The operand in common is found on either side."""
    left = fields.mul(fields.y[0], fields.rate)
    right = fields.mul(fields.w[0], fields.y[0])
    check(
        fields.text(left, right),
        """
        w[2]: differs at .rhs: another symbol
        mulf
        |- y[0]
        `- left: rate   right: w[0]
        """,
    )


def test_another_constant(fields: Fields) -> None:
    left, right = (fields.mul(fields.rate, fields.constant(v)) for v in (0.1, 0.3))
    check(
        fields.text(left, right, labels=("learner", "shard")),
        """
        w[2]: differs at .rhs: another constant
        mulf
        |- rate
        `- learner: 0.1 (0x3FB999999999999A : f64)   shard: 0.3 (0x3FD3333333333333 : f64)
        """,
    )


def test_signed_zeros_are_told_apart(fields: Fields) -> None:
    left, right = (fields.add(fields.rate, fields.constant(v)) for v in (0.0, -1.0))
    check(
        fields.text(left, right),
        """
        w[2]: differs at .rhs: another constant
        addf
        |- rate
        `- left: 0.0 (0x0000000000000000 : f64)   right: -1.0 (0xBFF0000000000000 : f64)
        """,
    )
    check(
        fields.text(fields.constant(0.0, "f32"), fields.constant(-0.0, "f32")),
        """
        w[2]: differs: another constant
        left: 0.0 (0x00000000 : f32)   right: -0.0 (0x80000000 : f32)
        """,
    )


def test_another_element_type(fields: Fields) -> None:
    check(
        fields.text(fields.constant(0.1, "f32"), fields.constant(0.1)),
        """
        w[2]: differs: another element type: f32, f64
        left: 0.1 (0x3DCCCCCD : f32)   right: 0.1 (0x3FB999999999999A : f64)
        """,
    )


def test_another_operation(fields: Fields) -> None:
    step = fields.mul(fields.rate, fields.y[0])
    left = fields.apply("math.sqrt", fields.apply("arith.subf", fields.w[0], step))
    right = fields.apply("math.sqrt", fields.apply("arith.divf", fields.w[0], step))
    check(
        fields.text(left, right),
        """
        w[2]: differs at .operand: another operation on the same operands: subf, divf
        sqrt
        `- left: subf(w[0], mulf(rate, y[0]))   right: divf(w[0], mulf(rate, y[0]))
        """,
    )
    check(
        fields.text(fields.w[1], step),
        """
        w[2]: differs: another operation: w[1], mulf
        left: w[1]   right: mulf(rate, y[0])
        """,
    )


def test_exchanged_operands(fields: Fields) -> None:
    product = fields.mul(fields.x[0, 0], fields.w[0])
    left = fields.apply("arith.subf", product, fields.y[0])
    right = fields.apply("arith.subf", fields.y[0], product)
    check(
        fields.text(left, right),
        """
        w[2]: differs: the same operands in another order
        left: subf(mulf(x[0,0], w[0]), y[0])   right: subf(y[0], mulf(x[0,0], w[0]))
        """,
    )


def test_operands_of_select_and_fma_are_named(fields: Fields) -> None:
    truth = fields.terms.compare("olt", fields.y[0], fields.y[1])
    left, right = (fields.apply("arith.select", truth, fields.y[k], fields.rate) for k in (2, 3))
    check(
        fields.text(left, right),
        """
        w[2]: differs at .true: another word of y
        select
        |- cmpf.olt(y[0], y[1])
        |- left: y[2]   right: y[3]
        `- rate
        """,
    )
    left, right = (fields.apply("math.fma", *fields.y[:2], fields.y[k]) for k in (2, 3))
    assert fields.text(left, right).startswith("w[2]: differs at .c: another word of y\nfma\n")


def test_a_missing_addend(fields: Fields) -> None:
    left, right = fields.add(*fields.y[:4]), fields.add(*fields.y[[0, 1, 3]])
    check(
        fields.text(left, right),
        """
        w[2]: differs at .lhs: right lacks 1 of 4 addends: y[2]
        addf
        |- left:  t1 + y[2]
        |  right: t1
        |  t1 = addf(y[0], y[1])  (2 addends)
        `- y[3]
        """,
    )
    right = fields.add(*fields.y[:4], *fields.w)
    assert fields.text(left, right).startswith(
        "w[2]: differs: left lacks 3 of 7 addends: w[0], w[1], w[2]\n"
    )
    assert fields.text(fields.y[0], fields.mul(fields.y[0], fields.rate)).startswith(
        "w[2]: differs: left lacks 1 of 2 factors: rate\n"
    )


def test_a_missing_addend_below_other_operations(fields: Fields) -> None:
    products = [fields.mul(fields.x[i, 0], fields.y[i]) for i in range(5)]
    left, right = (
        fields.apply("arith.divf", fields.add(*chosen), fields.constant(5.0))
        for chosen in (products, products[1:])
    )
    check(
        fields.text(left, right),
        """
        w[2]: differs at .lhs{4}: right lacks 1 of 5 addends: mulf(x[0,0], y[0])
        ... 1 level above
        addf
        |- addf
        |  |- addf
        |  |  |- left:  t1 + t2
        |  |  |  right: t2
        |  |  |  t1 = mulf(x[0,0], y[0])
        |  |  |  t2 = mulf(x[1,0], y[1])
        |  |  `- mulf(x[2,0], y[2])
        |  `- mulf(x[3,0], y[3])
        `- mulf(x[4,0], y[4])
        """,
    )


def test_another_association(fields: Fields) -> None:
    a, b, c, d = fields.y[:4]
    left = fields.apply("math.sqrt", fields.add(fields.add(a, b), c, d))
    right = fields.apply("math.sqrt", fields.add(fields.add(a, b), fields.add(c, d)))
    check(
        fields.text(left, right),
        """
        w[2]: differs at .operand: the same 4 addends in another order
        sqrt
        `- left:  t1 + y[2] + y[3]
           right: t1 + (y[2] + y[3])
           t1 = addf(y[0], y[1])  (2 addends)
        """,
    )


def test_another_order_of_many_addends_stays_short(fields: Fields) -> None:
    left = fields.terms.fold("add", "left", fields.z, 0)
    groups = [fields.terms.fold("add", "left", part, 0) for part in np.split(fields.z, [150])]
    check(
        fields.text(left, fields.add(*groups)),
        """
        w[2]: differs: the same 400 addends in another order
        left:  t1 + z[150] + z[151] + z[152] + ... 246 more ... + z[399]
        right: t1 + (z[150] + z[151] + ... 247 more ... + z[399])
        t1 = addf(addf(..., z[148]), z[149])  (150 addends)
        """,
    )
    for order in ("pairs", ("lanes", 8)):
        text = fields.text(left, fields.terms.fold("add", order, fields.z, 0))
        assert "the same 400 addends in another order" in text
        assert len(text) < 1000


def test_another_order_of_max(fields: Fields) -> None:
    a, b = fields.y[:2]
    left, right = (fields.apply("pointwise.max", *pair) for pair in ((a, b), (b, a)))
    check(
        fields.text(left, right),
        """
        w[2]: differs: the same 2 operands of max in another order
        left:  y[0] max y[1]
        right: y[1] max y[0]
        """,
    )


def test_one_addend_of_many_is_found_and_its_surroundings_elided(fields: Fields) -> None:
    other = fields.z.copy()
    other[7] = fields.rate
    left, right = (fields.terms.fold("add", "left", array, 0) for array in (fields.z, other))
    check(
        fields.text(left, right),
        """
        w[2]: differs at .lhs{392}.rhs: another symbol
        ... 390 levels above
        addf
        |- addf
        |  |- addf
        |  |  |- addf(..., z[6])
        |  |  `- left: z[7]   right: rate
        |  `- z[8]
        `- z[9]
        """,
    )


def test_places_of_the_source(fields: Fields) -> None:
    store = fields.terms.store
    with store.origin("learner.mlir:4:7"):
        left = fields.mul(fields.rate, fields.y[0])
        root_left = fields.apply("arith.subf", fields.w[0], left)
    with store.origin("shard.mlir:9:7"):
        right = fields.apply("arith.divf", fields.rate, fields.y[0])
        root_right = fields.apply("arith.subf", fields.w[0], right)
    check(
        fields.text(root_left, root_right),
        """
        w[2]: differs at .rhs: another operation on the same operands: mulf, divf
        subf  (learner.mlir:4:7)
        |- w[0]
        `- left:  mulf(rate, y[0])  (learner.mlir:4:7)
           right: divf(rate, y[0])  (shard.mlir:9:7)
        """,
    )


def test_words_name_the_first_one_and_count(fields: Fields) -> None:
    left = fields.mul(fields.x, fields.rate)
    right = left.copy()
    right[4, 1] = fields.mul(fields.x[4, 1], fields.w[0])
    right[5, 2] = fields.w[0]
    check(
        words_difference(fields.terms.store, "g", left, right) or "",
        """
        g[4,1]: differs at .rhs: another symbol
        mulf
        |- x[4,1]
        `- left: rate   right: w[0]
        2 of 18 words of g differ
        """,
    )
    scalar = words_difference(fields.terms.store, "power", fields.rate, fields.w[0])
    assert scalar == "power: differs: another symbol\nleft: rate   right: w[0]"
    with pytest.raises(ValueError, match="shape"):
        words_difference(fields.terms.store, "g", left, left[0])


def test_shared_terms_are_never_expanded(fields: Fields) -> None:
    """Two hundred doublings: 2^200 addends in a tree, 200 terms."""
    left, right = fields.y[0], fields.y[1]
    for _ in range(200):
        left, right = fields.add(left, left), fields.add(right, right)
    text = fields.text(left, right)
    assert text.startswith("w[2]: differs at .lhs{200}: another word of y\n... 197 levels above\n")
    longer = fields.add(left, fields.w[0])
    assert fields.text(longer, left).startswith(
        "w[2]: differs: right lacks 1 of over 1000000000 addends: w[0]\n"
    )


def test_long_sums_take_linear_work() -> None:
    """Twice the addends, twice the calls; so also for sums whose first addend differs."""

    def calls(addends: int) -> list[int]:
        terms = Terms()
        z = terms.symbol_array("z", (addends,), "f64")
        left, right = (terms.fold("add", order, z, 0) for order in ("left", "pairs"))
        other = z.copy()
        other[0] = terms.symbol_array("rate", (), "f64")
        changed = terms.fold("add", "left", other, 0)

        def compare(term: NDArray) -> None:
            difference = first_difference(terms.store, int(left), int(term))
            assert difference is not None
            assert len(difference_text(terms.store, difference, "w")) < 2000

        return [calls_of(lambda term=term: compare(term)) for term in (right, changed)]

    for small, large in zip(calls(2_000), calls(4_000), strict=True):
        assert large < 2.1 * small
