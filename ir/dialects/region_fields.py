"""The fields and data of a learner: `region.state`, `region.constant` and `region.samples`.

Invariant: a field has exactly the words of its type, inline or in a file that isn't opened here;
    what is printed parses back to the same words.
Refuses: region-domain, region-identity, region-samples-components, numeric-nonfinite,
    pointwise-type.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    I64,
    ArrayAttr,
    IntegerAttr,
    StringAttr,
    TensorType,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Operation
from xdsl.irdl import IRDLOperation, irdl_op_definition, opt_prop_def, prop_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import SymbolOpInterface

from alpha.ir.attributes.literals import parse_value, print_value
from alpha.ir.attributes.region import FileAttr, IdentityAttr
from alpha.ir.initial_values import check_identity, check_inline, check_state_finite
from alpha.ir.names import require_name, require_state_name
from alpha.ir.refusals import Place, Refusal
from alpha.ir.shapes import require_extents, require_field_type, shape_of, tensor_or_scalar
from alpha.ir.syntax import parse_count, place_at


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
        require_field_type(self.type, f"@{self.sym_name.data}", self)
        check_inline(self.initial, self.type, f"@{self.sym_name.data}", self)


def _parse_field(parser: Parser) -> tuple[StringAttr, Attribute, Attribute]:
    name = parser.parse_symbol_name()
    parser.parse_punctuation(":")
    place = place_at(parser, parser.pos)
    type = parser.parse_type()
    require_field_type(type, f"@{name.data}", place)
    return name, type, _parse_source(parser, type)


@irdl_op_definition
class StateOp(FieldOp):
    """A field of logical state with its initial words.

    `region.state @w : tensor<4xf64> = dense<0.0>`, or `from "w.npy"`. `{shared}` declares that
    the words serve all coordinates: they are updated from shared words and constants alone.

    A decimal literal is rounded to binary64 and, for an f32 word, from there to binary32, as in
    MLIR: twice, which in rare cases isn't the nearest f32. One in hexadecimal is the word's bits.
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
        require_state_name(self.sym_name.data, self)
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
        require_name(self.sym_name.data, "a constant", self)
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
    count = prop_def(IntegerAttr[I64])
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
        require_name(self.sym_name.data, "samples", self)
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
        _check_components(self.types.data, self.count.value.data, name, self)
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
        _check_components(types, count, f"@{name.data}", place)
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


def _check_components(
    types: Sequence[Attribute], count: int, name: str, at: Operation | Place | None
) -> None:
    """Refuse a component whose words no array can hold, of one sample or of all.

    Raises:
        Refusal: `pointwise-type`, `region-domain`.
    """
    for number, type in enumerate(types):
        what = f"component {number} of {name}"
        require_field_type(type, what, at)
        require_extents((count, *shape_of(type)), f"all samples of {what}", at)


def _whole_type(type: Attribute, count: int) -> Attribute:
    """The tensor of `count` values of this type."""
    element = type.element_type if isinstance(type, TensorType) else type
    return tensor_or_scalar((count, *shape_of(type)), element)
