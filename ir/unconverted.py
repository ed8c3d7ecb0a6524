"""Operations that a program may hold before they mean anything here: `linalg` and `tensor`.

Invariant: a program with such an operation parses, verifies and prints; who asks what it computes
    calls `require_converted` first, so that none is ever interpreted, digested or analysed.
Why: `--convert-linalg-to-pointwise` reads programs that are written in MLIR's own words, and says
    in which order their sums are added; until then there is nothing to say about them.
Refuses: pointwise-type, target-unsupported.
Entry: `is_unconverted`, `check_unconverted`, `require_converted`.
"""

from __future__ import annotations

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation

from alpha.ir.refusals import Refusal
from alpha.ir.scalars import CONSTANT
from alpha.ir.shapes import require_value_type

CONVERSION = "--convert-linalg-to-pointwise"

_DIALECTS = frozenset({"linalg", "tensor"})


def is_unconverted(op: Operation) -> bool:
    """Whether the pass must replace this operation of a program.

    By name, so that no dialect is imported for a text that doesn't use it.
    """
    if op.name == CONSTANT:
        return isinstance(op.results[0].type, TensorType)
    return op.name.partition(".")[0] in _DIALECTS


def check_unconverted(op: Operation) -> None:
    """Refuse an unconverted operation whose words could be none of a program's.

    Raises:
        Refusal: `pointwise-type` for a tensor of dynamic shape or of other words.
    """
    for number, value in enumerate((*op.operands, *op.results)):
        require_value_type(value.type, f"operand or result {number} of {op.name}", op)


def require_converted(op: Operation) -> None:
    """Refuse a module, learner or program in which anything is still to be converted.

    Raises:
        Refusal: `target-unsupported`, at the first such operation.
    """
    for part in op.walk():
        if is_unconverted(part):
            wanted = f"pointwise operations alone: run {CONVERSION} first"
            words = f" of {part.results[0].type}" if part.name == CONSTANT else ""
            raise Refusal("target-unsupported", wanted, f"{part.name}{words}", part)
