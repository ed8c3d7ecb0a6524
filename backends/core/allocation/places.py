"""Which register each value is in while a block is placed, and which one a value gets.

Entry: `Places`.
"""

from __future__ import annotations

from collections.abc import Iterable

from alpha.backends.core.allocation.banks import Banks
from alpha.backends.core.allocation.faults import NoPlacement
from alpha.backends.core.allocation.flow import Flow
from alpha.backends.core.allocation.webs import Webs
from alpha.backends.core.program import Value


class Places:
    """`where[v]` is the register of a value, -1 if it is in none; `full[c]` are those in use.

    `home[w]` is the register that the values of a web want. `wanted[c]` are registers that the loop
    which is being placed wants back, so that other values take them last. `avoid[v]` are registers
    from which a value would have to be moved somewhere.
    """

    def __init__(self, flow: Flow, banks: Banks, webs: Webs, avoid: list[int]) -> None:
        count = len(flow.views)
        self._kinds, self._banks, self._webs, self.avoid = flow.kinds, banks, webs, avoid
        self.where = [-1] * count
        self.full = [0] * len(banks.count)
        self.wanted = [0] * len(banks.count)
        self.home = [-1] * count
        self._web_avoids = [0] * count
        for value, registers in enumerate(avoid):
            self._web_avoids[webs.of[value]] |= registers
        self._holder = [[-1] * len(numbers) for numbers in banks.numbers]

    def enter(self, places: dict[Value, int]) -> None:
        """Begin a block with these values in registers."""
        self.full = [0] * len(self.full)
        for holder in self._holder:
            for value in holder:
                if value >= 0:
                    self.where[value] = -1
            holder[:] = [-1] * len(holder)
        for value, register in places.items():
            self.put(value, register)

    def leaving(self, values: Iterable[Value]) -> dict[Value, int]:
        """The registers of these values."""
        return {value: self.where[value] for value in values}

    def inside(self, kind: int) -> list[Value]:
        """The values in registers of a class."""
        return [value for value in self._holder[kind] if value >= 0]

    def free(self, kind: int) -> int:
        """The registers that may be taken."""
        return self._banks.all[kind] & ~self.full[kind]

    def put(self, value: Value, register: int) -> None:
        """Note that a value is in a register."""
        kind = self._kinds[value]
        self.where[value] = register
        self.full[kind] |= 1 << register
        self._holder[kind][register] = value
        web = self._webs.of[value]
        if self.home[web] < 0:
            self.home[web] = register

    def drop(self, value: Value) -> None:
        """Note that a value is in no register any more."""
        kind, register = self._kinds[value], self.where[value]
        self.full[kind] &= ~(1 << register)
        self._holder[kind][register] = -1
        self.where[value] = -1

    def wants(self, value: Value) -> int:
        """The register that the web of a value wants, -1 if any is as good."""
        return self.home[self._webs.of[value]]

    def same_web(self, first: Value, second: Value) -> bool:
        """Whether two values would best be in one register."""
        return self._webs.of[first] == self._webs.of[second]

    def settle(self, value: Value, register: int) -> None:
        """Say where the web of a value shall be from now on."""
        self.home[self._webs.of[value]] = register

    def choose(self, value: Value, free: int) -> int:
        """The best of these registers for a value. Raises NoPlacement if there is none."""
        web = self._webs.of[value]
        calm = free & ~self.avoid[value]
        for wish in (self._webs.wish[value], self.home[web]):
            if wish >= 0 and calm >> wish & 1:
                return wish
        kind = self._kinds[value]
        best = calm or free
        best = best & ~self._web_avoids[web] or best
        best = best & ~self.wanted[kind] or best
        if not best:
            raise NoPlacement(f"no register of class {self._banks.names[kind]} is left")
        return (best & -best).bit_length() - 1
