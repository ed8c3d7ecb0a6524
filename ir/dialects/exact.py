"""The `exact` dialect: square roots and quotients that a target may compute by multiply-adds.

    %s = exact.sqrt %x : vector<8xf64>
    %h, %l, %m = exact.reciprocal %c : vector<8xf64>
    %q = exact.divide %x, %c, %h, %l, %m : vector<8xf64>

`exact.sqrt` is `math.sqrt` and `exact.divide` is `arith.divf` of its first two operands: correctly
rounded, on every target. What differs is how they are computed. `exact.reciprocal` makes, once,
what a division by %c may be computed with; what its results hold isn't said, and nothing but a
division by %c takes them.

Refuses: source-structure.
Entry: `EXACT`, `SqrtOp`, `ReciprocalOp`, `DivideOp`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import Float32Type, Float64Type, VectorType
from xdsl.ir import Attribute, Dialect, OpResult, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

from alpha.ir.refusals import Refusal

_TYPE = VarConstraint("T", AnyAttr())
_HELPERS = 3


def _require_floats(op: IRDLOperation, type: Attribute) -> None:
    element = type.element_type if isinstance(type, VectorType) else type
    if not isinstance(element, Float32Type | Float64Type):
        wanted = "f32, f64, or a vector of them"
        raise Refusal("source-structure", wanted, str(type), op)


@irdl_op_definition
class SqrtOp(IRDLOperation):
    """The square root, as `math.sqrt` has it."""

    name = "exact.sqrt"
    operand = operand_def(_TYPE)
    result = result_def(_TYPE)
    traits = traits_def(Pure())
    assembly_format = "$operand attr-dict `:` type($operand)"

    def __init__(self, operand: SSAValue) -> None:
        super().__init__(operands=[operand], result_types=[operand.type])

    def verify_(self) -> None:
        _require_floats(self, self.operand.type)


@irdl_op_definition
class ReciprocalOp(IRDLOperation):
    """What divisions by a value may be computed with."""

    name = "exact.reciprocal"
    divisor = operand_def(_TYPE)
    high = result_def(_TYPE)
    low = result_def(_TYPE)
    mask = result_def(_TYPE)
    traits = traits_def(Pure())
    assembly_format = "$divisor attr-dict `:` type($divisor)"

    def __init__(self, divisor: SSAValue) -> None:
        super().__init__(operands=[divisor], result_types=[divisor.type] * _HELPERS)

    def verify_(self) -> None:
        _require_floats(self, self.divisor.type)
        for result in self.results:
            for use in result.uses:
                if not isinstance(use.operation, DivideOp):
                    wanted = "no user of what exact.reciprocal gives but exact.divide"
                    raise Refusal("source-structure", wanted, use.operation.name, use.operation)


@irdl_op_definition
class DivideOp(IRDLOperation):
    """The quotient, as `arith.divf` has it, by a value whose reciprocal is there."""

    name = "exact.divide"
    dividend = operand_def(_TYPE)
    divisor = operand_def(_TYPE)
    high = operand_def(_TYPE)
    low = operand_def(_TYPE)
    mask = operand_def(_TYPE)
    result = result_def(_TYPE)
    traits = traits_def(Pure())
    assembly_format = (
        "$dividend `,` $divisor `,` $high `,` $low `,` $mask attr-dict `:` type($dividend)"
    )

    def __init__(self, dividend: SSAValue, divisor: SSAValue, helpers: Sequence[SSAValue]) -> None:
        super().__init__(
            operands=[dividend, divisor, *helpers],
            result_types=[dividend.type],
        )

    def verify_(self) -> None:
        _require_floats(self, self.dividend.type)
        made = self.high.owner
        helpers = (self.high, self.low, self.mask)
        fits = (
            isinstance(made, ReciprocalOp)
            and made.divisor is self.divisor
            and all(
                isinstance(helper, OpResult) and helper is result
                for helper, result in zip(helpers, made.results, strict=True)
            )
        )
        if not fits:
            wanted = "the three results of exact.reciprocal of the divisor, in their order"
            raise Refusal("source-structure", wanted, "other values", self)


EXACT = Dialect("exact", [SqrtOp, ReciprocalOp, DivideOp], [])
