"""Pieces of custom syntax that several dialects share.

Invariant: what one of the print functions writes, the parse function beside it reads back.
Refuses: source-value-undefined, source-structure, and what selections and contracts refuse.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
)
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer

from alpha.ir.contracts import Left, Tree
from alpha.ir.frontend.bounded_affine import BoundedAffineParser
from alpha.ir.frontend.located_parser import LocatedParser
from alpha.ir.refusals import Place, Refusal
from alpha.ir.runs import Runs
from alpha.ir.selections import Empty, Join, Repeat, Selection, Stride

Parsed = TypeVar("Parsed")

AXES = ("i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s", "t", "u", "v", "w", "x", "y", "z")


def place_at(parser: AttrParser, position: int) -> Place | None:
    """The place of a position of the text, if the parser knows places."""
    return parser.place_at(position) if isinstance(parser, LocatedParser) else None


def parse_keyed(parser: AttrParser, key: str, parse: Callable[[AttrParser], Parsed]) -> Parsed:
    """Read `key = ...`."""
    parser.parse_keyword(key)
    parser.parse_punctuation("=")
    return parse(parser)


def parse_count(parser: AttrParser) -> int:
    """Read a decimal integer that isn't negative."""
    return parser.parse_integer(allow_boolean=False, allow_negative=False)


def parse_counts(parser: AttrParser) -> Runs:
    """Read `[1, 2, 3, 0]` or `[repeat(6, 1), repeat(199994, 0)]`, where 6 numbers are 1."""

    def parse_run() -> tuple[int, int]:
        if parser.parse_optional_keyword("repeat") is None:
            return 1, parse_count(parser)
        with parser.in_parens():
            start = parser.pos
            count = parse_count(parser)
            if not count:
                parser.raise_error("expected a run of at least 1 number", start, parser.pos)
            parser.parse_punctuation(",")
            return count, parse_count(parser)

    return Runs(tuple(parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parse_run)))


def parse_hexadecimal(parser: AttrParser) -> bytes:
    """Read `"6c73"`: bytes, as two hexadecimal digits each."""
    start = parser.pos
    text = parser.parse_str_literal(" of hexadecimal digits")
    if re.fullmatch("(?:[0-9a-fA-F]{2})*", text) is None:
        parser.raise_error("expected two hexadecimal digits for each byte", start, parser.pos)
    return bytes.fromhex(text)


def parse_bracketed_count(parser: AttrParser) -> int:
    """Read `<8>`."""
    with parser.in_angle_brackets():
        return parse_count(parser)


def parse_combine(parser: AttrParser) -> Left | Tree:
    """Read `left` or `tree<F>`: how the sums of the groups are combined."""
    word = parser.parse_keyword_in(("left", "tree", "exact"))
    if word == "exact":
        raise Refusal("target-unsupported", "left or tree<F> as the combine", "exact")
    if word == "left":
        return Left()
    return Tree(parse_bracketed_count(parser))


def parse_selection(parser: AttrParser) -> Selection:
    """Read `stride(0, 1, 4)`, `repeat(2, 20, ...)`, `join(..., ...)` or `empty`.

    The depth is bounded by the nesting limit of the source guard.
    """
    form = parser.parse_keyword_in(("stride", "repeat", "join", "empty"))
    if form == "empty":
        return Empty()
    if form == "join":
        parts = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, lambda: parse_selection(parser)
        )
        return Join(tuple(parts))
    with parser.in_parens():
        first = parse_count(parser)
        parser.parse_punctuation(",")
        second = parse_count(parser)
        parser.parse_punctuation(",")
        if form == "repeat":
            return Repeat(first, second, parse_selection(parser))
        return Stride(first, second, parse_count(parser))


def parse_attributes(parser: Parser) -> dict[str, Attribute]:
    """Read `attributes {...}`, if present."""
    attributes = parser.parse_optional_attr_dict_with_keyword()
    return {} if attributes is None else dict(attributes.data)


def parse_block(parser: Parser) -> Region:
    """Read a region of one block; one without any operation is an empty block."""
    region = parser.parse_region()
    return region if region.blocks else Region(Block())


def parse_isolated(parser: Parser, arguments: Sequence[Parser.Argument] = ()) -> Region:
    """Read a region of one block that sees no value from outside, so its names are its own."""
    outside = parser.ssa_values
    parser.ssa_values = {}
    region = parser.parse_region(arguments) if arguments else parse_block(parser)
    parser.ssa_values = outside
    return region


