"""The structure of a global protocol: who may act where, and what local work may be.

Invariant: after `check_structure` every role that acts is of the group, and of every scope around;
    whoever uses a value has it; local work sends nothing, and names parts of the learner that fit.
Refuses: protocol-role-range, protocol-role-unbound, protocol-group-scope,
    protocol-value-not-held, protocol-choice-authority, protocol-unrealized,
    protocol-payload-extent, protocol-learner-count, region-symbol-unknown.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Operation, SSAValue

from alpha.ir.attributes.protocol_values import (
    at_type,
    holders,
)
from alpha.ir.dialects.protocol import GlobalOp
from alpha.ir.dialects.protocol_bodies import YieldOp
from alpha.ir.dialects.protocol_checkpoint import CheckpointOp
from alpha.ir.dialects.protocol_choices import ChoiceOp, UntilOp
from alpha.ir.dialects.protocol_control import RepeatOp, ScopeOp
from alpha.ir.dialects.protocol_downwards import ReplicateOp, ScatterOp
from alpha.ir.dialects.protocol_exchange import AgreeOp, ExchangeOp, TransferOp
from alpha.ir.dialects.protocol_role import PerformOp, RoleOp
from alpha.ir.dialects.protocol_upwards import GatherOp, ReduceOp
from alpha.ir.dialects.protocol_work import LocalOp, PublishOp
from alpha.ir.frames import ROLES_IN_FRAMES
from alpha.ir.protocol.groups import Group
from alpha.ir.protocol.local_structure import check_local
from alpha.ir.protocol.payloads import words_in
from alpha.ir.protocol.view import distribution_beside, takes_part
from alpha.ir.refusals import Note, Refusal, name_of, place_of
from alpha.ir.schedules.performing import check_performed
from alpha.ir.selections import Selection, Stride
from alpha.ir.selections.relations import first_outside
from alpha.ir.sharding.distribution import Distribution
from alpha.ir.sharding.groups import groups_by_owner
from alpha.ir.sharding.maps import ShardMap

PROGRAM = (RepeatOp, ChoiceOp, YieldOp, UntilOp, PerformOp)
"""What a role's program holds beside local work."""

ROLES_VISITED_MAX = 1 << 20
"""Most roles of a part of a group whose words or samples are counted one by one."""

CONTROL = (RepeatOp, ChoiceOp, ScopeOp, YieldOp, UntilOp)

EXCHANGES = (
    TransferOp,
    ReduceOp,
    ReplicateOp,
    ScatterOp,
    GatherOp,
    ExchangeOp,
    AgreeOp,
    CheckpointOp,
)


def check_structure(op: GlobalOp) -> None:
    """Refuse a protocol in which a role acts where it may not, or with what it hasn't."""
    group = op.group.data
    distribution = distribution_beside(op)
    _check_resumed(op, distribution)
    if distribution is not None:
        _check_only_one(op)
        _check_universe(op, distribution)
    scopes: dict[Operation, Selection] = {op: group.members}
    for part in _parts(op):
        holder = part.parent_op()
        assert holder is not None
        scope = scopes[holder]
        scopes[part] = scope
        _check_known(part)
        if isinstance(part, ScopeOp):
            _check_inside(part, part.roles.data, scope, group)
            scopes[part] = part.roles.data
        if isinstance(part, RepeatOp | ChoiceOp | ScopeOp):
            # What is carried or decided concerns the roles that have it, also where none acts.
            for result in part.outcomes:
                _check_inside(part, holders(result), scopes[part], group)
        if isinstance(part, ChoiceOp | UntilOp):
            _check_decision(part, scope, group)
        elif isinstance(part, (*EXCHANGES, LocalOp, PublishOp)):
            _check_inside(part, takes_part(part), scope, group)
        if isinstance(part, LocalOp):
            for value in part.arguments:
                _check_held(part, value, part.roles.data)
            check_local(part, distribution)
        _check_published(part, distribution)
        try:
            _check_pieces(part, group)
        except Refusal as refusal:
            # What a map says of itself has no place.
            refusal.place = refusal.place or place_of(part)
            raise


def check_program(op: RoleOp) -> None:
    """Refuse a role's program that holds what a role can't do by itself."""
    distribution, role = distribution_beside(op), op.role.data
    _check_resumed(op, distribution)
    if distribution is not None:
        _check_universe(op, distribution)
    for each in (role, *(edge.data for edge in op.edges.data)):
        if each >= ROLES_IN_FRAMES:
            wanted = f"a role from 0 to {ROLES_IN_FRAMES - 1}, as a frame says it"
            raise Refusal("protocol-role-range", wanted, f"role {each}", op)
    for part in _parts(op):
        if not isinstance(part, (*PROGRAM, LocalOp, PublishOp)):
            wanted = "what a role does by itself in its program"
            raise Refusal("protocol-unrealized", wanted, name_of(part), part)
        if isinstance(part, LocalOp):
            check_local(part, distribution)
        _check_published(part, distribution)
        if isinstance(part, ChoiceOp | UntilOp) and part.routes is not None:
            wanted = "a choice without routes in a role's program"
            raise Refusal("protocol-unrealized", wanted, f"routes {part.routes.data}", part)
        if isinstance(part, LocalOp | PublishOp) and part.roles.data != Stride(role, 1, 1):
            wanted, found = f"work of role {role}", str(part.roles.data)
            raise Refusal("protocol-group-scope", wanted, found, part)
    check_performed(op, distribution)


