"""Attributes and types of the `region` dialect: identity, fragment, selection, contract, sums.

Invariant: a sum carries the samples it is over in its type, so that a mean of a mean, or a sum
    divided by another data set's count, is a type error.
Refuses: region-identity, region-contract-groups, and what selections refuse.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntAttr, StringAttr, SymbolRefAttr
from xdsl.ir import Attribute, Data, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition, param_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.mlir_lexer import MLIRTokenKind

from alpha.ir.contracts import Contract
from alpha.ir.refusals import Refusal
from alpha.ir.selections import Selection
from alpha.ir.syntax import (
    parse_combine,
    parse_count,
    parse_counts,
    parse_keyed,
    parse_selection,
    print_quoted,
)

SPACES = ("host", "device")
LAYOUTS = ("row_major",)
LIFETIMES = ("persistent", "round", "replica")


@irdl_attr_definition
class SelectAttr(Data[Selection]):
    """A set of coordinates or roles: `#region.select<repeat(8, 40, stride(0, 1, 20))>`."""

    name = "region.select"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Selection:
        with parser.in_angle_brackets():
            return parse_selection(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(str(self.data))


def parse_members(parser: AttrParser) -> Selection:
    """Read a selection, or an alias of a `#region.select<...>`, which stands for it."""
    token = parser._current_token  # pyright: ignore[reportPrivateUsage]
    if token.kind is not MLIRTokenKind.HASH_IDENT:
        return parse_selection(parser)
    start = parser.pos
    attribute = parser.parse_attribute()
    if not isinstance(attribute, SelectAttr):
        parser.raise_error("expected a #region.select<...>", start, parser.pos)
    return attribute.data


@irdl_attr_definition
class ContractAttr(Data[Contract]):
    """The declared order of a sum over samples.

    `#region.contract<groups = [1, 2, 3, 0], combine = left>`: the samples, in order, fall into
    groups; each group's sum starts at -0.0; then the groups are combined `left` or by `tree<F>`.
    More than 8 groups of one size in a row are written as `repeat(COUNT, SIZE)`.
    """

    name = "region.contract"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Contract:
        with parser.in_angle_brackets():
            groups = parse_keyed(parser, "groups", parse_counts)
            parser.parse_punctuation(",")
            combine = parse_keyed(parser, "combine", parse_combine)
            return Contract(groups, combine)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(str(self.data))


@irdl_attr_definition
class IdentityAttr(ParametrizedAttribute):
    """What a piece of logical state is, wherever it lies.

    `#region.identity<schema = "linear", field = "w", domain = stride(0, 1, 4),
    representation = f64, version = 0>`.
    """

    name = "region.identity"
    schema: StringAttr = param_def()
    field: StringAttr = param_def()
    domain: SelectAttr = param_def()
    representation: Attribute = param_def()
    version: IntAttr = param_def()

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            schema = parse_keyed(parser, "schema", AttrParser.parse_str_literal)
            parser.parse_punctuation(",")
            field = parse_keyed(parser, "field", AttrParser.parse_str_literal)
            parser.parse_punctuation(",")
            domain = parse_keyed(parser, "domain", parse_selection)
            parser.parse_punctuation(",")
            representation = parse_keyed(parser, "representation", AttrParser.parse_type)
            parser.parse_punctuation(",")
            version = parse_keyed(parser, "version", parse_count)
            return [
                StringAttr(schema),
                StringAttr(field),
                SelectAttr(domain),
                representation,
                IntAttr(version),
            ]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string("schema = ")
            print_quoted(printer, self.schema.data)
            printer.print_string(", field = ")
            print_quoted(printer, self.field.data)
            printer.print_string(f", domain = {self.domain.data}, representation = ")
            printer.print_attribute(self.representation)
            printer.print_string(f", version = {self.version.data}")


@irdl_attr_definition
class FragmentAttr(ParametrizedAttribute):
    """Where a region physically is.

    `#region.fragment<owner = 2, space = host, layout = row_major, lifetime = persistent>`.
    """

    name = "region.fragment"
    owner: IntAttr = param_def()
    space: StringAttr = param_def()
    layout: StringAttr = param_def()
    lifetime: StringAttr = param_def()

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            owner = parse_keyed(parser, "owner", parse_count)
            words: list[str] = []
            for key, allowed in (("space", SPACES), ("layout", LAYOUTS), ("lifetime", LIFETIMES)):
                parser.parse_punctuation(",")
                words.append(parse_keyed(parser, key, lambda p, a=allowed: p.parse_keyword_in(a)))
            return [IntAttr(owner), *(StringAttr(word) for word in words)]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(
                f"owner = {self.owner.data}, space = {self.space.data}, "
                f"layout = {self.layout.data}, lifetime = {self.lifetime.data}"
            )

    def verify(self) -> None:
        for what, value, allowed in (
            ("space", self.space.data, SPACES),
            ("layout", self.layout.data, LAYOUTS),
            ("lifetime", self.lifetime.data, LIFETIMES),
        ):
            if value not in allowed:
                raise Refusal("region-identity", f"{what} one of {', '.join(allowed)}", value)


@irdl_attr_definition
class FileAttr(ParametrizedAttribute):
    """Where words lie: a `.npy` file, or one tensor of a `.safetensors` file.

    `#region.file<"data/x.npy">` or `#region.file<"data/all.safetensors"["x"]>`. The path is
    relative to the file that names it.
    """

    name = "region.file"
    path: StringAttr = param_def()
    key: StringAttr = param_def()

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            return cls.parse_bare(parser).parameters

    @classmethod
    def parse_bare(cls, parser: AttrParser) -> FileAttr:
        """Read `"path"` or `"path"["key"]`."""
        path = parser.parse_str_literal(" for the path of a data file")
        key = ""
        if parser.parse_optional_punctuation("[") is not None:
            key = parser.parse_str_literal(" for the name of a tensor")
            parser.parse_punctuation("]")
        return FileAttr(StringAttr(path), StringAttr(key))

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            self.print_bare(printer)

    def print_bare(self, printer: Printer) -> None:
        """Print what `parse_bare` reads."""
        print_quoted(printer, self.path.data)
        if self.key.data:
            with printer.in_square_brackets():
                print_quoted(printer, self.key.data)

    def verify(self) -> None:
        path, key = self.path.data, self.key.data
        if not path.endswith((".npy", ".safetensors")):
            raise Refusal("region-data-file", "a .npy or .safetensors file", repr(path))
        if "\0" in path:
            raise Refusal("region-data-file", "a path without a NUL", repr(path))
        if path.endswith(".npy") and key:
            raise Refusal("region-data-file", f"no name of a tensor after {path}", repr(key))
        if path.endswith(".safetensors") and not key:
            raise Refusal("region-data-file", f"the name of a tensor after {path}", "none")

    def __str__(self) -> str:
        return f'{self.path.data}["{self.key.data}"]' if self.key.data else self.path.data


@irdl_attr_definition
class SumType(ParametrizedAttribute, TypeAttribute):
    """A sum of contributions of type `value` over `samples`, not yet divided by their count."""

    name = "region.sum"
    value: Attribute = param_def()
    samples: SymbolRefAttr = param_def()

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            value = parser.parse_type()
            parser.parse_punctuation(",")
            return [value, SymbolRefAttr(parser.parse_symbol_name())]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_attribute(self.value)
            printer.print_string(", ")
            printer.print_symbol_name(self.samples.string_value())


@irdl_attr_definition
class CountType(ParametrizedAttribute, TypeAttribute):
    """The number of samples of `samples` that a sum is over; always travels with the sum."""

    name = "region.count"
    samples: SymbolRefAttr = param_def()

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            return [SymbolRefAttr(parser.parse_symbol_name())]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_symbol_name(self.samples.string_value())
