"""Index maps: inside or outside, against every point of small domains; exact in large ones."""

from __future__ import annotations

import random
from itertools import product

import pytest
from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineExpr

import alpha.ir.index_maps as index_maps
from alpha.ir.index_maps import evaluate, first_outside, magnitude


def random_expression(random_: random.Random, axes: int, depth: int) -> AffineExpr:
    """A sum, multiple, remainder or quotient of axes and small constants."""
    if depth == 0 or random_.random() < 0.25:
        if random_.random() < 0.3:
            return AffineExpr.constant(random_.randrange(-3, 6))
        return AffineExpr.dimension(random_.randrange(axes))
    inner = random_expression(random_, axes, depth - 1)
    match random_.randrange(5):
        case 0:
            return inner + random_expression(random_, axes, depth - 1)
        case 1:
            return inner * random_.choice((-2, -1, 2, 3))
        case 2:
            return inner % random_.randrange(1, 6)
        case 3:
            return inner // random_.randrange(1, 6)
        case _:
            return inner.ceil_div(random_.randrange(1, 6))


@pytest.mark.parametrize("large", [False, True], ids=["points", "forms"])
def test_random_maps_against_all_points(large: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the limit of points at 0 the search that large domains take decides small ones too."""
    if large:
        monkeypatch.setattr(index_maps, "POINTS_MAX", 0)
    random_ = random.Random(7)
    outside = undecided = 0
    for _ in range(3000):
        domain = tuple(random_.randrange(1, 6) for _ in range(random_.randrange(1, 3)))
        shape = (random_.randrange(0, 8), random_.randrange(1, 8))
        map_ = tuple(random_expression(random_, len(domain), 3) for _ in shape)
        wrong = [
            (point, index)
            for point in product(*(range(extent) for extent in domain))
            for index in [tuple(evaluate(part, point) for part in map_)]
            if any(not 0 <= i < size for i, size in zip(index, shape, strict=True))
        ]
        try:
            found = first_outside(map_, domain, shape)
        except ValueError:
            undecided += 1
            continue
        outside += found is not None
        assert (found is None) == (not wrong)
        assert found is None or found in wrong
        assert large or found is None or found == wrong[0]
    assert outside > 1000
    assert undecided < (30 if large else 1)


def test_a_large_domain_is_decided_exactly() -> None:
    axis = AffineExpr.dimension(0)
    parity = axis + (axis // 2) * -2
    assert first_outside((parity,), (10**12,), (2,)) is None
    assert first_outside((axis % 100_001,), (10**9,), (100_000,)) == ((100_000,), (100_000,))


def test_an_empty_domain_reads_nothing() -> None:
    assert first_outside((AffineExpr.dimension(0) + 5,), (0,), (1,)) is None


def test_magnitude_bounds_every_part_at_every_point() -> None:
    random_ = random.Random(11)
    for _ in range(1000):
        domain = tuple(random_.randrange(1, 5) for _ in range(2))
        expression = random_expression(random_, 2, 4)
        bound = magnitude(expression, domain)
        for point in product(*(range(extent) for extent in domain)):
            assert all(abs(evaluate(part, point)) <= bound for part in expression.dfs())


def test_magnitude_of_a_part_that_cancels() -> None:
    i = AffineExpr.dimension(0)
    assert magnitude((i * (2**63 - 1)) % 3, (4,)) == 3 * (2**63 - 1)


def test_an_empty_domain_has_no_products_either() -> None:
    i, j = AffineExpr.dimension(0), AffineExpr.dimension(1)
    product_ = AffineBinaryOpExpr(AffineBinaryOpKind.Mul, i, j)
    assert first_outside((i + 7,), (0, 3), (1,)) is None
    with pytest.raises(ValueError, match="product or quotient of axes"):
        first_outside((product_,), (0, 3), (1,))
