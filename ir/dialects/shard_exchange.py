"""The operations by which owners exchange words, of which every distribution is composed.

`shard.partition` a domain, `shard.replicate` a version, `shard.transfer` a region,
`shard.combine` contributions, `shard.advance` a version; and `shard.release`, which ends what
`shard.replicate` began.

Invariant: what an operation does to the place of words is written in its result's type, and the
    two are the same. Whether the words are there, of the right version and complete, is a question
    about the whole round, which `--verify-shards` decides.
Refuses: pointwise-type, region-identity, source-structure, source-value-undefined.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    ArrayAttr,
    FlatSymbolRefAttr,
    IntAttr,
    StringAttr,
    SymbolRefAttr,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, Pure

from alpha.ir.attributes.region import ContractAttr
from alpha.ir.attributes.shard import (
    ContributionType,
    LocatedType,
    MapAttr,
    OwnedType,
    ReplicaType,
    TotalType,
    WhereAttr,
    located,
    parse_map,
    parse_where,
)
from alpha.ir.contracts import Contract
from alpha.ir.refusals import Refusal
from alpha.ir.sharding.maps import ShardMap
from alpha.ir.sharding.places import Everywhere, Where
from alpha.ir.syntax import (
    parse_attributes,
    parse_counts,
    parse_defined_operand,
    require_some,
)


def parse_result_type(parser: Parser) -> Attribute:
    """Read `: !shard.owned<...>`."""
    parser.parse_punctuation(":")
    return parser.parse_type()


def print_result(printer: Printer, op: IRDLOperation) -> None:
    """Print `: !shard.owned<...>` and the extra attributes."""
    printer.print_string(" : ")
    printer.print_list(op.result_types, printer.print_attribute)
    printer.print_op_attributes(op.attributes, print_keyword=True)


def check_type(op: IRDLOperation, wanted: Attribute, found: Attribute) -> None:
    """Refuse a type that isn't what the operation makes of its operand."""
    if wanted != found:
        raise Refusal("pointwise-type", str(wanted), str(found), op)


@irdl_op_definition
class PartitionOp(IRDLOperation):
    """Each owner keeps the words of its own coordinates of a replica; nothing is sent.

    `%own = shard.partition %w by cyclic : !shard.owned<tensor<4xf64>, cyclic, +0>`.
    """

    name = "shard.partition"
    replica = operand_def(ReplicaType)
    map = prop_def(MapAttr)
    result = result_def(OwnedType)
    traits = traits_def(Pure())

    def __init__(self, replica: SSAValue, map: ShardMap, type: Attribute | None = None) -> None:
        if type is None:
            of = located(replica)
            type = OwnedType.of(of.value, map, of.version.data)
        super().__init__(operands=[replica], properties={"map": MapAttr(map)}, result_types=[type])

    def verify_(self) -> None:
        of = located(self.replica)
        check_type(self, OwnedType(of.value, self.map, of.version), self.result.type)

    @classmethod
    def parse(cls, parser: Parser) -> PartitionOp:
        operand = parse_defined_operand(parser)
        parser.parse_keyword("by")
        op = cls(operand, parse_map(parser), parse_result_type(parser))
        op.attributes.update(parse_attributes(parser))
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.replica)
        printer.print_string(f" by {self.map.data}")
        print_result(printer, self)


@irdl_op_definition
class ReplicateOp(IRDLOperation):
    """Every owner offers its words, and all get a read-only copy of that version.

    `%w = shard.replicate %own : !shard.replica<tensor<4xf64>, +0>`. The copy is made of disjoint
    pieces, never by arithmetic. It lives until `shard.release`, which stands before the version
    advances; a replica is never a second authority.
    """

    name = "shard.replicate"
    owned = operand_def(OwnedType)
    result = result_def(ReplicaType)

    def __init__(self, owned: SSAValue, type: Attribute | None = None) -> None:
        if type is None:
            of = located(owned)
            type = ReplicaType.of(of.value, of.version.data)
        super().__init__(operands=[owned], result_types=[type])

    def verify_(self) -> None:
        of = located(self.owned)
        check_type(self, ReplicaType(of.value, of.version), self.result.type)

    @classmethod
    def parse(cls, parser: Parser) -> ReplicateOp:
        op = cls(parse_defined_operand(parser), parse_result_type(parser))
        op.attributes.update(parse_attributes(parser))
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.owned)
        print_result(printer, self)


