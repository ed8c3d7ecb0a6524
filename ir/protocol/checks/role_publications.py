"""What the programs of roles give out: all words of the last version, and of no version only some.

Invariant: after it, each role that has words of a state gives them out behind its last advance, on
    every path; and where one gives words out on the way, all do so at that version.
Why: as in `publications`, the state of a run is put together from what the roles give out.
Refuses: protocol-publish-missing, protocol-publish-version.
Entry: `check_role_publications`.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import Block

from alpha.ir.dialects.protocol_choices import ChoiceOp
from alpha.ir.dialects.protocol_control import RepeatOp
from alpha.ir.dialects.protocol_role import RoleOp
from alpha.ir.dialects.protocol_work import LocalOp, PublishOp
from alpha.ir.dialects.shard_exchange import AdvanceOp
from alpha.ir.refusals import Note, Refusal, place_of
from alpha.ir.schedules.stands import Arms, Stands, arms_around, is_covered
from alpha.ir.sharding.distribution import Distribution


def check_role_publications(
    programs: Mapping[int, RoleOp], distribution: Distribution, stands: Stands
) -> None:
    """Refuse the first role that keeps its words to itself, or gives out more versions than others.

    The programs advance alike.

    Raises:
        Refusal: those of the module.
    """
    given: dict[int, list[tuple[PublishOp, Arms]]] = {}
    for role, program in programs.items():
        state = next((n for n in distribution.learner.states if _has(distribution, n, role)), None)
        if state is None:
            continue
        if not _published(program.body.block, False):
            wanted = f"role {role} to publish its words of @{state}, behind the last advance"
            found = "none at the end of some path"
            raise Refusal("protocol-publish-missing", wanted, found, program)
        given[role] = [(op, arms_around(op)) for op in program.walk() if isinstance(op, PublishOp)]
    for role, own in given.items():
        for other, published in given.items():
            for op, arms in published if other != role else ():
                there = [each for one, each in own if stands[one] == stands[op]]
                if is_covered(arms, there):
                    continue
                note = Note(f"role {role} is here", place_of(programs[role]))
                wanted = f"role {role} to publish its words where role {other} does"
                found = "none of its own of this version, or in some arms alone"
                raise Refusal("protocol-publish-version", wanted, found, op, (note,))


def _has(distribution: Distribution, name: str, role: int) -> bool:
    """Whether a role gives words of a state; of a copy, role 0 does."""
    map = distribution.map_of(name)
    if map is None:
        return role == 0
    return map.piece_size(role, distribution.owners, distribution.domain(name)) > 0


def _published(block: Block, before: bool) -> bool:
    """Whether a role's words of the last version are out behind a block, on every path."""
    for op in block.ops:
        match op:
            case PublishOp():
                before = True
            case LocalOp() if isinstance(op.body.block.last_op, AdvanceOp):
                before = False
            case RepeatOp():
                before = _published(op.body.block, before)
            case ChoiceOp():
                before = all(_published(arm.block, before) for arm in op.arms)
            case _:
                pass
    return before
