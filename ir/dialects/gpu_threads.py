"""The `gpu` dialect as kernels use it: xDSL's numbers and barriers of threads, and a shuffle.

Why: xDSL's dialect has no operation that hands a word from one lane to another.
Refuses: pointwise-type.
Entry: `GPU`, `ShuffleOp`.
"""

from __future__ import annotations

from xdsl.dialects.builtin import I64, IntegerAttr, i64
from xdsl.dialects.gpu import (
    BarrierOp,
    BlockDimOp,
    BlockIdOp,
    DimensionAttr,
    GridDimOp,
    ThreadIdOp,
)
from xdsl.ir import Dialect, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

from alpha.ir.refusals import Refusal

WARP = 32


@irdl_op_definition
class ShuffleOp(IRDLOperation):
    """`gpu.shuffle down %v, 4 width 8 : f64`: the word of the lane so many behind.

    The lanes of a warp lie in groups of `width`, a power of two of at most 32; a lane whose place
    would be behind the last of its group gets its own word. Every lane of the warp takes part.
    """

    name = "gpu.shuffle"
    value = operand_def()
    result = result_def()
    distance = prop_def(IntegerAttr[I64])
    width = prop_def(IntegerAttr[I64])

    def __init__(self, value: SSAValue, distance: int, width: int) -> None:
        super().__init__(
            operands=[value],
            result_types=[value.type],
            properties={
                "distance": IntegerAttr(distance, i64),
                "width": IntegerAttr(width, i64),
            },
        )

    def verify_(self) -> None:
        distance, width = self.distance.value.data, self.width.value.data
        if not 2 <= width <= WARP or width & (width - 1) or not 1 <= distance < width:
            wanted = f"a distance below a width, which is a power of two from 2 to {WARP}"
            raise Refusal("pointwise-type", wanted, f"{distance} of {width}", self)
        if self.value.type != self.result.type:
            found = f"{self.value.type} to {self.result.type}"
            raise Refusal("pointwise-type", "one type", found, self)

    @classmethod
    def parse(cls, parser: Parser) -> ShuffleOp:
        parser.parse_keyword("down")
        start = parser.pos
        operand = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        distance = parser.parse_integer(allow_negative=False)
        parser.parse_keyword("width")
        width = parser.parse_integer(allow_negative=False)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        (value,) = parser.resolve_operands([operand], [parser.parse_type()], start)
        op = cls(value, distance, width)
        op.attributes.update(attributes)
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" down ")
        printer.print_ssa_value(self.value)
        printer.print_string(f", {self.distance.value.data} width {self.width.value.data}")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.value.type)


GPU = Dialect(
    "gpu", [ThreadIdOp, BlockIdOp, BlockDimOp, GridDimOp, BarrierOp, ShuffleOp], [DimensionAttr]
)
