"""The two operations over a domain, `pointwise.map` and `pointwise.fold`, on index maps.

Invariant: a body uses only its own arguments, which are the words that the index maps select; the
    result is indexed by the axes after `over`, in their order.
Why: with explicit domains and maps, what an operation reads is known without running it.
Refuses: pointwise-type, pointwise-footprint, pointwise-domain, pointwise-fold-empty,
    pointwise-fold-lanes, target-unsupported.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects.builtin import (
    I64,
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    IntegerAttr,
    StringAttr,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from alpha.ir.attributes.pointwise import Order, OrderAttr, check_order, parse_order
from alpha.ir.dialects.pointwise_terminators import YieldOp
from alpha.ir.index_maps import first_outside
from alpha.ir.refusals import Refusal, name_of
from alpha.ir.scalars import check_scalar
from alpha.ir.shapes import (
    element_of,
    require_extents,
    require_value_type,
    shape_of,
    tensor_or_scalar,
    types_text,
)
from alpha.ir.syntax import (
    axis_name,
    index_text,
    indices_of,
    parse_count,
    parse_defined_operand,
    parse_index,
    place_at,
)


class DomainOp(IRDLOperation):
    """What map and fold share: operands read through index maps over a domain of axes."""

    inputs = var_operand_def()
    outputs = var_result_def()
    domain = prop_def(DenseArrayBase[I64])
    indexing_maps = prop_def(ArrayAttr[AffineMapAttr])
    body = region_def()

    def extents(self) -> tuple[int, ...]:
        """The extents of all axes, those after `over` first."""
        return tuple(int(extent) for extent in self.domain.iter_values())

    def axes_over(self) -> int:
        """How many axes index the result."""
        raise NotImplementedError

    def maps(self) -> list[tuple[AffineExpr, ...]]:
        """For each operand, the index expressions over the axes."""
        return [entry.data.results for entry in self.indexing_maps.data]

    def yielded(self) -> YieldOp:
        """The terminator of the body."""
        last = self.body.block.last_op
        assert isinstance(last, YieldOp)
        return last

    def check_domain(self) -> None:
        """Refuse a domain or index maps that don't fit the operands."""
        extents = self.extents()
        if any(extent < 0 for extent in extents):
            raise Refusal("pointwise-domain", "extents of 0 or more", f"{list(extents)}", self)
        require_extents(extents, f"the domain of {self.name}", self)
        if len(self.indexing_maps.data) != len(self.inputs):
            wanted = f"{len(self.inputs)} index maps, one an operand"
            raise Refusal("pointwise-domain", wanted, f"{len(self.indexing_maps.data)}", self)
        for number, (value, entry) in enumerate(
            zip(self.inputs, self.indexing_maps.data, strict=True)
        ):
            self._check_operand(number, value, entry.data, extents)

    def _check_operand(
        self, number: int, value: SSAValue, map: AffineMap, extents: tuple[int, ...]
    ) -> None:
        require_value_type(value.type, f"operand {number}", self)
        shape = shape_of(value.type)
        name = f"operand {number}" if value.name_hint is None else f"%{value.name_hint}"
        if map.num_dims != len(extents) or map.num_symbols:
            wanted = f"an index map of {len(extents)} axes, as the domain, and 0 symbols for {name}"
            found = f"{map.num_dims} axes and {map.num_symbols} symbols"
            raise Refusal("pointwise-domain", wanted, found, self)
        if len(map.results) != len(shape):
            each = f"{indices_of(len(shape))} on {name}, one for each axis of {value.type}"
            wanted = each if shape else f"no index on {name}, which is a scalar"
            raise Refusal("pointwise-domain", wanted, indices_of(len(map.results)), self)
        try:
            outside = first_outside(map.results, extents, shape)
        except ValueError as error:
            wanted = f"sums of axes times constants, mod and floordiv in operand {number}"
            raise Refusal("pointwise-footprint", wanted, str(error), self) from None
        if outside is not None:
            point, index = outside
            wanted = f"an index inside {list(shape)} for operand {number}"
            found = f"{list(index)} at point {list(point)}"
            raise Refusal("pointwise-footprint", wanted, found, self)

    def check_body(self, yields: int | None) -> None:
        """Refuse a body that isn't one block of scalar operations on its own arguments."""
        if len(self.body.blocks) != 1:
            raise Refusal("pointwise-type", "a body of one block", f"{len(self.body.blocks)}", self)
        block = self.body.block
        wanted = [element_of(value.type) for value in self.inputs]
        if list(block.arg_types) != wanted:
            raise Refusal("pointwise-type", types_text(wanted), types_text(block.arg_types), self)
        if not isinstance(block.last_op, YieldOp):
            found = name_of(block.last_op) if block.last_op else "an empty body"
            raise Refusal("pointwise-type", "pointwise.yield as the last operation", found, self)
        own: set[SSAValue] = set(block.args)
        for op in block.ops:
            if not isinstance(op, YieldOp):
                check_scalar(op)
            check_captures(op, own)
            own.update(op.results)
        self._check_yield(block.last_op, yields)

    def _check_yield(self, last: YieldOp, yields: int | None) -> None:
        found = len(last.values)
        if yields is not None and found != yields:
            raise Refusal("pointwise-type", f"{yields} yielded value", str(found), last)
        for number, value in enumerate(last.values):
            require_value_type(value.type, f"yielded value {number}", last)
        over = self.extents()[: self.axes_over()]
        types = [tensor_or_scalar(over, value.type) for value in last.values]
        if list(self.result_types) != types:
            raise Refusal("pointwise-type", types_text(types), types_text(self.result_types), self)

    def _print_inputs(self, printer: Printer) -> None:
        """Print `(%a = %x[i], %b = %r)`."""

        def print_one(number: int) -> None:
            printer.print_ssa_value(self.body.block.args[number])
            printer.print_string(" = ")
            printer.print_ssa_value(self.inputs[number])
            index = self.indexing_maps.data[number].data.results
            if index:
                with printer.in_square_brackets():
                    printer.print_list(index, lambda e: printer.print_string(index_text(e)))

        with printer.in_parens():
            printer.print_list(range(len(self.inputs)), print_one)

    def print_axes(self, printer: Printer, first: int, last: int) -> None:
        """Print `[i : 4, j : 2]`."""
        extents = self.extents()
        axes = (f"{axis_name(axis)} : {extents[axis]}" for axis in range(first, last))
        with printer.in_square_brackets():
            printer.print_string(", ".join(axes))

    def print_body(self, printer: Printer) -> None:
        """Print operands, extra attributes, body and types; names of a body end with it."""
        printer.print_string(" ")
        printer.enter_scope()
        self._print_inputs(printer)
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False)
        printer.exit_scope()
        printer.print_string(" : ")
        printer.print_list(self.result_types, printer.print_attribute)


