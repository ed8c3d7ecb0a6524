"""Where the words of a value are: with every owner, with one role, or each with its owner.

Entry: `Everywhere`, `At`, `Owned`, `Where`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from alpha.ir.sharding.maps import ShardMap


@dataclass(frozen=True)
class Everywhere:
    """Every owner has all words."""

    def __str__(self) -> str:
        return "all"


@dataclass(frozen=True)
class At:
    """One role has all words, the others have none."""

    role: int

    def __str__(self) -> str:
        return f"role {self.role}"


@dataclass(frozen=True)
class Owned:
    """Each coordinate's word is with the owner that the map says, and with no other."""

    map: ShardMap

    def __str__(self) -> str:
        return f"owners {self.map}"


Where: TypeAlias = "Everywhere | At | Owned"
