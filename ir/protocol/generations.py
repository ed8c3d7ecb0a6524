"""Whether a protocol stores generations, or begins with one, and what a run of it has to be given.

Refuses: checkpoint-path.
Entry: `has_checkpoints`, `ends_stored`, `check_stored`, `check_begun`.
"""

from __future__ import annotations

from xdsl.ir import Block, Operation

from alpha.ir.dialects.protocol import GlobalOp
from alpha.ir.dialects.protocol_checkpoint import CheckpointOp
from alpha.ir.dialects.protocol_choices import UntilOp
from alpha.ir.dialects.protocol_control import RepeatOp
from alpha.ir.dialects.protocol_role import PerformOp, RoleOp
from alpha.ir.dialects.shard_exchange import AdvanceOp
from alpha.ir.refusals import Refusal


def has_checkpoints(op: GlobalOp | RoleOp) -> bool:
    """Whether a protocol, or a role's program, stores generations."""
    return any(map(_stores, op.walk()))


def _stores(op: Operation) -> bool:
    performs = isinstance(op, PerformOp) and op.kind.data == "checkpoint"
    return performs or isinstance(op, CheckpointOp)


def ends_stored(op: GlobalOp | RoleOp) -> bool:
    """Whether the states are stored at the version that they have at the end."""
    return _is_stored_behind(op.body.block)


def _is_stored_behind(block: Block) -> bool:
    """Whether the last that happens in a block to the states is that they are stored."""
    for op in reversed(list(block.ops)):
        if _stores(op):
            return True
        if isinstance(op, RepeatOp):
            return not isinstance(op.end, UntilOp) and _is_stored_behind(op.body.block)
        if any(isinstance(inner, AdvanceOp) for inner in op.walk()):
            return False
    return False


def check_stored(op: GlobalOp | RoleOp, stored: bool) -> None:
    """See that a run has somewhere to store generations if and only if it makes any.

    Raises:
        Refusal: `checkpoint-path`.
    """
    if stored == has_checkpoints(op):
        return
    if stored:
        wanted = "a protocol with checkpoints, whose generations are stored at a path"
        raise Refusal("checkpoint-path", wanted, "one without", op)
    wanted = "a path for the generations that the protocol stores"
    raise Refusal("checkpoint-path", wanted, "none", op)


def check_begun(op: GlobalOp | RoleOp, begun: bool) -> None:
    """See that a run is given the words of a generation if and only if it begins with one.

    Raises:
        Refusal: `checkpoint-path`.
    """
    if begun == (op.resumed is not None):
        return
    if op.resumed is not None:
        version = op.resumed.data.version
        wanted = f"the generation of version {version} that the protocol begins with"
        raise Refusal("checkpoint-path", wanted, "none", op)
    wanted = "a protocol that begins with a generation"
    raise Refusal("checkpoint-path", wanted, "one that begins with its learner's words", op)
