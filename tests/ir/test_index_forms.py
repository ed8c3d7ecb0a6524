"""Normal forms of index expressions against plain evaluation, point by point."""

from __future__ import annotations

import random
from itertools import product

import pytest
from counted_calls import calls_of
from xdsl.ir.affine import AffineExpr

from alpha.ir.index_forms import (
    SIZE_MAX,
    Form,
    FormTooLarge,
    Nonzero,
    axis_form,
    box_of,
    combine,
    constant_form,
    find_nonzero,
    form_of,
    substitute,
)

X, Y = AffineExpr.dimension(0), AffineExpr.dimension(1)
MILLION = 10**6


def _random(generator: random.Random, axes: int, depth: int) -> AffineExpr:
    if depth == 0 or generator.random() < 0.2:
        if generator.random() < 0.7:
            return AffineExpr.dimension(generator.randrange(axes))
        return AffineExpr.constant(generator.randrange(-4, 8))
    left = _random(generator, axes, depth - 1)
    match generator.randrange(6):
        case 0 | 1:
            return left + _random(generator, axes, depth - 1)
        case 2:
            return left * AffineExpr.constant(generator.randrange(-3, 5))
        case 3:
            return left // AffineExpr.constant(generator.randrange(1, 6))
        case 4:
            return left.ceil_div(AffineExpr.constant(generator.randrange(1, 6)))
        case _:
            return left % AffineExpr.constant(generator.randrange(1, 6))


def _domain(generator: random.Random) -> list[int]:
    return [generator.randrange(1, 6) for _ in range(generator.randrange(1, 4))]


@pytest.mark.parametrize("seed", range(4))
def test_a_form_has_the_value_of_its_expression(seed: int) -> None:
    generator = random.Random(seed)
    zeros = 0
    for _ in range(700):
        domain = _domain(generator)
        box = box_of(domain)
        expression = _random(generator, len(domain), 4)
        form = form_of(expression, box)
        points = list(product(*(range(extent) for extent in domain)))
        values = [expression.eval(point, []) for point in points]
        assert [form.evaluate(point) for point in points] == values
        low, high = form.interval(box)
        assert low <= min(values) and high >= max(values)
        found = find_nonzero(form, box)
        zeros += not any(values)
        if found is None:
            assert not any(values)
        else:
            assert found.certain and expression.eval(found.point, []) != 0
    assert zeros > 10


@pytest.mark.parametrize("seed", range(2))
def test_substitution_is_composition(seed: int) -> None:
    generator = random.Random(seed)
    for _ in range(500):
        inner, outer = _domain(generator), _domain(generator)
        expression = _random(generator, len(inner), 3)
        form = form_of(expression, box_of(inner))
        parts = [
            _random(generator, len(outer), 2) % AffineExpr.constant(extent) for extent in inner
        ]
        forms = [form_of(part, box_of(outer)) for part in parts]
        composed = substitute(form, forms, box_of(outer))
        for point in product(*(range(extent) for extent in outer)):
            at = [part.eval(point, []) for part in parts]
            assert composed.evaluate(point) == expression.eval(at, [])


ALIKE = {
    "i mod n": (X % MILLION, [MILLION]),
    "(i * 2) floordiv 2": ((X * 2) // 2, [MILLION]),
    "quotient and remainder": ((X // 4) * 4 + X % 4, [MILLION]),
    "laid flat and set up again": ((X * 10 + Y) // 10, [MILLION, 10]),
    "a ring turned forth and back": (((X + 1) % MILLION + MILLION - 1) % MILLION, [MILLION]),
    "nested quotients": (X + X // 6 - (X // 2) // 3, [MILLION]),
    "a remainder's remainder": (X + (X % 6) % 3 - X % 3, [MILLION]),
    "ceildiv": (X + (X + 2).ceil_div(AffineExpr.constant(3)) - (X + 4) // 3, [MILLION]),
    "common factors": (X + (X * 3 + Y) // 7 - (X * 6 + Y * 2 + 1) // 14, [MILLION, MILLION]),
    "a remainder that is small": (X + ((X % 4) * 3 + 2) // 12, [MILLION]),
}


def _difference(expression: AffineExpr, domain: list[int]) -> Nonzero | None:
    box = box_of(domain)
    return find_nonzero(combine([(form_of(expression, box), 1), (axis_form(0, box), -1)]), box)


@pytest.mark.parametrize("name", sorted(ALIKE))
def test_what_is_the_axis_is_seen_at_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one box, and with calls that are few beside the points of the domain."""
    expression, domain = ALIKE[name]
    monkeypatch.setattr("alpha.ir.index_forms.BOXES_MAX", 1)
    assert _difference(expression, domain) is None
    assert calls_of(lambda: _difference(expression, domain)) < 10_000 < MILLION


@pytest.mark.parametrize(
    ("expression", "domain"),
    [
        (X % (MILLION - 1), [MILLION]),
        (X + X // 500000 - X // 500001, [MILLION]),
        (X + (X * 7 // 3) - (X * 5 // 2) + X // 6, [MILLION]),
        (X + (X + Y) // (2 * MILLION - 2), [MILLION, MILLION]),
        (Y, [10**12, 10**12]),
    ],
)
def test_a_single_point_that_differs_is_found(expression: AffineExpr, domain: list[int]) -> None:
    found = _difference(expression, domain)
    assert found is not None and found.certain
    assert expression.eval(found.point, []) != found.point[0]


def test_an_undecided_search_is_not_certain(monkeypatch: pytest.MonkeyPatch) -> None:
    expression = X + X // 500003 - X // 500004
    monkeypatch.setattr("alpha.ir.index_forms.BOXES_MAX", 3)
    found = _difference(expression, [MILLION])
    assert found is not None and not found.certain


def test_the_size_of_a_form_is_bounded() -> None:
    total: AffineExpr = X
    for divisor in range(2, SIZE_MAX // 2):
        total = total + (X + divisor) // (divisor * 2 + 1)
    form_of(total, box_of([MILLION]))
    for divisor in range(SIZE_MAX, 2 * SIZE_MAX):
        total = total + (X + divisor) // (divisor * 2 + 1)
    with pytest.raises(FormTooLarge):
        form_of(total, box_of([MILLION]))


def test_a_sum_of_many_terms_needs_no_deep_recursion() -> None:
    total = X
    for _ in range(800):
        total = total + Y
    form = form_of(total, box_of([MILLION, MILLION]))
    assert form == Form(((0, 1), (1, 800)), 0)


def test_an_axis_of_one_value_is_that_value() -> None:
    assert axis_form(0, box_of([1])) == constant_form(0)
    assert axis_form(0, ((3, 3),)) == constant_form(3)
