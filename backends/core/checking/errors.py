"""What the checker raises: a wrong allocation, which is a bug of the allocator.

Entry: `AllocationError`, `Place`.
"""

from __future__ import annotations

from typing import NamedTuple


class Place(NamedTuple):
    """Where in the placed function; -1 for a block or an instruction where it isn't about one."""

    function: str
    block: int = -1
    instruction: int = -1
    row: str = ""

    def __str__(self) -> str:
        parts = [self.function]
        if self.block >= 0:
            parts.append(f"block {self.block}")
        if self.instruction >= 0:
            parts.append(f"instruction {self.instruction}")
        if self.row:
            parts.append(self.row)
        return ", ".join(parts)


class AllocationError(Exception):
    """A placed function doesn't do what the function before allocation does, as far as is known.

    `location` is a register, a slot of the frame or what else the requirement is about.
    """

    def __init__(self, place: Place, location: str, expected: str, found: str) -> None:
        self.place, self.location = place, location
        self.expected, self.found = expected, found
        super().__init__(f"{place}: {location}: expected {expected}, found {found}")
