"""Wrong programs of roles, made on purpose: each is one fault in what a role sends or receives.

Invariant: a mutant is a set of programs that can be run; it completes its communication where it
    can. Which check refuses it stands in `docs/mutants.md`.
Entry: `KINDS`.

Each function changes the programs of a protocol's roles and returns whether there was something to
change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise

from xdsl.dialects.arith import ConstantOp, SubiOp
from xdsl.dialects.builtin import IntegerAttr, StringAttr, i64
from xdsl.ir import Block, SSAValue

from alpha.ir.dialects.protocol_bodies import YieldOp
from alpha.ir.dialects.protocol_choices import ChoiceOp
from alpha.ir.dialects.protocol_role import FrameOp, PerformOp, ReceiveOp, RoleOp, SendOp
from alpha.ir.dialects.protocol_work import LocalOp
from alpha.ir.selections import Stride

Roles = Mapping[int, RoleOp]
Mutation = Callable[[Roles], bool]


def inverted_choice(roles: Roles) -> bool:
    """A role that is told of a choice takes another arm than it was told."""
    for program in roles.values():
        for op in program.walk():
            if isinstance(op, ChoiceOp) and not _decides(op.selector):
                arms = [arm.clone() for arm in reversed(op.arms)]
                site = None if op.site is None else op.site.data
                other = ChoiceOp(op.selector, arms, site=site)
                _replace(op, other)
                return True
    return False


def independent_forwarder(roles: Roles) -> bool:
    """A role that has to relay the word of a choice tells one of its own, the opposite arm's."""
    for role, program in roles.items():
        for op in _decisions(program):
            frames = list(op.frames.block.ops)
            sends = [frame for frame in frames if isinstance(frame, SendOp)]
            if op.arguments or not sends or op.arms is None:
                continue
            own = _opposite(role, op.outcomes[0], op.arms.data)
            block = op.parent_block()
            assert block is not None
            block.insert_op_after(own, op)
            for frame in sends:
                frame.detach()
            given = {"arms": op.arms}
            relayed = PerformOp(
                "decide",
                op.site.data,
                [own.outcomes[0]],
                Block(sends),
                [own.outcomes[0].type],
                given,
            )
            block.insert_op_after(relayed, own)
            return True
    return False


def noncanonical_word(roles: Roles) -> bool:
    """Who decides tells a word that is the number of no arm."""
    for role, program in roles.items():
        for op in _decisions(program):
            if op.arguments and op.arms is not None:
                own = _constant(role, op.arms.data)
                block = op.parent_block()
                assert block is not None
                block.insert_op_before(own, op)
                op.operands[0] = own.outcomes[0]
                return True
    return False


def frame_binding(roles: Roles) -> bool:
    """The last role's frames are those of another protocol."""
    if len(roles) < 2:
        return False
    program = roles[max(roles)]
    digest = program.protocol.data
    program.protocol = StringAttr(("1" if digest[0] == "0" else "0") + digest[1:])
    return True


def swap_actions(roles: Roles) -> bool:
    """A role waits for a frame before it sends the one that stands before it."""
    for program in roles.values():
        for op in program.walk():
            if isinstance(op, PerformOp) and _swap_frames(op):
                return True
    return any(_swap_operations(program) for program in roles.values())


KINDS: Mapping[str, Mutation] = {
    "inverted-choice": inverted_choice,
    "independent-forwarder": independent_forwarder,
    "noncanonical-word": noncanonical_word,
    "frame-binding": frame_binding,
    "swap-actions": swap_actions,
}
"""The kinds, in the order of the documentation."""


def _decisions(program: RoleOp) -> Iterator[PerformOp]:
    for op in program.walk():
        if isinstance(op, PerformOp) and op.kind.data == "decide":
            yield op


def _decides(selector: SSAValue) -> bool:
    """Whether a selector is the role's own, rather than one that it was told."""
    op = selector.owner
    return not isinstance(op, PerformOp) or bool(op.arguments)


def _constant(role: int, word: int) -> LocalOp:
    """Local work that gives a word."""
    constant = ConstantOp(IntegerAttr(word, i64))
    return LocalOp(Stride(role, 1, 1), [], Block([constant, YieldOp([constant.result])]))


def _opposite(role: int, told: SSAValue, arms: int) -> LocalOp:
    """Local work that counts the arms from the other end: of two, the one that wasn't told."""
    block = Block(arg_types=[i64])
    last = ConstantOp(IntegerAttr(arms - 1, i64))
    other = SubiOp(last.result, block.args[0])
    block.add_ops([last, other, YieldOp([other.result])])
    return LocalOp(Stride(role, 1, 1), [told], block)


def _replace(op: ChoiceOp, other: ChoiceOp) -> None:
    block = op.parent_block()
    assert block is not None
    other.location = op.location
    block.insert_op_before(other, op)
    for old, new in zip(op.outcomes, other.outcomes, strict=True):
        old.replace_all_uses_with(new)
    op.detach()
    op.erase()


def _swap_frames(op: PerformOp) -> bool:
    """Swap the first send of an operation with a receive from the same peer right behind it."""
    frames = [frame for frame in op.frames.block.ops if isinstance(frame, FrameOp)]
    for one, other in pairwise(frames):
        if isinstance(one, SendOp) and isinstance(other, ReceiveOp) and one.peer == other.peer:
            other.detach()
            op.frames.block.insert_op_before(other, one)
            return True
    return False


def _swap_operations(program: RoleOp) -> bool:
    """Swap an operation that only sends with one right behind it that begins with a receive."""
    for op in program.walk():
        other = op.next_op
        if not isinstance(op, PerformOp) or not isinstance(other, PerformOp):
            continue
        frames = list(other.frames.block.ops)
        sends = all(isinstance(frame, SendOp) for frame in op.frames.block.ops)
        uses = any(value.owner is op for value in other.arguments)
        if sends and frames and isinstance(frames[0], ReceiveOp) and not uses:
            block = op.parent_block()
            assert block is not None
            other.detach()
            block.insert_op_before(other, op)
            return True
    return False
