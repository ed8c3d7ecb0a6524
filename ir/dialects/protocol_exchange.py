"""How roles exchange values: one frame from one role to another, or operations of a whole group.

A group's operation goes along a topology: `star`, `pair` and `tree<F>` have the first member as
root; `direct` sends from every member to every other, for at most 64 of them.

Invariant: who has what before and after is written in the types, and the payload of the result is
    what the operation makes of its operand's. The words are the same along every topology.
Refuses: protocol-value-not-held, protocol-self-transfer, protocol-payload-type,
    protocol-payload-extent, target-unsupported, source-structure.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntAttr, StringAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

from alpha.ir.attributes.protocol_values import (
    AtType,
    at_type,
    holders,
    is_common,
)
from alpha.ir.attributes.shard import (
    ContributionType,
    MapAttr,
    OwnedType,
    TotalType,
    parse_map,
    parse_topology,
)
from alpha.ir.dialects.protocol_bodies import parse_located
from alpha.ir.refusals import Refusal
from alpha.ir.selections import Selection, Stride
from alpha.ir.selections.relations import same_members
from alpha.ir.sharding.maps import ShardMap
from alpha.ir.sharding.places import At, Where
from alpha.ir.syntax import (
    parse_attributes,
    parse_count,
    require_some,
)
from alpha.ir.topologies import Topology

DIRECT = "direct"
DIRECT_ROLES_MAX = 64
"""Most roles that exchange directly: each has an edge to every other."""


def parse_along(parser: Parser) -> str:
    """Read `direct`, or `along tree<2>`, and give the text of the way."""
    if parser.parse_keyword_in((DIRECT, "along")) == DIRECT:
        return DIRECT
    return parse_topology(parser)


def along_text(way: str) -> str:
    return f" {DIRECT}" if way == DIRECT else f" along {way}"


def topology_of(way: StringAttr) -> Topology | None:
    """The topology along which an operation goes, or None if it goes directly."""
    return None if way.data == DIRECT else Topology.parse(way.data)


def check_way(op: IRDLOperation, way: str, members: Selection) -> None:
    if way == DIRECT and members.size > DIRECT_ROLES_MAX:
        wanted = f"at most {DIRECT_ROLES_MAX} roles that exchange directly"
        raise Refusal("target-unsupported", wanted, str(members.size), op)
    if way != DIRECT:
        Topology.parse(way).tree(members.size)


def check_result(op: IRDLOperation, wanted: Attribute, found: Attribute) -> None:
    if wanted != found:
        raise Refusal("protocol-payload-type", str(wanted), str(found), op)


def require_holder(op: IRDLOperation, value: SSAValue, role: int) -> None:
    if role not in holders(value):
        wanted = f"a value that role {role} has"
        raise Refusal("protocol-value-not-held", wanted, str(value.type), op)


def require_payload(op: IRDLOperation, fits: bool, what: str, value: SSAValue) -> None:
    if not fits:
        raise Refusal("protocol-payload-type", what, str(at_type(value).payload), op)


def check_agreed(op: IRDLOperation, values: Sequence[SSAValue], members: Selection) -> None:
    """Refuse to compare what not all members have, or what differs from role to role."""
    for value in values:
        if not same_members(holders(value), members):
            wanted = f"values that the same roles have, {members}"
            raise Refusal("protocol-value-not-held", wanted, str(value.type), op)
        fits = is_common(at_type(value).payload)
        require_payload(op, fits, "words that don't depend on the role", value)


def root_of(roles: Selection) -> Selection:
    """The root of a group's operations: its first member."""
    return Stride(roles.min, 1, 1)


