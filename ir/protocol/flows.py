"""Where a value of a protocol goes without being changed: in and out of bodies, and round repeats.

Invariant: what is handed on has the words of the value, in some run; nothing is computed, and no
    frame is sent.
Entry: `handed_on`.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Operation, SSAValue, Use

from alpha.ir.dialects.protocol_bodies import YieldOp
from alpha.ir.dialects.protocol_choices import ChoiceOp, UntilOp
from alpha.ir.dialects.protocol_control import RepeatOp, ScopeOp
from alpha.ir.dialects.protocol_work import LocalOp


def handed_on(value: SSAValue) -> Iterator[SSAValue]:
    """The values that a value becomes by one step, in a global protocol or in a role's program.

    An argument of local work, of the next iteration of a repeat, or a result of the operation
    around.
    """
    for use in value.uses:
        op = use.operation
        match op:
            case LocalOp():
                yield op.body.block.args[use.index]
            case RepeatOp():
                yield op.body.block.args[use.index]
                yield op.outcomes[use.index]
            case YieldOp():
                yield from _given(op, use.index)
            case UntilOp() if use.index:
                yield from _given(op, use.index - 1)
            case _:
                pass


def _given(end: Operation, number: int) -> Iterator[SSAValue]:
    around = end.parent_op()
    match around:
        case RepeatOp():
            yield around.body.block.args[number]
            yield around.outcomes[number]
        case LocalOp() | ScopeOp() | ChoiceOp():
            yield around.outcomes[number]
        case _:
            pass


def is_handed_on(use: Use) -> bool:
    """Whether a use gives the value out of a body or round a repeat."""
    return isinstance(use.operation, YieldOp | UntilOp | RepeatOp)
