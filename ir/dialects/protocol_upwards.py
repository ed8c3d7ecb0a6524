"""Operations by which the members of a group give to the first: sums and pieces go up.

Invariant: every sum is made in the order of its contract and travels with its count; pieces are
    put together and never computed with. Directly, each owner of coordinates gets what it needs.
Refuses: protocol-payload-type, protocol-payload-extent, protocol-value-not-held, source-structure,
    target-unsupported.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import StringAttr, i64
from xdsl.ir import SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    opt_result_def,
    prop_def,
    result_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

from alpha.ir.attributes.protocol_values import AtType, at_type, holders
from alpha.ir.attributes.region import ContractAttr
from alpha.ir.attributes.shard import (
    ContributionType,
    MapAttr,
    OwnedType,
    ReplicaType,
    TotalType,
    parse_map,
)
from alpha.ir.contracts import Contract
from alpha.ir.dialects.protocol_bodies import (
    parse_located,
    parse_located_values,
    print_values,
)
from alpha.ir.dialects.protocol_exchange import (
    DIRECT,
    along_text,
    check_agreed,
    check_result,
    check_way,
    parse_along,
    require_payload,
    root_of,
    total_at,
)
from alpha.ir.refusals import Refusal
from alpha.ir.selections import Selection
from alpha.ir.shapes import is_value_type
from alpha.ir.sharding.maps import ShardMap
from alpha.ir.sharding.places import At, Everywhere, Owned
from alpha.ir.syntax import parse_attributes


@irdl_op_definition
class ReduceOp(IRDLOperation):
    """The parts of all members are summed in the order of a contract.

    `%t = protocol.reduce sum %c by [1, 2, 3, 0] contract #region.contract<...> along star` gives
    the total to the first member; the map says whose work which sample is. `... direct to owners
    cyclic` gives each owner the sums of its coordinates. Of words that aren't contributions each
    member has one part, in the order of the members, and the contract says how many there are.

    With `agreeing %w, %q` the members compare these copies on the way, as in `protocol.agree`; the
    verdict is a second result, at the first member, and goes down with what is replicated.
    """

    name = "protocol.reduce"
    value = operand_def(AtType)
    agreed = var_operand_def(AtType)
    map = opt_prop_def(MapAttr)
    contract = prop_def(ContractAttr)
    way = prop_def(StringAttr)
    deliver = opt_prop_def(MapAttr)
    outcome = result_def(AtType)
    verdict = opt_result_def(AtType)

    def __init__(
        self,
        value: SSAValue,
        contract: Contract | ContractAttr,
        way: str,
        map: ShardMap | None = None,
        deliver: ShardMap | None = None,
        agreed: Sequence[SSAValue] = (),
    ) -> None:
        verdict = AtType.of(i64, root_of(holders(value))) if agreed else None
        super().__init__(
            operands=[value, list(agreed)],
            properties={
                "contract": ContractAttr(contract) if isinstance(contract, Contract) else contract,
                "map": None if map is None else MapAttr(map),
                "way": StringAttr(way),
                "deliver": None if deliver is None else MapAttr(deliver),
            },
            result_types=[_reduced(value, deliver), verdict],
        )

    def verify_(self) -> None:
        members = holders(self.value)
        self._check_agreed(members)
        check_way(self, self.way.data, members)
        payload = at_type(self.value).payload
        contributed = isinstance(payload, ContributionType)
        fits = contributed or is_value_type(payload)
        require_payload(self, fits, "contributions or words to sum", self.value)
        if contributed != (self.map is not None):
            wanted = "a map of the samples, for contributions alone"
            raise Refusal("protocol-payload-type", wanted, str(payload), self)
        if (self.way.data == DIRECT) != (self.deliver is not None):
            wanted = "'direct to owners MAP', or 'along TOPOLOGY'"
            raise Refusal("source-structure", wanted, "another combination", self)
        groups = len(self.contract.data.groups)
        if not contributed and groups != members.size:
            wanted = f"a contract of {members.size} groups, one a member"
            raise Refusal("protocol-payload-extent", wanted, str(groups), self)
        deliver = None if self.deliver is None else self.deliver.data
        check_result(self, _reduced(self.value, deliver), self.outcome.type)

    def _check_agreed(self, members: Selection) -> None:
        check_agreed(self, self.agreed, members)
        if self.agreed and self.way.data == DIRECT:
            wanted = "a topology along which the digests go"
            raise Refusal("source-structure", wanted, DIRECT, self)
        found = None if self.verdict is None else self.verdict.type
        wanted_type = AtType.of(i64, root_of(members)) if self.agreed else None
        if found != wanted_type:
            wanted = "a verdict at the first member, if copies are compared"
            raise Refusal("protocol-payload-type", wanted, str(found), self)

    @classmethod
    def parse(cls, parser: Parser) -> ReduceOp:
        parser.parse_keyword("sum")
        value = parse_located(parser)
        map = parse_map(parser) if parser.parse_optional_keyword("by") is not None else None
        parser.parse_keyword("contract")
        start = parser.pos
        contract = parser.parse_attribute()
        if not isinstance(contract, ContractAttr):
            parser.raise_error("expected a #region.contract<...>", start, parser.pos)
        way = parse_along(parser)
        deliver = None
        if way == DIRECT:
            parser.parse_keyword("to")
            parser.parse_keyword("owners")
            deliver = parse_map(parser)
        agreed: list[SSAValue] = []
        if parser.parse_optional_keyword("agreeing") is not None:
            agreed = parse_located_values(parser)
        op = cls(value, contract, way, map, deliver, agreed)
        op.attributes.update(parse_attributes(parser))
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" sum ")
        printer.print_ssa_value(self.value)
        if self.map is not None:
            printer.print_string(f" by {self.map.data}")
        printer.print_string(" contract ")
        printer.print_attribute(self.contract)
        printer.print_string(along_text(self.way.data))
        if self.deliver is not None:
            printer.print_string(f" to owners {self.deliver.data}")
        if self.agreed:
            printer.print_string(" agreeing")
            print_values(printer, self.agreed)
        printer.print_op_attributes(self.attributes, print_keyword=True)


def _reduced(value: SSAValue, deliver: ShardMap | None) -> AtType:
    of = at_type(value)
    payload, members = of.payload, of.roles.data
    if deliver is not None:
        if isinstance(payload, ContributionType):
            return AtType.of(total_at(payload, Owned(deliver)), members)
        return AtType.of(OwnedType.of(payload, deliver, 0), members)
    if isinstance(payload, ContributionType):
        payload = total_at(payload, At(members.min))
    return AtType.of(payload, root_of(members))


@irdl_op_definition
class GatherOp(IRDLOperation):
    """Disjoint pieces are put together, never by arithmetic.

    `%w = protocol.gather %own along star` gives the whole to the first member, `... direct` to
    every member.
    """

    name = "protocol.gather"
    value = operand_def(AtType)
    way = prop_def(StringAttr)
    outcome = result_def(AtType)

    def __init__(self, value: SSAValue, way: str) -> None:
        super().__init__(
            operands=[value],
            properties={"way": StringAttr(way)},
            result_types=[_gathered(value, way)],
        )

    @property
    def map(self) -> ShardMap:
        """The map of the pieces."""
        payload = at_type(self.value).payload
        if isinstance(payload, OwnedType):
            return payload.map.data
        assert isinstance(payload, TotalType) and isinstance(payload.where.data, Owned)
        return payload.where.data.map

    def verify_(self) -> None:
        payload = at_type(self.value).payload
        check_way(self, self.way.data, holders(self.value))
        owned = isinstance(payload, OwnedType) or (
            isinstance(payload, TotalType) and isinstance(payload.where.data, Owned)
        )
        require_payload(self, owned, "words that each have one owner", self.value)
        check_result(self, _gathered(self.value, self.way.data), self.outcome.type)

    @classmethod
    def parse(cls, parser: Parser) -> GatherOp:
        op = cls(parse_located(parser), parse_along(parser))
        op.attributes.update(parse_attributes(parser))
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(along_text(self.way.data))
        printer.print_op_attributes(self.attributes, print_keyword=True)


def _gathered(value: SSAValue, way: str) -> AtType:
    payload, members = at_type(value).payload, holders(value)
    at = members if way == DIRECT else root_of(members)
    if isinstance(payload, OwnedType):
        payload = ReplicaType.of(payload.value, payload.version.data)
    elif isinstance(payload, TotalType):
        payload = total_at(payload, Everywhere() if way == DIRECT else At(members.min))
    return AtType.of(payload, at)
