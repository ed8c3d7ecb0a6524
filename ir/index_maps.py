"""Affine index maps over a domain: their range, and the first coordinate that lies outside.

Invariant: an answer "inside" is exact; an answer "outside" comes with a point of the domain that
    shows it; what can't be decided is a ValueError and never either.
Refuses: pointwise-footprint.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
)

from alpha.ir.index_forms import FormTooLarge, box_of, find_nonzero, form_of, quotient

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


def magnitude(expression: AffineExpr, domain: Sequence[int]) -> int:
    """A bound of the expression and of every part of it, without signs, over the domain.

    Every extent of `domain` is at least 1. Raises ValueError as `index_range` does.
    """
    ranges = (index_range(part, domain) for part in expression.dfs())
    return max(max(-low, high) for low, high in ranges)


def evaluate(expression: AffineExpr, point: Sequence[int]) -> int:
    """The value of the expression at one point of its domain."""
    return expression.eval(point, [])


def first_outside(
    expressions: Sequence[AffineExpr], domain: Sequence[int], shape: Sequence[int]
) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """A point whose index lies outside `shape`, and that index; None if all lie inside.

    A domain without points has none outside, but its expressions are such as can be decided.
    Where intervals can't decide, the points of a domain of at most `POINTS_MAX` are tried in order,
    and a larger one is searched by normal forms: an index i lies outside [0, size) where
    floordiv(i, size) isn't zero.
    Raises ValueError as `index_range` does, and for an index that can't be decided so.
    """
    if 0 in domain:
        for expression in expressions:
            index_range(expression, [1] * len(domain))
        return None
    if prod(domain) <= POINTS_MAX:
        return _first_of_few(expressions, domain, shape)
    for expression, size in zip(expressions, shape, strict=True):
        low, high = index_range(expression, domain)
        if low >= 0 and high < size:
            continue
        point = _point_outside(expression, domain, size)
        if point is not None:
            return point, tuple(evaluate(each, point) for each in expressions)
    return None


def _first_of_few(
    expressions: Sequence[AffineExpr], domain: Sequence[int], shape: Sequence[int]
) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    ranges = [index_range(expression, domain) for expression in expressions]
    if all(low >= 0 and high < size for (low, high), size in zip(ranges, shape, strict=True)):
        return None
    for point in product(*(range(extent) for extent in domain)):
        index = tuple(evaluate(expression, point) for expression in expressions)
        if any(not 0 <= i < size for i, size in zip(index, shape, strict=True)):
            return point, index
    return None


def _point_outside(
    expression: AffineExpr, domain: Sequence[int], size: int
) -> tuple[int, ...] | None:
    if size == 0:
        return tuple(0 for _ in domain)
    box = box_of(domain)
    try:
        found = find_nonzero(quotient(form_of(expression, box), size, box), box)
    except FormTooLarge:
        raise ValueError(f"too many terms in {expression}") from None
    if found is None:
        return None
    if not found.certain:
        raise ValueError(f"an index that can't be shown to lie below {size}: {expression}")
    return found.point
