"""The terminators of programs and of bodies over a domain: `pointwise.return`, `pointwise.yield`.

Invariant: each has at least one value; which values and types are right is for the operation that
    it ends.
Refuses: source-structure.
"""

from __future__ import annotations

from typing import Self

from xdsl.ir import SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, traits_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, Pure

from alpha.ir.syntax import parse_defined_operand, require_some


class TerminatorOp(IRDLOperation):
    """What the two share: the values that they hand on."""

    values = var_operand_def()
    traits = traits_def(IsTerminator(), Pure())

    def __init__(self, *values: SSAValue) -> None:
        super().__init__(operands=[list(values)])

    def verify_(self) -> None:
        require_some(self.values, "value", self)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        values = [parse_defined_operand(parser)]
        while parser.parse_optional_punctuation(",") is not None:
            values.append(parse_defined_operand(parser))
        op = cls(*values)
        op.attributes.update(parser.parse_optional_attr_dict())
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.values, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)


@irdl_op_definition
class YieldOp(TerminatorOp):
    """The values of one point of the domain: `pointwise.yield %a, %b`."""

    name = "pointwise.yield"


@irdl_op_definition
class ReturnOp(TerminatorOp):
    """What a program writes, in the order of its results: `pointwise.return %g, %l`."""

    name = "pointwise.return"
