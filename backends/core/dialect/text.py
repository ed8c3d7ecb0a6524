"""Text of operands that are no registers: immediates, symbols, conditions and addresses.

An address reads `[%base + %index * 8 + 16]`; `slot 2`, `out`, `in` or a symbol may stand among its
parts. Where registers are written elsewhere, `_` stands for each.

Invariant: what `print_extra` writes, `parse_extra` reads back.
Entry: `print_extra`, `parse_extra`.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.parser import AttrParser
from xdsl.printer import Printer

from alpha.backends.core.program import Address, Extra

ReadRegister = Callable[[], None]
WriteRegister = Callable[[], None]

_AREAS = ("slot", "out", "in")


def print_extra(printer: Printer, extra: Extra, register: WriteRegister | None) -> None:
    """Write an operand; `register` writes the next register of an address."""
    match extra:
        case int():
            printer.print_string(str(extra))
        case str():
            printer.print_string_literal(extra)
        case _:
            with printer.in_square_brackets():
                _print_address(printer, extra, register)


def _print_address(printer: Printer, address: Address, register: WriteRegister | None) -> None:
    parts: list[Callable[[], None]] = []

    def write_register() -> None:
        if register is None:
            printer.print_string("_")
        else:
            register()

    def write_index() -> None:
        write_register()
        printer.print_string(f" * {address.scale}")

    if address.area == "symbol":
        parts.append(lambda: printer.print_string_literal(address.symbol))
    elif address.area:
        number = f" {address.number}" if address.area == "slot" else ""
        parts.append(lambda: printer.print_string(address.area + number))
    if address.based:
        parts.append(write_register)
    if address.indexed:
        parts.append(write_index)
    if address.offset or not parts:
        parts.append(lambda: printer.print_string(str(address.offset)))
    for position, part in enumerate(parts):
        if position:
            printer.print_string(" + ")
        part()


def parse_extra(parser: AttrParser, register: ReadRegister | None) -> Extra:
    """Read an operand; `register` reads the next register of an address."""
    if (text := parser.parse_optional_str_literal()) is not None:
        return text
    if parser.parse_optional_punctuation("[") is not None:
        return _parse_address(parser, register)
    return parser.parse_integer(allow_boolean=False)


def _parse_address(parser: AttrParser, register: ReadRegister | None) -> Address:
    """Each part stands once, and the base before the index, as their registers do."""
    based = indexed = False
    scale, number = 1, 0
    offset: int | None = None
    area = symbol = ""
    while True:
        again = False
        if (text := parser.parse_optional_str_literal()) is not None:
            again, area, symbol = area != "", "symbol", text
        elif (integer := parser.parse_optional_integer(allow_boolean=False)) is not None:
            again, offset = offset is not None, integer
        elif (word := parser.parse_optional_keyword_in(_AREAS)) is not None:
            again, area = area != "", word
            number = parser.parse_integer(allow_boolean=False) if word == "slot" else 0
        else:
            _parse_register(parser, register)
            if parser.parse_optional_punctuation("*") is not None:
                again, indexed = indexed, True
                scale = parser.parse_integer(allow_boolean=False, allow_negative=False)
            else:
                again, based = based or indexed, True
        if again:
            parser.raise_error("expected each part of an address once, the base before the index")
        if parser.parse_optional_punctuation("+") is None:
            break
    parser.parse_punctuation("]")
    return Address(based, indexed, scale, offset or 0, area, number, symbol)


def _parse_register(parser: AttrParser, register: ReadRegister | None) -> None:
    if register is None:
        parser.parse_keyword("_")
    else:
        register()
