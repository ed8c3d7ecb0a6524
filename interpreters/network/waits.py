"""Waits of roles: which one reaches its deadline first, and which ones form a cycle.

Invariant: a wait is found when it is due without a look at all roles at every step.
Entry: `Deadlines`, `cycle`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping

from alpha.interpreters.network.outcomes import Wait
from alpha.interpreters.network.roles import Role


class Deadlines:
    """Finds the waits that have lasted `seconds`.

    The waits of one moment are listed, oldest first; a wait that begins later is due later than
    all of the list. So it is listed again only when it is used up.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._listed: deque[tuple[float, int, int]] = deque()
        self.next = seconds
        """No wait is due earlier than this."""

    def due(self, roles: Mapping[int, Role], until: float) -> Role | None:
        """The role whose wait is due first, if it is before `until`, when the next step comes."""
        while True:
            while self._listed:
                since, number, turn = self._listed[0]
                if roles[number].turn == turn:
                    self.next = since + self._seconds
                    if self.next >= until:
                        return None
                    return roles[self._listed.popleft()[1]]
                self._listed.popleft()
            waits = [
                (role.since, role.number, role.turn)
                for role in roles.values()
                if role.waits_on is not None
            ]
            if not waits:
                self.next = until + self._seconds
                return None
            self._listed.extend(sorted(waits))


def cycle(starts: Iterable[int], stuck: Callable[[int], Wait | None]) -> tuple[Wait, ...]:
    """The first cycle of waits that is reached from these roles, from its lowest role on.

    O(roles), since each waits for one other at most.
    """
    seen: set[int] = set()
    for start in starts:
        path: dict[int, Wait] = {}
        at = start
        while at not in seen and (wait := stuck(at)) is not None:
            seen.add(at)
            path[at] = wait
            at = wait.peer
        if at in path:
            waits = list(path.values())
            waits = waits[list(path).index(at) :]
            first = min(range(len(waits)), key=lambda index: waits[index].role)
            return (*waits[first:], *waits[:first])
    return ()
