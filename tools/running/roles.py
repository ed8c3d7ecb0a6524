"""How the end of a run is told from the ends of its roles.

Invariant: the first cause of a failure is told, not the last symptom.
Entry: `first_cause`, `told`, `status_of`.
"""

from __future__ import annotations

import re
import signal
from collections.abc import Sequence

from alpha.tools.exits import INPUT_OUTPUT, INTERNAL, PEER_LOST, REFUSED, ROUND_REFUSED
from alpha.tools.running.processes import Ended


def first_cause(ended: Sequence[Ended]) -> Ended | None:
    """The role whose end explains those of the others, or None if all ended well.

    Who refused, or failed on its own, comes before who lost a peer: that is mostly a symptom. Where
    all have lost one, the cause is at the end of the way from each to whom it has lost.
    """
    failed = {each.role: each for each in ended if each.status != 0 or not each.whole}
    causes = [each for each in failed.values() if each.status != PEER_LOST]
    if causes or not failed:
        return min(causes, key=lambda each: each.order, default=None)
    way = [min(failed.values(), key=lambda each: each.order)]
    while (lost := failed.get(_lost_by(way[-1]))) is not None:
        if lost in way:
            # They have lost one another.
            return min(way[way.index(lost) :], key=lambda each: each.order)
        way.append(lost)
    return way[-1]


def _lost_by(ended: Ended) -> int:
    """The role that a role says that it has lost; -1 if it doesn't."""
    found = re.search(rf"^alpha: role {ended.role}: lost role (\d+): ", ended.said, re.MULTILINE)
    return -1 if found is None else int(found[1])


def told(ended: Ended, is_cause: bool) -> str:
    """What a role said; before it how it ended, where it failed and didn't say which role it is."""
    named = f"role {ended.role}:" in ended.said
    symptom = not ended.said and not is_cause
    if named or symptom or (ended.whole and ended.status == 0):
        return ended.said
    return f"alpha: role {ended.role}: {how_ended(ended)}\n{ended.said}"


def how_ended(ended: Ended) -> str:
    """How a role has ended that said nothing."""
    if ended.stopped:
        return "didn't end by itself, and was ended"
    if ended.status < 0:
        return f"was ended by {_signal_name(-ended.status)}"
    return f"ended with status {ended.status}, without having told everything"


def _signal_name(number: int) -> str:
    """The name of a signal; those of real time have none."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def status_of(ended: Ended) -> int:
    """The exit status of a run whose first cause this is."""
    if ended.status in (REFUSED, ROUND_REFUSED, PEER_LOST, INPUT_OUTPUT, INTERNAL):
        return ended.status
    return PEER_LOST
