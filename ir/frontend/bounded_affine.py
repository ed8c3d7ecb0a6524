"""xDSL's parser of affine expressions, with a bound on their size, depth and constants.

Invariant: an expression that was parsed has at most `TERMS_MAX` operands and signs, and constants
    that fit in 64 bits; so printing, hashing and comparing it needs bounded recursion.
Why: a chain `d0 + d0 + ...` nests without brackets, so the source guard can't see its depth, and
    xDSL folds products of constants without a bound.
Refuses: source-affine-limit.
Entry: `BoundedAffineParser`.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir.affine import AffineBinaryOpExpr, AffineConstantExpr, AffineExpr
from xdsl.parser import ParserState
from xdsl.parser.affine_parser import AffineParser
from xdsl.utils.mlir_lexer import MLIRTokenKind

from alpha.ir.refusals import Refusal

TERMS_MAX = 96
"""Most operands and signs in one map, set or index: each is a bracket in the generic form."""

CONSTANT_BITS_MAX = 63
"""Affine constants are 64-bit integers, as in MLIR."""


class BoundedAffineParser(AffineParser):
    """An affine parser that counts; it shares the position of the parser whose state it gets."""

    def __init__(self, state: ParserState[MLIRTokenKind]) -> None:
        super().__init__(state)
        self._terms = 0

    def _count(self) -> None:
        self._terms += 1
        if self._terms > TERMS_MAX:
            raise Refusal(
                "source-affine-limit", f"at most {TERMS_MAX} affine operands", f"{self._terms}"
            )

    def _parse_primary(self, parse_optional_bare_id: Callable[[], AffineExpr | None]) -> AffineExpr:
        self._count()
        return super()._parse_primary(parse_optional_bare_id)

    def _parse_affine_expr(
        self, parse_optional_bare_id: Callable[[], AffineExpr | None]
    ) -> AffineExpr:
        expression = super()._parse_affine_expr(parse_optional_bare_id)
        rest = [expression]
        while rest:
            node = rest.pop()
            if isinstance(node, AffineBinaryOpExpr):
                rest += (node.lhs, node.rhs)
            elif isinstance(node, AffineConstantExpr):
                bits = node.value.bit_length()
                if bits > CONSTANT_BITS_MAX:
                    raise Refusal(
                        "source-affine-limit",
                        f"affine constants of at most {CONSTANT_BITS_MAX} bits and a sign",
                        f"one of {bits} bits",
                    )
        return expression
