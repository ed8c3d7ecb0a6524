"""Attributes of the `protocol` dialect: groups of roles, and where a run begins.

Refuses: protocol-role-range, protocol-group-identity, checkpoint-version, select-empty,
    select-universe, and what selections refuse.
"""

from __future__ import annotations

from xdsl.ir import Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer

from alpha.ir.attributes.region import parse_members
from alpha.ir.protocol.groups import Group
from alpha.ir.protocol.starts import Start
from alpha.ir.syntax import parse_count, parse_hexadecimal, parse_keyed


@irdl_attr_definition
class GroupAttr(Data[Group]):
    """Roles out of a universe: `#protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1,
    4)>`.

    The identity is bytes, two hexadecimal digits each. The members may be an alias of a
    `#region.select<...>`.
    """

    name = "protocol.group"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Group:
        with parser.in_angle_brackets():
            universe = parse_keyed(parser, "universe", parse_count)
            parser.parse_punctuation(",")
            epoch = parse_keyed(parser, "epoch", parse_count)
            parser.parse_punctuation(",")
            identity = parse_keyed(parser, "id", parse_hexadecimal)
            parser.parse_punctuation(",")
            return Group(universe, epoch, identity, parse_members(parser))

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(str(self.data))


@irdl_attr_definition
class StartAttr(Data[Start]):
    """The version at which a run begins, and the SHA-256 of the generation that it begins with.

    `#protocol.start<7, "f4c3...">`.
    """

    name = "protocol.start"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Start:
        with parser.in_angle_brackets():
            version = parse_count(parser)
            parser.parse_punctuation(",")
            return Start(version, parser.parse_str_literal(" for the digest of a generation"))

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(str(self.data))


def parse_group(parser: Parser) -> tuple[GroupAttr, StartAttr | None]:
    """Read `group #protocol.group<...> resumed #protocol.start<7, "...">`, or the group alone."""
    parser.parse_keyword("group")
    start = parser.pos
    group = parser.parse_attribute()
    if not isinstance(group, GroupAttr):
        parser.raise_error("expected a #protocol.group<...>", start, parser.pos)
    if parser.parse_optional_keyword("resumed") is None:
        return group, None
    start = parser.pos
    resumed = parser.parse_attribute()
    if not isinstance(resumed, StartAttr):
        parser.raise_error("expected a #protocol.start<...>", start, parser.pos)
    return group, resumed


def print_group(printer: Printer, group: GroupAttr, resumed: StartAttr | None) -> None:
    """Print what `parse_group` reads."""
    printer.print_string(" group ")
    printer.print_attribute(group)
    if resumed is not None:
        printer.print_string(" resumed ")
        printer.print_attribute(resumed)
