"""Roles write their words of one version as a generation, which is published by its root or not.

Invariant: it changes no value. What it is of is a version of the learner's states, the one that all
    roles have where it stands; so it has no operands.
Refuses: select-empty, shard-owner-range, source-structure, and what selections refuse.
"""

from __future__ import annotations

from xdsl.dialects.builtin import StringAttr
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from alpha.ir.attributes.protocol_values import parse_roles, roles_text
from alpha.ir.attributes.region import SelectAttr
from alpha.ir.attributes.shard import parse_topology
from alpha.ir.dialects.protocol_exchange import DIRECT, along_text, check_way
from alpha.ir.refusals import Refusal
from alpha.ir.selections import Selection, as_group
from alpha.ir.selections.form import LIMIT
from alpha.ir.syntax import parse_attributes


@irdl_op_definition
class CheckpointOp(IRDLOperation):
    """Members store their words of every state: `protocol.checkpoint at role 0 along tree<2>`.

    Each writes its shard. Bytes and digests of manifests go up, the root's manifest publishes the
    generation, and that it did so comes down.
    """

    name = "protocol.checkpoint"
    members = prop_def(SelectAttr)
    way = prop_def(StringAttr)

    def __init__(self, members: Selection, way: str) -> None:
        super().__init__(properties={"members": SelectAttr(members), "way": StringAttr(way)})

    def verify_(self) -> None:
        as_group(self.members.data, LIMIT)
        if self.way.data == DIRECT:
            wanted = "a topology, along which manifests go up"
            raise Refusal("source-structure", wanted, DIRECT, self)
        check_way(self, self.way.data, self.members.data)

    @classmethod
    def parse(cls, parser: Parser) -> CheckpointOp:
        parser.parse_keyword("at")
        members = parse_roles(parser)
        parser.parse_keyword("along")
        op = cls(members, parse_topology(parser))
        op.attributes.update(parse_attributes(parser))
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(f" at {roles_text(self.members.data)}")
        printer.print_string(along_text(self.way.data))
        printer.print_op_attributes(self.attributes, print_keyword=True)
