"""A parser of attributes whose float literals are exact to the bit.

Invariant: a float literal has the value that `float_literals` gives it, in an attribute of its
    own, in a dense attribute, in a complex number and in an array.
Refuses: source-syntax.
Entry: `LiteralParser`.
"""

from __future__ import annotations

from xdsl.dialects.builtin import (
    AnyDenseElement,
    AnyFloat,
    ComplexType,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    RankedStructure,
)
from xdsl.parser import AttrParser
from xdsl.utils.hints import isa
from xdsl.utils.lexer import Span

from alpha.ir.frontend.float_literals import float_value, require_kept_bits
from alpha.ir.frontend.foreign_errors import describe_token
from alpha.ir.frontend.placed_parser import PlacedParser


class LiteralElement(AttrParser._TensorLiteralElement):  # pyright: ignore[reportPrivateUsage]
    """One element of a dense attribute; a complex one has the spans of its two parts."""

    parts: tuple[Span, Span] | None = None

    def to_type(
        self, parser: AttrParser, type: AnyFloat | IntegerType | IndexType | ComplexType
    ) -> float | int | tuple[float, float] | tuple[int, int]:
        """The value of the element in a type."""
        assert isinstance(parser, LiteralParser)
        if isinstance(type, AnyFloat):
            if isinstance(self.value, tuple | bool):
                parser.refuse("source-syntax", "a float", self.span.text, self.span.start)
            return parser.float_of(self.span, type)
        if isinstance(type, ComplexType):
            if self.parts is None:
                parser.refuse("source-syntax", "a complex number", self.span.text, self.span.start)
            if isinstance(type.element_type, AnyFloat):
                real, imaginary = (parser.float_of(part, type.element_type) for part in self.parts)
                return real, imaginary
            if not isinstance(self.value, tuple) or isinstance(self.value[0], float):
                parser.refuse("source-syntax", "two integers", self.span.text, self.span.start)
        elif self.parts is not None:
            parser.refuse("source-syntax", f"a literal of {type}", self.span.text, self.span.start)
        return super().to_type(parser, type)


class LiteralParser(PlacedParser):
    """Reads float literals exactly."""

    _TensorLiteralElement = LiteralElement

    def float_of(self, span: Span, type: AnyFloat) -> float:
        """The value of a literal in a type.

        Raises Refusal at the literal if the type has no value for it.
        """
        text = "".join(span.text.split())
        try:
            return float_value(text, type)
        except ValueError as error:
            self.refuse("source-syntax", str(error), describe_token(text), span.start)

    def parse_optional_builtin_int_or_float_attr(self) -> IntegerAttr | FloatAttr | None:
        """Parse a number with its type, if present."""
        start = self.pos
        attribute = super().parse_optional_builtin_int_or_float_attr()
        if isinstance(attribute, FloatAttr):
            literal = self.text[start : self.pos].partition(":")[0].rstrip()
            span = Span(start, start + len(literal), self.lexer.input)
            return FloatAttr(self.float_of(span, attribute.type), attribute.type)
        return attribute

    def _parse_tensor_literal_element(self) -> LiteralElement:
        start = self.pos
        if self.parse_optional_punctuation("(") is None:
            value, span = self._parse_bool_int_or_float()
            return LiteralElement(value < 0, value, span)
        real, first = self._parse_bool_int_or_float()
        self.parse_punctuation(",")
        imaginary, second = self._parse_bool_int_or_float()
        end = self.pos + 1
        self.parse_punctuation(")")
        # Of the values only integers are looked at, and then both must be integers.
        whole = isinstance(real, int) and isinstance(imaginary, int)
        value = (real, imaginary) if whole else (0.0, 0.0)
        element = LiteralElement(False, value, Span(start, end, self.lexer.input))
        element.parts = (first, second)
        return element

    def parse_dense_int_or_fp_elements_attr(
        self, type: RankedStructure[AnyDenseElement] | None
    ) -> DenseIntOrFPElementsAttr:
        start = self.pos
        attribute = super().parse_dense_int_or_fp_elements_attr(type)
        element = attribute.type.element_type
        word = element.element_type if isinstance(element, ComplexType) else element
        if isinstance(word, AnyFloat):
            # The bytes of a text in quotes become words without having been values.
            try:
                require_kept_bits(attribute.data.data, word)
            except ValueError as error:
                self.refuse("source-syntax", str(error), "one in a dense attribute", start)
        return attribute

    def _parse_builtin_densearray_attr(self) -> DenseArrayBase:
        self.parse_characters("<", " in dense array")
        start = self.pos
        type = self.parse_attribute()
        if not isa(type, IntegerType | AnyFloat):
            self.raise_error("Expected an integer or float type", start, self.pos)
        values: list[int | float] = []
        if self.parse_optional_punctuation(":") is not None:
            values = self.parse_comma_separated_list(
                self.Delimiter.NONE, lambda: self._parse_array_element(type)
            )
        self.parse_characters(">", " in dense array")
        return DenseArrayBase.from_list(type, values)  # pyright: ignore[reportArgumentType, reportCallIssue]

    def _parse_array_element(self, type: IntegerType | AnyFloat) -> int | float:
        if isinstance(type, IntegerType):
            return self._parse_typed_integer(type, allow_boolean=True)
        value, span = self._parse_bool_int_or_float()
        if isinstance(value, bool):
            self.refuse("source-syntax", "a float", span.text, span.start)
        return self.float_of(span, type)
