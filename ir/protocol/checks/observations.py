"""Observations: each is made once of a version by role 0, as in a round of a learner.

Invariant: after it, no path makes an observation twice without an advance of the version between.
    Behind each observation the version advances on every path, and role 0 is among those who make
    it; of the programs of roles, `role_observations` sees to that.
Why: what is observed is told by its name and its version; two of one version would be two answers
    to one question. Role 0 tells it when its round ends, and nobody else does.
Refuses: region-identity, protocol-observation-unheard.
Entry: `check_observations`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import reduce

from xdsl.ir import Block

from alpha.ir.attributes.protocol_values import roles_text
from alpha.ir.dialects.protocol import GlobalOp
from alpha.ir.dialects.protocol_choices import ChoiceOp
from alpha.ir.dialects.protocol_control import RepeatOp, ScopeOp
from alpha.ir.dialects.protocol_role import RoleOp
from alpha.ir.dialects.protocol_work import LocalOp
from alpha.ir.dialects.shard_exchange import AdvanceOp
from alpha.ir.dialects.shard_work import ObserveOp
from alpha.ir.refusals import Note, Refusal, place_of

OBSERVER = 0
"""The role that makes observations; the same work of others tells nothing."""


def check_observations(op: GlobalOp | RoleOp) -> None:
    """Refuse the first observation that is made again at one version, or that nobody is told.

    Raises:
        Refusal: `region-identity`, with the observation that comes before;
            `protocol-observation-unheard`.
    """
    if isinstance(op, GlobalOp):
        _check_observers(op)
    for last in _paths(op.body.block).late.values():
        wanted = f'an advance behind the observation "{last.label.data}", which ends its round'
        raise Refusal("protocol-observation-unheard", wanted, "none on some path", last)


def _check_observers(op: GlobalOp) -> None:
    """Whatever roles observe, role 0 is among them."""
    for part in op.walk():
        work = part.parent_op()
        if not isinstance(part, ObserveOp) or not isinstance(work, LocalOp):
            continue
        if OBSERVER not in work.roles.data:
            wanted = f'role {OBSERVER} among those who observe "{part.label.data}"'
            raise Refusal("protocol-observation-unheard", wanted, roles_text(work.roles.data), part)


@dataclass(frozen=True)
class _Paths:
    """What the paths through a part of the text may observe, by the names."""

    early: Mapping[str, ObserveOp] = field(default_factory=dict)
    """Before the first advance."""

    late: Mapping[str, ObserveOp] = field(default_factory=dict)
    """Behind the last one."""

    through: bool = True
    """Whether some path has no advance."""


def _then(one: _Paths, other: _Paths) -> _Paths:
    """One part behind the other."""
    for name, op in other.early.items():
        if name in one.late:
            note = Note("it is observed here", place_of(one.late[name]))
            wanted = f'one observation "{name}" of a version'
            raise Refusal("region-identity", wanted, "two", op, (note,))
    return _Paths(
        {**other.early, **one.early} if one.through else one.early,
        {**one.late, **other.late} if other.through else other.late,
        one.through and other.through,
    )


def _either(parts: Iterable[_Paths]) -> _Paths:
    """One of several parts."""
    parts = list(parts)
    return _Paths(
        {name: op for each in parts for name, op in each.early.items()},
        {name: op for each in parts for name, op in each.late.items()},
        any(each.through for each in parts),
    )


def _paths(block: Block) -> _Paths:
    found = _Paths()
    for op in block.ops:
        match op:
            case LocalOp() if OBSERVER in op.roles.data:
                found = reduce(_then, map(_work, op.body.block.ops), found)
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


def _work(op: object) -> _Paths:
    if isinstance(op, ObserveOp):
        made = {op.label.data: op}
        return _Paths(made, made)
    return _Paths(through=not isinstance(op, AdvanceOp))
