"""Steps: what an instruction of a placed function asks of the state and does to it.

Locations are numbers here: registers first, `REGISTERS_MAX` for each class, then slots.

Entry: `Step`, `Need`, `Copy`, `Locations`, `ALL`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from alpha.backends.core.program import Value
from alpha.backends.core.target import Target

Location = int
Name = int

ALL = 1 << 16
"""As many bytes as there are: those of the value and the zeros above them."""

REGISTERS_MAX = 64
"""The registers of a class are fewer."""


class Need(NamedTuple):
    """That a location holds a name with so many bytes; `value` is what it is for the reader."""

    location: Location
    name: Name
    bytes: int
    value: Value


class Copy(NamedTuple):
    """So many bytes from one location to another; `zeroes` if there are zeros above them then."""

    to: Location
    of: Location
    bytes: int
    zeroes: bool


class Made(NamedTuple):
    """A name that a location holds afterwards, with so many bytes."""

    location: Location
    name: Name
    bytes: int


@dataclass(slots=True)
class Step:
    """One instruction; `at` is its place in the block.

    `exchanged` are the needs if the operands that commute were exchanged. `kept` are locations that
    keep so many bytes.
    """

    at: int
    needs: tuple[Need, ...] = ()
    exchanged: tuple[Need, ...] = ()
    lost: tuple[Location, ...] = ()
    kept: tuple[tuple[Location, int], ...] = ()
    copies: tuple[Copy, ...] = ()
    made: tuple[Made, ...] = ()


class Locations:
    """The numbers of a target's registers and of slots, and their names for messages."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._classes = {each.name: at for at, each in enumerate(target.classes)}
        self._slots = len(target.classes) * REGISTERS_MAX
        for each in target.classes:
            if each.count > REGISTERS_MAX:
                raise ValueError(f"{each.name}: {each.count} registers, at most {REGISTERS_MAX}")

    def register(self, of: str, number: int) -> Location:
        """The location of a register of this class, -1 if it has no such number.

        Raises KeyError if there is no such class.
        """
        return self._classes[of] * REGISTERS_MAX + number if 0 <= number < REGISTERS_MAX else -1

    def slot(self, number: int) -> Location:
        """The location of a slot of the frame."""
        return self._slots + number

    def text(self, location: Location) -> str:
        """The name of a register by its widest view, or the slot."""
        if location < 0:
            return "no register"
        if location >= self._slots:
            return f"slot {location - self._slots}"
        at, number = divmod(location, REGISTERS_MAX)
        of = self._target.classes[at]
        views = [view for view in self._target.views.values() if view.of == of]
        widest = max(views, key=lambda view: view.bytes)
        return widest.spelled[number] if number < of.count else f"{of.name} {number}"
