"""The `region` dialect: a learner's logical state, its data, and one round of its rule.

Invariant: a learner is a symbol table of states, constants, samples and programs, and exactly one
    round, which reads words of one version and advances them to the next.
Refuses: region-domain, region-identity, region-symbol-unknown, region-round-count,
    region-contract-groups, region-samples-components, numeric-nonfinite, shard-count-zero,
    pointwise-type, pointwise-footprint.
Entry: `REGION`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
    i64,
)
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

from alpha.ir.attributes.literals import parse_value, print_value
from alpha.ir.attributes.region import (
    ContractAttr,
    CountType,
    FileAttr,
    FragmentAttr,
    IdentityAttr,
    SelectAttr,
    SumType,
)
from alpha.ir.initial_values import check_identity, check_inline, check_state_finite
from alpha.ir.refusals import Refusal
from alpha.ir.shapes import require_value_type, shape_of, tensor_or_scalar
from alpha.ir.syntax import parse_count, parse_defined_operand, place_at

InitialValue = FloatAttr | DenseIntOrFPElementsAttr | FileAttr


class LearnerTable(SymbolTable):
    """A symbol table whose names are checked by the learner, with a code and a place."""

    def verify(self, op: Operation) -> None:
        del op


def _parse_source(parser: Parser, type: Attribute) -> Attribute:
    """Read `= dense<...>` or `from "file"`."""
    if parser.parse_optional_keyword("from") is not None:
        return FileAttr.parse_bare(parser)
    parser.parse_punctuation("=")
    return parse_value(parser, type)


def _print_source(printer: Printer, value: Attribute, type: Attribute) -> None:
    if isinstance(value, FileAttr):
        printer.print_string(" from ")
        value.print_bare(printer)
        return
    printer.print_string(" = ")
    print_value(printer, value, type)


class FieldOp(IRDLOperation):
    """What states and constants share: a name, a type and an initial value."""

    sym_name = prop_def(StringAttr)
    type = prop_def(Attribute)
    initial = prop_def(Attribute)

    def print_field(self, printer: Printer, flags: dict[str, Attribute]) -> None:
        """Print the name, the type, the value and the flags."""
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name)
        printer.print_string(" : ")
        printer.print_attribute(self.type)
        _print_source(printer, self.initial, self.type)
        printer.print_op_attributes({**flags, **self.attributes})

    def check_field(self) -> None:
        """Refuse a type without words, or a value that doesn't fit the type."""
        require_value_type(self.type, f"@{self.sym_name.data}", self)
        check_inline(self.initial, self.type, f"@{self.sym_name.data}", self)


def _parse_field(parser: Parser) -> tuple[StringAttr, Attribute, Attribute]:
    name = parser.parse_symbol_name()
    parser.parse_punctuation(":")
    place = place_at(parser, parser.pos)
    type = parser.parse_type()
    require_value_type(type, f"@{name.data}", place)
    return name, type, _parse_source(parser, type)


@irdl_op_definition
class StateOp(FieldOp):
    """A field of logical state with its initial words.

    `region.state @w : tensor<4xf64> = dense<0.0>`, or `from "w.npy"`. `{shared}` declares that
    the words serve all coordinates: they are updated from shared words and constants alone.
    """

    name = "region.state"
    shared = opt_prop_def(UnitAttr)
    identity = opt_prop_def(IdentityAttr)
    traits = traits_def(SymbolOpInterface())

    def __init__(
        self,
        name: str | StringAttr,
        type: Attribute,
        initial: Attribute,
        shared: bool = False,
        identity: Attribute | None = None,
    ) -> None:
        super().__init__(
            properties={
                "sym_name": StringAttr(name) if isinstance(name, str) else name,
                "type": type,
                "initial": initial,
                "shared": UnitAttr() if shared else None,
                "identity": identity,
            }
        )

    def verify_(self) -> None:
        self.check_field()
        check_state_finite(self.initial, self.type, self.sym_name.data, self)
        if self.identity is not None:
            check_identity(self.identity, self.type, self.sym_name.data, self)

    @classmethod
    def parse(cls, parser: Parser) -> StateOp:
        name, type, initial = _parse_field(parser)
        start = parser.pos
        flags = parser.parse_optional_attr_dict()
        shared, identity = flags.pop("shared", None), flags.pop("identity", None)
        if not isinstance(shared, UnitAttr | None) or not isinstance(identity, IdentityAttr | None):
            parser.raise_error("expected {shared} or {identity = #region.identity<...>}", start)
        op = cls(name, type, initial, shared is not None, identity)
        op.attributes.update(flags)
        return op

    def print(self, printer: Printer) -> None:
        flags: dict[str, Attribute] = {}
        if self.shared is not None:
            flags["shared"] = self.shared
        if self.identity is not None:
            flags["identity"] = self.identity
        self.print_field(printer, flags)


@irdl_op_definition
class ConstantOp(FieldOp):
    """Words that never change, such as a rate: `region.constant @rate : f64 = 0.05`."""

    name = "region.constant"
    traits = traits_def(SymbolOpInterface())

    def __init__(self, name: str | StringAttr, type: Attribute, initial: Attribute) -> None:
        super().__init__(
            properties={
                "sym_name": StringAttr(name) if isinstance(name, str) else name,
                "type": type,
                "initial": initial,
            }
        )

    def verify_(self) -> None:
        self.check_field()

    @classmethod
    def parse(cls, parser: Parser) -> ConstantOp:
        op = cls(*_parse_field(parser))
        op.attributes.update(parser.parse_optional_attr_dict())
        return op

    def print(self, printer: Printer) -> None:
        self.print_field(printer, {})