def check_captures(op: Operation, own: set[SSAValue]) -> None:
    """Refuse a use of a value that isn't one of `own`, those of the operation's own block."""
    for operand in op.operands:
        if operand not in own:
            wanted = "only the body's own arguments and values"
            raise Refusal("pointwise-footprint", wanted, "a value from outside the body", op)


def parse_axes(parser: Parser) -> list[tuple[str, int]]:
    """Read `[i : 4, j : 2]`."""

    def parse_one() -> tuple[str, int]:
        name = parser.parse_identifier(context_msg=" as the name of an axis")
        parser.parse_punctuation(":")
        return name, parse_count(parser)

    return parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parse_one)


class ParsedDomain:
    """The parts of a map or fold that are written alike."""

    def __init__(self, parser: Parser, axes: list[tuple[str, int]]) -> None:
        names = [name for name, _ in axes]
        if len(set(names)) != len(names):
            wanted, found = "axes of different names", ", ".join(names)
            raise Refusal("pointwise-domain", wanted, found, place_at(parser, parser.pos))
        self.extents = [extent for _, extent in axes]
        require_extents(self.extents, "a domain", place_at(parser, parser.pos))
        self.inputs: list[SSAValue] = []
        self.maps: list[AffineMap] = []
        arguments: list[Parser.Argument] = []

        def parse_input() -> None:
            argument = parser.parse_argument(expect_type=False)
            parser.parse_punctuation("=")
            place = place_at(parser, parser.pos)
            value = parse_defined_operand(parser)
            bracket = parser.parse_optional_punctuation("[") is not None
            if bracket:
                parser._resume_from(parser.pos - 1)  # pyright: ignore[reportPrivateUsage]
            index = parse_index(parser, names) if bracket else ()
            require_value_type(value.type, f"operand {len(self.inputs)}", place)
            arguments.append(argument.resolve(element_of(value.type)))
            self.inputs.append(value)
            self.maps.append(AffineMap(len(names), 0, index))

        parser.parse_comma_separated_list(parser.Delimiter.PAREN, parse_input)
        attributes = parser.parse_optional_attr_dict_with_keyword()
        self.attributes = {} if attributes is None else dict(attributes.data)
        self.body = parser.parse_region(arguments)
        parser.parse_punctuation(":")
        self.types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)


def domain_attr(extents: Sequence[int]) -> DenseArrayBase[I64]:
    """The extents of a domain as an attribute."""
    return DenseArrayBase.from_list(i64, list(extents))


def maps_attr(maps: Sequence[AffineMap]) -> ArrayAttr[AffineMapAttr]:
    """Index maps as an attribute."""
    return ArrayAttr([AffineMapAttr(map) for map in maps])


