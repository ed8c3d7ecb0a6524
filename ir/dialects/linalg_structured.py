"""What the structured operations of `linalg` share: loops, index maps, and a body over scalars.

Invariant: operands and results are static tensors or, as operands, scalars of f32 or f64; each
    operand has one index map from all loops to its indices; each result has the type of its init.
Why: this project reads `linalg` in order to convert it, and has neither buffers nor dynamic shapes.
Refuses: pointwise-type, pointwise-domain, source-structure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator

from alpha.ir.attributes.linalg import LoopKind
from alpha.ir.refusals import Place, Refusal, name_of
from alpha.ir.shapes import element_of, require_value_type, shape_of, types_text
from alpha.ir.syntax import require_some


@irdl_op_definition
class YieldOp(IRDLOperation):
    """What one point of the loops writes, one value a result: `linalg.yield %a, %b : f64, f64`."""

    name = "linalg.yield"
    values = var_operand_def()
    traits = traits_def(IsTerminator())

    def __init__(self, *values: SSAValue) -> None:
        super().__init__(operands=[list(values)])

    def verify_(self) -> None:
        require_some(self.values, "value", self)

    @classmethod
    def parse(cls, parser: Parser) -> YieldOp:
        attributes = parser.parse_optional_attr_dict()
        op = cls(*parse_typed_operands(parser))
        op.attributes.update(attributes)
        return op

    def print(self, printer: Printer) -> None:
        printer.print_op_attributes(self.attributes)
        printer.print_string(" ")
        print_typed_operands(printer, self.values)


class StructuredOp(IRDLOperation):
    """A perfect nest of loops in the order of their numbers, the last of them fastest.

    At each point the body computes on the words that the maps select, and what it yields replaces
    the words of the results, which begin as the words of the inits.
    """

    body = region_def("single_block")

    def sources(self) -> Sequence[SSAValue]:
        """The operands after `ins`."""
        raise NotImplementedError

    def inits(self) -> Sequence[SSAValue]:
        """The operands after `outs`."""
        raise NotImplementedError

    def maps(self) -> Sequence[AffineMap]:
        """For each operand, from the loops to its indices."""
        raise NotImplementedError

    def iterators(self) -> Sequence[LoopKind]:
        """What each loop is for."""
        raise NotImplementedError

    def extents(self) -> tuple[int, ...]:
        """How often each loop runs: the extent of the axes that it alone is the index of."""
        found = {loop: size for _, _, loop, size in self._axes()}
        return tuple(found[loop] for loop in range(len(self.iterators())))

    def yielded(self) -> Sequence[SSAValue]:
        """What the body yields, one value a result."""
        last = self.body.block.last_op
        assert isinstance(last, YieldOp)
        return last.values

    def _axes(self) -> Iterator[tuple[int, int, int, int]]:
        """Each axis whose index is one loop: operand, axis, loop, extent."""
        for number, (value, map) in enumerate(zip(self.operands, self.maps(), strict=True)):
            sizes = zip(map.results, shape_of(value.type), strict=True)
            for axis, (index, size) in enumerate(sizes):
                if isinstance(index, AffineDimExpr):
                    yield number, axis, index.position, size

    def verify_(self) -> None:
        check_operands(self.name, self.sources(), self.inits(), self)
        wanted = [value.type for value in self.inits()]
        if list(self.result_types) != wanted:
            raise Refusal("pointwise-type", types_text(wanted), types_text(self.result_types), self)
        self._check_maps()
        self._check_body()

    def _check_maps(self) -> None:
        maps, loops = self.maps(), len(self.iterators())
        if len(maps) != len(self.operands):
            wanted = f"{len(self.operands)} index maps, one an operand"
            raise Refusal("pointwise-domain", wanted, str(len(maps)), self)
        for number, (value, map) in enumerate(zip(self.operands, maps, strict=True)):
            axes = len(shape_of(value.type))
            if map.num_dims != loops or map.num_symbols or len(map.results) != axes:
                wanted = f"a map of {loops} loops to {axes} indices for operand {number}"
                found = f"{map.num_dims} loops, {map.num_symbols} symbols, {len(map.results)}"
                raise Refusal("pointwise-domain", wanted, f"{found} indices", self)
        first: dict[int, tuple[int, int, int]] = {}
        for number, axis, loop, size in self._axes():
            other, other_axis, other_size = first.setdefault(loop, (number, axis, size))
            if size != other_size:
                wanted = f"{other_size} words along axis {axis} of operand {number}"
                as_in = f", as along axis {other_axis} of operand {other}"
                raise Refusal("pointwise-domain", wanted + as_in, str(size), self)
        for loop in range(loops):
            if loop not in first:
                wanted = f"an index that is loop d{loop} alone, which says how often it runs"
                raise Refusal("pointwise-domain", wanted, "none", self)

    def _check_body(self) -> None:
        block = self.body.block
        types: list[Attribute] = [element_of(value.type) for value in self.operands]
        if list(block.arg_types) != types:
            raise Refusal("pointwise-type", types_text(types), types_text(block.arg_types), self)
        last = block.last_op
        if not isinstance(last, YieldOp):
            found = name_of(last) if last is not None else "an empty body"
            raise Refusal("pointwise-type", "linalg.yield as the last operation", found, self)
        types = [element_of(value.type) for value in self.inits()]
        if [value.type for value in last.values] != types:
            found = types_text([value.type for value in last.values])
            raise Refusal("pointwise-type", types_text(types), found, last)


def check_operands(
    name: str, sources: Sequence[SSAValue], inits: Sequence[SSAValue], at: Operation | Place | None
) -> None:
    """Refuse operands that no structured operation has here.

    Raises:
        Refusal: `pointwise-type` for a buffer, a dynamic shape, other words, a scalar as init, or
            no init at all.
    """
    for number, value in enumerate((*sources, *inits)):
        require_value_type(value.type, f"operand {number} of {name}", at)
    for value in inits:
        if not isinstance(value.type, TensorType):
            raise Refusal("pointwise-type", f"tensors after outs in {name}", str(value.type), at)
    if not inits:
        raise Refusal("pointwise-type", f"a tensor after outs in {name}", "none", at)


class SegmentedOp(StructuredOp):
    """A structured operation with any number of operands after `ins` and after `outs`."""

    ins = var_operand_def()
    outs = var_operand_def()
    outputs = var_result_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def sources(self) -> Sequence[SSAValue]:
        return self.ins

    def inits(self) -> Sequence[SSAValue]:
        return self.outs

    def print_operands(self, printer: Printer) -> None:
        """Print `ins(%a : tensor<4xf64>) outs(%b : tensor<4xf64>)`."""
        print_group(printer, "ins", self.ins)
        print_group(printer, "outs", self.outs)

    def print_results(self, printer: Printer) -> None:
        """Print `-> tensor<4xf64>`."""
        printer.print_string(" -> ")
        if len(self.result_types) == 1:
            printer.print_attribute(self.result_types[0])
        else:
            with printer.in_parens():
                printer.print_list(self.result_types, printer.print_attribute)


def parse_group(parser: Parser, word: str) -> list[SSAValue]:
    """Read `ins(%a, %b : tensor<4xf64>, f64)`, if present."""
    if parser.parse_optional_keyword(word) is None:
        return []
    with parser.in_parens():
        return parse_typed_operands(parser)


def parse_typed_operands(parser: Parser) -> list[SSAValue]:
    """Read `%a, %b : tensor<4xf64>, f64`."""
    position = parser.pos
    operands = parser.parse_comma_separated_list(
        parser.Delimiter.NONE, parser.parse_unresolved_operand
    )
    parser.parse_punctuation(":")
    types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    return list(parser.resolve_operands(operands, types, position))


def parse_results(parser: Parser) -> list[Attribute]:
    """Read `-> tensor<4xf64>` or `-> (tensor<4xf64>, tensor<4xf64>)`, if present."""
    if parser.parse_optional_punctuation("->") is None:
        return []
    types = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
    return [parser.parse_type()] if types is None else list(types)


def print_group(printer: Printer, word: str, values: Sequence[SSAValue]) -> None:
    """Print ` ins(%a : tensor<4xf64>)`, or nothing where there is no value."""
    if values:
        printer.print_string(f" {word}")
        with printer.in_parens():
            print_typed_operands(printer, values)


def print_typed_operands(printer: Printer, values: Sequence[SSAValue]) -> None:
    """Print `%a, %b : tensor<4xf64>, f64`."""
    printer.print_list(values, printer.print_ssa_value)
    printer.print_string(" : ")
    printer.print_list([value.type for value in values], printer.print_attribute)
