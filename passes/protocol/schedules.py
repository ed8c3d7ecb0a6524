"""Reads the programs of roles again and checks that they fit together, whoever made them.

Where only some roles are there, what they exchange with others is left out.

Refuses: protocol-role-duplicate, protocol-digest-mismatch, protocol-choice-authority,
    protocol-choice-forwarder-early, protocol-step-frames, protocol-step-differs,
    shard-version-mixed, what maps refuse, and what the check of schedules refuses; of a learner's
    roles, what the checks of their own work, observations and publications do.
Entry: `check_programs`, `check_roles`, `roles_by_protocol`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from xdsl.dialects.builtin import ModuleOp

from alpha.ir.dialects.protocol_role import PerformOp, RoleOp
from alpha.ir.protocol.checks.checkpoints import check_stored_once
from alpha.ir.protocol.checks.maps import check_role_maps
from alpha.ir.protocol.checks.role_observations import check_role_observations
from alpha.ir.protocol.checks.role_publications import check_role_publications
from alpha.ir.protocol.checks.role_works import check_role_works
from alpha.ir.protocol.strays import check_strays
from alpha.ir.protocol.view import distribution_beside
from alpha.ir.refusals import Note, Refusal, place_of
from alpha.ir.schedules.alike import check_alike
from alpha.ir.schedules.checking import Limit, check_schedules
from alpha.ir.schedules.deciding import check_decisions, check_digests
from alpha.ir.schedules.events import Action, Branch, Loop, Step
from alpha.ir.schedules.performing import check_performed
from alpha.ir.schedules.reading import schedule_of
from alpha.ir.schedules.same_values import check_same_values
from alpha.ir.schedules.stands import Stands, check_stands


def check_programs(
    roles: Mapping[int, RoleOp], partial: bool = False, limit: Limit | None = None
) -> None:
    """See that the programs of the roles of a group fit together.

    With `partial` some roles of the group are missing, and only what the others do with one
    another is looked at. `limit` bounds what may be in flight. What programs do by themselves is
    looked at where they stand in a module, with their learner.

    Raises:
        Refusal: the first thing that is wrong.
    """
    _check_schedules(roles, partial, limit)
    if partial or any(op.learner is not None and op.parent is None for op in roles.values()):
        for refusal in check_alike(roles, {}, partial=True):
            raise refusal
        _check_same(roles)
        return
    check_roles(roles)


def check_roles(roles: Mapping[int, RoleOp], partial: bool = False) -> None:
    """See that what each role does by itself can be done, and is of the same operations.

    The programs stand in a module, and name one learner or none.

    Raises:
        Refusal: the first thing that is wrong.
    """
    own: dict[PerformOp, Collection[int]] = {}
    first = next(iter(roles.values()), None)
    distribution = None if first is None else distribution_beside(first)
    for op in roles.values():
        own |= check_performed(op, distribution)
    check_role_maps(roles.values(), distribution)
    for refusal in check_alike(roles, own, partial):
        raise refusal
    if distribution is not None:
        check_role_works(roles, distribution, own)
    stands = _check_same(roles)
    if distribution is not None:
        check_role_observations(roles, stands)
        check_role_publications(roles, distribution, stands)
        for op in roles.values():
            check_stored_once(op)


def _check_same(roles: Mapping[int, RoleOp]) -> Stands:
    """See that programs advance, choose and give what they have in common alike."""
    stands = Stands(roles)
    check_stands(roles, stands)
    check_same_values(roles, stands)
    return stands


def _check_schedules(roles: Mapping[int, RoleOp], partial: bool, limit: Limit | None) -> None:
    """See that the frames of some programs fit together."""
    for refusal in (*check_digests(roles), *check_decisions(roles)):
        raise refusal
    schedules: dict[int, Sequence[Step]] = {role: schedule_of(op) for role, op in roles.items()}
    if partial:
        schedules = {role: _among(steps, schedules) for role, steps in schedules.items()}
        group = list(roles)
    else:
        first = next(iter(roles.values()), None)
        group = [] if first is None else list(first.group.data.members)
    for refusal in check_schedules(schedules, group, limit):
        if refusal.place is None:
            # A program that is missing has no place; the others are at hand.
            refusal.place = place_of(next(iter(roles.values())))
        raise refusal


def roles_by_protocol(module: ModuleOp) -> dict[str, dict[int, RoleOp]]:
    """The programs of a module, by the title of the protocol and by role.

    Raises:
        Refusal: `protocol-role-duplicate`; `source-structure` for a step outside of all programs.
    """
    check_strays(module)
    found: dict[str, dict[int, RoleOp]] = {}
    for part in module.body.block.ops:
        if isinstance(part, RoleOp):
            roles = found.setdefault(part.title.data, {})
            first = roles.setdefault(part.role.data, part)
            if first is not part:
                note = Note("the first is here", place_of(first))
                wanted = f"one program of role {part.role.data}"
                raise Refusal("protocol-role-duplicate", wanted, "two", part, (note,))
    return found


def _among(steps: Sequence[Step], roles: Mapping[int, object]) -> list[Step]:
    """The steps without the frames that go to or come from other roles."""
    kept: list[Step] = []
    for step in steps:
        match step:
            case Action():
                if step.peer in roles:
                    kept.append(step)
            case Loop():
                kept.append(replace(step, body=_among(step.body, roles)))
            case Branch():
                kept.append(replace(step, arms=tuple(_among(arm, roles) for arm in step.arms)))
    return kept
