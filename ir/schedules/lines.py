"""All schedules read once: their actions, and the loops and arms around them, without nesting.

Invariant: a scope is one loop's body, one arm, or a role's whole schedule. No role has two scopes
    of one shape; two scopes of one shape are the same loop, or the same arm of the same choice, in
    the same loops and arms, with equal bounds and as many arms.
Why: schedules are walked here, without recursion however deep they are, and nowhere else; and a
    shape is a number, so that two actions are compared in constant time, whatever is around them.
Entry: `read`, `Lines`, `Scope`, `Mark`.

The size of everything here, and the time to make it, is linear in the steps of all schedules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from alpha.ir.schedules.events import Action, Branch, Loop, Schedules, Step

ROOT = 0
"""The shape of whole schedules."""


class Mark(Enum):
    """What a role comes to: an action, or the beginning or end of a scope."""

    ACT = 0
    OPEN = 1
    CLOSE = 2


@dataclass(frozen=True, slots=True)
class Scope:
    """A loop's body, an arm of a choice, or a role's whole schedule."""

    role: int
    around: int
    """The number of the scope that it stands in; -1 for a whole schedule."""

    step: Loop | Branch | None
    arm: int
    """Which arm of a choice, else 0."""

    turn: int
    """How many loops or choices of this site the scope around it has before this one."""

    shape: int

    @property
    def rounds(self) -> int:
        """How often the scope is run each time a role comes to it, at most."""
        return self.step.bound if isinstance(self.step, Loop) else 1

    def __str__(self) -> str:
        again = f", number {self.turn + 1} of this site" if self.turn else ""
        match self.step:
            case Loop(bound=bound, until=until, site=site):
                rounds = "1 round" if bound == 1 else f"{bound} rounds"
                return f"the loop of site {site} with {'at most ' if until else ''}{rounds}{again}"
            case Branch(site=site, arms=arms):
                return f"arm {self.arm} of the {len(arms)} of the choice of site {site}{again}"
        return "no loop or arm"


class Lines:
    """What every role does, as one line of marks; the number of a mark is an action's or scope's.

    Actions and scopes are numbered over all roles; a scope has a higher number than those around
    it, and `span` says where its OPEN and CLOSE stand in its role's line.
    """

    def __init__(self) -> None:
        self.actions: list[Action] = []
        self.role_of: list[int] = []
        self.scope_of: list[int] = []
        self.scopes: list[Scope] = []
        self.span: list[tuple[int, int]] = []
        self.marks: dict[int, list[tuple[Mark, int]]] = {}

    def around(self, scope: int) -> list[Scope]:
        """The loops and arms around what stands in a scope, outermost first."""
        found: list[Scope] = []
        while self.scopes[scope].around >= 0:
            found.append(self.scopes[scope])
            scope = self.scopes[scope].around
        return found[::-1]


def read(schedules: Schedules) -> Lines:
    """The lines of all roles, in ascending order of roles."""
    lines = Lines()
    reader = _Reader(lines)
    for role in sorted(schedules):
        reader.role(role, schedules[role])
    return lines


class _Reader:
    """Puts schedules into lines, and gives every shape its number."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._shapes: dict[tuple[int, ...], int] = {(): ROOT}
        self._turns: dict[tuple[int, type, int], int] = {}
        self._open: list[tuple[int, Iterator[Step]]] = []

    def role(self, role: int, steps: Sequence[Step]) -> None:
        """Read the schedule of one role."""
        lines = self._lines
        marks = lines.marks[role] = []
        self._enter(Scope(role, -1, None, 0, 0, ROOT), steps)
        while self._open:
            scope, rest = self._open[-1]
            step = next(rest, None)
            if step is None:
                self._leave(scope)
            elif isinstance(step, Action):
                marks.append((Mark.ACT, len(lines.actions)))
                lines.actions.append(step)
                lines.role_of.append(role)
                lines.scope_of.append(scope)
            else:
                place = scope, type(step), step.site
                turn = self._turns[place] = self._turns.get(place, -1) + 1
                self._inner(scope, step, 0, turn)

    def _inner(self, around: int, step: Loop | Branch, arm: int, turn: int) -> None:
        """Enter a loop's body or one arm of a choice."""
        outer = self._lines.scopes[around]
        if isinstance(step, Loop):
            key = outer.shape, step.site, turn, step.bound, int(step.until)
            steps = step.body
        else:
            key = outer.shape, step.site, turn, len(step.arms), arm, 0  # one more than a loop's
            steps = step.arms[arm]
        shape = self._shapes.setdefault(key, len(self._shapes))
        self._enter(Scope(outer.role, around, step, arm, turn, shape), steps)

    def _enter(self, scope: Scope, steps: Sequence[Step]) -> None:
        lines = self._lines
        number, marks = len(lines.scopes), lines.marks[scope.role]
        lines.scopes.append(scope)
        lines.span.append((len(marks), -1))
        marks.append((Mark.OPEN, number))
        self._open.append((number, iter(steps)))

    def _leave(self, number: int) -> None:
        """Close a scope, and enter the next arm if it is one."""
        lines = self._lines
        scope = lines.scopes[number]
        marks = lines.marks[scope.role]
        lines.span[number] = lines.span[number][0], len(marks)
        marks.append((Mark.CLOSE, number))
        self._open.pop()
        step, arm = scope.step, scope.arm + 1
        if isinstance(step, Branch) and arm < len(step.arms):
            self._inner(scope.around, step, arm, scope.turn)
