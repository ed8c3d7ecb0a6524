"""Reads schedules from the programs of roles: what they send and receive, in which loops and arms.

Invariant: it reads the text of each program as it stands, and asks neither the protocol nor the
    patterns by which it was projected.
Entry: `schedule_of`.
"""

from __future__ import annotations

from xdsl.dialects.builtin import IntAttr
from xdsl.ir import Block

from alpha.ir.dialects.protocol_choices import ChoiceOp, UntilOp
from alpha.ir.dialects.protocol_control import RepeatOp
from alpha.ir.dialects.protocol_role import FrameOp, PerformOp, RoleOp, SendOp
from alpha.ir.schedules.events import Action, Branch, Label, Loop, Step

NO_SITE = -1
"""The site of a loop or choice that says none: it is like no other's."""


def schedule_of(op: RoleOp) -> list[Step]:
    """What a role does, as its program says it."""
    return _block(op.body.block)


def _block(block: Block) -> list[Step]:
    steps: list[Step] = []
    for op in block.ops:
        match op:
            case PerformOp():
                frames = (each for each in op.frames.block.ops if isinstance(each, FrameOp))
                steps += [_action(op.site.data, frame) for frame in frames]
            case RepeatOp():
                until = isinstance(op.end, UntilOp)
                body = _block(op.body.block)
                steps.append(Loop(op.bound.data, until, _site(op.site), body, op))
            case ChoiceOp():
                arms = tuple(_block(arm.block) for arm in op.arms)
                steps.append(Branch(_site(op.site), arms, op))
            case _:
                pass
    return steps


def _action(site: int, frame: FrameOp) -> Action:
    part, count, words = frame.part.data, frame.count.data, frame.words.data
    riding = 0 if frame.riding is None else frame.riding.data
    label = Label(site, part, count, words, str(frame.element), riding)
    return Action("send" if isinstance(frame, SendOp) else "receive", frame.peer.data, label, frame)


def _site(site: IntAttr | None) -> int:
    return NO_SITE if site is None else site.data
