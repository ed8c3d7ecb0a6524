"""The operations of a machine module that are no instructions: its functions and its data.

    x64.func @sum in (7, 6) slots [64 : 16] out 0 {
    ^bb0(%0 : !x64.reg<r64>, %1 : !x64.reg<r64>):
      ...
    }
    x64.data private @table align 8 "0102"
    x64.data @buffer align 64 zero 4096

`in` lists the registers of the parameters, by number, `slots` the parts of the frame with their
alignment, `out` the bytes that are passed on the stack at most.

Refuses: source-structure; target-unsupported (a name that no assembler takes).
Entry: `FuncOpBase`, `DataOpBase`, `function_operations`.
"""

from __future__ import annotations

from typing import ClassVar, TypeVar

from xdsl.dialects.builtin import IntegerAttr, StringAttr, UnitAttr, i64
from xdsl.ir import Attribute, Block, Operation, Region
from xdsl.irdl import traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove, SymbolOpInterface

from alpha.backends.core.dialect.attributes import MachineAttributes
from alpha.backends.core.dialect.family import Family
from alpha.backends.core.dialect.verifying_functions import check_data, check_function
from alpha.backends.core.program import Slice
from alpha.backends.core.target import Target
from alpha.ir.syntax import parse_hexadecimal

Made = TypeVar("Made", bound=Operation)


class NamedOp(Operation):
    """What a function and data share: a name, and whether other files may use it."""

    attributes_of_dialect: ClassVar[MachineAttributes]
    family: ClassVar[Family]

    @property
    def symbol(self) -> str:
        """The name."""
        held = self.properties["sym_name"]
        assert isinstance(held, StringAttr)
        return held.data

    @property
    def exported(self) -> bool:
        """Whether other files may use it."""
        return "private" not in self.properties

    def _print_name(self, printer: Printer) -> None:
        printer.print_string(" " if self.exported else " private ")
        printer.print_symbol_name(self.symbol)

    @staticmethod
    def _parse_name(parser: Parser) -> dict[str, Attribute]:
        private = parser.parse_optional_keyword("private") is not None
        found: dict[str, Attribute] = {"sym_name": parser.parse_symbol_name()}
        if private:
            found["private"] = UnitAttr()
        return found


class FuncOpBase(NamedOp):
    """A function of machine instructions, before allocation or after it."""

    traits = traits_def(IsolatedFromAbove(), SymbolOpInterface())

    @property
    def body(self) -> Region:
        """The blocks of the function."""
        return self.regions[0]

    @property
    def placed(self) -> bool:
        """Whether its instructions name registers, and no values."""
        first = self.body.blocks.first
        op = None if first is None else first.first_op
        return op is not None and "written" in op.properties

    def numbers(self, name: str) -> tuple[int, ...]:
        """A property that lists numbers: `arrivals`, `slots`, `out`."""
        return self.properties[name].data  # pyright: ignore

    @property
    def arrivals(self) -> tuple[int, ...]:
        """The numbers of the registers that the parameters come in."""
        return self.numbers("arrivals")

    @property
    def slots(self) -> list[Slice]:
        """The parts of the frame."""
        flat = self.numbers("slots")
        return [Slice(*pair) for pair in zip(flat[::2], flat[1::2], strict=True)]

    @property
    def bytes_out(self) -> int:
        """The bytes that are passed on the stack at most."""
        return self.numbers("out")[0]

    @property
    def target(self) -> Target:
        """The target with the features that the function asks for."""
        return self.family.target_of(self)

    def verify_(self) -> None:
        check_function(self)

    def print(self, printer: Printer) -> None:
        self._print_name(printer)
        printer.print_string(" in (")
        printer.print_list(self.arrivals, lambda each: printer.print_string(str(each)))
        printer.print_string(") slots ")
        with printer.in_square_brackets():
            printer.print_list(
                self.slots, lambda each: printer.print_string(f"{each.bytes} : {each.alignment}")
            )
        printer.print_string(f" out {self.bytes_out}")
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body)

    @classmethod
    def parse(cls, parser: Parser) -> FuncOpBase:
        properties = cls._parse_name(parser)
        numbers = cls.attributes_of_dialect.numbers
        parser.parse_keyword("in")
        arrivals = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_integer)
        parser.parse_keyword("slots")
        slots: list[int] = []

        def parse_slice() -> None:
            slots.append(parser.parse_integer(allow_negative=False))
            parser.parse_punctuation(":")
            slots.append(parser.parse_integer(allow_negative=False))

        parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parse_slice)
        parser.parse_keyword("out")
        out = parser.parse_integer(allow_negative=False)
        attributes = parser.parse_optional_attr_dict_with_keyword()
        properties |= {
            "arrivals": numbers(tuple(arrivals)),
            "slots": numbers(tuple(slots)),
            "out": numbers((out,)),
        }
        return cls.create(
            properties=properties,
            attributes={} if attributes is None else attributes.data,
            regions=[parser.parse_region()],
        )

    @classmethod
    def of(
        cls,
        name: str,
        arrivals: tuple[int, ...],
        slots: list[Slice],
        bytes_out: int,
        exported: bool,
        blocks: list[Block],
    ) -> FuncOpBase:
        """A function of these blocks."""
        numbers = cls.attributes_of_dialect.numbers
        properties: dict[str, Attribute] = {
            "sym_name": StringAttr(name),
            "arrivals": numbers(arrivals),
            "slots": numbers(tuple(part for each in slots for part in each)),
            "out": numbers((bytes_out,)),
        }
        if not exported:
            properties["private"] = UnitAttr()
        return cls.create(properties=properties, regions=[Region(blocks)])


