"""The operation of a row, before allocation on values and after it on registers.

    %2 = x64.load_64 [%0 + %1 * 8 + 16]
    x64.branch %2, %0, "l" ^bb1(%2), ^bb2
    %3 = x64.call "f" with %2 in 7, %0 in 6 to r64 in 0

    x64.load_64 placed (0 = 7, 1) [_ + _ * 8 + 16]

Values stand in the order of the row's signature. An argument or result beyond those of the row says
its register. Placed operations list the numbers of the registers that are written and read, and
have no values.

Invariant: a class has one row; what `print` writes, `parse` reads back.
Refuses: source-structure.
Entry: `MachineOp`, `operation_of`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.irdl import traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator

from alpha.backends.core.dialect.attributes import MachineAttributes, NumbersBase, RegisterTypeBase
from alpha.backends.core.dialect.functions import FuncOpBase
from alpha.backends.core.dialect.text import parse_extra, print_extra
from alpha.backends.core.dialect.verifying import ENDS
from alpha.backends.core.program import Extra, Instruction
from alpha.backends.core.registers import View
from alpha.backends.core.rows import Row, Slot, Word
from alpha.ir.refusals import Refusal
from alpha.ir.syntax import parse_defined_operand


class MachineOp(Operation):
    """An instruction; a subclass for each row of a dialect."""

    row: ClassVar[Row]
    attributes_of_dialect: ClassVar[MachineAttributes]
    traits = traits_def()

    @property
    def extras(self) -> tuple[Extra, ...]:
        """The operands that are no registers."""
        held = self.properties.get("extras")
        return () if held is None else held.data  # pyright: ignore

    def numbers(self, name: str) -> tuple[int, ...] | None:
        """A property that lists numbers: `arguments`, `uses_in`, `defs_in`, `written`, `read`."""
        held = self.properties.get(name)
        assert held is None or isinstance(held, NumbersBase)
        return None if held is None else held.data

    @property
    def placed(self) -> bool:
        """Whether its operands are registers."""
        return "written" in self.properties

    def edge_operands(self) -> list[list[SSAValue]]:
        """The values that each successor gets."""
        counts = self.numbers("arguments") or (0,) * len(self.successors)
        first = len(self.operands) - sum(counts)
        found: list[list[SSAValue]] = []
        for count in counts:
            found.append(list(self.operands[first : first + count]))
            first += count
        return found

    def uses(self) -> Sequence[SSAValue]:
        """The values that the instruction itself reads."""
        return self.operands[: len(self.operands) - sum(self.numbers("arguments") or ())]

    def reads(self, pointer: View) -> list[tuple[Slot, View]]:
        """For each register that the row reads: its operand, and the view that is read.

        Those of an address are read by the view `pointer`.
        """
        found: list[tuple[Slot, View]] = []
        instruction = Instruction(self.row, [], [], self.extras)
        for slot, _, count in instruction.read_slots():
            view = slot.kind if isinstance(slot.kind, View) else pointer
            found += [(slot, view)] * count
        return found

    @property
    def kind(self) -> str:
        """What it says of itself that allocation put in; else nothing."""
        held = self.properties.get("kind")
        return held.data if isinstance(held, StringAttr) else ""

    def verify_(self) -> None:
        """The function looks at what is in it; nothing else holds instructions."""
        function = self.parent_op()
        if not isinstance(function, FuncOpBase) or function.dialect_name() != self.dialect_name():
            expected = f"a function of {self.dialect_name()} around '{self.name}'"
            found = "none" if function is None else f"'{function.name}'"
            raise Refusal("source-structure", expected, found, self)

    def print(self, printer: Printer) -> None:
        if self.placed:
            _print_placed(self, printer)
        else:
            _print_values(self, printer)
        printer.print_op_attributes(self.attributes)

    @classmethod
    def parse(cls, parser: Parser) -> MachineOp:
        reader = _Reader(cls, parser)
        reader.read()
        attributes = parser.parse_optional_attr_dict()
        op = cls.create(
            operands=[*reader.values, *reader.edge_values],
            result_types=reader.types,
            properties=reader.properties(),
            successors=reader.blocks,
            attributes=attributes,
        )
        return op


def _in_order(row: Row) -> list[Slot]:
    """The operands that the text shows: what is read, and addresses that are written to."""
    written = [slot for slot in row.writes if not slot.is_register]
    return [*written, *(slot for slot in row.reads if slot.kind != Word("label"))]


def _print_values(op: MachineOp, printer: Printer) -> None:
    values = iter(op.uses())
    extras = iter(op.extras)

    def print_next() -> None:
        printer.print_ssa_value(next(values))

    def print_slot(slot: Slot) -> None:
        if slot.is_register:
            print_next()
        else:
            print_extra(printer, next(extras), print_next)

    slots = _in_order(op.row)
    if slots:
        printer.print_string(" ")
        printer.print_list(slots, print_slot)
    rest = list(values)
    uses_in, defs_in = op.numbers("uses_in") or (), op.numbers("defs_in") or ()
    if rest:
        printer.print_string(" with ")
        pairs = list(zip(rest, uses_in[len(op.uses()) - len(rest) :], strict=True))
        printer.print_list(pairs, lambda pair: _print_in(printer, *pair))
    if len(op.results) > len(op.row.defs):
        printer.print_string(" to ")
        first = len(op.row.defs)
        pairs = list(zip(op.results[first:], defs_in[first:], strict=True))
        printer.print_list(pairs, lambda pair: _print_type_in(printer, *pair))
    for position, (block, arguments) in enumerate(
        zip(op.successors, op.edge_operands(), strict=True)
    ):
        printer.print_string(", " if position else " ")
        printer.print_block_name(block)
        if arguments:
            with printer.in_parens():
                printer.print_list(arguments, printer.print_ssa_value)


def _print_in(printer: Printer, value: SSAValue, number: int) -> None:
    printer.print_ssa_value(value)
    printer.print_string(f" in {number}")


def _print_type_in(printer: Printer, value: SSAValue, number: int) -> None:
    assert isinstance(value.type, RegisterTypeBase)
    printer.print_string(f"{value.type.data} in {number}")


def _print_placed(op: MachineOp, printer: Printer) -> None:
    """Placed instructions list their registers by number, written before read."""

    def print_numbers(name: str) -> None:
        numbers = op.numbers(name) or ()
        printer.print_list(numbers, lambda number: printer.print_string(str(number)))

    printer.print_string(" placed (")
    print_numbers("written")
    printer.print_string(" = ")
    print_numbers("read")
    printer.print_string(")")
    for extra in op.extras:
        printer.print_string(" ")
        print_extra(printer, extra, lambda: printer.print_string("_"))
    if op.kind:
        printer.print_string(f" as {op.kind}")
    for block in op.successors:
        printer.print_string(" ")
        printer.print_block_name(block)


class _Reader:
    """What is read of one operation's text."""

    def __init__(self, op: type[MachineOp], parser: Parser) -> None:
        self.values: list[SSAValue] = []
        self.edge_values: list[SSAValue] = []
        self.types: list[Attribute] = []
        self.blocks: list[Block] = []
        self._op, self._parser = op, parser
        self._extras: list[Extra] = []
        self._counts: list[int] = []
        self._uses_in: list[int] = []
        self._defs_in: list[int] = []
        self._written: list[int] | None = None
        self._read: list[int] = []
        self._kind = ""

    def read(self) -> None:
        """Read operands, results and successors."""
        if self._parser.parse_optional_keyword("placed") is not None:
            self._read_placed()
            return
        attributes = self._op.attributes_of_dialect
        row = self._op.row
        for position, slot in enumerate(_in_order(row)):
            if position:
                self._parser.parse_punctuation(",")
            if slot.is_register:
                self._read_value()
            else:
                self._extras.append(parse_extra(self._parser, self._read_value))
        self.types += [attributes.register(slot.kind.name) for slot in row.defs]  # pyright: ignore
        if self._parser.parse_optional_keyword("with") is not None:
            self._uses_in = [-1] * len(self.values)
            self._parser.parse_comma_separated_list(
                self._parser.Delimiter.NONE, self._read_argument
            )
        if self._parser.parse_optional_keyword("to") is not None:
            self._defs_in = [-1] * len(self.types)
            self._parser.parse_comma_separated_list(self._parser.Delimiter.NONE, self._read_result)
        for position in range(row.labels):
            if position:
                self._parser.parse_punctuation(",")
            self._read_edge()

    def _read_value(self) -> None:
        self.values.append(parse_defined_operand(self._parser))

    def _read_argument(self) -> None:
        self._read_value()
        self._parser.parse_keyword("in")
        self._uses_in.append(self._parser.parse_integer())

    def _read_result(self) -> None:
        view = self._parser.parse_identifier()
        self.types.append(self._op.attributes_of_dialect.register(view))
        self._parser.parse_keyword("in")
        self._defs_in.append(self._parser.parse_integer())

    def _read_edge(self) -> None:
        parser = self._parser
        self.blocks.append(parser.parse_successor())
        arguments: list[SSAValue] = []
        if parser.parse_optional_punctuation("(") is not None:
            arguments = parser.parse_comma_separated_list(
                parser.Delimiter.NONE, lambda: parse_defined_operand(parser)
            )
            parser.parse_punctuation(")")
        self._counts.append(len(arguments))
        self.edge_values += arguments

    def _read_placed(self) -> None:
        parser = self._parser
        parser.parse_punctuation("(")
        self._written = self._read_numbers()
        parser.parse_punctuation("=")
        self._read = self._read_numbers()
        parser.parse_punctuation(")")
        for _ in self._op.row.extras:
            self._extras.append(parse_extra(parser, self._read_nothing))
        if parser.parse_optional_keyword("as") is not None:
            self._kind = parser.parse_identifier()
        self.blocks = [parser.parse_successor() for _ in range(self._op.row.labels)]

    def _read_nothing(self) -> None:
        """The registers of an address stand before it."""
        self._parser.parse_keyword("_")

    def _read_numbers(self) -> list[int]:
        found: list[int] = []
        while (number := self._parser.parse_optional_integer(allow_boolean=False)) is not None:
            found.append(number)
            if self._parser.parse_optional_punctuation(",") is None:
                break
        return found

    def properties(self) -> dict[str, Attribute]:
        """What was read, as properties."""
        return properties_of(
            self._op.attributes_of_dialect,
            self._extras,
            self._counts,
            self._uses_in,
            self._defs_in,
            None if self._written is None else (self._written, self._read),
            self._kind,
        )


