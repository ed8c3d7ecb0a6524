"""A parser with bounds on what a short text may stand for.

Invariant: the work and the memory of parsing, printing, hashing and comparing what was parsed are
    bounded by the text's length and the limits named here.
Why: a few letters can name a tensor of 2^40 elements that xDSL writes out, an integer of 2^40 bits,
    aliases that double thirty times, or affine expressions that nest without brackets.
Refuses: source-integer-limit, source-tensor-limit, source-alias-limit, source-affine-limit,
    source-syntax.
Entry: `BoundedParser`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from xdsl.context import Context
from xdsl.dialects.builtin import (
    AnyDenseElement,
    AnyFloat,
    ComplexType,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    IndexType,
    IntegerType,
    RankedStructure,
)
from xdsl.ir import Attribute, TypeAttribute
from xdsl.ir.affine import AffineMap, AffineSet
from xdsl.utils.mlir_lexer import MLIRTokenKind

from alpha.ir.frontend.bounded_affine import BoundedAffineParser
from alpha.ir.frontend.foreign_errors import describe_token
from alpha.ir.frontend.literal_parser import LiteralParser
from alpha.ir.frontend.source_guard import NESTING_MAX, nesting_of

INTEGER_BITS_MAX = 1024
"""Widest integer type: xDSL computes 2 to this power. No operation here needs more than 64."""

TENSOR_ELEMENTS_MAX = 1 << 16
"""Most elements of one `dense` attribute: xDSL writes out splats, at some 2 microseconds each."""

TENSOR_ELEMENTS_ALL_MAX = 1 << 17
"""Most elements of all `dense` attributes in a text; an alias counts each time it is used."""

ALIAS_LETTERS_MAX = 1 << 17
"""Most letters that the uses of aliases in one text may stand for."""


class _Alias(NamedTuple):
    """What a use of an alias stands for."""

    letters: int
    depth: int
    elements: int


class BoundedParser(LiteralParser):
    """Refuses what a text would blow up to."""

    def __init__(self, ctx: Context, text: str, file: str, first_line: int = 1) -> None:
        super().__init__(ctx, text, file, first_line)
        self._elements = 0
        self._aliases: dict[str, _Alias] = {}
        self._alias_letters = self._alias_depth = 0

    def _parse_optional_integer_or_float_type(self) -> TypeAttribute | None:
        token = self._current_token
        if token.kind is MLIRTokenKind.BARE_IDENT:
            match = self._builtin_integer_type_regex.match(token.text)
            if match is not None and int(match.group(1)) > INTEGER_BITS_MAX:
                self.refuse(
                    "source-integer-limit",
                    f"an integer type of at most {INTEGER_BITS_MAX:,} bits",
                    describe_token(token.text),
                )
        return super()._parse_optional_integer_or_float_type()

    def parse_dense_int_or_fp_elements_attr(
        self, type: RankedStructure[AnyDenseElement] | None
    ) -> DenseIntOrFPElementsAttr:
        """Parse what stands behind `dense`, within the bounds on its elements."""
        if type is not None:
            self._count_elements(type.get_shape())
        return super().parse_dense_int_or_fp_elements_attr(type)

    def _parse_dense_literal_type(
        self,
    ) -> RankedStructure[IntegerType | IndexType | AnyFloat | ComplexType]:
        position = self.pos
        type = super()._parse_dense_literal_type()
        self._count_elements(type.get_shape(), position)
        return type

    def _count_elements(self, shape: Sequence[int], position: int | None = None) -> None:
        elements = math.prod(shape)
        if elements > TENSOR_ELEMENTS_MAX:
            expected = f"a dense attribute of at most {TENSOR_ELEMENTS_MAX:,} elements"
            self.refuse("source-tensor-limit", expected, f"{elements:,}", position)
        self._spend_elements(elements, position)

    def _spend_elements(self, elements: int, position: int | None = None) -> None:
        self._elements += elements
        if self._elements > TENSOR_ELEMENTS_ALL_MAX:
            expected = f"dense attributes of at most {TENSOR_ELEMENTS_ALL_MAX:,} elements in all"
            self.refuse("source-tensor-limit", expected, f"{self._elements:,}", position)

    def _parse_alias_def(self) -> None:
        position = self.pos
        name = self._current_token.text
        letters, elements = self._alias_letters, self._elements
        self._alias_depth = 0
        super()._parse_alias_def()
        text = self.text[position : self.pos]
        depth = nesting_of(text) + self._alias_depth
        if depth > NESTING_MAX:
            expected = f"aliases that stand for brackets nested at most {NESTING_MAX} deep"
            self.refuse("source-alias-limit", expected, f"depth {depth}", position)
        letters = len(text) + self._alias_letters - letters
        self._aliases[name] = _Alias(letters, depth, self._elements - elements)

    def _parse_extended_type_or_attribute(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, attr_or_dialect_name: str, is_type: bool
    ) -> Attribute:
        alias = self._aliases.get(("!" if is_type else "#") + attr_or_dialect_name)
        if alias is not None and self._current_token.kind is not MLIRTokenKind.LESS:
            self._alias_letters += alias.letters
            self._alias_depth = max(self._alias_depth, alias.depth)
            if self._alias_letters > ALIAS_LETTERS_MAX:
                expected = f"aliases that stand for at most {ALIAS_LETTERS_MAX:,} letters in all"
                self.refuse("source-alias-limit", expected, f"{self._alias_letters:,}")
            self._spend_elements(alias.elements)
        return super()._parse_extended_type_or_attribute(attr_or_dialect_name, is_type)

    def parse_affine_map(self) -> AffineMap:
        """Parse an affine map within the bounds on its size."""
        return BoundedAffineParser(self._parser_state).parse_affine_map()

    def parse_affine_set(self) -> AffineSet:
        """Parse an affine set within the bounds on its size."""
        return BoundedAffineParser(self._parser_state).parse_affine_set()

    def _parse_file_metadata_dictionary(self) -> None:
        self.refuse("source-syntax", "IR without file metadata", "'{-#'")

    def _parse_builtin_dense_resource_attr(self) -> DenseResourceAttr:
        self.refuse("source-syntax", "data in the IR or in .npy files", "a dense_resource")
