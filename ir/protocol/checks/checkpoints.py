"""Checkpoints: each is of all roles, and no version is stored twice.

Invariant: after it, a generation has the words of every role; and on every path the version
    advances between one checkpoint and the next. All roles advance together, so the words of a
    generation are of one version.
Why: a generation without the words of some role is no state of the learner, and one that is there
    is never replaced: a run that stored a version twice would end at the second time.
Refuses: protocol-publish-missing, region-identity.
Entry: `check_checkpoints`, `check_stored_once`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from xdsl.ir import Block, Operation

from alpha.ir.dialects.protocol import GlobalOp
from alpha.ir.dialects.protocol_checkpoint import CheckpointOp
from alpha.ir.dialects.protocol_choices import ChoiceOp
from alpha.ir.dialects.protocol_control import RepeatOp, ScopeOp
from alpha.ir.dialects.protocol_role import PerformOp, RoleOp
from alpha.ir.dialects.protocol_work import LocalOp
from alpha.ir.dialects.shard_exchange import AdvanceOp
from alpha.ir.protocol.view import Protocol
from alpha.ir.refusals import Note, Refusal, place_of
from alpha.ir.selections.relations import first_outside


def check_checkpoints(protocol: Protocol) -> None:
    """Refuse a generation that some role has no part of, or that is there already.

    Raises:
        Refusal: `protocol-publish-missing`, `region-identity`; `select-budget`.
    """
    group = protocol.group
    for op in protocol.op.walk():
        if isinstance(op, CheckpointOp):
            missing = first_outside(group.members, op.members.data)
            if missing is not None:
                wanted = f"all {group.size} roles to store their words"
                raise Refusal("protocol-publish-missing", wanted, f"role {missing} doesn't", op)
    check_stored_once(protocol.op)


def check_stored_once(op: GlobalOp | RoleOp) -> None:
    """Refuse the first checkpoint of a version of which there may have been one.

    The same of a protocol and of one role's program.

    Raises:
        Refusal: `region-identity`, with the checkpoint that comes before.
    """
    _paths(op.body.block)


@dataclass(frozen=True)
class _Paths:
    """What the paths through a part of the text may store."""

    early: Operation | None = None
    """Before the first advance."""

    late: Operation | None = None
    """Behind the last one."""

    through: bool = True
    """Whether some path has no advance."""


def _then(one: _Paths, other: _Paths) -> _Paths:
    """One part behind the other."""
    if one.late is not None and other.early is not None:
        note = Note("it is stored here", place_of(one.late))
        raise Refusal("region-identity", "one checkpoint of a version", "two", other.early, (note,))
    return _Paths(
        one.early or (other.early if one.through else None),
        other.late or (one.late if other.through else None),
        one.through and other.through,
    )


def _either(parts: Iterable[_Paths]) -> _Paths:
    """One of several parts."""
    parts = list(parts)
    return _Paths(
        next((each.early for each in parts if each.early is not None), None),
        next((each.late for each in parts if each.late is not None), None),
        any(each.through for each in parts),
    )


def _paths(block: Block) -> _Paths:
    found = _Paths()
    for op in block.ops:
        match op:
            case CheckpointOp():
                found = _then(found, _Paths(op, op))
            case PerformOp() if op.kind.data == "checkpoint":
                found = _then(found, _Paths(op, op))
            case LocalOp() if isinstance(op.body.block.last_op, AdvanceOp):
                found = _then(found, _Paths(through=False))
            case RepeatOp():
                body = _paths(op.body.block)
                found = _then(found, body if op.bound.data == 1 else _then(body, body))
            case ScopeOp():
                found = _then(found, _paths(op.body.block))
            case ChoiceOp():
                found = _then(found, _either(_paths(arm.block) for arm in op.arms))
            case _:
                pass
    return found
