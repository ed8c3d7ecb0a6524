"""Which values are in registers at the start of a block.

At the header of a loop: what the loop uses, nearest first; then what only lives through it, as far
as no instruction of the loop lacks a register for it. At other blocks: what all predecessors have
in registers, then what some have, nearest first.

Source: doi 10.1007/978-3-642-00722-4_13, section 4.2; here the room in a loop is counted at each
    instruction, since calls and fixed operands leave fewer registers at some.
Entry: `Entering`.
"""

from __future__ import annotations

from collections.abc import Iterable

from alpha.backends.core.allocation.banks import Banks
from alpha.backends.core.allocation.demands import pool, taken
from alpha.backends.core.allocation.distances import CHEAP, OUT_OF_LOOP, Distances
from alpha.backends.core.allocation.flow import Flow
from alpha.backends.core.program import Value


class Entering:
    """Chooses for the blocks of a function in reverse postorder; `done` are those before."""

    def __init__(self, flow: Flow, distances: Distances, banks: Banks) -> None:
        self._flow, self._distances, self._banks = flow, distances, banks
        self._room: dict[tuple[int, int], int] = {}

    def choose(self, block: int) -> set[Value]:
        """The values that are in registers at the start of a block."""
        near = self._distances.entry[block]
        found: set[Value] = set()
        for kind, count in enumerate(self._banks.count):
            live = [value for value in near if self._flow.kinds[value] == kind]
            live.sort(key=lambda value: (near[value], value))
            if block == 0:
                found.update(live[:count])
            elif block in self._flow.loops.body:
                found.update(self._into_loop(block, kind, live, count))
            else:
                found.update(self._from_before(block, live, count))
        return found

    def nearest(self, block: int, values: set[Value]) -> set[Value]:
        """Of values that are live into a block, as many of each class as it has registers."""
        near, kinds = self._distances.entry[block], self._flow.kinds
        found: set[Value] = set()
        for kind, count in enumerate(self._banks.count):
            mine = [value for value in values if kinds[value] == kind]
            mine.sort(key=lambda value: (near[value], value))
            found.update(mine[:count])
        return found

    def to_leave_out(self, block: int, idle: set[Value]) -> set[Value]:
        """Of values that a block loses before it uses them, those that some edge would load."""
        if block == 0 or not idle:
            return set()
        if block in self._flow.loops.body:
            return idle
        node = self._flow.nodes[block]
        count = len(node.predecessors)
        return {
            value
            for value in idle
            if value in node.parameters or self._available(block, value) < count
        }

    def _into_loop(self, block: int, kind: int, live: list[Value], count: int) -> Iterable[Value]:
        near = self._distances.entry[block]
        used = [value for value in live if near[value] < OUT_OF_LOOP]
        through = live[len(used) :]
        if len(used) > count:
            # What the loop doesn't change is cheaper to keep in memory than what it does.
            parameters = set(self._flow.nodes[block].parameters)
            used.sort(key=lambda value: near[value] * (1 if value in parameters else CHEAP))
        if len(used) >= count or not through:
            return used[:count]
        room = min(count - len(used), len(through) + self._room_in_loop(block, kind))
        at_hand = [value for value in through if self._available(block, value) > 0]
        return used + at_hand[: max(0, room)]

    def _from_before(self, block: int, live: list[Value], count: int) -> Iterable[Value]:
        before = [link for link in self._flow.nodes[block].predecessors if link.source < block]
        everywhere, somewhere = [], []
        for value in live:
            available = self._available(block, value)
            if available == len(before):
                everywhere.append(value)
            elif available:
                somewhere.append(value)
        return (everywhere + somewhere)[:count]

    def _available(self, block: int, value: Value) -> int:
        """On how many edges from blocks before a value comes in a register."""
        node, count = self._flow.nodes[block], 0
        position = node.parameters.index(value) if value in node.parameters else -1
        for link in node.predecessors:
            if link.source < block:
                source = value if position < 0 else link.arguments[position]
                made = position >= 0 and source in self._flow.constants
                count += made or source in self._flow.nodes[link.source].leaving
        return count

    def _room_in_loop(self, header: int, kind: int) -> int:
        """How many registers are left where a loop has the fewest; negative if it lacks some."""
        key = header, kind
        if key not in self._room:
            body = self._flow.loops.body[header]
            self._room[key] = min(self._room_in_block(block, kind) for block in body)
        return self._room[key]

    def _room_in_block(self, block: int, kind: int) -> int:
        key = -1 - block, kind
        found = self._room.get(key)
        if found is None:
            found = self._room[key] = self._count_room(block, kind)
        return found

    def _count_room(self, block: int, kind: int) -> int:
        node, kinds = self._flow.nodes[block], self._flow.kinds
        live = {value for value in self._distances.exit[block] if kinds[value] == kind}
        least = self._banks.count[kind] - len(live)
        for step in reversed(node.steps):
            live.difference_update(step.defs)
            ending = [value for value in step.uses if value not in live]
            others = len(live) - sum(value in live for value in set(step.uses))
            there = pool(step, kind, kinds, self._banks).bit_count()
            least = min(least, there - others - taken(step, kind, kinds, ending))
            live.update(value for value in step.uses if kinds[value] == kind)
        return min(least, self._banks.count[kind] - len(live))
