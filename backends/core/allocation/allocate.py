"""Register allocation of a function: liveness, spilling, slots, placing, edges, in this order.

Invariant: the placed function computes what the function does, with at most the registers of the
    convention; an independent check of that is in `checker`.
Why: an instruction that can't have its registers is a fault of its row or its selection and no
    user's, so nothing is refused here; NoPlacement is an internal error.
Entry: `allocate`.
"""

from __future__ import annotations

from collections.abc import Mapping

from alpha.backends.core.allocation.banks import Banks
from alpha.backends.core.allocation.distances import distances_of
from alpha.backends.core.allocation.edges import Edges
from alpha.backends.core.allocation.flow import flow_of
from alpha.backends.core.allocation.placing import Placing
from alpha.backends.core.allocation.slots import share_slots
from alpha.backends.core.allocation.spilling import spill
from alpha.backends.core.allocation.stores import place_stores
from alpha.backends.core.allocation.webs import Webs
from alpha.backends.core.allocation.writing import Writer
from alpha.backends.core.placed import PlacedFunction
from alpha.backends.core.program import Function
from alpha.backends.core.target import Target


def allocate(
    function: Function, target: Target, limits: Mapping[str, int] | None = None
) -> PlacedFunction:
    """The function in registers; its blocks that can't be reached are gone.

    `limits` takes at most so many registers of a class, by its name; what an instruction or the
    convention fixes is used nevertheless. The function isn't changed. Raises NoPlacement if it
    breaks an invariant of `Function`, or an instruction needs more registers than there are.
    """
    banks = Banks(target, limits)
    flow = flow_of(function, target, banks)
    distances = distances_of(flow.nodes, flow.loops)
    avoid = spill(flow, distances, banks)
    stored = place_stores(flow, distances)
    webs = Webs(flow)
    slots = list(function.slots)
    slot = share_slots(flow, distances, webs, stored.values(), slots)
    writer = Writer(flow, target, banks, slots)
    placing = Placing(flow, banks, webs, avoid, slot, writer)
    placing.place()
    blocks = Edges(flow, distances, banks, stored, slot, placing, writer).blocks()
    return PlacedFunction(function.name, blocks, slots, function.bytes_out, function.exported)
