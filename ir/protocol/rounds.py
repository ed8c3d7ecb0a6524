"""Whether all rounds of a protocol are one text, so that what is shown of one holds for all.

Entry: `rounds_are_alike`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from xdsl.dialects.builtin import IntAttr
from xdsl.ir import Operation, Region, SSAValue

from alpha.ir.dialects.protocol import GlobalOp
from alpha.ir.dialects.protocol_choices import ChoiceOp
from alpha.ir.dialects.protocol_control import RepeatOp
from alpha.ir.dialects.protocol_role import RoleOp
from alpha.ir.dialects.shard_exchange import AdvanceOp
from alpha.ir.dialects.shard_work import ObserveOp

SITE = "site"
"""The number of an operation in the protocol, which tells two copies of a round apart."""


def rounds_are_alike(op: GlobalOp | RoleOp) -> bool:
    """Whether every round is the same text on the same words: so one round shows what all do.

    There is no choice of what is done, and one advance in all, or each in a repeat of its own whose
    body is that of the others, as between generations. The repeats around an advance take nothing
    from before: no value that they carry or use is of another round. And all observations are made
    in the innermost of them, before the advance: none before the first round, nor behind the end of
    one.
    """
    around: dict[AdvanceOp, list[RepeatOp]] = {}
    for part in op.walk():
        if isinstance(part, ChoiceOp):
            return False
        if isinstance(part, AdvanceOp):
            around[part] = list(_repeats_around(part))
    if len(around) < 2 and not any(around.values()):
        return True
    if not all(around.values()):
        return False
    rounds = {repeats[0]: advance for advance, repeats in around.items()}
    first, *others = rounds
    return (
        len(rounds) == len(around)
        and all(_is_closed(repeat) for repeats in around.values() for repeat in repeats)
        and _is_observed_before(op, rounds)
        and all(_is_same_text(first.body, other.body) for other in others)
    )


def _repeats_around(op: Operation) -> Iterator[RepeatOp]:
    """From the inside out."""
    around = op.parent_op()
    while around is not None:
        if isinstance(around, RepeatOp):
            yield around
        around = around.parent_op()


def _is_observed_before(op: GlobalOp | RoleOp, rounds: Mapping[RepeatOp, AdvanceOp]) -> bool:
    """Whether all observations stand in one of these repeats, before the advance in it."""
    before: set[Operation] = set()
    for repeat, advance in rounds.items():
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


def _is_same_text(one: Region, other: Region) -> bool:
    """Whether two bodies are the same but for names of values and numbers of sites."""
    return _without_sites(one).is_structurally_equivalent(_without_sites(other))


def _without_sites(region: Region) -> Region:
    copy = region.clone()
    for op in copy.walk():
        if SITE in op.properties:
            op.properties[SITE] = IntAttr(0)
    return copy
