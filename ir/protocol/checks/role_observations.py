"""What the programs of roles observe: role 0 does so, wherever another role's program does.

Invariant: after it, an observation in a role's program is made by role 0 as well, at the same
    version, whatever arms are taken.
Why: role 0 alone tells what is observed. One that stands in another role's program alone would be
    lost in silence.
Refuses: protocol-observation-unheard.
Entry: `check_role_observations`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from alpha.ir.dialects.protocol_role import RoleOp
from alpha.ir.dialects.protocol_work import LocalOp
from alpha.ir.dialects.shard_work import ObserveOp
from alpha.ir.protocol.checks.observations import OBSERVER
from alpha.ir.refusals import Note, Refusal, place_of
from alpha.ir.schedules.stands import Arms, Stands, arms_around, is_covered


def check_role_observations(programs: Mapping[int, RoleOp], stands: Stands) -> None:
    """Refuse the first observation of a role that role 0 doesn't make; asks nothing without role 0.

    The programs advance alike.

    Raises:
        Refusal: `protocol-observation-unheard`.
    """
    observer = programs.get(OBSERVER)
    if observer is None:
        return
    made: dict[tuple[str, int], list[Arms]] = {}
    for op, work in _observations(observer):
        made.setdefault((op.label.data, stands[work]), []).append(arms_around(work))
    for role, program in programs.items():
        for op, work in _observations(program):
            there = made.get((op.label.data, stands[work]), ())
            if is_covered(arms_around(work), there):
                continue
            note = Note(f"role {OBSERVER} is here", place_of(observer))
            wanted = f'role {OBSERVER} to observe "{op.label.data}" where role {role} does'
            found = "none of its own of this version"
            if there:
                found = "that it does in some arms alone"
            raise Refusal("protocol-observation-unheard", wanted, found, op, (note,))


def _observations(program: RoleOp) -> Iterator[tuple[ObserveOp, LocalOp]]:
    """The observations of a program, each with the work in which it is made."""
    for op in program.walk():
        if isinstance(op, ObserveOp):
            work = op.parent_op()
            assert isinstance(work, LocalOp), "an observation is local work"
            yield op, work
