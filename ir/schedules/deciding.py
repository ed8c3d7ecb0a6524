"""The check of who decides: one role gives each word, and all others tell what they were told.

Invariant: of a decision, one role's program has the word; in every other, the word is received
    before it is sent on, and it is the received one that is sent.
Refuses: protocol-choice-authority, protocol-choice-forwarder-early, protocol-digest-mismatch.
Entry: `check_decisions`, `check_digests`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from alpha.ir.dialects.protocol_role import FrameOp, PerformOp, RoleOp, SendOp
from alpha.ir.refusals import Note, Refusal, place_of


def check_decisions(roles: Mapping[int, RoleOp]) -> Iterator[Refusal]:
    """What is wrong with the decisions in the programs of some roles, role by role."""
    authorities: dict[int, tuple[int, PerformOp]] = {}
    for role, program in roles.items():
        for op in program.walk():
            if not isinstance(op, PerformOp) or op.kind.data != "decide":
                continue
            if not op.arguments:
                yield from _told(op, role)
                continue
            other, first = authorities.setdefault(op.site.data, (role, op))
            if first is not op:
                wanted = f"one role that decides at site {op.site.data}, role {other}"
                note = Note(f"role {other} decides here", place_of(first))
                found = f"role {role} as well"
                yield Refusal("protocol-choice-authority", wanted, found, op, (note,))


def _told(op: PerformOp, role: int) -> Iterator[Refusal]:
    """A role that hasn't the word receives it once, and before it sends it on."""
    frames = [frame for frame in op.frames.block.ops if isinstance(frame, FrameOp)]
    receives = [at for at, frame in enumerate(frames) if not isinstance(frame, SendOp)]
    if receives != [0]:
        wanted = f"role {role} to receive the word once, before it sends it on"
        found = f"received as frame {receives[0] + 1}" if receives else "it isn't received"
        yield Refusal("protocol-choice-forwarder-early", wanted, found, op)


def check_digests(roles: Mapping[int, RoleOp]) -> Iterator[Refusal]:
    """The roles that aren't of the same protocol, group, learner and start as the first."""
    first = next(iter(roles.values()), None)
    if first is None:
        return
    for role, op in roles.items():
        for what, one, other in (
            ("protocol", first.protocol.data, op.protocol.data),
            ("group", first.group.data.digest(), op.group.data.digest()),
            ("learner", _learner(first), _learner(op)),
            ("start", _start(first), _start(op)),
        ):
            if one != other:
                wanted = f"the {what} of role {first.role.data}, {one}"
                note = Note("the other role is here", place_of(first))
                yield Refusal(
                    "protocol-digest-mismatch", wanted, f"{other} of role {role}", op, (note,)
                )


def _start(op: RoleOp) -> str:
    return "version 0" if op.resumed is None else f"resumed {op.resumed.data}"


def _learner(op: RoleOp) -> str:
    return "none" if op.learner is None else f"@{op.learner.string_value()}"
