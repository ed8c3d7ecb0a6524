"""How long a role may still wait once another one has stopped.

A wait is for one frame. It is over when the frame is made or when it is certain that it won't be:
its peer has stopped, and the edge is closed or the deadline of the wait is over. Its bound says
how long that takes at most, from the moment when both ends have come to the frame, or one has come
and the other has stopped; whoever finds that a peer has stopped stops too.

Invariant: let a role stop anywhere in a run. Waits that end later and of which each begins when the
    one before ends have no larger sum of bounds than `longest_wait` says; then no role waits.
Why: it is the time for which a role must be ready to wait before it may conclude that all is lost.

Such a chain is a path of the wait graph with every loop written out, so the sum is that of the
longest path, in which a loop counts as several times the longest path through its body. If the
role that stops takes part in the loop, others are soon at a loss: with K of `hearing`, in a round
that it has begun and not ended, others are at most K + 1 rounds behind and begin at most K + 2
more; so the path leads through 2K + 3 rounds of a loop at most. A loop without it, or in which not
all of a party hear of each other, counts with all its rounds: they may go on to its end.

Entry: `longest_wait`.
"""

from __future__ import annotations

from collections.abc import Callable

from alpha.ir.schedules.events import Action
from alpha.ir.schedules.hearing import heard
from alpha.ir.schedules.matched import Matched
from alpha.ir.schedules.waiting import WaitGraph


def one(receive: Action) -> int:
    """The bound of a wait if waits are to be counted."""
    return 1


def longest_wait(matched: Matched, stopped: int, bound: Callable[[Action], int] = one) -> int:
    """The largest sum of bounds of waits, one after the other, once the role `stopped` has.

    `bound` gives the bound of a wait, at least 0, by its receive. The schedules have been accepted.
    Linear in the steps of all schedules, but for `heard`.
    """
    lines = matched.lines
    apart = heard(lines, matched.partner, matched.party)
    with_it = {
        matched.party[number] for number, scope in enumerate(lines.scopes) if scope.role == stopped
    }
    graph = WaitGraph(lines, matched.partner, matched.party)
    before = [0] * len(graph.nodes)
    outside: dict[int, int] = {}
    longest = 0
    for at in graph.order():
        node = graph.nodes[at]
        wait = before[at]
        if node.kind == "frame":
            wait += bound(lines.actions[matched.partner[node.number]])
        elif node.kind == "begin":
            outside[node.number], wait = wait, 0
        elif node.kind == "end":
            rounds = lines.scopes[node.number].rounds
            others = apart[node.number]
            if others is not None and node.number in with_it:
                rounds = min(rounds, 2 * others + 3)
            wait = outside.pop(node.number) + wait * rounds
        longest = max(longest, wait)
        for following, _ in graph.after[at]:
            before[following] = max(before[following], wait)
    return longest
