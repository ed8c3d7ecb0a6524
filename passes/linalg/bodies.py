"""The body of a map or fold, taken out of the body of a structured operation.

Invariant: the new body has the operations that its yields are computed from, in their order, and
    uses its own arguments alone: words of operands, and scalars from around the operation.
Refuses: pointwise-type, target-unsupported.
Entry: `Body`, `body_of`, `check_scalars`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineMap

from alpha.ir.dialects.linalg_structured import StructuredOp, YieldOp
from alpha.ir.dialects.pointwise_terminators import YieldOp as PointwiseYieldOp
from alpha.ir.refusals import Refusal
from alpha.ir.scalars import check_scalar
from alpha.ir.shapes import is_float
from alpha.passes.linalg.loops import Loops
from alpha.passes.linalg.reductions import reads_of

Read = Callable[[SSAValue], SSAValue]


@dataclass(frozen=True)
class Body:
    """A body, and the operands and index maps of its arguments."""

    inputs: list[SSAValue]
    maps: list[AffineMap]
    block: Block


def check_scalars(op: StructuredOp) -> None:
    """Refuse a body with an operation that no pointwise body has.

    Raises:
        Refusal: as `check_scalar` does; `target-unsupported` for `linalg.index`.
    """
    for part in op.body.block.ops:
        if part.name == "linalg.index":
            wanted = "a body that computes on words alone"
            raise Refusal("target-unsupported", wanted, part.name, part)
        if not isinstance(part, YieldOp):
            check_scalar(part)


def body_of(op: StructuredOp, loops: Loops, yields: Sequence[SSAValue], read: Read) -> Body:
    """The body that yields these values; `read` gives the converted value of an operand.

    Raises:
        Refusal: `pointwise-type` for a captured value that isn't an f32 or f64 scalar.
    """
    used = reads_of(*yields)
    block = op.body.block
    parts = [part for part in block.ops if any(result in used for result in part.results)]
    words = {argument: number for number, argument in enumerate(block.args) if argument in used}
    own = {*block.args, *(result for part in parts for result in part.results)}
    captured = [
        value
        for value in dict.fromkeys((*(each for part in parts for each in part.operands), *yields))
        if value not in own
    ]
    for value in captured:
        if not is_float(value.type):
            wanted = f"f32 or f64 scalars from around {op.name}"
            raise Refusal("pointwise-type", wanted, str(value.type), op)
    maps = [loops.index(op.maps()[number]) for number in words.values()]
    maps += [AffineMap(len(loops.order), 0, ()) for _ in captured]
    inputs = [read(op.operands[number]) for number in words.values()]
    inputs += [read(value) for value in captured]
    new = Block(arg_types=[value.type for value in (*words, *captured)])
    values: dict[SSAValue, SSAValue] = dict(zip((*words, *captured), new.args, strict=True))
    for value, argument in values.items():
        argument.name_hint = value.name_hint
    new.add_ops(_cloned(part, values) for part in parts)
    new.add_op(PointwiseYieldOp(*(values[value] for value in yields)))
    return Body(inputs, maps, new)


def _cloned(part: Operation, values: dict[SSAValue, SSAValue]) -> Operation:
    """A copy on the new values, which knows where the old one stands."""
    copy = part.clone(values)
    copy.location = part.location
    return copy
