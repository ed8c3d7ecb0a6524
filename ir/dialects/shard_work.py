"""What owners do by themselves in a round: read, contribute, take a mean, update, observe, agree.

Invariant: these send nothing but the digests and verdicts of `shard.agree`; each owner works on
    the words that the operands' types say it has.
Refuses: pointwise-type, source-structure, source-value-undefined.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, FlatSymbolRefAttr, StringAttr, SymbolRefAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from alpha.ir.attributes.shard import (
    ContributionType,
    LocatedType,
    MapAttr,
    OwnedType,
    ReplicaType,
    TotalType,
    parse_map,
)
from alpha.ir.dialects.shard_exchange import check_type, parse_result_type, print_result
from alpha.ir.refusals import Refusal
from alpha.ir.sharding.maps import ShardMap
from alpha.ir.sharding.places import At, Everywhere
from alpha.ir.syntax import (
    parse_attributes,
    parse_defined_operand,
    parse_defined_operands,
    print_operands,
    print_quoted,
    require_some,
)


def _parse_types(parser: Parser) -> list[Attribute]:
    parser.parse_punctuation(":")
    return parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)


def _check_words(values: Sequence[SSAValue], what: str, op: IRDLOperation) -> None:
    """Refuse sums where words are needed: what is still in parts, or has a count beside it."""
    for value in values:
        if not isinstance(value.type, OwnedType | ReplicaType):
            raise Refusal(
                "pointwise-type", f"owned words or replicas in {what}", str(value.type), op
            )


@irdl_op_definition
class ReadOp(IRDLOperation):
    """Words of states and constants, where they are placed, at the version of the round.

    `%w, %m = shard.read @w, @m
    : !shard.replica<tensor<4xf64>, +0>, !shard.owned<tensor<4xf64>, cyclic, +0>`. Of samples it
    reads each component, with the samples as first axis.
    """

    name = "shard.read"
    symbols = prop_def(ArrayAttr[FlatSymbolRefAttr])
    values = var_result_def(LocatedType)

    def __init__(self, symbols: Sequence[str], types: Sequence[Attribute]) -> None:
        super().__init__(
            result_types=[list(types)],
            properties={"symbols": ArrayAttr([SymbolRefAttr(name) for name in symbols])},
        )

    def verify_(self) -> None:
        require_some(self.symbols.data, "name to read", self)
        require_some(self.values, "value that is read", self)

    def names(self) -> list[str]:
        """The symbols that are read."""
        return [symbol.string_value() for symbol in self.symbols.data]

    @classmethod
    def parse(cls, parser: Parser) -> ReadOp:
        symbols = parser.parse_comma_separated_list(
            parser.Delimiter.NONE, lambda: parser.parse_symbol_name().data
        )
        op = cls(symbols, _parse_types(parser))
        op.attributes.update(parse_attributes(parser))
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.names(), printer.print_symbol_name)
        print_result(printer, self)


@irdl_op_definition
class ContributeOp(IRDLOperation):
    """Each owner sums the contribution over its samples, group by group, with the count of each.

    `%c, %l = shard.contribute @gradient(%w) over @data by [1, 2, 3, 0]
    : !shard.contribution<tensor<4xf64>, @data, +0>, !shard.contribution<f64, @data, +0>`. The map
    after `by` says whose work which sample is. One without samples contributes (-0.0, 0).
    """

    name = "shard.contribute"
    callee = prop_def(FlatSymbolRefAttr)
    samples = prop_def(FlatSymbolRefAttr)
    map = prop_def(MapAttr)
    arguments = var_operand_def(LocatedType)
    parts = var_result_def(ContributionType)

    def __init__(
        self,
        callee: str,
        arguments: Sequence[SSAValue],
        samples: str,
        map: ShardMap,
        types: Sequence[Attribute],
    ) -> None:
        super().__init__(
            operands=[list(arguments)],
            result_types=[list(types)],
            properties={
                "callee": SymbolRefAttr(callee),
                "samples": SymbolRefAttr(samples),
                "map": MapAttr(map),
            },
        )

    def verify_(self) -> None:
        require_some(self.parts, "part", self)
        _check_words(self.arguments, "a contribution", self)
        for part in self.parts:
            assert isinstance(part.type, ContributionType)
            if part.type.samples != self.samples:
                wanted = f"contributions over @{self.samples.string_value()}"
                raise Refusal("pointwise-type", wanted, str(part.type), self)

    @classmethod
    def parse(cls, parser: Parser) -> ContributeOp:
        callee = parser.parse_symbol_name().data
        arguments = parse_defined_operands(parser)
        parser.parse_keyword("over")
        samples = parser.parse_symbol_name().data
        parser.parse_keyword("by")
        map = parse_map(parser)
        op = cls(callee, arguments, samples, map, _parse_types(parser))
        op.attributes.update(parse_attributes(parser))
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.callee.string_value())
        print_operands(printer, self.arguments)
        printer.print_string(" over ")
        printer.print_symbol_name(self.samples.string_value())
        printer.print_string(f" by {self.map.data}")
        print_result(printer, self)


@irdl_op_definition
class MeanOp(IRDLOperation):
    """Total / count, one division a word, wherever the total is.

    `%g = shard.mean %t : !shard.replica<tensor<4xf64>, +0>`. The mean of a sum that is still in
    parts divides every part by its own count; that is never what the undistributed learner
    computes, and is refused.
    """

    name = "shard.mean"
    sum = operand_def(LocatedType)
    result = result_def(LocatedType)
    traits = traits_def(Pure())

    def __init__(self, sum: SSAValue, type: Attribute | None = None) -> None:
        super().__init__(operands=[sum], result_types=[type or mean_type(sum.type) or sum.type])

    def verify_(self) -> None:
        wanted = mean_type(self.sum.type)
        if wanted is None:
            what = "a total with all owners, or with the owners of its coordinates"
            raise Refusal("pointwise-type", what, str(self.sum.type), self)
        check_type(self, wanted, self.result.type)

    @classmethod
    def parse(cls, parser: Parser) -> MeanOp:
        op = cls(parse_defined_operand(parser), parse_result_type(parser))
        op.attributes.update(parse_attributes(parser))
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.sum)
        print_result(printer, self)


def mean_type(of: Attribute) -> Attribute | None:
    """The type of the mean of a sum of this type, or None if there is none."""
    if isinstance(of, ContributionType):
        return of
    if not isinstance(of, TotalType) or isinstance(of.where.data, At):
        return None
    if isinstance(of.where.data, Everywhere):
        return ReplicaType(of.value, of.version)
    return OwnedType.of(of.value, of.where.data.map, of.version.data)


@irdl_op_definition
class UpdateOp(IRDLOperation):
    """Each owner computes the words of its own coordinates, and all those of replicas alike.

    `%w1, %m1 = shard.update @adam(%w, %m, %g) : !shard.owned<tensor<4xf64>, cyclic, +1>, ...`. A
    result of version +0 is a value on the way, such as the activations of a layer.
    """

    name = "shard.update"
    callee = prop_def(FlatSymbolRefAttr)
    arguments = var_operand_def(LocatedType)
    outputs = var_result_def(LocatedType)

    def __init__(
        self, callee: str, arguments: Sequence[SSAValue], types: Sequence[Attribute]
    ) -> None:
        super().__init__(
            operands=[list(arguments)],
            result_types=[list(types)],
            properties={"callee": SymbolRefAttr(callee)},
        )

    def verify_(self) -> None:
        require_some(self.outputs, "result", self)
        _check_words((*self.arguments, *self.outputs), "an update", self)

    @classmethod
    def parse(cls, parser: Parser) -> UpdateOp:
        callee = parser.parse_symbol_name().data
        arguments = parse_defined_operands(parser)
        op = cls(callee, arguments, _parse_types(parser))
        op.attributes.update(parse_attributes(parser))
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.callee.string_value())
        print_operands(printer, self.arguments)
        print_result(printer, self)


@irdl_op_definition
class ObserveOp(IRDLOperation):
    """Role 0 reports a sum as total / count with the version that was read: never fed back.

    `shard.observe "loss" %l over @data`. The name is one of the learner's observations. What is
    observed is a total with role 0, or a scalar that role 0 has, which is then taken as the total
    over `@data`.
    """

    name = "shard.observe"
    label = prop_def(StringAttr)
    samples = prop_def(FlatSymbolRefAttr)
    total = operand_def(LocatedType)

    def __init__(self, label: str, total: SSAValue, samples: str) -> None:
        super().__init__(
            operands=[total],
            properties={"label": StringAttr(label), "samples": SymbolRefAttr(samples)},
        )

    @classmethod
    def parse(cls, parser: Parser) -> ObserveOp:
        label = parser.parse_str_literal(" for the name of an observation")
        total = parse_defined_operand(parser)
        parser.parse_keyword("over")
        op = cls(label, total, parser.parse_symbol_name().data)
        op.attributes.update(parse_attributes(parser))
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        print_quoted(printer, self.label.data)
        printer.print_string(" ")
        printer.print_ssa_value(self.total)
        printer.print_string(" over ")
        printer.print_symbol_name(self.samples.string_value())
        printer.print_op_attributes(self.attributes, print_keyword=True)


@irdl_op_definition
class AgreeOp(IRDLOperation):
    """Owners compare words that several of them computed, before anything is published.

    `shard.agree %w1, %q1`: digests go up the topology, a verdict comes down; where replicas
    diverge, no version advances anywhere.
    """

    name = "shard.agree"
    values = var_operand_def(ReplicaType)

    def __init__(self, values: Sequence[SSAValue]) -> None:
        super().__init__(operands=[list(values)])

    def verify_(self) -> None:
        require_some(self.values, "value to agree on", self)

    @classmethod
    def parse(cls, parser: Parser) -> AgreeOp:
        values = parser.parse_comma_separated_list(
            parser.Delimiter.NONE, lambda: parse_defined_operand(parser)
        )
        op = cls(values)
        op.attributes.update(parse_attributes(parser))
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.values, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes, print_keyword=True)
