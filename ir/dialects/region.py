"""The `region` dialect: a learner's logical state, its data, and one round of its rule.

Its fields and samples stand in `region_fields`; here are the learner and its round.

Invariant: a learner is a symbol table of states, constants, samples and programs, and exactly one
    round, which reads words of one version and advances them to the next.
Refuses: region-domain, region-identity, region-symbol-unknown, region-round-count,
    region-contract-groups, region-samples-components, numeric-nonfinite, shard-count-zero,
    pointwise-type, pointwise-footprint.
Entry: `REGION`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import ArrayAttr, FlatSymbolRefAttr, StringAttr, SymbolRefAttr
from xdsl.ir import Attribute, Block, Dialect, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    IsolatedFromAbove,
    IsTerminator,
    NoTerminator,
    SymbolOpInterface,
    SymbolTable,
)

from alpha.ir.attributes.region import (
    ContractAttr,
    CountType,
    FileAttr,
    FragmentAttr,
    IdentityAttr,
    SelectAttr,
    SumType,
)
from alpha.ir.dialects.region_fields import ConstantOp, FieldOp, SamplesOp, StateOp
from alpha.ir.refusals import Refusal
from alpha.ir.syntax import parse_block, parse_defined_operand, require_some

__all__ = [
    "REGION",
    "AdvanceOp",
    "ConstantOp",
    "FieldOp",
    "LearnerOp",
    "ReadOp",
    "RoundOp",
    "SamplesOp",
    "StateOp",
]


class LearnerTable(SymbolTable):
    """A symbol table whose names are checked by the learner, with a code and a place."""

    def verify(self, op: Operation) -> None:
        del op


@irdl_op_definition
class ReadOp(IRDLOperation):
    """The words of states and constants at the version that the round starts from.

    `%w, %rate = region.read @w, @rate : tensor<4xf64>, f64`. Of samples it reads each component,
    with the samples as first axis: immutable words that lie with the coordinates.
    """

    name = "region.read"
    symbols = prop_def(ArrayAttr[FlatSymbolRefAttr])
    values = var_result_def()

    def __init__(self, symbols: Sequence[str], types: Sequence[Attribute]) -> None:
        super().__init__(
            result_types=[list(types)],
            properties={"symbols": ArrayAttr([SymbolRefAttr(name) for name in symbols])},
        )

    def names(self, samples: Mapping[str, Operation]) -> list[str]:
        """For each result the symbol that it is read from; samples have a result a component."""
        names: list[str] = []
        for symbol in self.symbols.data:
            part = samples.get(symbol.string_value())
            width = len(part.types.data) if isinstance(part, SamplesOp) else 1
            names.extend([symbol.string_value()] * width)
        return names

    def verify_(self) -> None:
        require_some(self.symbols.data, "name to read", self)
        require_some(self.values, "value that is read", self)

    @classmethod
    def parse(cls, parser: Parser) -> ReadOp:
        symbols = parser.parse_comma_separated_list(
            parser.Delimiter.NONE, lambda: parser.parse_symbol_name().data
        )
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        op = cls(symbols, types)
        op.attributes.update(parser.parse_optional_attr_dict())
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        names = [symbol.string_value() for symbol in self.symbols.data]
        printer.print_list(names, printer.print_symbol_name)
        printer.print_string(" : ")
        printer.print_list(self.result_types, printer.print_attribute)
        printer.print_op_attributes(self.attributes)


@irdl_op_definition
class AdvanceOp(IRDLOperation):
    """Version v becomes v+1: `region.advance @w = %w1, @m = %m1`. States not named keep theirs."""

    name = "region.advance"
    symbols = prop_def(ArrayAttr[FlatSymbolRefAttr])
    values = var_operand_def()
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

    @classmethod
    def parse(cls, parser: Parser) -> AdvanceOp:
        def parse_one() -> tuple[str, SSAValue]:
            name = parser.parse_symbol_name().data
            parser.parse_punctuation("=")
            return name, parse_defined_operand(parser)

        pairs = parser.parse_comma_separated_list(parser.Delimiter.NONE, parse_one)
        op = cls([name for name, _ in pairs], [value for _, value in pairs])
        op.attributes.update(parser.parse_optional_attr_dict())
        return op

    def print(self, printer: Printer) -> None:
        def print_one(pair: tuple[SymbolRefAttr, SSAValue]) -> None:
            printer.print_symbol_name(pair[0].string_value())
            printer.print_string(" = ")
            printer.print_ssa_value(pair[1])

        printer.print_string(" ")
        printer.print_list(list(zip(self.symbols.data, self.values, strict=True)), print_one)
        printer.print_op_attributes(self.attributes)


@irdl_op_definition
class RoundOp(IRDLOperation):
    """One synchronous update as dataflow: read, sum, mean, apply, advance."""

    name = "region.round"
    body = region_def("single_block")
    traits = traits_def(IsolatedFromAbove())

    def __init__(self, body: Region | Block) -> None:
        super().__init__(regions=[body if isinstance(body, Region) else Region(body)])

    @classmethod
    def parse(cls, parser: Parser) -> RoundOp:
        attributes = parser.parse_optional_attr_dict_with_keyword()
        op = cls(parse_block(parser))
        op.attributes.update({} if attributes is None else attributes.data)
        return op

    def print(self, printer: Printer) -> None:
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body)


@irdl_op_definition
class LearnerOp(IRDLOperation):
    """A learner: its state, its data and its rule, written once.

    `region.learner @name attributes {owners = #shard.owners<4, star>} { ... }`. `owners` declares
    who shares the samples, which fixes the order of sums; it doesn't change the learner's digest.
    """

    name = "region.learner"
    sym_name = prop_def(StringAttr)
    owners = opt_prop_def(Attribute)
    body = region_def("single_block")
    traits = traits_def(LearnerTable(), NoTerminator(), SymbolOpInterface())

    def __init__(
        self, name: str | StringAttr, body: Region | Block, owners: Attribute | None = None
    ) -> None:
        super().__init__(
            properties={
                "sym_name": StringAttr(name) if isinstance(name, str) else name,
                "owners": owners,
            },
            regions=[body if isinstance(body, Region) else Region(body)],
        )

    def verify_(self) -> None:
        from alpha.ir.learner_checks import check_learner

        check_learner(self)

    @classmethod
    def parse(cls, parser: Parser) -> LearnerOp:
        name = parser.parse_symbol_name()
        given = parser.parse_optional_attr_dict_with_keyword()
        attributes = {} if given is None else dict(given.data)
        owners = attributes.pop("owners", None)
        op = cls(name, parse_block(parser), owners)
        op.attributes.update(attributes)
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name)
        owners = {} if self.owners is None else {"owners": self.owners}
        printer.print_op_attributes({**owners, **self.attributes}, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body, print_empty_block=False)


REGION = Dialect(
    "region",
    [LearnerOp, StateOp, ConstantOp, SamplesOp, RoundOp, ReadOp, AdvanceOp],
    [SelectAttr, ContractAttr, IdentityAttr, FragmentAttr, FileAttr, SumType, CountType],
)
