"""The `arith` dialect as it is used here: xDSL's, with comparisons and choices of vectors, too.

Invariant: on scalars, the text of each operation is that of xDSL's, and it may have attributes.
Why: in xDSL 0.75 `arith.cmpi` and `arith.cmpf` give one truth for vectors, too, and drop the
    attributes that they print; `arith.select` takes one truth. In MLIR they work lane by lane.
Refuses: source-structure (by the verifier).
Entry: `ARITH`, `CmpiOp`, `CmpfOp`, `SelectOp`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

from xdsl.dialects.arith import (
    CMPF_COMPARISON_OPERATIONS,
    CMPI_COMPARISON_OPERATIONS,
    Arith,
    FastMathFlagsAttr,
    floatingPointLike,
    signlessIntegerLike,
)
from xdsl.dialects.builtin import IntegerAttr, IntegerType, VectorType, i1
from xdsl.ir import Attribute, Dialect, Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException


def truth_type(type: Attribute) -> Attribute:
    """The type of the truths that a comparison gives: one, or one a lane."""
    return VectorType(i1, type.shape) if isinstance(type, VectorType) else i1


class _ComparisonOp(IRDLOperation):
    """What the two comparisons share: a predicate, and the text."""

    predicate = prop_def(IntegerAttr)
    result = result_def()
    traits = traits_def(Pure())

    PREDICATES: ClassVar[Sequence[str]] = ()

    def __init__(
        self, lhs: SSAValue | Operation, rhs: SSAValue | Operation, predicate: int | str
    ) -> None:
        """`predicate` by its name or its number in MLIR. Raises ValueError for an unknown one."""
        if isinstance(predicate, str):
            predicate = list(self.PREDICATES).index(predicate)
        super().__init__(
            operands=[lhs, rhs],
            result_types=[truth_type(SSAValue.get(lhs).type)],
            properties={"predicate": IntegerAttr(predicate, 64)},
        )

    def verify_(self) -> None:
        number = self.predicate.value.data
        if not 0 <= number < len(self.PREDICATES):
            wanted = f"a predicate from 0 to {len(self.PREDICATES) - 1}"
            raise VerifyException(f"expected {wanted}, found {number}")
        wanted = truth_type(self.operands[0].type)
        if self.result.type != wanted:
            raise VerifyException(f"expected {wanted} as the result, found {self.result.type}")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        start = parser.pos
        predicate = parser.parse_identifier()
        if predicate not in cls.PREDICATES:
            names = ", ".join(cls.PREDICATES)
            parser.raise_error(f"expected one of {names} as the predicate", start, parser.pos)
        parser.parse_punctuation(",")
        left = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        right = parser.parse_unresolved_operand()
        flags = None
        if parser.parse_optional_keyword("fastmath") is not None:
            flags = FastMathFlagsAttr(FastMathFlagsAttr.parse_parameter(parser))
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type = parser.parse_type()
        operands = parser.resolve_operands([left, right], [type, type], start)
        op = cls(operands[0], operands[1], predicate)
        if flags is not None:
            op.properties["fastmath"] = flags
        op.attributes.update(attributes)
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.PREDICATES[self.predicate.value.data]}, ")
        printer.print_list(self.operands, printer.print_ssa_value)
        flags = self.properties.get("fastmath")
        if isinstance(flags, FastMathFlagsAttr) and flags != FastMathFlagsAttr("none"):
            printer.print_string(" fastmath")
            flags.print_parameter(printer)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.operands[0].type)


@irdl_op_definition
class CmpiOp(_ComparisonOp):
    """`arith.cmpi slt, %a, %b : T`: a truth, or a truth a lane of vectors of integers."""

    T: ClassVar = VarConstraint("T", signlessIntegerLike)
    name = "arith.cmpi"
    lhs = operand_def(T)
    rhs = operand_def(T)
    PREDICATES: ClassVar[Sequence[str]] = tuple(CMPI_COMPARISON_OPERATIONS)


@irdl_op_definition
class CmpfOp(_ComparisonOp):
    """`arith.cmpf olt, %a, %b : T`: a truth, or a truth a lane of vectors of floats."""

    T: ClassVar = VarConstraint("T", floatingPointLike)
    name = "arith.cmpf"
    lhs = operand_def(T)
    rhs = operand_def(T)
    fastmath = prop_def(FastMathFlagsAttr, default_value=FastMathFlagsAttr("none"))
    PREDICATES: ClassVar[Sequence[str]] = tuple(CMPF_COMPARISON_OPERATIONS)


@irdl_op_definition
class SelectOp(IRDLOperation):
    """`arith.select %c, %a, %b : T`, or `: vector<4xi1>, vector<4xf64>` lane by lane."""

    T: ClassVar = VarConstraint("T", AnyAttr())
    name = "arith.select"
    cond = operand_def()
    lhs = operand_def(T)
    rhs = operand_def(T)
    result = result_def(T)
    traits = traits_def(Pure())

    def __init__(
        self,
        cond: SSAValue | Operation,
        lhs: SSAValue | Operation,
        rhs: SSAValue | Operation,
    ) -> None:
        super().__init__(operands=[cond, lhs, rhs], result_types=[SSAValue.get(lhs).type])

    def verify_(self) -> None:
        type = self.cond.type
        if type != i1 and type != truth_type(self.result.type):
            each = truth_type(self.result.type)
            wanted = "i1 as the condition" if each == i1 else f"i1 or {each} as the condition"
            raise VerifyException(f"expected {wanted}, found {type}")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        start = parser.pos
        operands = [parser.parse_unresolved_operand()]
        for _ in range(2):
            parser.parse_punctuation(",")
            operands.append(parser.parse_unresolved_operand())
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        condition: Attribute = i1
        type = parser.parse_type()
        if parser.parse_optional_punctuation(",") is not None:
            condition, type = type, parser.parse_type()
        cond, lhs, rhs = parser.resolve_operands(operands, [condition, type, type], start)
        op = cls(cond, lhs, rhs)
        op.attributes.update(attributes)
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        if not isinstance(self.cond.type, IntegerType):
            printer.print_attribute(self.cond.type)
            printer.print_string(", ")
        printer.print_attribute(self.result.type)


_OWN: dict[str, type[Operation]] = {op.name: op for op in (CmpiOp, CmpfOp, SelectOp)}

ARITH = Dialect(
    "arith",
    [_OWN.get(op.name, op) for op in Arith.operations],
    list(Arith.attributes),
)