@irdl_op_definition
class MapOp(DomainOp):
    """Every point of the domain on its own.

    `%g = pointwise.map over [i : 4] (%xi = %x[i], %ri = %r) { ... } : tensor<4xf64>`: the body's
    arguments are the words that the indices select; a scalar is the same at every point.
    """

    name = "pointwise.map"
    traits = traits_def(Pure())

    def __init__(
        self,
        inputs: Sequence[SSAValue],
        maps: Sequence[AffineMap],
        extents: Sequence[int],
        body: Region | Block,
        types: Sequence[Attribute],
        attributes: dict[str, Attribute] | None = None,
    ) -> None:
        super().__init__(
            operands=[list(inputs)],
            result_types=[list(types)],
            properties={"domain": domain_attr(extents), "indexing_maps": maps_attr(maps)},
            regions=[body if isinstance(body, Region) else Region(body)],
            attributes=attributes or {},
        )

    def axes_over(self) -> int:
        return len(self.extents())

    def verify_(self) -> None:
        self.check_domain()
        self.check_body(None)

    @classmethod
    def parse(cls, parser: Parser) -> MapOp:
        parser.parse_keyword("over")
        parts = ParsedDomain(parser, parse_axes(parser))
        return cls(
            parts.inputs, parts.maps, parts.extents, parts.body, parts.types, parts.attributes
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" over ")
        self.print_axes(printer, 0, len(self.extents()))
        self.print_body(printer)


@irdl_op_definition
class FoldOp(DomainOp):
    """A reduction along axes in a declared order.

    `%p = pointwise.fold add left along [k : 4] (%a = %w[k], %b = %x[k]) { ... } : f64` yields one
    word a point and adds them along the axes after `along`, the last of them fastest. With
    `over [i : 16] along [k : 4]` the result has one word for each point of the axes after `over`.
    An empty sum is -0.0; `max` is `acc > x ? acc : x` from the first element on. In `lanes<L>`
    every lane of a sum starts at -0.0, and every lane of a `max` at the first element.
    """

    name = "pointwise.fold"
    kind = prop_def(StringAttr)
    order = prop_def(OrderAttr)
    along = prop_def(IntegerAttr[I64])
    traits = traits_def(Pure())

    def __init__(
        self,
        kind: str,
        order: Order,
        inputs: Sequence[SSAValue],
        maps: Sequence[AffineMap],
        extents: Sequence[int],
        along: int,
        body: Region | Block,
        types: Sequence[Attribute],
        attributes: dict[str, Attribute] | None = None,
    ) -> None:
        super().__init__(
            operands=[list(inputs)],
            result_types=[list(types)],
            properties={
                "kind": StringAttr(kind),
                "order": OrderAttr(order),
                "along": IntegerAttr(along, i64),
                "domain": domain_attr(extents),
                "indexing_maps": maps_attr(maps),
            },
            regions=[body if isinstance(body, Region) else Region(body)],
            attributes=attributes or {},
        )

    def axes_over(self) -> int:
        return len(self.extents()) - self.along.value.data

    def verify_(self) -> None:
        extents = self.extents()
        along = self.along.value.data
        if not 1 <= along <= len(extents):
            wanted = "at least 1 axis to reduce along"
            if along > len(extents):
                wanted = f"no more axes to reduce along than the {len(extents)} of the domain"
            raise Refusal("pointwise-domain", wanted, str(along), self)
        if self.kind.data not in ("add", "max"):
            raise Refusal("pointwise-type", "a fold by add or max", self.kind.data, self)
        self.check_domain()
        check_order(self.order.data)
        if self.kind.data == "max" and prod(extents[self.axes_over() :]) == 0:
            wanted = "at least one element along the axes of a fold by max"
            raise Refusal("pointwise-fold-empty", wanted, "0", self)
        self.check_body(1)

    @classmethod
    def parse(cls, parser: Parser) -> FoldOp:
        kind = parser.parse_keyword_in(("add", "max"))
        order = parse_order(parser)
        over = parse_axes(parser) if parser.parse_optional_keyword("over") is not None else []
        parser.parse_keyword("along")
        along = parse_axes(parser)
        parts = ParsedDomain(parser, over + along)
        return cls(
            kind,
            order,
            parts.inputs,
            parts.maps,
            parts.extents,
            len(along),
            parts.body,
            parts.types,
            parts.attributes,
        )

    def print(self, printer: Printer) -> None:
        over = self.axes_over()
        printer.print_string(f" {self.kind.data} {self.order.data}")
        if over:
            printer.print_string(" over ")
            self.print_axes(printer, 0, over)
        printer.print_string(" along ")
        self.print_axes(printer, over, len(self.extents()))
        self.print_body(printer)
