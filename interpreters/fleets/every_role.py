"""The times of a few roles, role by role: for protocols whose operations go along no one tree.

Invariant: each role does its actions in order, and waits for nothing but the frame that comes next
    on an edge; so the order in which roles are looked at doesn't matter.
Refuses: select-budget.
Entry: `run_every_role`, `ROLES_MAX`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence

from alpha.interpreters.fleets.programs import Action, RoleProgram, Send, Work
from alpha.interpreters.fleets.rates import Clock
from alpha.interpreters.fleets.times import Ends
from alpha.ir.refusals import Refusal

ROLES_MAX = 1 << 10
"""Most roles that are looked at one by one."""

ACTIONS_MAX = 1 << 22
"""Most actions of all roles together: some seconds."""

ROUNDS_MAX = 32
"""Rounds that are looked at if no two successive ones take every role equally long."""


def run_every_role(
    programs: Mapping[int, RoleProgram], speeds: Mapping[int, int], rounds: int, clock: Clock
) -> tuple[Ends, dict[int, int]]:
    """The ends of a run of so many rounds, and the longest wait of each role, in ticks.

    Raises:
        Refusal: `select-budget` for more than 2^22 actions.
    """
    fleet = _Fleet(programs, speeds, clock)
    fleet.go({role: program.before for role, program in programs.items()})
    ends: list[int] = []
    previous, later = dict(fleet.now), None
    while len(ends) < min(rounds, ROUNDS_MAX):
        ends.append(fleet.go({role: program.round for role, program in programs.items()}))
        later = _common(fleet.now, previous) if len(ends) > 1 else None
        previous = dict(fleet.now)
        if later is not None:
            break
    last = fleet.go({role: program.after for role, program in programs.items()})
    left = rounds - len(ends)
    whole = last if not left else None if later is None else last + left * later
    return Ends(tuple(ends), whole, later), fleet.longest


def _common(now: Mapping[int, int], previous: Mapping[int, int]) -> int | None:
    """How long a round took every role, if it took all of them equally long."""
    found = {now[role] - previous[role] for role in now}
    return found.pop() if len(found) == 1 else None


class _Fleet:
    """Clocks of all roles, and the frames that are on their way."""

    def __init__(
        self, programs: Mapping[int, RoleProgram], speeds: Mapping[int, int], clock: Clock
    ) -> None:
        self.now = dict.fromkeys(programs, 0)
        self.longest = dict.fromkeys(programs, 0)
        self._speeds = speeds
        self._clock = clock
        self._sent: dict[tuple[int, int], deque[int]] = {}
        self._waiting: dict[tuple[int, int], int] = {}
        self._left = ACTIONS_MAX

    def go(self, actions: Mapping[int, Sequence[Action]]) -> int:
        """Let every role do its actions; gives the time at which the last one is done."""
        at = dict.fromkeys(actions, 0)
        ready = list(actions)
        while ready:
            role = ready.pop()
            todo = actions[role]
            while at[role] < len(todo):
                woken = self._do(role, todo[at[role]])
                if woken is None:
                    break
                ready += woken
                at[role] += 1
        assert all(at[role] == len(todo) for role, todo in actions.items()), "a role waits for ever"
        return max(self.now.values())

    def _do(self, role: int, action: Action) -> list[int] | None:
        """Do an action; gives the roles that may go on, or None where the role has to wait."""
        clock = self._clock
        if isinstance(action, Work):
            self.now[role] += clock.work(action.samples, action.words, self._speeds[role])
            return self._spend()
        if isinstance(action, Send):
            edge = (role, action.peer)
            self._sent.setdefault(edge, deque()).append(self.now[role])
            self.now[role] += clock.transfer(action.bytes)
            waiting = self._waiting.pop(edge, None)
            return self._spend() if waiting is None else [*self._spend(), waiting]
        edge = (action.peer, role)
        if not self._sent.get(edge):
            self._waiting[edge] = role
            return None
        there = self._sent[edge].popleft() + clock.frame
        self.longest[role] = max(self.longest[role], there - self.now[role])
        self.now[role] = max(self.now[role], there) + clock.transfer(action.bytes)
        return self._spend()

    def _spend(self) -> list[int]:
        self._left -= 1
        if self._left < 0:
            wanted = f"a run of at most {ACTIONS_MAX} frames and pieces of work"
            raise Refusal("select-budget", wanted, "more")
        return []
