"""Affine index maps over a domain: their range, and the first coordinate that lies outside.

Invariant: an answer "inside" is exact or on the safe side; an answer "outside" always comes with a
    point of the domain that shows it, so that no legal map is refused.
Refuses: pointwise-footprint.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product
from math import prod

from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
)

POINTS_MAX = 1 << 16


def index_range(expression: AffineExpr, domain: Sequence[int]) -> tuple[int, int]:
    """The least interval, by interval arithmetic, that holds the expression over the domain.

    Every extent of `domain` is at least 1. Raises ValueError if the expression has a symbol, a
    product of axes, or a division by what isn't a positive constant.
    """
    match expression:
        case AffineConstantExpr():
            return expression.value, expression.value
        case AffineDimExpr():
            if expression.position >= len(domain):
                raise ValueError(f"axis {expression.position} of {len(domain)}")
            return 0, domain[expression.position] - 1
        case AffineBinaryOpExpr():
            return _binary_range(expression, domain)
        case _:
            raise ValueError(f"symbol in {expression}")


def _binary_range(expression: AffineBinaryOpExpr, domain: Sequence[int]) -> tuple[int, int]:
    low, high = index_range(expression.lhs, domain)
    other_low, other_high = index_range(expression.rhs, domain)
    if expression.kind == AffineBinaryOpKind.Add:
        return low + other_low, high + other_high
    if not isinstance(expression.rhs, AffineConstantExpr):
        raise ValueError(f"product or quotient of axes in {expression}")
    factor = expression.rhs.value
    if expression.kind == AffineBinaryOpKind.Mul:
        ends = (low * factor, high * factor)
        return min(ends), max(ends)
    if factor <= 0:
        raise ValueError(f"division by {factor} in {expression}")
    if expression.kind == AffineBinaryOpKind.FloorDiv:
        return low // factor, high // factor
    if expression.kind == AffineBinaryOpKind.CeilDiv:
        return -(-low // factor), -(-high // factor)
    if low // factor == high // factor:
        return low % factor, high % factor
    return 0, factor - 1


def evaluate(expression: AffineExpr, point: Sequence[int]) -> int:
    """The value of the expression at one point of its domain."""
    return expression.eval(point, [])


def points(domain: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Points of the domain: all of them if there are few, else its corners and its beginning."""
    if prod(domain) <= POINTS_MAX:
        return product(*(range(extent) for extent in domain))
    corners = product(*({0, 1, extent - 1} if extent > 1 else {0} for extent in domain))
    first = product(*(range(min(extent, 64)) for extent in domain))
    return iter((*islice(corners, POINTS_MAX), *islice(first, POINTS_MAX)))


def first_outside(
    expressions: Sequence[AffineExpr], domain: Sequence[int], shape: Sequence[int]
) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """The first point whose index lies outside `shape`, and that index; None if all lie inside.

    Where intervals alone can't decide, the points of a domain of at most `POINTS_MAX` are tried
    one by one; in a larger one the interval decides, and the witness may be a corner.
    Raises ValueError as `index_range` does.
    """
    if 0 in domain:
        return None
    ranges = [index_range(expression, domain) for expression in expressions]
    if all(low >= 0 and high < size for (low, high), size in zip(ranges, shape, strict=True)):
        return None
    for point in points(domain):
        index = tuple(evaluate(expression, point) for expression in expressions)
        if any(not 0 <= i < size for i, size in zip(index, shape, strict=True)):
            return point, index
    if prod(domain) <= POINTS_MAX:
        return None
    return tuple(extent - 1 for extent in domain), tuple(high for _, high in ranges)