@irdl_op_definition
class TransferOp(IRDLOperation):
    """One frame from a role that has a value to one that gets it.

    `%b = protocol.transfer %a from 0 to 1`. Only the receiver has the result.
    """

    name = "protocol.transfer"
    value = operand_def(AtType)
    sender = prop_def(IntAttr)
    receiver = prop_def(IntAttr)
    outcome = result_def(AtType)

    def __init__(self, value: SSAValue, sender: int, receiver: int) -> None:
        super().__init__(
            operands=[value],
            properties={"sender": IntAttr(sender), "receiver": IntAttr(receiver)},
            result_types=[_moved(value, receiver)],
        )

    def verify_(self) -> None:
        sender, receiver = self.sender.data, self.receiver.data
        if sender == receiver:
            wanted = "a transfer between two roles"
            raise Refusal("protocol-self-transfer", wanted, f"from {sender} to itself", self)
        require_holder(self, self.value, sender)
        payload = at_type(self.value).payload
        require_payload(self, is_common(payload), "words that don't depend on the role", self.value)
        check_result(self, _moved(self.value, receiver), self.outcome.type)

    @classmethod
    def parse(cls, parser: Parser) -> TransferOp:
        value = parse_located(parser)
        parser.parse_keyword("from")
        sender = parse_count(parser)
        parser.parse_keyword("to")
        op = cls(value, sender, parse_count(parser))
        op.attributes.update(parse_attributes(parser))
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(f" from {self.sender.data} to {self.receiver.data}")
        printer.print_op_attributes(self.attributes, print_keyword=True)


def _moved(value: SSAValue, receiver: int) -> AtType:
    payload = at_type(value).payload
    if isinstance(payload, TotalType):
        payload = total_at(payload, At(receiver))
    return AtType.of(payload, Stride(receiver, 1, 1))


def total_at(of: ContributionType | TotalType, where: Where) -> TotalType:
    return TotalType.of(of.value, of.samples, where, of.version.data)


@irdl_op_definition
class ExchangeOp(IRDLOperation):
    """Words go from their owners directly to those of another map.

    `%b = protocol.exchange %a to [empty, stride(0, 1, 4)] direct`.
    """

    name = "protocol.exchange"
    value = operand_def(AtType)
    map = prop_def(MapAttr)
    outcome = result_def(AtType)

    def __init__(self, value: SSAValue, map: ShardMap) -> None:
        super().__init__(
            operands=[value],
            properties={"map": MapAttr(map)},
            result_types=[_exchanged(value, map)],
        )

    def verify_(self) -> None:
        check_way(self, DIRECT, holders(self.value))
        owned = isinstance(at_type(self.value).payload, OwnedType)
        require_payload(self, owned, "words that each have one owner", self.value)
        check_result(self, _exchanged(self.value, self.map.data), self.outcome.type)

    @classmethod
    def parse(cls, parser: Parser) -> ExchangeOp:
        value = parse_located(parser)
        parser.parse_keyword("to")
        map = parse_map(parser)
        parser.parse_keyword(DIRECT)
        op = cls(value, map)
        op.attributes.update(parse_attributes(parser))
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(f" to {self.map.data} {DIRECT}")
        printer.print_op_attributes(self.attributes, print_keyword=True)


def _exchanged(value: SSAValue, map: ShardMap) -> AtType:
    payload = at_type(value).payload
    if isinstance(payload, OwnedType):
        payload = OwnedType.of(payload.value, map, payload.version.data)
    return AtType.of(payload, holders(value))


@irdl_op_definition
class AgreeOp(IRDLOperation):
    """Members compare words that each of them computed: `protocol.agree %w, %q along star`.

    Digests go up, a verdict comes down; where copies differ, no version advances anywhere.
    """

    name = "protocol.agree"
    values = var_operand_def(AtType)
    way = prop_def(StringAttr)

    def __init__(self, values: Sequence[SSAValue], way: str) -> None:
        super().__init__(operands=[list(values)], properties={"way": StringAttr(way)})

    def verify_(self) -> None:
        require_some(self.values, "value to agree on", self)
        members = holders(self.values[0])
        check_way(self, self.way.data, members)
        check_agreed(self, self.values, members)

    @classmethod
    def parse(cls, parser: Parser) -> AgreeOp:
        values = parser.parse_comma_separated_list(
            parser.Delimiter.NONE, lambda: parse_located(parser)
        )
        parser.parse_keyword("along")
        op = cls(values, parse_topology(parser))
        op.attributes.update(parse_attributes(parser))
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.values, printer.print_ssa_value)
        printer.print_string(along_text(self.way.data))
        printer.print_op_attributes(self.attributes, print_keyword=True)
