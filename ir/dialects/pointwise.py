"""The `pointwise` dialect: programs of typed assignments, and their use in a round.

Its operations stand in four more files: `pointwise_domain` (map and fold), `pointwise_programs`
(contribution and update), `pointwise_terminators` (return and yield) and `pointwise_round` (sum,
mean and apply). Here are its three scalars.

Refuses: pointwise-type.
Entry: `POINTWISE`.
"""

from __future__ import annotations

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Dialect, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from alpha.ir.attributes.pointwise import OrderAttr
from alpha.ir.dialects.pointwise_domain import FoldOp, MapOp
from alpha.ir.dialects.pointwise_programs import ContributionOp, UpdateOp
from alpha.ir.dialects.pointwise_round import ApplyOp, MeanOp, SumOp
from alpha.ir.dialects.pointwise_terminators import ReturnOp, YieldOp
from alpha.ir.refusals import Refusal
from alpha.ir.shapes import is_float


class ScalarBinaryOp(IRDLOperation):
    """What min and max share: two scalars of one type."""

    lhs = operand_def()
    rhs = operand_def()
    result = result_def()
    traits = traits_def(Pure())

    def __init__(self, lhs: SSAValue, rhs: SSAValue) -> None:
        super().__init__(operands=[lhs, rhs], result_types=[lhs.type])

    def verify_(self) -> None:
        types = {self.lhs.type, self.rhs.type, self.result.type}
        if len(types) != 1 or not is_float(self.lhs.type):
            found = f"{self.lhs.type}, {self.rhs.type} to {self.result.type}"
            raise Refusal("pointwise-type", "f32 or f64 scalars of one type", found, self)

    @classmethod
    def parse(cls, parser: Parser) -> ScalarBinaryOp:
        start = parser.pos
        left = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        right = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type = parser.parse_type()
        operands = parser.resolve_operands([left, right], [type, type], start)
        op = cls(*operands)
        op.attributes.update(attributes)
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)


@irdl_op_definition
class MinOp(ScalarBinaryOp):
    """`a < b ? a : b`, so b where either is NaN or both are zeros."""

    name = "pointwise.min"


@irdl_op_definition
class MaxOp(ScalarBinaryOp):
    """`a > b ? a : b`, so b where either is NaN or both are zeros."""

    name = "pointwise.max"


@irdl_op_definition
class SigmoidOp(IRDLOperation):
    """`1 / (1 + exp(-a))`, as accurate where it is close to 0 as anywhere.

    In a function, where `--expand-math` replaces it, it may be of vectors, lane by lane.
    """

    name = "pointwise.sigmoid"

    operand = operand_def()
    result = result_def()
    traits = traits_def(Pure())

    def __init__(self, operand: SSAValue) -> None:
        super().__init__(operands=[operand], result_types=[operand.type])

    def verify_(self) -> None:
        type = self.operand.type
        element = type.element_type if isinstance(type, VectorType) else type
        if type != self.result.type or not is_float(element):
            found = f"{type} to {self.result.type}"
            raise Refusal("pointwise-type", "f32 or f64 scalars of one type", found, self)

    @classmethod
    def parse(cls, parser: Parser) -> SigmoidOp:
        start = parser.pos
        operand = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        operands = parser.resolve_operands([operand], [parser.parse_type()], start)
        op = cls(*operands)
        op.attributes.update(attributes)
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.operand)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)


POINTWISE = Dialect(
    "pointwise",
    [
        ContributionOp,
        UpdateOp,
        MapOp,
        FoldOp,
        YieldOp,
        ReturnOp,
        MinOp,
        MaxOp,
        SigmoidOp,
        SumOp,
        MeanOp,
        ApplyOp,
    ],
    [OrderAttr],
)