def properties_of(
    attributes: MachineAttributes,
    extras: Sequence[Extra],
    counts: Sequence[int] = (),
    uses_in: Sequence[int] = (),
    defs_in: Sequence[int] = (),
    placed: tuple[Sequence[int], Sequence[int]] | None = None,
    kind: str = "",
) -> dict[str, Attribute]:
    """The properties of an operation; those that say nothing are left out."""
    found: dict[str, Attribute] = {}
    if extras:
        found["extras"] = attributes.extras(tuple(extras))
    if any(counts):
        found["arguments"] = attributes.numbers(tuple(counts))
    if uses_in:
        found["uses_in"] = attributes.numbers(tuple(uses_in))
    if defs_in:
        found["defs_in"] = attributes.numbers(tuple(defs_in))
    if placed is not None:
        found["written"] = attributes.numbers(tuple(placed[0]))
        found["read"] = attributes.numbers(tuple(placed[1]))
    if kind:
        found["kind"] = StringAttr(kind)
    return found


def operation_of(dialect: str, attributes: MachineAttributes, row: Row) -> type[MachineOp]:
    """The operation class of a row."""
    traits = traits_def(IsTerminator()) if row.role in ENDS else traits_def()
    fields = {
        "name": f"{dialect}.{row.name}",
        "row": row,
        "attributes_of_dialect": attributes,
        "traits": traits,
    }
    return type(f"{row.name}_op", (MachineOp,), fields)