@irdl_op_definition
class SamplesOp(IRDLOperation):
    """Immutable samples, in order; each has one or more components.

    `region.samples @data[6] : (tensor<4xf64>, f64) from "x.npy", "y.npy"`, or with inline values
    `= dense<[[...], ...]>, dense<[...]>`. A component's file or value has the shape
    (samples, *component).
    """

    name = "region.samples"
    sym_name = prop_def(StringAttr)
    count = prop_def(IntegerAttr)
    types = prop_def(ArrayAttr[Attribute])
    sources = prop_def(ArrayAttr[Attribute])
    traits = traits_def(SymbolOpInterface())

    def __init__(
        self,
        name: str | StringAttr,
        count: int,
        types: Sequence[Attribute],
        sources: Sequence[Attribute],
    ) -> None:
        super().__init__(
            properties={
                "sym_name": StringAttr(name) if isinstance(name, str) else name,
                "count": IntegerAttr(count, i64),
                "types": ArrayAttr(types),
                "sources": ArrayAttr(sources),
            }
        )

    def whole_types(self) -> list[Attribute]:
        """The type of each component for all samples: the samples are its first axis."""
        count = self.count.value.data
        return [_whole_type(type, count) for type in self.types.data]

    def verify_(self) -> None:
        name = f"@{self.sym_name.data}"
        if self.count.value.data < 0:
            wanted = f"0 or more samples in {name}"
            raise Refusal("region-domain", wanted, str(self.count.value.data), self)
        if len(self.types.data) != len(self.sources.data) or not self.types.data:
            wanted = f"one source for each of {len(self.types.data)} components of {name}"
            raise Refusal("region-samples-components", wanted, f"{len(self.sources.data)}", self)
        files = sum(isinstance(source, FileAttr) for source in self.sources.data)
        if files not in (0, len(self.sources.data)):
            wanted = f"all components of {name} inline or all from files"
            found = f"{files} of {len(self.sources.data)} from files"
            raise Refusal("region-samples-components", wanted, found, self)
        for number, type in enumerate(self.types.data):
            require_value_type(type, f"component {number} of {name}", self)
        for number, (type, value) in enumerate(
            zip(self.whole_types(), self.sources.data, strict=True)
        ):
            check_inline(value, type, f"component {number} of {name}", self)

    @classmethod
    def parse(cls, parser: Parser) -> SamplesOp:
        name = parser.parse_symbol_name()
        with parser.in_square_brackets():
            count = parse_count(parser)
        parser.parse_punctuation(":")
        place = place_at(parser, parser.pos)
        types = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
        for number, type in enumerate(types):
            require_value_type(type, f"component {number} of @{name.data}", place)
        sources: list[Attribute] = []
        if parser.parse_optional_keyword("from") is not None:
            sources = parser.parse_comma_separated_list(
                parser.Delimiter.NONE, lambda: FileAttr.parse_bare(parser)
            )
        else:
            parser.parse_punctuation("=")
            more = True
            while more:
                if len(sources) == len(types):
                    wanted = f"one source for each of {len(types)} components of @{name.data}"
                    raise Refusal("region-samples-components", wanted, "another", place)
                sources.append(parse_value(parser, _whole_type(types[len(sources)], count)))
                more = parser.parse_optional_punctuation(",") is not None
        op = cls(name, count, types, sources)
        op.attributes.update(parser.parse_optional_attr_dict())
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name)
        printer.print_string(f"[{self.count.value.data}] : ")
        with printer.in_parens():
            printer.print_list(self.types.data, printer.print_attribute)
        sources = self.sources.data
        if all(isinstance(source, FileAttr) for source in sources):
            printer.print_string(" from ")
            files = [source for source in sources if isinstance(source, FileAttr)]
            printer.print_list(files, lambda source: source.print_bare(printer))
        else:
            printer.print_string(" = ")
            pairs = list(zip(sources, self.whole_types(), strict=True))
            printer.print_list(pairs, lambda pair: print_value(printer, *pair))
        printer.print_op_attributes(self.attributes)


def _whole_type(type: Attribute, count: int) -> Attribute:
    """The tensor of `count` values of this type."""
    element = type.element_type if isinstance(type, TensorType) else type
    return tensor_or_scalar((count, *shape_of(type)), element)


@irdl_op_definition
class ReadOp(IRDLOperation):
    """The words of states and constants at the version that the round starts from.

    `%w, %rate = region.read @w, @rate : tensor<4xf64>, f64`. Of samples it reads each component,
    with the samples as first axis: immutable words that lie with the coordinates.
    """

    name = "region.read"
    symbols = prop_def(ArrayAttr[SymbolRefAttr])
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
    symbols = prop_def(ArrayAttr[SymbolRefAttr])
    values = var_operand_def()
    traits = traits_def(IsTerminator())

    def __init__(self, symbols: Sequence[str], values: Sequence[SSAValue]) -> None:
        super().__init__(
            operands=[list(values)],
            properties={"symbols": ArrayAttr([SymbolRefAttr(name) for name in symbols])},
        )

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
        op = cls(parser.parse_region())
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
        op = cls(name, parser.parse_region(), owners)
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
