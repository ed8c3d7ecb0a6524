"""Slots of the frame for spilled values: those that are never live at once share one.

Blocks are walked in reverse postorder and a slot is taken where a value is defined; since live
ranges are those of SSA form, this takes no more slots than the most that are live at once.

Entry: `share_slots`.
"""

from __future__ import annotations

from alpha.backends.core.allocation.distances import Distances
from alpha.backends.core.allocation.flow import Flow, Node
from alpha.backends.core.allocation.webs import Webs
from alpha.backends.core.program import Slice, Value

ALIGNMENT_MAX = 16
"""Bytes: no wider alignment of the stack is relied on."""


def slice_for(bytes: int) -> Slice:
    """A slot for so many bytes."""
    return Slice(bytes, min(bytes, ALIGNMENT_MAX))


def share_slots(
    flow: Flow, distances: Distances, webs: Webs, values: set[Value], slots: list[Slice]
) -> dict[Value, int]:
    """The slot of each of these values; new ones are added to `slots`."""
    sharing = _Sharing(flow, webs, values, slots)
    if values:
        for block, node in enumerate(flow.nodes):
            sharing.walk(node, distances.entry[block], distances.exit[block])
    return sharing.slot


class _Sharing:
    def __init__(self, flow: Flow, webs: Webs, values: set[Value], slots: list[Slice]) -> None:
        self._flow, self._webs, self._values, self._slots = flow, webs, values, slots
        self._first = len(slots)
        self._preferred: dict[Value, int] = {}
        self.slot: dict[Value, int] = {}

    def walk(self, node: Node, entry: dict[Value, int], exit: dict[Value, int]) -> None:
        """Give slots to the values that a block defines."""
        values = self._values
        parameters = [value for value in node.parameters if value in entry and value in values]
        used = {self.slot[value] for value in entry if value in values and value in self.slot}
        # First those whose web has a slot that is free, so that no other takes it.
        for value in sorted(parameters, key=lambda value: self._wanted(value, used) < 0):
            self._take(value, used)
        last: dict[Value, int] = {}
        for at, step in enumerate(node.steps):
            for value in step.uses:
                if value in values and value not in exit:
                    last[value] = at
        for at, step in enumerate(node.steps):
            for value in step.uses:
                if last.get(value) == at:
                    used.discard(self.slot[value])
            for value in step.defs:
                if value in values:
                    self._take(value, used)

    def _wanted(self, value: Value, used: set[int]) -> int:
        """The slot of a value's web if it can be had, else -1."""
        found = self._preferred.get(self._webs.of[value], -1)
        fits = found >= 0 and self._slots[found].bytes == self._flow.views[value].bytes
        return found if fits and found not in used else -1

    def _take(self, value: Value, used: set[int]) -> None:
        bytes = self._flow.views[value].bytes
        found = self._wanted(value, used)
        if found < 0:
            for found in range(self._first, len(self._slots)):
                if found not in used and self._slots[found].bytes == bytes:
                    break
            else:
                found = len(self._slots)
                self._slots.append(slice_for(bytes))
        self._preferred.setdefault(self._webs.of[value], found)
        self.slot[value] = found
        used.add(found)