def _parts(op: GlobalOp | RoleOp) -> Iterator[Operation]:
    """The operations outside of local work, each before what it contains."""
    stack: list[Iterator[Operation]] = [iter(op.body.block.ops)]
    while stack:
        part = next(stack[-1], None)
        if part is None:
            stack.pop()
            continue
        yield part
        if not isinstance(part, LocalOp | PerformOp):
            inner = [
                each for region in part.regions for block in region.blocks for each in block.ops
            ]
            if inner:
                stack.append(iter(inner))


def _check_only_one(op: GlobalOp) -> None:
    """A learner has one protocol in a module."""
    block = op.parent_block()
    assert block is not None
    parts = (part for part in block.ops if isinstance(part, GlobalOp))
    first = next(part for part in parts if part.learner == op.learner)
    if first is not op:
        note = Note("the first is here", place_of(first))
        assert op.learner is not None
        wanted = f"one protocol of @{op.learner.string_value()}"
        raise Refusal("protocol-learner-count", wanted, "two", op, (note,))


def _check_universe(op: GlobalOp | RoleOp, distribution: Distribution) -> None:
    """A learner's owners are the roles of its group, all of them and no others."""
    group = op.group.data
    if group.universe != distribution.owners or group.size != group.universe:
        wanted = f"all {distribution.owners} owners of @{distribution.op.learner.string_value()}"
        found = f"{group.size} of a universe of {group.universe}"
        raise Refusal("protocol-role-unbound", f"{wanted} as the roles", found, op)


def _check_published(op: Operation, distribution: Distribution | None) -> None:
    if isinstance(op, PublishOp) and distribution is None:
        raise Refusal("protocol-unrealized", "a learner whose states are published", "none", op)
    if isinstance(op, CheckpointOp) and distribution is None:
        raise Refusal("protocol-unrealized", "a learner whose states are stored", "none", op)


def _check_resumed(op: GlobalOp | RoleOp, distribution: Distribution | None) -> None:
    if op.resumed is not None and distribution is None:
        wanted = "a learner whose states begin with those of a generation"
        raise Refusal("protocol-unrealized", wanted, "none", op)


def _check_known(op: Operation) -> None:
    if not isinstance(op, (*CONTROL, *EXCHANGES, LocalOp, PublishOp)):
        wanted = "operations of the protocol dialect in a protocol.global"
        raise Refusal("protocol-unrealized", wanted, name_of(op), op)


def _check_inside(op: Operation, roles: Selection, scope: Selection, group: Group) -> None:
    """Every role that acts is one of the scope."""
    outside = first_outside(roles, scope)
    if outside is None:
        return
    if outside >= group.universe:
        wanted = f"roles from 0 to {group.universe - 1}"
        raise Refusal("protocol-role-range", wanted, f"role {outside}", op)
    if outside not in group.members:
        wanted = f"roles of the protocol's group, {group.members}"
        raise Refusal("protocol-role-unbound", wanted, f"role {outside}", op)
    wanted = f"roles of the scope, {scope}"
    raise Refusal("protocol-group-scope", wanted, f"role {outside}", op)


def _check_decision(op: ChoiceOp | UntilOp, scope: Selection, group: Group) -> None:
    if op.authority is None or op.routes is None:
        return
    authority = op.authority.data
    if authority not in holders(op.selector):
        wanted = "an authority that has the selector"
        found = f"role {authority}, and {op.selector.type}"
        raise Refusal("protocol-choice-authority", wanted, found, op)
    _check_inside(op, Stride(authority, 1, 1), scope, group)
    receivers = op.routes.data.receivers
    if receivers.size:
        _check_inside(op, receivers, scope, group)


def _check_held(op: Operation, value: SSAValue, roles: Selection) -> None:
    missing = first_outside(roles, holders(value))
    if missing is not None:
        definition = value.owner
        notes = ()
        if isinstance(definition, Operation):
            notes = (Note("the value is made here", place_of(definition)),)
        wanted = f"a value that role {missing} has"
        raise Refusal("protocol-value-not-held", wanted, str(at_type(value)), op, notes)


def _check_pieces(op: Operation, group: Group) -> None:
    """Pieces and parts that are put together are all there."""
    if isinstance(op, GatherOp):
        members, map = holders(op.value), op.map
        if members.size == group.universe:
            return
        size = words_in(at_type(op.value).payload)
        found = _words_of(members, map, group.universe, size, op)
        if found != size:
            wanted = f"members who own all {size} words together"
            raise Refusal("protocol-payload-extent", wanted, str(found), op)
    if isinstance(op, ReduceOp) and op.map is not None and holders(op.value).size < group.universe:
        members, groups = holders(op.value), op.contract.data.groups
        _check_budget(group.universe, op)
        dealt = groups_by_owner(op.map.data, op.contract.data, group.universe)
        found = sum(groups[each] for role in members for each in dealt[role])
        if found != groups.total:
            wanted = f"members who have all {groups.total} samples together"
            raise Refusal("protocol-payload-extent", wanted, str(found), op)


def _words_of(members: Selection, map: ShardMap, owners: int, size: int, op: Operation) -> int:
    """The words that some owners have together."""
    if members.is_interval:
        return map.range_size(members.min, members.max + 1, owners, size)
    _check_budget(members.size, op)
    return sum(map.piece_size(role, owners, size) for role in members)


def _check_budget(roles: int, op: Operation) -> None:
    if roles > ROLES_VISITED_MAX:
        wanted = f"at most {ROLES_VISITED_MAX} roles to look at one by one"
        raise Refusal("select-budget", wanted, str(roles), op)