class DataOpBase(NamedOp):
    """Bytes at a name: given ones, or zeros.

    Zeros are memory; of given ones the text says where they are `writable`.
    """

    traits = traits_def(SymbolOpInterface())

    def verify_(self) -> None:
        check_data(self)

    @property
    def alignment(self) -> int:
        """The address is a multiple of this."""
        return self.properties["alignment"].value.data  # pyright: ignore

    @property
    def content(self) -> bytes | None:
        """The bytes, or None for zeros."""
        held = self.properties.get("content")
        return None if held is None else bytes.fromhex(held.data)  # pyright: ignore

    @property
    def writable(self) -> bool:
        """Whether a program may change it."""
        return self.content is None or "writable" in self.properties

    @property
    def size(self) -> int:
        """How many bytes."""
        content = self.content
        if content is not None:
            return len(content)
        return self.properties["zeros"].value.data  # pyright: ignore

    def print(self, printer: Printer) -> None:
        self._print_name(printer)
        printer.print_string(f" align {self.alignment} ")
        content = self.content
        if content is None:
            printer.print_string(f"zero {self.size}")
        else:
            printer.print_string("writable " if self.writable else "")
            printer.print_string_literal(content.hex())

    @classmethod
    def parse(cls, parser: Parser) -> DataOpBase:
        properties = cls._parse_name(parser)
        parser.parse_keyword("align")
        properties["alignment"] = IntegerAttr(parser.parse_integer(allow_negative=False), i64)
        if parser.parse_optional_keyword("zero") is not None:
            properties["zeros"] = IntegerAttr(parser.parse_integer(allow_negative=False), i64)
        else:
            if parser.parse_optional_keyword("writable") is not None:
                properties["writable"] = UnitAttr()
            properties["content"] = StringAttr(parse_hexadecimal(parser).hex())
        return cls.create(properties=properties)

    @classmethod
    def of(
        cls, name: str, alignment: int, content: bytes | int, writable: bool, exported: bool
    ) -> DataOpBase:
        """Data of these bytes, or of so many zeros, which are writable in any case."""
        properties: dict[str, Attribute] = {
            "sym_name": StringAttr(name),
            "alignment": IntegerAttr(alignment, i64),
        }
        if isinstance(content, int):
            properties["zeros"] = IntegerAttr(content, i64)
        else:
            properties["content"] = StringAttr(content.hex())
            if writable:
                properties["writable"] = UnitAttr()
        if not exported:
            properties["private"] = UnitAttr()
        return cls.create(properties=properties)


def function_operations(
    attributes: MachineAttributes, family: Family
) -> tuple[type[FuncOpBase], type[DataOpBase]]:
    """The classes of a dialect's functions and data."""
    fields = {"attributes_of_dialect": attributes, "family": family}
    return (
        type("FuncOp", (FuncOpBase,), {"name": f"{family.dialect}.func", **fields}),
        type("DataOp", (DataOpBase,), {"name": f"{family.dialect}.data", **fields}),
    )
