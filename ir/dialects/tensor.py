"""The two operations of MLIR's `tensor` that programs written in `linalg` need: empty and extract.

Invariant: shapes are static; in a program both are converted with the `linalg` around them.
Refuses: pointwise-type, pointwise-domain, target-unsupported.
Entry: `TENSOR`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IndexType, TensorType
from xdsl.ir import Attribute, Dialect, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from alpha.ir.refusals import Refusal
from alpha.ir.shapes import element_of, require_value_type, shape_of
from alpha.ir.syntax import parse_defined_operand, parse_defined_operands, place_at


@irdl_op_definition
class EmptyOp(IRDLOperation):
    """A tensor whose words nothing has set: `tensor.empty() : tensor<4xf64>`.

    It serves as `outs` where every word is overwritten; reading it is refused.
    """

    name = "tensor.empty"
    output = result_def(TensorType)

    def __init__(self, type: Attribute) -> None:
        super().__init__(result_types=[type])

    def verify_(self) -> None:
        require_value_type(self.output.type, f"the result of {self.name}", self)

    @classmethod
    def parse(cls, parser: Parser) -> EmptyOp:
        parser.parse_punctuation("(")
        place = place_at(parser, parser.pos)
        if parser.parse_optional_punctuation(")") is None:
            wanted = f"no operand in {cls.name}, since shapes are static"
            raise Refusal("target-unsupported", wanted, "a dynamic size", place)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        op = cls(parser.parse_type())
        op.attributes.update(attributes)
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string("()")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.output.type)


@irdl_op_definition
class ExtractOp(IRDLOperation):
    """The word of a tensor without axes, as `linalg.dot` gives one.

    `%s = tensor.extract %d[] : tensor<f64>`.
    """

    name = "tensor.extract"
    tensor = operand_def(TensorType)
    indices = var_operand_def(IndexType)
    output = result_def()

    def __init__(self, tensor: SSAValue, indices: Sequence[SSAValue] = ()) -> None:
        type = tensor.type
        element = type.element_type if isinstance(type, TensorType) else type
        super().__init__(operands=[tensor, list(indices)], result_types=[element])

    def verify_(self) -> None:
        require_value_type(self.tensor.type, f"the operand of {self.name}", self)
        axes = len(shape_of(self.tensor.type))
        if len(self.indices) != axes:
            wanted = f"an index for each of {axes} axes"
            raise Refusal("pointwise-domain", wanted, str(len(self.indices)), self)
        wanted = element_of(self.tensor.type)
        if self.output.type != wanted:
            raise Refusal("pointwise-type", str(wanted), str(self.output.type), self)

    @classmethod
    def parse(cls, parser: Parser) -> ExtractOp:
        tensor = parse_defined_operand(parser)
        indices = parse_defined_operands(parser, parser.Delimiter.SQUARE)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        place = place_at(parser, parser.pos)
        type = parser.parse_type()
        if type != tensor.type:
            raise Refusal("pointwise-type", str(tensor.type), str(type), place)
        op = cls(tensor, indices)
        op.attributes.update(attributes)
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.tensor)
        with printer.in_square_brackets():
            printer.print_list(self.indices, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.tensor.type)


TENSOR = Dialect("tensor", [EmptyOp, ExtractOp], [])
