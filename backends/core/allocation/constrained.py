"""Places an instruction that fixes or clobbers registers, among them every call.

Everything in registers is laid out anew for each class: operands where they have to be, what lives
on in registers that stay as they are, where it can in those where it is. One parallel move leads
there.

Invariant: an operand that isn't fixed is in no register that is clobbered, nor an early def's; what
    lives on is in no register that is written.
Entry: `Constrained`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from alpha.backends.core.allocation.banks import Banks
from alpha.backends.core.allocation.demands import (
    fixed_masks,
    hands_over,
    needs_pool,
    pool,
    safe_homes,
)
from alpha.backends.core.allocation.faults import NoPlacement
from alpha.backends.core.allocation.flow import Flow, Step
from alpha.backends.core.allocation.places import Places
from alpha.backends.core.allocation.transfers import (
    MADE,
    Transfer,
    in_register,
    in_slot,
    transfer,
)
from alpha.backends.core.allocation.writing import Writer
from alpha.backends.core.program import Value


@dataclass(slots=True)
class _Layout:
    """One class right before the instruction: what each register holds, and where values are read
    that are read in no fixed register. `copies` are the registers of tied uses by position. `whole`
    are the registers of the pool that a call keeps whole, of which `room` are for values that would
    do with less."""

    name: str
    kind: int
    pool: int
    whole: int
    room: int
    holds: dict[int, Value] = field(default_factory=dict)
    home: dict[Value, int] = field(default_factory=dict)
    copies: dict[int, int] = field(default_factory=dict)
    defs: dict[int, int] = field(default_factory=dict)
    reserved: int = 0

    def set(self, register: int, value: Value) -> None:
        """Let a register hold a value."""
        if self.holds.setdefault(register, value) != value:
            raise NoPlacement(f"{self.name}: two operands in one register")

    def free(self) -> int:
        """The registers of the pool that hold nothing."""
        used = self.reserved
        for register in self.holds:
            used |= 1 << register
        return self.pool & ~used


class Constrained:
    """Places such instructions for `Placing`, whose state it shares."""

    def __init__(
        self, flow: Flow, banks: Banks, places: Places, slot: dict[Value, int], writer: Writer
    ) -> None:
        self._flow, self._banks, self._places = flow, banks, places
        self._slot, self._writer = slot, writer

    def place(self, step: Step) -> None:
        """Move what has to move, write the instruction, and note where everything is then."""
        for value in step.drops:
            self._places.drop(value)
        layouts = [self._lay_out(step, kind) for kind in range(len(self._banks.count))]
        self._move(layouts)
        reads = [self._read(step, at, layouts) for at in range(len(step.uses))]
        for layout in layouts:
            self._after(step, layout)
        kinds = self._flow.kinds
        writes = [
            (kinds[value], layouts[kinds[value]].defs[at]) for at, value in enumerate(step.defs)
        ]
        self._writer.original(step.instruction, writes + reads)
        for value in step.dead:
            self._places.drop(value)
        self._leave_others(step)

    def _lay_out(self, step: Step, kind: int) -> _Layout:
        kinds, form = self._flow.kinds, step.form
        name = step.instruction.row.name
        there = pool(step, kind, kinds, self._banks)
        here = self._places.inside(kind)
        here += [value for value in step.loads if kinds[value] == kind]
        wide = sum(self._narrowed(step, kind, value) != 0 for value in here)
        whole = there & ~self._banks.kept[kind] if wide else 0
        layout = _Layout(name, kind, there, whole, whole.bit_count() - wide)
        for at, register in enumerate(form.fixed_uses):
            if register >= 0 and kinds[step.uses[at]] == kind:
                layout.set(register, step.uses[at])
        pending = [value for value in here if not self._stays(step, layout, value)]
        # What can be in fewer registers takes its one first.
        for value in sorted(pending, key=lambda each: -self._narrowed(step, kind, each)):
            free = layout.free() & ~self._narrowed(step, kind, value)
            register = self._places.choose(value, free)
            layout.home[value] = register
            layout.set(register, value)
        given: set[Value] = set()
        for at, use in enumerate(form.tied):
            if use < 0 or kinds[step.defs[at]] != kind or form.fixed_defs[at] >= 0:
                continue
            value = step.uses[use]
            if hands_over(step, at, step.kills) and value not in given:
                given.add(value)
                layout.defs[at] = layout.home[value]
                continue
            register = self._places.choose(step.defs[at], layout.free())
            layout.set(register, value)
            layout.copies[use] = layout.defs[at] = register
        self._fix_defs(step, layout)
        return layout

    def _stays(self, step: Step, layout: _Layout, value: Value) -> bool:
        """Whether a value needs no register beside those it has; notes where it is."""
        kind, kinds = layout.kind, self._flow.kinds
        at = self._places.where[value]
        homes = safe_homes(step, kind, kinds, value, self._banks)
        if value not in step.kills:
            if at >= 0 and homes >> at & 1:
                layout.home[value] = at
                return True
            if value in step.moved:
                layout.home[value] = (homes & -homes).bit_length() - 1
                return True
            allowed = layout.pool & ~self._narrowed(step, kind, value)
        else:
            tied = any(
                use >= 0
                and step.uses[use] == value
                and step.form.fixed_defs[each] < 0
                and hands_over(step, each, step.kills)
                for each, use in enumerate(step.form.tied)
            )
            if not tied and not needs_pool(step, kind, kinds, value):
                return True
            uses, defs, early = fixed_masks(step, kind, kinds)
            lost = uses | early | step.form.clobbers[kind] | (defs if tied else 0)
            allowed = self._banks.all[kind] & ~lost
        if at >= 0 and allowed >> at & 1:
            if layout.whole >> at & 1 and not self._narrowed(step, kind, value):
                layout.room -= 1
                if layout.room < 0:
                    return False
            layout.home[value] = at
            layout.set(at, value)
            return True
        return False

    def _narrowed(self, step: Step, kind: int, value: Value) -> int:
        """The kept registers, of which a call keeps too little for this value."""
        if not step.form.call or value in step.kills:
            return 0
        wide = self._flow.views[value].bytes > self._banks.wide[kind]
        return self._banks.kept[kind] if wide else 0

    def _fix_defs(self, step: Step, layout: _Layout) -> None:
        """Note the registers of fixed and early defs."""
        kind, form = layout.kind, step.form
        for at, value in enumerate(step.defs):
            if self._flow.kinds[value] != kind:
                continue
            register = form.fixed_defs[at]
            if register >= 0:
                if register in layout.defs.values():
                    raise NoPlacement(f"{layout.name}: two results in one register")
                layout.defs[at] = register
                if form.early[at] and form.tied[at] < 0 and register in layout.holds:
                    raise NoPlacement(f"{layout.name}: an early result in an operand's register")
            elif form.early[at] and at not in layout.defs:
                layout.defs[at] = self._places.choose(value, layout.free())
                layout.reserved |= 1 << layout.defs[at]

    def _move(self, layouts: Iterable[_Layout]) -> None:
        """The parallel move that makes the layouts true."""
        transfers: list[Transfer] = []
        for layout in layouts:
            for register, value in layout.holds.items():
                to = in_register(layout.kind, register)
                at = self._places.where[value]
                if at >= 0:
                    source = in_register(layout.kind, at)
                elif value in self._flow.constants:
                    source = MADE
                else:
                    source = in_slot(self._slot[value])
                transfers.append(Transfer(to, source, value, value))
        transfer(transfers, self._flow, self._banks, self._writer)

    def _read(self, step: Step, at: int, layouts: list[_Layout]) -> tuple[int, int]:
        """The register in which a use is read."""
        value, form = step.uses[at], step.form
        kind = self._flow.kinds[value]
        layout = layouts[kind]
        if form.fixed_uses[at] >= 0:
            return kind, form.fixed_uses[at]
        if at in layout.copies:
            return kind, layout.copies[at]
        if value in layout.home:
            return kind, layout.home[value]
        return kind, self._fixed_copy(step, kind, value)

    def _fixed_copy(self, step: Step, kind: int, value: Value) -> int:
        """A fixed register in which a value is read too and that nothing changes before."""
        _, _, early = fixed_masks(step, kind, self._flow.kinds)
        lost = early | step.form.clobbers[kind]
        return next(
            register
            for register, use in zip(step.form.fixed_uses, step.uses, strict=True)
            if register >= 0 and use == value and not lost >> register & 1
        )

    def _after(self, step: Step, layout: _Layout) -> None:
        """What is where behind the instruction; chooses the registers of the other defs."""
        kind, kinds = layout.kind, self._flow.kinds
        places = self._places
        for value in places.inside(kind):
            places.drop(value)
        for value, register in layout.home.items():
            if value not in step.kills:
                places.put(value, register)
        written = step.form.clobbers[kind]
        for register in layout.defs.values():
            written |= 1 << register
        for at, value in enumerate(step.defs):
            if kinds[value] == kind and at not in layout.defs:
                layout.defs[at] = places.choose(value, places.free(kind) & ~written)
                written |= 1 << layout.defs[at]
        for at, value in enumerate(step.defs):
            if kinds[value] == kind:
                places.put(value, layout.defs[at])

    def _leave_others(self, step: Step) -> None:
        """Move results out of registers that aren't allocated."""
        places, kinds = self._places, self._flow.kinds
        for value in step.defs:
            at, kind = places.where[value], kinds[value]
            if at >= self._banks.count[kind]:
                places.drop(value)
                places.put(value, places.choose(value, places.free(kind)))
                self._writer.move(value, value, places.where[value], at)
