"""Reading and printing of floating-point literals and initial values, exact to the bit.

Invariant: what is printed parses back to the same bits; a literal in hexadecimal is the bits of
    the word, as in MLIR. A decimal literal is rounded to binary64 and then, for an f32 word, to
    binary32 (MLIR does the same).
Why: xDSL reads a hexadecimal literal of a dense attribute as an integer's value, which changes the
    word, and writes out every element of a splat, which costs what the tensor has words.
Refuses: source-syntax, region-domain.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import AbstractContextManager

from xdsl.dialects.builtin import BytesAttr, DenseIntOrFPElementsAttr, FloatAttr, TensorType
from xdsl.ir import Attribute
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.mlir_lexer import MLIRTokenKind

from alpha.ir.frontend.float_literals import float_text, float_value
from alpha.ir.refusals import Refusal
from alpha.ir.shapes import FloatType, element_name, element_of, shape_of, words_of
from alpha.ir.syntax import place_at

_PACK = {"f32": "<f", "f64": "<d"}


def float_bytes(value: float, element: Attribute) -> bytes:
    """The word of `value` in the element type, little-endian; rounds to nearest even."""
    return struct.pack(_PACK[element_name(element)], value)


def float_from_bytes(data: bytes, element: Attribute) -> float:
    """The value of one little-endian word."""
    return struct.unpack(_PACK[element_name(element)], data)[0]


def float_attr(value: float, element: FloatType) -> FloatAttr:
    """A float attribute whose value is already rounded to the element type."""
    return FloatAttr(float_from_bytes(float_bytes(value, element), element), element)


def parse_float(parser: AttrParser, element: FloatType) -> FloatAttr:
    """Read one literal: decimal with a point, or the word's bits in hexadecimal."""
    start = parser.pos
    negative = parser.parse_optional_punctuation("-") is not None
    token = parser._current_token  # pyright: ignore[reportPrivateUsage]
    bits = token.kind == MLIRTokenKind.INTEGER_LIT and token.text.startswith("0x") and not negative
    if token.kind != MLIRTokenKind.FLOAT_LIT and not bits:
        parser.raise_error("expected a float literal such as 1.0, or its bits such as 0x3FF0")
    parser._consume_token()  # pyright: ignore[reportPrivateUsage]
    text = f"-{token.text}" if negative else token.text
    try:
        value = float_value(text, element)
    except ValueError as error:
        parser.raise_error(f"expected {error}", start, start + len(text))
    return FloatAttr(value, element)


def _parse_nested(parser: AttrParser, element: FloatType) -> tuple[list[FloatAttr], list[int]]:
    """Read `1.0` or `[..., ...]`; returns the elements in row-major order, and the shape."""
    if parser.parse_optional_punctuation("[") is None:
        return [parse_float(parser, element)], []
    if parser.parse_optional_punctuation("]") is not None:
        return [], [0]
    values: list[FloatAttr] = []
    count = 0
    inner: list[int] | None = None
    while True:
        start = parser.pos
        row, shape = _parse_nested(parser, element)
        if inner is not None and shape != inner:
            wanted = f"a row of shape {inner}, as before it"
            raise Refusal("region-domain", wanted, str(shape), place_at(parser, start))
        inner = shape
        values.extend(row)
        count += 1
        if parser.parse_optional_punctuation(",") is None:
            break
    parser.parse_punctuation("]")
    return values, [count, *inner]


def parse_value(parser: AttrParser, type: Attribute) -> Attribute:
    """Read an initial value of a value type: a literal, or `dense<...>`.

    A splat is kept as one float attribute, whatever the size of the tensor.
    """
    element = element_of(type)
    if not isinstance(type, TensorType):
        return parse_float(parser, element)
    parser.parse_keyword("dense")
    parser.parse_punctuation("<")
    start = parser.pos
    if parser.parse_optional_punctuation(">") is not None:
        values, shape = [], [0]
    else:
        values, shape = _parse_nested(parser, element)
        parser.parse_punctuation(">")
    if not shape:
        return values[0]
    wanted = list(shape_of(type))
    if shape != wanted and not (not values and words_of(type) == 0):
        expected, found = f"a dense value of shape {wanted}", str(shape)
        raise Refusal("region-domain", expected, found, place_at(parser, start))
    return dense_value(type, b"".join(float_bytes(v.value.data, element) for v in values))


def dense_value(type: TensorType, data: bytes) -> Attribute:
    """The attribute of these little-endian words: a float attribute if all words are alike."""
    element = element_of(type)
    size = len(float_bytes(0.0, element))
    if data and data == data[:size] * (len(data) // size):
        return FloatAttr(float_from_bytes(data[:size], element), element)
    return DenseIntOrFPElementsAttr(TensorType(element, shape_of(type)), BytesAttr(data))


def print_float(printer: Printer, value: float, element: FloatType) -> None:
    """Print a literal that `parse_float` reads back to the same bits."""
    printer.print_string(float_text(value, element))


def print_value(printer: Printer, value: Attribute, type: Attribute) -> None:
    """Print an initial value as `parse_value` reads it."""
    element = element_of(type)
    if not isinstance(type, TensorType):
        assert isinstance(value, FloatAttr)
        print_float(printer, value.value.data, element)
        return
    if isinstance(value, DenseIntOrFPElementsAttr):
        # The generic form may say a splat in full.
        value = dense_value(type, value.data.data)
    if isinstance(value, FloatAttr):
        with _dense(printer):
            print_float(printer, value.value.data, element)
        return
    assert isinstance(value, DenseIntOrFPElementsAttr)
    size = len(float_bytes(0.0, element))
    data = value.data.data
    words = iter(float_from_bytes(data[i : i + size], element) for i in range(0, len(data), size))
    with _dense(printer):
        if data:
            _print_nested(printer, words, shape_of(type), element)


def _dense(printer: Printer) -> AbstractContextManager[None]:
    printer.print_string("dense")
    return printer.in_angle_brackets()


def _print_nested(
    printer: Printer, words: Iterator[float], shape: tuple[int, ...], element: FloatType
) -> None:
    if not shape:
        print_float(printer, next(words), element)
        return
    with printer.in_square_brackets():
        printer.print_list(
            range(shape[0]), lambda _: _print_nested(printer, words, shape[1:], element)
        )


def value_bytes(value: Attribute, type: Attribute) -> bytes:
    """All words of an inline value, row-major and little-endian."""
    if isinstance(value, FloatAttr):
        return float_bytes(value.value.data, element_of(type)) * words_of(type)
    assert isinstance(value, DenseIntOrFPElementsAttr)
    return value.data.data
