"""Parallel moves: many places get their values at once, each from a register, a slot or nowhere.

What nobody reads any more is overwritten first; what is left then are cycles, which are broken by a
free register; without one, registers are swapped, and others broken by a slot of the frame. A slot
is copied through a free register; if there is none, one is put aside in the frame meanwhile.

Invariant: every source is read before its place is overwritten; a register that no transfer names
    keeps what it has, unless it is said to be free.
Entry: `Transfer`, `transfer`, `in_register`, `in_slot`, `MADE`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from alpha.backends.core.allocation.banks import Banks
from alpha.backends.core.allocation.flow import Flow
from alpha.backends.core.allocation.writing import Writer
from alpha.backends.core.program import Value

Place = int
"""A register as class * 256 + register, a slot as `_SLOT` + slot."""

MADE: Place = -1
"""The source of a constant, which is made where it is wanted."""

_SLOT = 1 << 16


def in_register(kind: int, register: int) -> Place:
    """The place of a register of `Banks`."""
    return kind << 8 | register


def in_slot(slot: int) -> Place:
    """The place of a slot of the frame."""
    return _SLOT + slot


class Transfer(NamedTuple):
    """`to` gets what is in `source`, which is called `before` there and `value` afterwards.

    A value that stays where it is has to be given too, so that its place isn't taken for free.
    """

    to: Place
    source: Place
    value: Value
    before: Value


def transfer(transfers: Sequence[Transfer], flow: Flow, banks: Banks, writer: Writer) -> None:
    """Write the moves that do all transfers at once. No two may have the same `to`.

    Registers that no transfer reads, writes or keeps are free to be overwritten.
    """
    if any(each.to != each.source for each in transfers):
        _Moves(transfers, flow, banks, writer).run()


class _Moves:
    def __init__(
        self, transfers: Sequence[Transfer], flow: Flow, banks: Banks, writer: Writer
    ) -> None:
        self._kinds, self._banks, self._writer = flow.kinds, banks, writer
        self._pending = {each.to: each for each in transfers if each.to != each.source}
        assert len(self._pending) == sum(each.to != each.source for each in transfers)
        self._readers: dict[Place, int] = {}
        self._holds: dict[Place, Value] = {}
        """What is in each register that is needed."""
        for each in transfers:
            if each.to == each.source:
                self._readers[each.to] = self._readers.get(each.to, 0)
            elif each.source != MADE:
                self._readers[each.source] = self._readers.get(each.source, 0) + 1
            if 0 <= each.source < _SLOT:
                self._holds[each.source] = each.before
        self._kept = {each.to for each in transfers if each.to == each.source}
        assert not self._kept & self._pending.keys()

    def run(self) -> None:
        """Write everything."""
        while self._pending:
            ready = [each for each in self._pending.values() if not self._readers.get(each.to)]
            if ready:
                self._do(min(ready, key=self._rank))
            else:
                self._break_cycle()

    def _rank(self, each: Transfer) -> int:
        """What goes first: that which frees registers, then that which needs a free one."""
        if each.to >= _SLOT:
            if 0 <= each.source < _SLOT:
                return 0
            return 1 if self._free(self._kinds[each.value]) >= 0 else 3
        return 2 if 0 <= each.source < _SLOT else 4

    def _free(self, kind: int) -> Place:
        """A register that nothing needs, -1 if there is none."""
        for register in range(self._banks.count[kind]):
            place = in_register(kind, register)
            if place not in self._holds:
                return place
        return -1

    def _do(self, each: Transfer) -> None:
        """Do a transfer whose place nobody reads any more."""
        del self._pending[each.to]
        if each.to < _SLOT:
            self._into_register(each)
            self._holds[each.to] = each.value
        elif 0 <= each.source < _SLOT:
            self._writer.store(each.before, each.source & 255, each.to - _SLOT)
        else:
            self._into_slot(each)
        self._read(each.source)

    def _read(self, source: Place) -> None:
        if source == MADE:
            return
        self._readers[source] -= 1
        if not self._readers[source] and source not in self._kept:
            self._holds.pop(source, None)

    def _into_register(self, each: Transfer) -> None:
        to = each.to & 255
        if each.source == MADE:
            self._writer.again(each.before, to)
        elif each.source >= _SLOT:
            self._writer.load(each.before, to, each.source - _SLOT)
        else:
            self._writer.move(each.value, each.before, to, each.source & 255)

    def _into_slot(self, each: Transfer) -> None:
        """From a slot or a constant to a slot, through a register."""
        kind = self._kinds[each.value]
        through = self._free(kind)
        if through >= 0:
            self._into_register(each._replace(to=through))
            self._writer.store(each.before, through & 255, each.to - _SLOT)
            return
        through = in_register(kind, 0)
        aside = self._holds[through]
        spare = self._writer.spare(aside, 0)
        self._writer.store(aside, through & 255, spare)
        self._into_register(each._replace(to=through))
        self._writer.store(each.before, through & 255, each.to - _SLOT)
        self._writer.load(aside, through & 255, spare)

    def _break_cycle(self) -> None:
        """Put what one place of a cycle has aside; swap along registers if none is free for that.

        Three moves are faster than a swap, which most processors make of three dependent steps.
        """
        first = next(iter(self._pending.values()))
        cycle = [first]
        while cycle[-1].source != first.to:
            cycle.append(self._pending[cycle[-1].source])
        aside = self._free(self._kinds[first.value])
        if aside < 0 and all(each.to < _SLOT for each in cycle):
            for each in cycle[:-1]:
                at, source = each.to, each.source
                self._writer.swap(self._holds[at], self._holds[source], at & 255, source & 255)
                self._holds[at], self._holds[source] = each.value, self._holds[at]
            for each in cycle:
                del self._pending[each.to]
                self._readers[each.to] = 0
                self._holds[each.to] = each.value
            return
        self._put_aside(min(cycle, key=lambda each: each.source))

    def _put_aside(self, each: Transfer) -> None:
        """Copy what a transfer reads to a place outside of all cycles, and read it there."""
        place = self._free(self._kinds[each.before])
        if place < 0:
            # One is enough: this cycle is done before another one is broken.
            place = in_slot(self._writer.spare(each.before, 1))
        copy = Transfer(place, each.source, each.before, each.before)
        if place < _SLOT:
            self._into_register(copy)
            self._holds[place] = each.before
        elif each.source < _SLOT:
            self._writer.store(each.before, each.source & 255, place - _SLOT)
        else:
            self._into_slot(copy)
        self._read(each.source)
        self._readers[place] = 1
        self._pending[each.to] = each._replace(source=place)
