"""Which reductions have a fold of the same bits: what they fold, and from which word they start.

Invariant: an accepted reduction and the operations that `alpha.passes.linalg.programs` makes of it
    have equal words for all inputs, NaN being one value.
Refuses: target-unsupported, pointwise-footprint.
Entry: `Reduction`, `reduction_of`, `check_start`.

The loops of `linalg` compute ((init + x0) + x1) + ...; a fold by add in the order `left` computes
x0 + x1 + ..., and -0.0 where there is no element. Write F(n) for the fold of the first n elements
and L(n) for the loops' word after n of them.

- init = -0.0. It is the identity of IEEE addition, so L(n) = F(n).
- init = +0.0. Then L(n) = 0.0 + F(n), where 0.0 + x is x unless x is -0.0, of which it makes +0.0.
  By induction: L(0) = 0.0 = 0.0 + -0.0. Let L(n) = 0.0 + F(n), and x be the next element.
  If F(n) isn't -0.0, then L(n) = F(n) and L(n + 1) = F(n + 1); this isn't -0.0, because a sum,
  rounded to nearest, is -0.0 only if both operands are; so it is 0.0 + F(n + 1), too.
  If F(n) is -0.0, then L(n) = +0.0 and L(n + 1) = 0.0 + x, while F(n + 1) = -0.0 + x = x.
- Any other init is rounded together with x0 already, and no fold has these bits in general.

A fold by max starts at its first element and takes `acc > x ? acc : x`. The loops take
`init > x0 ? init : x0` first, which is x0 for every x0 if no number is less than init: -infinity.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr
from xdsl.ir import BlockArgument, Operation, SSAValue

from alpha.ir.dialects.linalg_structured import StructuredOp
from alpha.ir.refusals import Note, Refusal, place_of
from alpha.ir.scalars import COMPARE, CONSTANT, SELECT, predicate_of
from alpha.ir.shapes import shape_of

FORMS = "out + f(ins) or pointwise.max out, f(ins) as what a reduction yields"


@dataclass(frozen=True)
class Reduction:
    """A fold by `kind` of a value that the body computes from the words of `ins` alone."""

    kind: str
    element: SSAValue


def reduction_of(op: StructuredOp, result: int) -> Reduction:
    """The fold that one result of an operation with reduction loops is.

    Raises:
        Refusal: `target-unsupported` for another body.
    """
    out = op.body.block.args[len(op.sources()) + result]
    yielded = op.yielded()[result]
    owner = yielded.owner
    if not isinstance(owner, Operation):
        found = "a word that the loops overwrite" if yielded is not out else "out, unchanged"
        raise Refusal("target-unsupported", FORMS, found, op)
    element = _summand(owner, out) or _candidate(owner, out)
    if element is None:
        raise Refusal("target-unsupported", FORMS, owner.name, op)
    reads = reads_of(element)
    if any(word in reads for word in op.body.block.args[len(op.sources()) :]):
        raise Refusal("target-unsupported", FORMS, "an f that reads a word of outs", op)
    return Reduction("add" if owner.name == "arith.addf" else "max", element)


def _summand(op: Operation, out: SSAValue) -> SSAValue | None:
    """v of `out + v` or of `v + out`, which is the same: addition commutes to the bit."""
    if op.name != "arith.addf" or out not in op.operands:
        return None
    return op.operands[1] if op.operands[0] is out else op.operands[0]


def _candidate(op: Operation, out: SSAValue) -> SSAValue | None:
    """v of `out > v ? out : v`. Another order differs where one is NaN, or both are zeros."""
    if op.name == "pointwise.max":
        return op.operands[1] if op.operands[0] is out else None
    if op.name != SELECT or op.operands[1] is not out:
        return None
    test, candidate = op.operands[0].owner, op.operands[2]
    if not isinstance(test, Operation) or test.name != COMPARE:
        return None
    greater = predicate_of(test) == "ogt" and tuple(test.operands) == (out, candidate)
    return candidate if greater else None


def reads_of(*values: SSAValue) -> set[SSAValue]:
    """All that values of a body are computed from, and they themselves."""
    found: set[SSAValue] = set()
    pending = list(values)
    while pending:
        value = pending.pop()
        if value not in found:
            found.add(value)
            if not isinstance(value, BlockArgument):
                pending.extend(value.owner.operands)  # pyright: ignore[reportAttributeAccessIssue]
    return found


def check_start(op: StructuredOp, result: int, kind: str) -> bool:
    """Whether 0.0 is to be added to the fold: where a sum starts at +0.0 and not at -0.0.

    Raises:
        Refusal: `pointwise-footprint` for an init that nothing has written, `target-unsupported`
            for one from which no fold has the bits of the loops.
    """
    init = op.inits()[result]
    if 0 in shape_of(init.type):
        return False
    word, found = _uniform_word(init, op)
    if kind == "add":
        if word != 0:
            wanted = "an init whose words are all -0.0 or all 0.0, so that a fold has the same bits"
            raise Refusal("target-unsupported", wanted, found, op)
        return math.copysign(1.0, word) > 0
    if word != -math.inf:
        wanted = "an init whose words are all -infinity, so that a fold by max has the same bits"
        raise Refusal("target-unsupported", wanted, found, op)
    return False


def _uniform_word(init: SSAValue, user: Operation) -> tuple[float | None, str]:
    """The word that all words of a tensor are, if that is known; and what it is, for messages."""
    owner = init.owner
    if isinstance(owner, Operation):
        if owner.name == "tensor.empty":
            raise unwritten(owner, user)
        if owner.name == CONSTANT:
            return _constant_word(owner)
        if owner.name == "linalg.fill":
            source = owner.operands[0].owner
            if isinstance(source, Operation) and source.name == CONSTANT:
                return _constant_word(source)
    return None, "words that aren't known here"


def _constant_word(op: Operation) -> tuple[float | None, str]:
    value = op.properties["value"]
    if isinstance(value, FloatAttr):
        return value.value.data, str(value.value.data)
    if isinstance(value, DenseIntOrFPElementsAttr) and is_uniform(value):
        word = float(value.get_values()[0])
        return word, str(word)
    return None, "words that differ"


def is_uniform(value: DenseIntOrFPElementsAttr) -> bool:
    """Whether all words have the same bits; xDSL's `is_splat` takes both zeros for one."""
    data, count = value.data.data, len(value)
    return not count or data == data[: len(data) // count] * count


def unwritten(empty: Operation, user: Operation) -> Refusal:
    """The refusal of an operation that reads the words of `tensor.empty`."""
    note = Note("it is made here", place_of(empty))
    wanted, found = f"words that something wrote in {user.name}", "those of tensor.empty"
    return Refusal("pointwise-footprint", wanted, found, user, (note,))
