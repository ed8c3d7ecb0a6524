"""What the bodies of a protocol's operations have in common: what they take in and what they yield.

Invariant: a value that a body gives is with all the roles that the type outside names.
Refuses: protocol-payload-type, protocol-value-not-held, source-structure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import IntAttr
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, traits_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator

from alpha.ir.attributes.protocol_values import AtType, at_type
from alpha.ir.refusals import Refusal, name_of
from alpha.ir.selections.relations import first_outside
from alpha.ir.syntax import parse_attributes, parse_count, parse_defined_operand, place_at


def parse_located(parser: Parser) -> SSAValue:
    """Read the use of a value that says which roles have it.

    Raises:
        Refusal: `source-value-undefined`; `protocol-payload-type` for another value.
    """
    place = place_at(parser, parser.pos)
    value = parse_defined_operand(parser)
    if not isinstance(value.type, AtType):
        wanted = "a value of a protocol, which says the roles that have it"
        raise Refusal("protocol-payload-type", wanted, str(value.type), place)
    return value


def parse_located_values(parser: Parser) -> list[SSAValue]:
    """Read ` %a, %b` or nothing, all of them located."""
    return parse_values(parser, parse_located)


def parse_values(
    parser: Parser, parse: Callable[[Parser], SSAValue] = parse_defined_operand
) -> list[SSAValue]:
    """Read ` %a, %b` or nothing."""
    values: list[SSAValue] = []
    while True:
        token = parser._current_token.text  # pyright: ignore[reportPrivateUsage]
        if not values and not token.startswith("%"):
            return values
        values.append(parse(parser))
        if parser.parse_optional_punctuation(",") is None:
            return values


def print_values(printer: Printer, values: Sequence[SSAValue]) -> None:
    """Print ` %a, %b`, or nothing."""
    if values:
        printer.print_string(" ")
        printer.print_list(values, printer.print_ssa_value)


def parse_bound(parser: Parser) -> list[tuple[Parser.UnresolvedArgument, SSAValue]]:
    """Read `(%inside = %outside, ...)` or nothing."""

    def parse_one() -> tuple[Parser.UnresolvedArgument, SSAValue]:
        inside = parser.parse_argument(expect_type=False)
        parser.parse_punctuation("=")
        return inside, parse_located(parser)

    found = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, parse_one)
    return found or []


def print_bound(printer: Printer, inside: Sequence[SSAValue], outside: Sequence[SSAValue]) -> None:
    """Print what `parse_bound` reads."""

    def print_one(pair: tuple[SSAValue, SSAValue]) -> None:
        printer.print_ssa_value(pair[0])
        printer.print_string(" = ")
        printer.print_ssa_value(pair[1])

    if inside:
        printer.print_string(" (")
        printer.print_list(list(zip(inside, outside, strict=False)), print_one)
        printer.print_string(")")


def parse_site(parser: Parser) -> int | None:
    """Read ` site 3`, or nothing."""
    return parse_count(parser) if parser.parse_optional_keyword("site") is not None else None


def print_site(printer: Printer, site: IntAttr | None) -> None:
    """Print what `parse_site` reads."""
    if site is not None:
        printer.print_string(f" site {site.data}")


def check_carried(
    op: Operation, what: str, wanted: Sequence[Attribute], values: Sequence[SSAValue]
) -> None:
    """Refuse values that are fewer, of another payload, or missing at a role that needs them.

    Raises:
        Refusal: `source-structure`, `protocol-payload-type`, `protocol-value-not-held`.
    """
    if len(wanted) != len(values):
        raise Refusal("source-structure", f"{len(wanted)} values {what}", str(len(values)), op)
    for type, value in zip(wanted, values, strict=True):
        assert isinstance(type, AtType)
        found = at_type(value)
        if found.payload != type.payload:
            raise Refusal("protocol-payload-type", f"{type.payload} {what}", str(found.payload), op)
        missing = first_outside(type.roles.data, found.roles.data)
        if missing is not None:
            wanted_roles = f"a value {what} that role {missing} has"
            raise Refusal("protocol-value-not-held", wanted_roles, str(found), op)


def check_parent(op: Operation, names: Sequence[str]) -> None:
    """Refuse the end of a body where no body of these operations ends.

    Raises:
        Refusal: `source-structure`.
    """
    parent = op.parent_op()
    if parent is None or parent.name not in names:
        found = "no operation around it" if parent is None else name_of(parent)
        wanted = f"'{op.name}' at the end of {' or '.join(names)}"
        raise Refusal("source-structure", wanted, found, op)


@irdl_op_definition
class YieldOp(IRDLOperation):
    """What a body gives to the operation around it: `protocol.yield %a, %b`."""

    name = "protocol.yield"
    values = var_operand_def()
    traits = traits_def(IsTerminator())

    def __init__(self, values: Sequence[SSAValue] = ()) -> None:
        super().__init__(operands=[list(values)])

    def verify_(self) -> None:
        check_parent(
            self, ("protocol.local", "protocol.repeat", "protocol.choice", "protocol.scope")
        )

    @classmethod
    def parse(cls, parser: Parser) -> YieldOp:
        op = cls(parse_values(parser))
        op.attributes.update(parse_attributes(parser))
        return op

    def print(self, printer: Printer) -> None:
        print_values(printer, self.values)
        printer.print_op_attributes(self.attributes, print_keyword=True)


def arm_values(arm: Region) -> Sequence[SSAValue]:
    """What an arm or a scope yields; one without an end yields nothing."""
    last = arm.block.last_op if arm.blocks else None
    return last.values if isinstance(last, YieldOp) else ()
