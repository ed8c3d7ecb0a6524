"""The registers of an allocation, numbered in each class in the order in which they are taken.

Invariant: a set of registers is an integer with one bit a register; those that may be allocated
    come first, so that the lowest bit of a set is what is taken.
Why: choosing a register is a few operations on integers, however many rules there are.
Entry: `Banks`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from alpha.backends.core.allocation.faults import NoPlacement
from alpha.backends.core.registers import Register, View
from alpha.backends.core.target import Target


class Banks:
    """The classes of a target by number, and their registers.

    `count[c]` registers of class c may be allocated: at most `limits[name]`, all by default. Others
    are used only where an instruction or a call asks for them.
    """

    def __init__(self, target: Target, limits: Mapping[str, int] | None = None) -> None:
        convention = target.convention
        self.names = tuple(each.name for each in target.classes)
        self.numbers: list[list[int]] = []
        self.count: list[int] = []
        self.wide: list[int] = []
        """A value of more bytes stays in no kept register across a call."""
        self.kept: list[int] = []
        self._at: list[dict[int, int]] = []
        self._class = {name: number for number, name in enumerate(self.names)}
        for each in target.classes:
            free = list(convention.free.get(each.name, ()))
            count = min(len(free), (limits or {}).get(each.name, len(free)))
            others = [number for number in range(each.count) if number not in free]
            self.numbers.append(free + others)
            self.count.append(count)
            self._at.append({number: at for at, number in enumerate(free + others)})
            kept = convention.kept.get(each.name, ())
            self.kept.append(self.mask(Register(each.name, number) for number in kept))
            view = convention.kept_view.get(each.name)
            self.wide.append(target.views[view].bytes if view is not None else 0)
        self.all = [(1 << count) - 1 for count in self.count]

    def kind(self, view: View) -> int:
        """The number of the class of a view."""
        return self._class[view.of.name]

    def kind_named(self, name: str) -> int:
        """The number of a class."""
        return self._class[name]

    def at(self, kind: int, number: int) -> int:
        """Where a register stands in its class. Raises NoPlacement if there is none."""
        found = self._at[kind].get(number)
        if found is None:
            raise NoPlacement(f"{self.names[kind]} has no register {number}")
        return found

    def mask(self, registers: Iterable[Register]) -> int:
        """Registers of one class as a set."""
        found = 0
        for register in registers:
            found |= 1 << self.at(self._class[register.of], register.number)
        return found
