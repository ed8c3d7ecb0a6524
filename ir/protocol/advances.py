"""How often the version advances in a protocol, at most, and where.

Entry: `advances_of`, `exact_advances_of`, `first_advances`, `rounds_are_alike`.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Block, Operation, Region, SSAValue

from alpha.ir.dialects.protocol import GlobalOp
from alpha.ir.dialects.protocol_choices import ChoiceOp, UntilOp
from alpha.ir.dialects.protocol_control import RepeatOp, ScopeOp
from alpha.ir.dialects.protocol_role import RoleOp
from alpha.ir.dialects.protocol_work import LocalOp
from alpha.ir.dialects.shard_exchange import AdvanceOp
from alpha.ir.dialects.shard_work import ObserveOp


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


def exact_advances_of(op: GlobalOp | RoleOp) -> int | None:
    """How many versions every run makes, or None where a word that is computed decides it."""
    return _exactly(op.body.block)


def _exactly(block: Block) -> int | None:
    found = 0
    for op in block.ops:
        match op:
            case LocalOp():
                inside: int | None = int(isinstance(op.body.block.last_op, AdvanceOp))
            case RepeatOp():
                inside = _exactly(op.body.block)
                if inside and op.bound.data > 1 and isinstance(op.end, UntilOp):
                    return None
                inside = None if inside is None else op.bound.data * inside
            case ScopeOp():
                inside = _exactly(op.body.block)
            case ChoiceOp():
                arms = {_exactly(arm.block) for arm in op.arms}
                inside = arms.pop() if len(arms) == 1 else None
            case _:
                inside = 0
        if inside is None:
            return None
        found += inside
    return found


def rounds_are_alike(op: GlobalOp | RoleOp) -> bool:
    """Whether every round is the same text on the same words: so one round shows what all do.

    There is one advance in all and no choice of what is done. The repeats around the advance take
    nothing from before: no value that they carry or use is of another round. And all observations
    are made in the innermost of them, before the advance: none before the first round, nor behind
    the end of one.
    """
    advances: list[AdvanceOp] = []
    for part in op.walk():
        if isinstance(part, ChoiceOp):
            return False
        if isinstance(part, AdvanceOp):
            advances.append(part)
    if len(advances) != 1:
        return not advances
    repeats = list(_repeats_around(advances[0]))
    return not repeats or (
        all(map(_is_closed, repeats)) and _is_observed_before(op, repeats[0], advances[0])
    )


def _repeats_around(op: Operation) -> Iterator[RepeatOp]:
    """From the inside out."""
    around = op.parent_op()
    while around is not None:
        if isinstance(around, RepeatOp):
            yield around
        around = around.parent_op()


def _is_observed_before(op: GlobalOp | RoleOp, repeat: RepeatOp, advance: AdvanceOp) -> bool:
    """Whether all observations stand in a repeat, before the advance in it."""
    before: set[Operation] = set()
    for part in repeat.body.walk():
        if part is advance:
            break
        before.add(part)
    return all(part in before for part in op.walk() if isinstance(part, ObserveOp))


def _is_closed(op: RepeatOp) -> bool:
    """Whether a repeat takes no value from outside, nor from one iteration to the next."""
    inside = {value for part in op.body.walk() for value in part.results}
    inside |= {value for part in op.body.walk() for each in part.regions for value in _given(each)}
    used = {value for part in op.body.walk() for value in part.operands}
    return not op.initial and used <= inside


def _given(region: Region) -> Iterator[SSAValue]:
    for block in region.blocks:
        yield from block.args


def first_advances(op: GlobalOp | RoleOp) -> dict[Operation, AdvanceOp]:
    """The operations inside which a version advances, each with the first advance there."""
    found: dict[Operation, AdvanceOp] = {}
    for part in op.walk():
        if isinstance(part, AdvanceOp):
            around = part.parent_op()
            while around is not None and around not in found:
                found[around] = part
                around = around.parent_op()
    return found
