"""How often the version advances in a protocol, at most.

Entry: `advances_of`.
"""

from __future__ import annotations

from xdsl.ir import Block

from alpha.ir.dialects.protocol import GlobalOp
from alpha.ir.dialects.protocol_choices import ChoiceOp
from alpha.ir.dialects.protocol_control import RepeatOp, ScopeOp
from alpha.ir.dialects.protocol_role import RoleOp
from alpha.ir.dialects.protocol_work import LocalOp
from alpha.ir.dialects.shard_exchange import AdvanceOp


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
