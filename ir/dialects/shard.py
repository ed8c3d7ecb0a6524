"""The `shard` dialect: who computes which part of a round, who holds and who may change what.

A `shard.learner` stands behind the `region.learner` that it distributes and leaves it as it is: the
learner says what is meant, the distribution says who does it. What owners do and how they
exchange stands in `shard_work` and `shard_exchange`.

Invariant: the parts of a distribution name what exists in the learner, with its types. Whether
    the distribution computes what the learner means is decided by `--verify-shards`.
Refuses: shard-owner-range, shard-learner-count, region-symbol-unknown, region-round-count,
    region-contract-groups, pointwise-type, pointwise-footprint.
Entry: `SHARD`.
"""

from __future__ import annotations

from xdsl.dialects.builtin import FlatSymbolRefAttr, SymbolRefAttr
from xdsl.ir import Block, Dialect, Region
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove, NoTerminator

from alpha.ir.attributes.shard import (
    ContributionType,
    MapAttr,
    OwnedType,
    OwnersAttr,
    ReplicaType,
    TotalType,
    WhereAttr,
    parse_map,
)
from alpha.ir.dialects.shard_exchange import (
    AdvanceOp,
    CombineOp,
    PartitionOp,
    ReleaseOp,
    ReplicateOp,
    TransferOp,
)
from alpha.ir.dialects.shard_work import (
    AgreeOp,
    ContributeOp,
    MeanOp,
    ObserveOp,
    ReadOp,
    UpdateOp,
)
from alpha.ir.refusals import Refusal
from alpha.ir.sharding.places import At, Everywhere, Owned, Where
from alpha.ir.syntax import parse_attributes, parse_block

__all__ = ["SHARD", "PlaceOp", "ShardLearnerOp", "ShardRoundOp"]


@irdl_op_definition
class PlaceOp(IRDLOperation):
    """Where a state or samples lie between rounds.

    `shard.place @w replicated`, or `shard.place @m by cyclic`. The map of samples is over their
    numbers. Constants lie with every owner.
    """

    name = "shard.place"
    symbol = prop_def(FlatSymbolRefAttr)
    where = prop_def(WhereAttr)

    def __init__(self, symbol: str, where: Where) -> None:
        super().__init__(properties={"symbol": SymbolRefAttr(symbol), "where": WhereAttr(where)})

    def verify_(self) -> None:
        where = self.where.data
        if isinstance(where, At):
            wanted = "a place with every owner, or by a map"
            raise Refusal("pointwise-type", wanted, str(where), self)

    @classmethod
    def parse(cls, parser: Parser) -> PlaceOp:
        symbol = parser.parse_symbol_name().data
        where: Where = Everywhere()
        if parser.parse_keyword_in(("replicated", "by")) == "by":
            where = Owned(parse_map(parser))
        op = cls(symbol, where)
        op.attributes.update(parse_attributes(parser))
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.symbol.string_value())
        where = self.where.data
        printer.print_string(f" by {where.map}" if isinstance(where, Owned) else " replicated")
        printer.print_op_attributes(self.attributes, print_keyword=True)


@irdl_op_definition
class ShardRoundOp(IRDLOperation):
    """One round of all owners, as dataflow over located values, ended by `shard.advance`."""

    name = "shard.round"
    body = region_def("single_block")
    traits = traits_def(IsolatedFromAbove())

    def __init__(self, body: Region | Block) -> None:
        super().__init__(regions=[body if isinstance(body, Region) else Region(body)])

    @classmethod
    def parse(cls, parser: Parser) -> ShardRoundOp:
        attributes = parse_attributes(parser)
        op = cls(parse_block(parser))
        op.attributes.update(attributes)
        return op

    def print(self, printer: Printer) -> None:
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body)


@irdl_op_definition
class ShardLearnerOp(IRDLOperation):
    """A distribution of the learner of this name: places, and one round.

    `shard.learner @least_squares owners #shard.owners<4, star, samples = [1, 2, 3, 0]> { ... }`.
    It may bring programs of its own, by which owners compute what the learner says in other words;
    they are no part of the learner or its digest.
    """

    name = "shard.learner"
    learner = prop_def(FlatSymbolRefAttr)
    owners = prop_def(OwnersAttr)
    body = region_def("single_block")
    traits = traits_def(NoTerminator(), IsolatedFromAbove())

    def __init__(self, learner: str, owners: OwnersAttr, body: Region | Block) -> None:
        super().__init__(
            properties={"learner": SymbolRefAttr(learner), "owners": owners},
            regions=[body if isinstance(body, Region) else Region(body)],
        )

    def verify_(self) -> None:
        from alpha.ir.sharding.structure import check_structure

        check_structure(self)

    @classmethod
    def parse(cls, parser: Parser) -> ShardLearnerOp:
        learner = parser.parse_symbol_name().data
        parser.parse_keyword("owners")
        start = parser.pos
        owners = parser.parse_attribute()
        if not isinstance(owners, OwnersAttr):
            parser.raise_error("expected #shard.owners<...>", start, parser.pos)
        attributes = parse_attributes(parser)
        op = cls(learner, owners, parse_block(parser))
        op.attributes.update(attributes)
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.learner.string_value())
        printer.print_string(" owners ")
        printer.print_attribute(self.owners)
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body, print_empty_block=False)


SHARD = Dialect(
    "shard",
    [
        ShardLearnerOp,
        PlaceOp,
        ShardRoundOp,
        ReadOp,
        PartitionOp,
        ReplicateOp,
        ReleaseOp,
        TransferOp,
        CombineOp,
        AdvanceOp,
        ContributeOp,
        MeanOp,
        UpdateOp,
        ObserveOp,
        AgreeOp,
    ],
    [
        OwnersAttr,
        MapAttr,
        WhereAttr,
        OwnedType,
        ReplicaType,
        ContributionType,
        TotalType,
    ],
)