@irdl_op_definition
class ReleaseOp(IRDLOperation):
    """Every owner gives up its copy; nothing may read it any more: `shard.release %w`."""

    name = "shard.release"
    replica = operand_def(ReplicaType)

    def __init__(self, replica: SSAValue) -> None:
        super().__init__(operands=[replica])

    @classmethod
    def parse(cls, parser: Parser) -> ReleaseOp:
        op = cls(parse_defined_operand(parser))
        op.attributes.update(parse_attributes(parser))
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.replica)
        printer.print_op_attributes(self.attributes, print_keyword=True)


@irdl_op_definition
class TransferOp(IRDLOperation):
    """Words move from their owners to those of another map.

    `%b = shard.transfer %a to [empty, stride(0, 1, 4)]
    : !shard.owned<tensor<4xf64>, [empty, stride(0, 1, 4)], +0>`.
    """

    name = "shard.transfer"
    owned = operand_def(OwnedType)
    map = prop_def(MapAttr)
    result = result_def(OwnedType)
    traits = traits_def(Pure())

    def __init__(self, owned: SSAValue, map: ShardMap, type: Attribute | None = None) -> None:
        if type is None:
            of = located(owned)
            type = OwnedType.of(of.value, map, of.version.data)
        super().__init__(operands=[owned], properties={"map": MapAttr(map)}, result_types=[type])

    def verify_(self) -> None:
        of = located(self.owned)
        check_type(self, OwnedType(of.value, self.map, of.version), self.result.type)

    @classmethod
    def parse(cls, parser: Parser) -> TransferOp:
        operand = parse_defined_operand(parser)
        parser.parse_keyword("to")
        op = cls(operand, parse_map(parser), parse_result_type(parser))
        op.attributes.update(parse_attributes(parser))
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.owned)
        printer.print_string(f" to {self.map.data}")
        print_result(printer, self)


@irdl_op_definition
class CombineOp(IRDLOperation):
    """All parts of a value become one: sums by the contract, or disjoint pieces by selection.

    `%t = shard.combine sum %c contract #region.contract<groups = [1, 2], combine = left>
    deliver all : !shard.total<tensor<4xf64>, @data, all, +0>`. A sum is delivered to all, to one
    role, or to each owner the words of its coordinates; every word is the same whichever it is.
    The groups are combined in the order 0, 1, 2, ... of the contract; `order [0, 2, 1]` says
    another, which is refused unless it makes the same additions. `shard.combine select %w1 deliver
    all` assembles new words from their pieces and never does arithmetic.
    """

    name = "shard.combine"
    kind = prop_def(StringAttr)
    part = operand_def()
    contract = opt_prop_def(ContractAttr)
    order = opt_prop_def(ArrayAttr[IntAttr])
    deliver = prop_def(WhereAttr)
    result = result_def(LocatedType)

    def __init__(
        self,
        kind: str,
        part: SSAValue,
        deliver: Where,
        contract: Contract | ContractAttr | None = None,
        order: Sequence[int] | None = None,
        type: Attribute | None = None,
    ) -> None:
        super().__init__(
            operands=[part],
            properties={
                "kind": StringAttr(kind),
                "contract": ContractAttr(contract) if isinstance(contract, Contract) else contract,
                "order": None if order is None else ArrayAttr([IntAttr(each) for each in order]),
                "deliver": WhereAttr(deliver),
            },
            result_types=[type or _combined(kind, part.type, WhereAttr(deliver)) or part.type],
        )

    @classmethod
    def sum(
        cls,
        part: SSAValue,
        contract: Contract,
        deliver: Where,
        order: Sequence[int] | None = None,
    ) -> CombineOp:
        """The combine of a sum's parts."""
        return cls("sum", part, deliver, contract, order)

    @classmethod
    def select(cls, part: SSAValue) -> CombineOp:
        """The combine of disjoint pieces, delivered to all."""
        return cls("select", part, Everywhere())

    def verify_(self) -> None:
        kind, of = self.kind.data, self.part.type
        if kind not in ("sum", "select"):
            raise Refusal("pointwise-type", "a combine by sum or select", kind, self)
        wanted = _combined(kind, of, self.deliver)
        if wanted is None:
            what = "a contribution, which is a sum with its count, to combine by sum"
            if kind == "select":
                what = "owned words to combine by select, and delivered to all"
            raise Refusal("pointwise-type", what, f"{of} {self.deliver.data}", self)
        if (kind == "sum") != (self.contract is not None):
            what = "a contract in a combine by sum, and in no other"
            raise Refusal("pointwise-type", what, "none" if kind == "sum" else "one", self)
        if self.order is not None and kind != "sum":
            wanted_order = "an order of groups in a combine by sum alone"
            raise Refusal("pointwise-type", wanted_order, f"one in {kind}", self)
        check_type(self, wanted, self.result.type)

    @classmethod
    def parse(cls, parser: Parser) -> CombineOp:
        kind = parser.parse_keyword_in(("sum", "select"))
        operand = parse_defined_operand(parser)
        contract = order = None
        if kind == "sum":
            parser.parse_keyword("contract")
            start = parser.pos
            contract = parser.parse_attribute()
            if not isinstance(contract, ContractAttr):
                parser.raise_error("expected #region.contract<...>", start, parser.pos)
            if parser.parse_optional_keyword("order") is not None:
                order = parse_counts(parser)
        parser.parse_keyword("deliver")
        where = parse_where(parser)
        op = cls(kind, operand, where, contract, order, parse_result_type(parser))
        op.attributes.update(parse_attributes(parser))
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.kind.data} ")
        printer.print_ssa_value(self.part)
        if self.contract is not None:
            printer.print_string(" contract ")
            printer.print_attribute(self.contract)
        if self.order is not None:
            printer.print_string(f" order {[each.data for each in self.order.data]}")
        printer.print_string(f" deliver {self.deliver.data}")
        print_result(printer, self)


