"""Decides which values are in registers where, so that every instruction finds enough of them.

Blocks are walked in reverse postorder, and once more if something that one began with went before
any use, for nothing. A loop without loops inside is walked as a whole, and again as long as that
makes it cheaper, see `steady`.

Invariant: afterwards, at each step and for each class, what is in registers fits as `demands`
    counts it; `Node.entering` and `leaving`, and `drops`, `loads` and `kills` of each step, say
    what is.
Source: doi 10.1007/978-3-642-00722-4_13; but a value keeps its name when it comes back, and is
    stored by its definition, or once below, rather than where it is evicted.
Entry: `spill`.
"""

from __future__ import annotations

from alpha.backends.core.allocation.banks import Banks
from alpha.backends.core.allocation.distances import Distances
from alpha.backends.core.allocation.entering import Entering
from alpha.backends.core.allocation.evicting import Walk
from alpha.backends.core.allocation.flow import Flow
from alpha.backends.core.allocation.steady import improve
from alpha.backends.core.program import Value


def spill(flow: Flow, distances: Distances, banks: Banks) -> list[int]:
    """Decide for a whole function; returns the registers in which each value can't stay somewhere.

    Raises NoPlacement if an instruction needs more registers than there are.
    """
    avoid = [0] * len(flow.views)
    entering = Entering(flow, distances, banks)

    def walk(block: int, entered: set[Value] | None = None) -> None:
        node = flow.nodes[block]
        if entered is None:
            node.entering = entering.choose(block)
        else:
            node.entering = entering.nearest(block, entered)
        idle = Walk(flow, block, distances.exit[block], banks, avoid).walk()
        idle = entering.to_leave_out(block, idle)
        if idle:
            node.entering = node.entering - idle
            Walk(flow, block, distances.exit[block], banks, avoid).walk()

    walked: set[int] = set()
    for block in range(len(flow.nodes)):
        body = flow.loops.body.get(block, ())
        if block in walked:
            continue
        walk(block)
        if body and not any(each in flow.loops.body for each in body[1:]):
            for each in body[1:]:
                walk(each)
            walked.update(body)
            improve(flow, distances, body, walk)
    return avoid
