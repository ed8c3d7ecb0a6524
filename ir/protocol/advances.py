"""How often the version advances in a protocol, at most, and where.

Entry: `advances_of`, `exact_advances_of`, `begin_of`, `first_advances`.
"""

from __future__ import annotations

from xdsl.ir import Block, Operation

from alpha.ir.dialects.protocol import GlobalOp
from alpha.ir.dialects.protocol_choices import ChoiceOp, UntilOp
from alpha.ir.dialects.protocol_control import RepeatOp, ScopeOp
from alpha.ir.dialects.protocol_role import RoleOp
from alpha.ir.dialects.protocol_work import LocalOp
from alpha.ir.dialects.shard_exchange import AdvanceOp


def begin_of(op: GlobalOp | RoleOp) -> int:
    """The version at which states begin: 0, or that of a generation."""
    return 0 if op.resumed is None else op.resumed.data.version


def advances_of(op: GlobalOp | RoleOp) -> int:
    """The most versions that a run makes: bounds multiply, and of a choice the longest arm counts.

    Local work of several roles at one place of the protocol counts once.
    """
    return _of(op.body.block)


def _of(block: Block) -> int:
    found = 0
    for op in block.ops:
        match op:
            case LocalOp():
                found += isinstance(op.body.block.last_op, AdvanceOp)
            case RepeatOp():
                found += op.bound.data * _of(op.body.block)
            case ScopeOp():
                found += _of(op.body.block)
            case ChoiceOp():
                found += max(_of(arm.block) for arm in op.arms)
            case _:
                pass
    return found


def exact_advances_of(op: GlobalOp | RoleOp) -> int | None:
    """How many versions every run makes, or None where a word that is computed decides it."""
    return _exactly(op.body.block)


def _exactly(block: Block) -> int | None:
    found = 0
    for op in block.ops:
        match op:
            case LocalOp():
                inside: int | None = int(isinstance(op.body.block.last_op, AdvanceOp))
            case RepeatOp():
                inside = _exactly(op.body.block)
                if inside and op.bound.data > 1 and isinstance(op.end, UntilOp):
                    return None
                inside = None if inside is None else op.bound.data * inside
            case ScopeOp():
                inside = _exactly(op.body.block)
            case ChoiceOp():
                arms = {_exactly(arm.block) for arm in op.arms}
                inside = arms.pop() if len(arms) == 1 else None
            case _:
                inside = 0
        if inside is None:
            return None
        found += inside
    return found


def first_advances(op: GlobalOp | RoleOp) -> dict[Operation, AdvanceOp]:
    """The operations inside which a version advances, each with the first advance there."""
    found: dict[Operation, AdvanceOp] = {}
    for part in op.walk():
        if isinstance(part, AdvanceOp):
            around = part.parent_op()
            while around is not None and around not in found:
                found[around] = part
                around = around.parent_op()
    return found