def _combined(kind: str, of: Attribute, deliver: WhereAttr) -> Attribute | None:
    """The type of what a combine makes, or None if it makes nothing of this."""
    if kind == "sum" and isinstance(of, ContributionType):
        return TotalType(of.value, of.samples, deliver, of.version)
    if kind == "select" and isinstance(of, OwnedType) and deliver.data == Everywhere():
        return ReplicaType(of.value, of.version)
    return None


@irdl_op_definition
class AdvanceOp(IRDLOperation):
    """Version v becomes v+1 with every owner, or nowhere: `shard.advance @w = %w1, @m = %m1`.

    A state that is owned takes owned words of the same map, one that is replicated a replica.
    """

    name = "shard.advance"
    symbols = prop_def(ArrayAttr[FlatSymbolRefAttr])
    values = var_operand_def(LocatedType)
    traits = traits_def(IsTerminator())

    def __init__(self, symbols: Sequence[str], values: Sequence[SSAValue]) -> None:
        super().__init__(
            operands=[list(values)],
            properties={"symbols": ArrayAttr([SymbolRefAttr(name) for name in symbols])},
        )

    def verify_(self) -> None:
        require_some(self.symbols.data, "state that advances", self)
        if len(self.symbols.data) != len(self.values):
            wanted = f"one value for each of {len(self.symbols.data)} states"
            raise Refusal("region-identity", wanted, str(len(self.values)), self)

    def names(self) -> list[str]:
        """The states that advance."""
        return [symbol.string_value() for symbol in self.symbols.data]

    @classmethod
    def parse(cls, parser: Parser) -> AdvanceOp:
        def parse_one() -> tuple[str, SSAValue]:
            name = parser.parse_symbol_name().data
            parser.parse_punctuation("=")
            return name, parse_defined_operand(parser)

        pairs = parser.parse_comma_separated_list(parser.Delimiter.NONE, parse_one)
        op = cls([name for name, _ in pairs], [value for _, value in pairs])
        op.attributes.update(parse_attributes(parser))
        return op

    def print(self, printer: Printer) -> None:
        def print_one(pair: tuple[str, SSAValue]) -> None:
            printer.print_symbol_name(pair[0])
            printer.print_string(" = ")
            printer.print_ssa_value(pair[1])

        printer.print_string(" ")
        printer.print_list(list(zip(self.names(), self.values, strict=False)), print_one)
        printer.print_op_attributes(self.attributes, print_keyword=True)
