"""Schedules whose frames have both ends, with what the other analyses need to know of them.

Invariant: every action has a partner, the other end of its frame, and every scope a party.
Refuses: what `duality` refuses.
Entry: `Matched`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from alpha.ir.schedules.duality import partners
from alpha.ir.schedules.events import Schedules
from alpha.ir.schedules.lines import Lines, read
from alpha.ir.schedules.parties import parties


@dataclass(frozen=True)
class Matched:
    """Dual schedules: their lines, every action's partner and every scope's party, by number."""

    lines: Lines
    partner: Sequence[int]
    party: Sequence[int]

    @classmethod
    def of(cls, schedules: Schedules) -> Matched:
        """The schedules matched, in time linear in their steps.

        Raises:
            Refusal: what the two ends of an edge say differently, of the first such edge.
        """
        lines = read(schedules)
        partner, refusals = partners(lines)
        if refusals:
            raise refusals[0]
        return cls(lines, partner, parties(lines, partner))
