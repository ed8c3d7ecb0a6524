"""What one role does, as pictures show it: local work, messages, loops and choices, in order.

Invariant: a program says what the role's `protocol.role` says, frame by frame; nothing is merged.
    A loop or choice in which the role does nothing is left out.
Entry: `read_program`, `mirrored`, `relabelled`, `sites_of`; `Program` of `Work`, `Message`, `Loop`
    and `Choice`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias

from xdsl.ir import Block, Operation, SSAValue

from alpha.ir.dialects.protocol_choices import ChoiceOp, UntilOp
from alpha.ir.dialects.protocol_control import RepeatOp
from alpha.ir.dialects.protocol_role import FrameOp, PerformOp, RoleOp
from alpha.ir.dialects.protocol_work import LocalOp, PublishOp
from alpha.ir.dialects.shard_exchange import AdvanceOp, PartitionOp, ReleaseOp
from alpha.ir.dialects.shard_work import ContributeOp, MeanOp, ObserveOp, ReadOp, UpdateOp
from alpha.ir.protocol.role_steps import read_frame
from alpha.ir.protocol.steps import VERDICT_PART, Frame
from alpha.tools.pictures.lettering import shortened

HAVE_VERDICTS = ("agree", "checkpoint")
"""Kinds of operations in which something goes up, and a verdict comes down."""

MINOR_WORK = ("read", "partition", "release", "compute")
"""What is said of local work only where there is nothing else to say."""


@dataclass(frozen=True)
class Work:
    """Local work: what it does, a line each."""

    lines: tuple[str, ...]


@dataclass(frozen=True)
class Message:
    """One frame, or `frames` alike that are drawn as one."""

    outgoing: bool
    peer: int
    name: str
    """Of the operation, such as `reduce`; what comes down at the end of some is a `verdict`."""

    site: int
    part: int
    count: int
    """The samples behind a sum, else 0."""

    words: int
    element: str
    size: int
    """The bytes of the payload."""

    riding: int = 0
    """Words behind the others: of an agreement on its way up, or of a verdict on its way down."""

    frames: int = 1


@dataclass(frozen=True)
class Loop:
    """A body that is run at most `bound` times; `until` says whether it may be left before."""

    bound: int
    until: bool
    body: Program


@dataclass(frozen=True)
class Choice:
    """Arms of which one is run; `site` is that of the decision, where the role hears of it."""

    site: int | None
    arms: tuple[Program, ...]


Item: TypeAlias = "Work | Message | Loop | Choice"
Program: TypeAlias = tuple[Item, ...]


def read_program(op: RoleOp) -> Program:
    """The program of a role."""
    return _block(op.body.block)


def _block(block: Block) -> Program:
    items: list[Item] = []
    for op in block.ops:
        match op:
            case LocalOp():
                items.append(Work(_work_lines(op.body.block.ops)))
            case PublishOp():
                items.append(Work(("publish",)))
            case PerformOp():
                frames = (part for part in op.frames.block.ops if isinstance(part, FrameOp))
                items += [Work(("store",))] if op.kind.data == "checkpoint" else []
                items += [_message(op, read_frame(frame)) for frame in frames]
            case RepeatOp():
                until, body = isinstance(op.end, UntilOp), _block(op.body.block)
                items += [Loop(op.bound.data, until, body)] if body else []
            case ChoiceOp():
                arms = tuple(_block(arm.block) for arm in op.arms)
                items += [Choice(_decision(op.selector), arms)] if any(arms) else []
            case _:
                pass  # the end of a body
    return tuple(items)


def _message(op: PerformOp, frame: Frame) -> Message:
    kind = op.kind.data
    return Message(
        frame.outgoing,
        frame.peer,
        "verdict" if kind in HAVE_VERDICTS and frame.part == VERDICT_PART else kind,
        op.site.data,
        frame.part,
        frame.count,
        frame.words,
        str(frame.element),
        frame.bytes,
        frame.riding,
    )


def _decision(selector: SSAValue) -> int | None:
    """The site at which a role hears of a decision, or None if it has the word already."""
    op = selector.owner
    return op.site.data if isinstance(op, PerformOp) and op.kind.data == "decide" else None


def _work_lines(ops: Iterable[Operation]) -> tuple[str, ...]:
    """What local work does, in order and each once; reading and arithmetic go without saying."""
    lines = dict.fromkeys(line for op in ops for line in _lines_of(op))
    told = tuple(line for line in lines if line not in MINOR_WORK)
    return told or tuple(lines) or ("hand on",)


def _lines_of(op: Operation) -> tuple[str, ...]:
    match op:
        case ContributeOp():
            return (f"contribute @{shortened(op.callee.string_value())}",)
        case UpdateOp():
            return (f"update @{shortened(op.callee.string_value())}",)
        case ObserveOp():
            return (f'observe "{shortened(op.label.data)}"',)
        case AdvanceOp():
            return ("advance",)
        case MeanOp():
            return ("mean",)
        case ReadOp():
            return ("read",)
        case PartitionOp():
            return ("partition",)
        case ReleaseOp():
            return ("release",)
        case _:
            return () if op.name == "protocol.yield" else ("compute",)


def mirrored(program: Program, role: int, peer: int) -> Program:
    """What a peer has to do for a role's program: the frames between the two, the other way round.

    Loops and arms in which there are none are left out, but an arm keeps its number.
    """
    items: list[Item] = []
    for item in program:
        match item:
            case Message() if item.peer == peer:
                items.append(replace(item, outgoing=not item.outgoing, peer=role))
            case Loop():
                body = mirrored(item.body, role, peer)
                items += [replace(item, body=body)] if body else []
            case Choice():
                arms = tuple(mirrored(arm, role, peer) for arm in item.arms)
                items += [replace(item, arms=arms)] if any(arms) else []
            case _:
                pass
    return tuple(items)


def relabelled(program: Program, lane_of: Callable[[int], int]) -> Program:
    """A program with other numbers for the peers."""
    items: list[Item] = []
    for item in program:
        match item:
            case Message():
                items.append(replace(item, peer=lane_of(item.peer)))
            case Loop():
                items.append(replace(item, body=relabelled(item.body, lane_of)))
            case Choice():
                arms = tuple(relabelled(arm, lane_of) for arm in item.arms)
                items.append(replace(item, arms=arms))
            case Work():
                items.append(item)
    return tuple(items)


def sites_of(item: Item) -> frozenset[int]:
    """The sites by which the parts of several roles in one loop or choice are told to be one."""
    match item:
        case Message():
            return frozenset({item.site})
        case Loop():
            return frozenset().union(*map(sites_of, item.body))
        case Choice():
            inside = (sites_of(each) for arm in item.arms for each in arm)
            return frozenset(() if item.site is None else {item.site}).union(*inside)
        case Work():
            return frozenset()
