"""Where the steps of programs stand among the versions that advance, and that all agree on it.

A step stands behind some advances: those of the text before it, in so many iterations of the
repeats and such arms of the choices as a run takes. Where all arms of a choice make as many
versions, it doesn't matter which is taken, and a role that isn't told stands as those that are. Two
steps that stand alike are done at one version in every run, if the programs take the same arms,
which `same_values` sees to.

Invariant: after `check_stands` all programs make as many versions in every run, and each operation
    that roles perform together stands alike in all of them. So a frame arrives at the version at
    which it was sent.
Refuses: shard-version-mixed.
Entry: `Stands`, `check_stands`, `arms_around`, `is_covered`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TypeAlias

from xdsl.ir import Block, Operation

from alpha.ir.dialects.protocol_choices import ChoiceOp, UntilOp
from alpha.ir.dialects.protocol_control import RepeatOp
from alpha.ir.dialects.protocol_role import PerformOp, RoleOp
from alpha.ir.dialects.protocol_work import LocalOp
from alpha.ir.dialects.shard_exchange import AdvanceOp
from alpha.ir.protocol.advances import advances_of, first_advances
from alpha.ir.refusals import Note, Refusal, place_of

BEGIN = 0
"""Where the first step of a program stands."""

Arms: TypeAlias = "Mapping[Hashable, tuple[int, int]]"
"""By choice, the arm in which a step stands and how many arms there are."""

Way: TypeAlias = "tuple[tuple[Hashable, tuple[int, int]], ...]"
"""The arms around a place, from the outside in."""


def arms_around(op: Operation) -> Arms:
    """The arms in which a step stands; a choice is known by its site, one without is its own."""
    found: dict[Hashable, tuple[int, int]] = {}
    inner, around = op, op.parent_op()
    while around is not None:
        if isinstance(around, ChoiceOp):
            arm = next(n for n, each in enumerate(around.arms) if each is inner.parent_region())
            found[around if around.site is None else around.site.data] = arm, len(around.arms)
        inner, around = around, around.parent_op()
    return found


def is_covered(arms: Arms, places: Iterable[Arms]) -> bool:
    """Whether one of several places is come to whenever a place in some arms is.

    A role that isn't told of a choice does outside of it what others do in every arm, of which each
    may be divided by further choices. The ways to the places are followed arm by arm, the first one
    to its end; what is left of them is looked at once. If nothing is left, there is a case in which
    no place is come to.
    """
    pending = [_beyond([tuple(each.items())[::-1] for each in places], arms)]
    seen = set(pending)
    while pending:
        ways = pending.pop()
        if not ways:
            return False
        if () in ways:
            continue
        choice, (_, count) = ways[0][0]
        for arm in range(count):
            left = _beyond(ways, {choice: (arm, count)})
            if left not in seen:
                seen.add(left)
                pending.append(left)
    return True


def _beyond(ways: Iterable[Way], arms: Arms) -> tuple[Way, ...]:
    """What has to be taken beside some arms, without the ways that they lead past."""
    left = (
        tuple((choice, arm) for choice, arm in way if choice not in arms)
        for way in ways
        if all(arms.get(choice, arm) == arm for choice, arm in way)
    )
    return tuple(dict.fromkeys(left))


class Stands:
    """Where each step of some programs stands, by number: equal numbers stand alike."""

    def __init__(self, programs: Mapping[int, RoleOp]) -> None:
        self._numbers: dict[Hashable, int] = {}
        self._of: dict[Operation, int] = {}
        self._advancing: set[Operation] = set()
        self.advances: dict[int, list[AdvanceOp]] = {role: [] for role in programs}
        """The advances of each role, in the order of the text."""
        self.ends: dict[int, int] = {}
        """Where the end of each program stands."""
        for role, program in programs.items():
            self._advancing |= first_advances(program).keys()
            self.ends[role] = self._walk(program.body.block, BEGIN, role)

    def __getitem__(self, op: Operation) -> int:
        """Where a step outside of local work stands, or an advance, with which its work ends."""
        return self._of[op]

    def parting(self, program: RoleOp, other: RoleOp) -> Operation:
        """The step of a program behind which it stands where no step of the other one does."""
        known = {self._of[op] for op in other.walk() if op in self._of}
        for op in program.walk():
            if op in self._of and self._of[op] not in known:
                return op.prev_op or op.parent_op() or program
        return program

    def _walk(self, block: Block, here: int, role: int) -> int:
        """Number what is in a block, and say where its end stands."""
        for op in block.ops:
            self._of[op] = here
            match op:
                case LocalOp():
                    last = op.body.block.last_op
                    if isinstance(last, AdvanceOp):
                        self._of[last] = here
                        self.advances[role].append(last)
                        here = self._number(here, "advance")
                case RepeatOp() if op in self._advancing:
                    kind = _site(op, role), op.bound.data, isinstance(op.end, UntilOp)
                    end = self._walk(op.body.block, self._number(here, *kind), role)
                    here = self._number(here, *kind, end)
                case RepeatOp():
                    self._walk(op.body.block, here, role)
                case ChoiceOp():
                    here = self._choose(op, here, role)
                case _:
                    pass
        return here

    def _choose(self, op: ChoiceOp, here: int, role: int) -> int:
        if op not in self._advancing:
            for arm in op.arms:
                self._walk(arm.block, here, role)
            return here
        ends = [self._walk(arm.block, here, role) for arm in op.arms]
        return ends[0] if len(set(ends)) == 1 else self._number(_site(op, role), tuple(ends))

    def _number(self, *what: Hashable) -> int:
        return self._numbers.setdefault(what, len(self._numbers) + 1)


def _site(op: RepeatOp | ChoiceOp, role: int) -> Hashable:
    """The site of a repeat or choice; a decision that says none is its role's alone."""
    if op.site is not None:
        return op.site.data
    decides = isinstance(op, ChoiceOp) or isinstance(op.end, UntilOp)
    return ("decided by", role) if decides else "repeated"


def check_stands(programs: Mapping[int, RoleOp], stands: Stands) -> None:
    """Refuse the first program that advances elsewhere, or performs something at another version.

    Raises:
        Refusal: `shard-version-mixed`.
    """
    roles = iter(programs)
    first = next(roles, None)
    if first is None:
        return
    for role in roles:
        if stands.ends[role] != stands.ends[first]:
            raise _elsewhere(programs, stands, first, role)
    sites: dict[int, tuple[int, PerformOp]] = {}
    for role, program in programs.items():
        for op in program.walk():
            if not isinstance(op, PerformOp):
                continue
            other, one = sites.setdefault(op.site.data, (role, op))
            if stands[one] != stands[op]:
                note = Note(f"role {other} performs it here", place_of(one))
                wanted = f"site {op.site.data} at the version at which role {other} performs it"
                found = f"another at role {role}"
                raise Refusal("shard-version-mixed", wanted, found, op, (note,))


def _elsewhere(programs: Mapping[int, RoleOp], stands: Stands, first: int, role: int) -> Refusal:
    one, other = advances_of(programs[first]), advances_of(programs[role])
    if one != other:
        note = Note(f"role {first} is here", place_of(programs[first]))
        wanted = f"role {role} to make {one} versions, as role {first}"
        return Refusal("shard-version-mixed", wanted, str(other), programs[role], (note,))
    place = stands.parting(programs[role], programs[first])
    note = Note(f"role {first} is here", place_of(programs[first]))
    wanted = f"role {role} to advance in the repeats and arms in which role {first} does"
    return Refusal("shard-version-mixed", wanted, "an advance elsewhere", place, (note,))
