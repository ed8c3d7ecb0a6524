"""What happens when a role stops, and what roles know of each other, by running it.

Entry: `longest_after_a_stop`, `knowledge`, `most_in_flight`.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Mapping

from schedules.explore import Runs

from alpha.ir.schedules.events import Label


def _made_in_order(runs: Runs, until: Mapping[int, int]) -> list[tuple[int, int]]:
    """The frames that are made without buffers if roles stop, by the two ends, in an order."""
    at = dict.fromkeys(runs, 0)
    made: list[tuple[int, int]] = []
    going = True
    while going:
        going = False
        for role, run in runs.items():
            while at[role] < min(len(run), until.get(role, len(run))):
                sends, peer, _ = run[at[role]]
                there = at[peer]
                if there >= min(len(runs[peer]), until.get(peer, len(runs[peer]))):
                    break
                other_sends, other, _ = runs[peer][there]
                if other != role or other_sends == sends:
                    break
                made.append((role, peer))
                at[role] += 1
                at[peer] += 1
                going = True
    return made


def longest_after_a_stop(
    runs: Runs, stopped: int, after: int, bound: Callable[[Label], int]
) -> int:
    """The latest end of a wait if a role stops after some of its actions, from that moment on.

    What the role has needed is made at once, before; every frame takes its bound from when both
    ends have come to it, and so does the discovery that a peer has stopped.
    """
    times = dict.fromkeys(runs, 0)
    at = dict.fromkeys(runs, 0)
    past = _needed(runs, stopped, after)
    latest = 0
    for one, other in _made_in_order(runs, {stopped: after}):
        ready = max(times[one], times[other])
        if at[one] >= past[one]:
            ready += bound(runs[one][at[one]][2])
        times[one] = times[other] = ready
        at[one] += 1
        at[other] += 1
        latest = max(latest, ready)
    ends: dict[int, int] = {stopped: 0}

    def end(role: int) -> int:
        if role not in ends:
            _, peer, label = runs[role][at[role]]
            ends[role] = max(times[role], end(peer)) + bound(label)
        return ends[role]

    waiting = [role for role, run in runs.items() if role != stopped and at[role] < len(run)]
    return max([latest, *(end(role) for role in waiting)])


def _needed(runs: Runs, stopped: int, after: int) -> dict[int, int]:
    """How many actions of each role are done before the first `after` of one role can be."""
    at = dict.fromkeys(runs, 0)
    needs: dict[int, dict[int, int]] = {role: dict.fromkeys(runs, 0) for role in runs}
    for one, other in _made_in_order(runs, {}):
        both = {role: max(needs[one][role], needs[other][role]) for role in runs}
        both[one], both[other] = at[one] + 1, at[other] + 1
        needs[one], needs[other] = both, dict(both)
        at[one] += 1
        at[other] += 1
        if stopped in (one, other) and at[stopped] == after:
            return both
    return dict.fromkeys(runs, 0)


def knowledge(runs: Runs) -> dict[int, list[dict[int, int]]]:
    """What each role knows after so many of its actions: how many actions of each role are done.

    Sends don't wait. A role knows its own actions and, with a frame, all that the sender knew.
    """
    knows = {role: [dict.fromkeys(runs, 0)] for role in runs}
    on_the_way: dict[tuple[int, int], deque[dict[int, int]]] = defaultdict(deque)
    going = True
    while going:
        going = False
        for role, run in runs.items():
            while len(knows[role]) <= len(run):
                sends, peer, _ = run[len(knows[role]) - 1]
                known = dict(knows[role][-1])
                if not sends:
                    if not on_the_way[peer, role]:
                        break
                    told = on_the_way[peer, role].popleft()
                    known = {each: max(known[each], told[each]) for each in runs}
                known[role] += 1
                knows[role].append(known)
                if sends:
                    on_the_way[role, peer].append(known)
                going = True
    return knows


def most_in_flight(runs: Runs, size: Callable[[Label], int]) -> dict[tuple[int, int], int]:
    """The most that each edge holds: behind a send, all that the sender doesn't know received."""
    knows = knowledge(runs)
    most: dict[tuple[int, int], int] = {}
    for role, run in runs.items():
        sent: dict[int, int] = defaultdict(int)
        for at, (sends, peer, label) in enumerate(run):
            if sends:
                sent[peer] += size(label)
                done = runs[peer][: knows[role][at + 1][peer]]
                received = sum(
                    size(each) for is_send, to, each in done if to == role and not is_send
                )
                most[role, peer] = max(most.get((role, peer), 0), sent[peer] - received)
    return most
