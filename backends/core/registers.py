"""Registers: classes that can stand for one another, and views, which are their widths.

Invariant: a register is a class and a number. `rax`, `eax` and `al` are three views of one
    register, `zmm3`, `ymm3` and `xmm3` too, so that a value never has to be told which other values
    it hides.
Entry: `RegisterClass`, `View`, `Register`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True)
class RegisterClass:
    """Registers of one kind: `gpr`, `vec` or `mask`; numbers run from 0 to `count` - 1."""

    name: str
    count: int


@dataclass(frozen=True)
class View:
    """How an instruction names and uses a register: so many low bytes of it.

    `spelled` has one name for each number of the class. A value has the view that it was defined
    by, which says how many bytes of it a spill keeps.
    """

    name: str
    of: RegisterClass
    bytes: int
    spelled: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.spelled) != self.of.count:
            raise ValueError(f"{self.name}: {len(self.spelled)} names, not {self.of.count}")

    def number(self, name: str) -> int:
        """The number of the register of this name. Raises ValueError if there is none."""
        return self.spelled.index(name)


class Register(NamedTuple):
    """One physical register."""

    of: str
    number: int
