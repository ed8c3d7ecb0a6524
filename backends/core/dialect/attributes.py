"""What machine operations carry beside values: types of registers, operands, places of a frame.

Invariant: each class stands once for each machine dialect, made by `attributes_of`.
Entry: `MachineAttributes`, `attributes_of`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from xdsl.ir import Attribute, Data, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from alpha.backends.core.dialect.text import parse_extra, print_extra
from alpha.backends.core.program import Extra


class RegisterTypeBase(Data[str], TypeAttribute):
    """The type of a value in a register: the name of its view, `!x64.reg<r64>`."""

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> str:
        with parser.in_angle_brackets():
            return parser.parse_identifier()

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.data)


class ExtrasBase(Data[tuple[Extra, ...]]):
    """The operands that are no registers: immediates, symbols, conditions, shapes of addresses."""

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> tuple[Extra, ...]:
        return tuple(
            parser.parse_comma_separated_list(
                parser.Delimiter.ANGLE, lambda: parse_extra(parser, None)
            )
        )

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_list(self.data, lambda extra: print_extra(printer, extra, None))


class NumbersBase(Data[tuple[int, ...]]):
    """Numbers of registers, one for each operand or result; -1 where any will do."""

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> tuple[int, ...]:
        return tuple(
            parser.parse_comma_separated_list(parser.Delimiter.ANGLE, parser.parse_integer)
        )

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_list(self.data, lambda number: printer.print_string(str(number)))


@dataclass(frozen=True)
class MachineAttributes:
    """The attribute classes of one machine dialect."""

    register: type[RegisterTypeBase]
    extras: type[ExtrasBase]
    numbers: type[NumbersBase]

    def all(self) -> list[type[Attribute]]:
        """Every class, to be registered."""
        return [self.register, self.extras, self.numbers]


def attributes_of(dialect: str) -> MachineAttributes:
    """The classes of the attributes of this dialect."""

    def named(base: type[Any], name: str) -> type[Any]:
        made = type(base.__name__.removesuffix("Base"), (base,), {"name": f"{dialect}.{name}"})
        return irdl_attr_definition(made)  # pyright: ignore[reportArgumentType]

    return MachineAttributes(
        named(RegisterTypeBase, "reg"), named(ExtrasBase, "extras"), named(NumbersBase, "numbers")
    )
