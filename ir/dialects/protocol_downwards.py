"""Operations by which the first member of a group gives to the others: copies and pieces go down.

Refuses: protocol-payload-type, protocol-value-not-held, target-unsupported.
"""

from __future__ import annotations

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

from alpha.ir.attributes.protocol_values import (
    AtType,
    at_type,
    is_common,
    is_selector,
    parse_roles,
    roles_text,
)
from alpha.ir.attributes.region import SelectAttr
from alpha.ir.attributes.shard import (
    MapAttr,
    OwnedType,
    ReplicaType,
    TotalType,
    parse_map,
    parse_topology,
)
from alpha.ir.dialects.protocol_bodies import parse_located
from alpha.ir.dialects.protocol_exchange import (
    along_text,
    check_result,
    check_way,
    require_holder,
    require_payload,
    total_at,
)
from alpha.ir.selections import Selection
from alpha.ir.sharding.maps import ShardMap
from alpha.ir.sharding.places import At, Everywhere, Owned
from alpha.ir.syntax import parse_attributes


def _parse_verdict(parser: Parser) -> SSAValue | None:
    """Read `with %verdict`, or nothing."""
    if parser.parse_optional_keyword("with") is None:
        return None
    return parse_located(parser)


def _print_verdict(printer: Printer, verdict: SSAValue | None) -> None:
    if verdict is not None:
        printer.print_string(" with ")
        printer.print_ssa_value(verdict)


def _check_verdict(op: IRDLOperation, verdict: SSAValue | None, members: Selection) -> None:
    if verdict is not None:
        require_holder(op, verdict, members.min)
        fits = is_selector(at_type(verdict).payload)
        require_payload(op, fits, "a verdict, an i64", verdict)


@irdl_op_definition
class ReplicateOp(IRDLOperation):
    """All members get what the first has: `%s = protocol.replicate %t along star over ROLES`.

    `with %verdict` tells them the verdict of a sum that compared copies; on a bad one each refuses.
    """

    name = "protocol.replicate"
    value = operand_def(AtType)
    verdict = opt_operand_def(AtType)
    way = prop_def(StringAttr)
    members = prop_def(SelectAttr)
    outcome = result_def(AtType)

    def __init__(
        self, value: SSAValue, way: str, members: Selection, verdict: SSAValue | None = None
    ) -> None:
        super().__init__(
            operands=[value, verdict],
            properties={"way": StringAttr(way), "members": SelectAttr(members)},
            result_types=[_replicated(value, members)],
        )

    def verify_(self) -> None:
        members = self.members.data
        check_way(self, self.way.data, members)
        require_holder(self, self.value, members.min)
        _check_verdict(self, self.verdict, members)
        payload = at_type(self.value).payload
        require_payload(self, is_common(payload), "words that don't depend on the role", self.value)
        check_result(self, _replicated(self.value, members), self.outcome.type)

    @classmethod
    def parse(cls, parser: Parser) -> ReplicateOp:
        value = parse_located(parser)
        parser.parse_keyword("along")
        way = parse_topology(parser)
        parser.parse_keyword("over")
        members = parse_roles(parser)
        op = cls(value, way, members, _parse_verdict(parser))
        op.attributes.update(parse_attributes(parser))
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        members = roles_text(self.members.data)
        printer.print_string(f"{along_text(self.way.data)} over {members}")
        _print_verdict(printer, self.verdict)
        printer.print_op_attributes(self.attributes, print_keyword=True)


def _replicated(value: SSAValue, members: Selection) -> AtType:
    payload = at_type(value).payload
    if isinstance(payload, TotalType) and isinstance(payload.where.data, At):
        payload = total_at(payload, Everywhere())
    return AtType.of(payload, members)


@irdl_op_definition
class ScatterOp(IRDLOperation):
    """Each member gets the words of its coordinates of what the first has.

    `%o = protocol.scatter %t by cyclic along star over SELECTION`.
    """

    name = "protocol.scatter"
    value = operand_def(AtType)
    verdict = opt_operand_def(AtType)
    map = prop_def(MapAttr)
    way = prop_def(StringAttr)
    members = prop_def(SelectAttr)
    outcome = result_def(AtType)

    def __init__(
        self,
        value: SSAValue,
        map: ShardMap,
        way: str,
        members: Selection,
        verdict: SSAValue | None = None,
    ) -> None:
        super().__init__(
            operands=[value, verdict],
            properties={
                "map": MapAttr(map),
                "way": StringAttr(way),
                "members": SelectAttr(members),
            },
            result_types=[_scattered(value, map, members)],
        )

    def verify_(self) -> None:
        members = self.members.data
        check_way(self, self.way.data, members)
        require_holder(self, self.value, members.min)
        _check_verdict(self, self.verdict, members)
        payload = at_type(self.value).payload
        fits = isinstance(payload, ReplicaType | TotalType) and is_common(payload)
        require_payload(self, fits, "a copy or a total of all words", self.value)
        check_result(self, _scattered(self.value, self.map.data, members), self.outcome.type)

    @classmethod
    def parse(cls, parser: Parser) -> ScatterOp:
        value = parse_located(parser)
        parser.parse_keyword("by")
        map = parse_map(parser)
        parser.parse_keyword("along")
        way = parse_topology(parser)
        parser.parse_keyword("over")
        members = parse_roles(parser)
        op = cls(value, map, way, members, _parse_verdict(parser))
        op.attributes.update(parse_attributes(parser))
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        members = roles_text(self.members.data)
        way = along_text(self.way.data)
        printer.print_string(f" by {self.map.data}{way} over {members}")
        _print_verdict(printer, self.verdict)
        printer.print_op_attributes(self.attributes, print_keyword=True)


def _scattered(value: SSAValue, map: ShardMap, members: Selection) -> AtType:
    payload = at_type(value).payload
    if isinstance(payload, TotalType):
        payload = total_at(payload, Owned(map))
    elif isinstance(payload, ReplicaType):
        payload = OwnedType.of(payload.value, map, payload.version.data)
    return AtType.of(payload, members)