def require_some(parts: Sequence[object], what: str, at: Operation) -> None:
    """Refuse an operation that has none of what its own syntax lists at least one of.

    Raises:
        Refusal: `source-structure`.
    """
    if not parts:
        raise Refusal("source-structure", f"at least one {what} in '{at.name}'", "none", at)


def print_quoted(printer: Printer, text: str) -> None:
    """Print a string literal."""
    printer.print_string_literal(text)


def parse_defined_operand(parser: Parser) -> SSAValue:
    """Read the use of a value that is already defined; its type is the definition's.

    The region and pointwise dialects have no loops, so a use before its definition is never legal.

    Raises:
        Refusal: `source-value-undefined`.
    """
    start = parser.pos
    operand = parser.parse_unresolved_operand()
    values = parser.ssa_values.get(operand.operand_name)
    if values is None or operand.index >= len(values):
        wanted, found = "a value that is defined before its use", f"'{operand.span.text}'"
        raise Refusal("source-value-undefined", wanted, found, place_at(parser, start))
    return values[operand.index]


def parse_defined_operands(
    parser: Parser, delimiter: AttrParser.Delimiter = AttrParser.Delimiter.PAREN
) -> list[SSAValue]:
    """Read `(%a, %b)`."""
    return parser.parse_comma_separated_list(delimiter, lambda: parse_defined_operand(parser))


def print_operands(printer: Printer, operands: Sequence[SSAValue]) -> None:
    """Print `(%a, %b)`."""
    with printer.in_parens():
        printer.print_list(operands, printer.print_ssa_value)


def parse_index(parser: Parser, axes: Sequence[str]) -> tuple[AffineExpr, ...]:
    """Read `[i, j + 1]`: one affine expression of the named axes per axis of the operand.

    Raises:
        Refusal: `pointwise-domain` for the name of no axis, `pointwise-footprint` if an expression
            isn't affine.
    """
    affine = BoundedAffineParser(parser._parser_state)  # pyright: ignore[reportPrivateUsage]

    def parse_axis() -> AffineExpr | None:
        place = place_at(parser, parser.pos)
        name = parser.parse_optional_identifier()
        if name is not None and name not in axes:
            wanted = f"one of the axes {', '.join(axes)}" if axes else "no axis in an index"
            raise Refusal("pointwise-domain", wanted, f"'{name}'", place)
        return None if name is None else AffineExpr.dimension(axes.index(name))

    def parse_one() -> AffineExpr:
        place = place_at(parser, parser.pos)
        try:
            return affine._parse_affine_expr(parse_axis)  # pyright: ignore[reportPrivateUsage]
        except NotImplementedError:
            wanted = "sums of axes times constants, mod and floordiv as an index"
            raise Refusal(
                "pointwise-footprint", wanted, "a product or quotient of axes", place
            ) from None
        except ZeroDivisionError:
            wanted = "a positive constant as divisor in an index"
            raise Refusal("pointwise-footprint", wanted, "0", place) from None

    return tuple(parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parse_one))


_PRECEDENCE = {
    AffineBinaryOpKind.Add: 1,
    AffineBinaryOpKind.Mul: 2,
    AffineBinaryOpKind.Mod: 2,
    AffineBinaryOpKind.FloorDiv: 2,
    AffineBinaryOpKind.CeilDiv: 2,
}


def index_text(expression: AffineExpr, outer: int = 0) -> str:
    """An affine expression over the axes i, j, k, ..., with the fewest parentheses."""
    match expression:
        case AffineConstantExpr():
            return str(expression.value)
        case AffineDimExpr():
            return axis_name(expression.position)
        case AffineBinaryOpExpr():
            own = _PRECEDENCE[expression.kind]
            left = index_text(expression.lhs, own)
            right = index_text(expression.rhs, own + 1)
            text = f"{left} {expression.kind.get_token()} {right}"
            return f"({text})" if own < outer else text
        case _:
            raise ValueError(f"an index has no symbols: {expression}")


def indices_of(count: int) -> str:
    """A number of indices, for messages."""
    return "1 index" if count == 1 else f"{count or 'no'} indices"


def axis_name(position: int) -> str:
    """The name of an axis: i, j, k, ..., then a0, a1, ..."""
    return AXES[position] if position < len(AXES) else f"a{position - len(AXES)}"
