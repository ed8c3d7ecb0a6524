"""Walks one block and decides what leaves a register where, and what comes back.

Where registers are short, the value goes whose next use is the farthest (Belady); it comes back
right before that use. A constant is made again and never stored.

Entry: `Walk`.
"""

from __future__ import annotations

from collections.abc import Iterable

from alpha.backends.core.allocation.banks import Banks
from alpha.backends.core.allocation.demands import banned, pool, safe_homes, taken
from alpha.backends.core.allocation.distances import CHEAP
from alpha.backends.core.allocation.faults import NoPlacement
from alpha.backends.core.allocation.flow import Flow, Step
from alpha.backends.core.program import Value


class Walk:
    """One block. `inside` are the values in registers, by class; `coming` has the next uses of each
    value in the block and behind it, the nearest last."""

    def __init__(
        self, flow: Flow, block: int, exit: dict[Value, int], banks: Banks, avoid: list[int]
    ) -> None:
        node = flow.nodes[block]
        self._flow, self._node, self._banks, self._avoid = flow, node, banks, avoid
        self._block, self._now = block, 0
        self._kinds = flow.kinds
        self._inside: list[set[Value]] = [set() for _ in banks.count]
        for value in node.entering:
            self._inside[self._kinds[value]].add(value)
        length = len(node.steps)
        self._coming = {value: [length + distance] for value, distance in exit.items()}
        for at in range(length - 1, -1, -1):
            for value in node.steps[at].uses:
                uses = self._coming.get(value)
                if uses is None:
                    self._coming[value] = [at]
                elif uses[-1] != at:
                    uses.append(at)

    def walk(self) -> set[Value]:
        """Decide for every step; returns what leaves its register before it is ever used."""
        unused = set(self._node.entering)
        idle: set[Value] = set()
        for at, step in enumerate(self._node.steps):
            self._now = at
            self._step(step)
            if unused:
                idle.update(unused.intersection(step.drops))
                unused.difference_update(step.uses)
        self._node.leaving = set().union(*self._inside)
        return idle

    def _step(self, step: Step) -> None:
        kinds, coming, inside = self._kinds, self._coming, self._inside
        step.dead = step.moved = ()
        used = dict.fromkeys(step.uses)
        loads = [value for value in used if value not in inside[kinds[value]]]
        for value in loads:
            inside[kinds[value]].add(value)
        ending: set[Value] = set()
        for value in used:
            coming[value].pop()
            if not coming[value]:
                ending.add(value)
        if step.form.commutes is not None:
            _commute(step, ending)
        if step.form.plain:
            affected = {kinds[value] for value in (*used, *step.defs)}
        else:
            affected = range(len(inside))
        drops: list[Value] = []
        for kind in affected:
            self._limit(step, kind, used, ending, drops)
        for value in ending:
            inside[kinds[value]].discard(value)
        if not step.form.plain:
            self._note(step, ending)
        for value in step.defs:
            if value in coming:
                inside[kinds[value]].add(value)
            else:
                step.dead = (*step.dead, value)
        step.loads, step.drops, step.kills = loads, drops, tuple(ending)

    def _limit(
        self,
        step: Step,
        kind: int,
        used: Iterable[Value],
        ending: set[Value],
        drops: list[Value],
    ) -> None:
        """Take values out of registers until the step has enough of this class."""
        kinds, inside, count = self._kinds, self._inside[kind], self._banks.count[kind]
        defs = sum(kinds[value] == kind for value in step.defs)
        if step.form.plain and len(inside) + defs <= count:
            return
        live_defs = sum(kinds[value] == kind and value in self._coming for value in step.defs)
        there = pool(step, kind, kinds, self._banks)
        mine = [value for value in used if kinds[value] == kind]
        at_home: list[Value] = []

        def lacking(ending: set[Value]) -> tuple[int, int]:
            staying = sum(value not in ending for value in mine)
            others = len(inside) - len(mine)
            needed = others + taken(step, kind, kinds, ending, at_home)
            return needed - there.bit_count(), others + staying + live_defs - count

        wide = self._wide_to_go(step, kind, ending, there)
        over, after = lacking(ending)
        while over > 0 or after > 0 or wide:
            if over > 0 and self._stay_home(step, kind, mine, ending, at_home):
                over, after = lacking(ending)
                continue
            for value in self._farthest(inside, ending, wide):
                if value not in used:
                    inside.discard(value)
                    drops.append(value)
                    break
                fewer = lacking(ending | {value})
                if wide or (fewer[0] < over if over > 0 else fewer[1] < after):
                    ending.add(value)
                    break
            else:
                self._refuse(step, kind, there)
            wide = self._wide_to_go(step, kind, ending, there)
            over, after = lacking(ending)
        step.moved = (*step.moved, *(value for value in at_home if value not in ending))

    def _farthest(self, inside: set[Value], ending: set[Value], wide: list[Value]) -> list[Value]:
        """The values that may go, the first one first; see `CHEAP`."""
        found = wide or [value for value in inside if value not in ending]
        now = self._now

        def far(value: Value) -> tuple[int, Value]:
            distance = self._coming[value][-1] - now
            return distance * (CHEAP if self._flow.is_cheap(value, self._block) else 1), value

        return sorted(found, key=far, reverse=True)

    def _stay_home(
        self,
        step: Step,
        kind: int,
        mine: list[Value],
        ending: set[Value],
        at_home: list[Value],
    ) -> bool:
        """Let one more value live on in the fixed register that it is used in."""
        for value in mine:
            waits = value not in ending and value not in at_home
            if waits and safe_homes(step, kind, self._kinds, value, self._banks):
                at_home.append(value)
                return True
        return False

    def _wide_to_go(self, step: Step, kind: int, ending: set[Value], there: int) -> list[Value]:
        """Values of which a call keeps only a part, if too many live on."""
        banks, views = self._banks, self._flow.views
        if not step.form.call:
            return []
        wide = [
            value
            for value in self._inside[kind]
            if value not in ending and views[value].bytes > banks.wide[kind]
        ]
        room = (there & ~banks.kept[kind]).bit_count()
        return wide if len(wide) > room else []

    def _note(self, step: Step, ending: set[Value]) -> None:
        """Remember the registers that values can't stay in here, or not be read in."""
        for kind, values in enumerate(self._inside):
            for value in values:
                bytes = self._flow.views[value].bytes
                self._avoid[value] |= banned(step, kind, self._kinds, value, bytes, self._banks)
        for at, value in enumerate(step.uses):
            if step.form.fixed_uses[at] < 0 and value in ending:
                kind = self._kinds[value]
                self._avoid[value] |= banned(step, kind, self._kinds, value, 0, self._banks)

    def _refuse(self, step: Step, kind: int, there: int) -> None:
        name = step.instruction.row.name
        raise NoPlacement(
            f"{self._flow.function.name}: {name} needs more than the {there.bit_count()} registers"
            f" of class {self._banks.names[kind]} that it doesn't fix or clobber"
        )


def _commute(step: Step, ending: set[Value]) -> None:
    """Let the operand be tied or fixed that isn't needed afterwards, if only the other one is."""
    assert step.form.commutes is not None
    first, second = step.form.commutes
    if step.uses[second] in ending and step.uses[first] not in ending:
        step.uses = list(step.uses)
        step.uses[first], step.uses[second] = step.uses[second], step.uses[first]
