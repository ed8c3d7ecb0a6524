"""Attributes and types of the `protocol` dialect: groups of roles.

Refuses: protocol-role-range, protocol-group-identity, select-empty, select-universe, and what
    selections refuse.
"""

from __future__ import annotations

from xdsl.ir import Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from alpha.ir.attributes.region import parse_members
from alpha.ir.protocol.groups import Group
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
