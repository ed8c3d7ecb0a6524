"""One run at random without buffers: a frame whose two ends are both come to is made, any of them.

Entry: `run_at_random`.
"""

from __future__ import annotations

from random import Random

from schedules.explore import Runs


def run_at_random(runs: Runs, random: Random) -> str:
    """How it ends: "" if every role comes to its end, else `stuck` or `mismatched`."""
    at = dict.fromkeys(runs, 0)
    ready: list[tuple[int, int]] = []

    def look(role: int) -> bool:
        """Put the frame that a role has come to on the list if its peer has come to it too."""
        if at[role] == len(runs[role]):
            return True
        sends, peer, label = runs[role][at[role]]
        if peer not in runs or at[peer] == len(runs[peer]):
            return True
        other_sends, other_peer, other_label = runs[peer][at[peer]]
        if other_peer != role or sends == other_sends:
            return True
        if label != other_label:
            return False
        ready.append((role, peer) if sends else (peer, role))
        return True

    for role in runs:
        if not look(role):
            return "mismatched"
    ready = list(set(ready))
    while ready:
        chosen = random.randrange(len(ready))
        ready[chosen], ready[-1] = ready[-1], ready[chosen]
        both = ready.pop()
        for role in both:
            at[role] += 1
        before = len(ready)
        if not all(look(role) for role in both):
            return "mismatched"
        if len(ready) == before + 2 and ready[-1] == ready[-2]:
            ready.pop()
    return "" if all(at[role] == len(run) for role, run in runs.items()) else "stuck"
