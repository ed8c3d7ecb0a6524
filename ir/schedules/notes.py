"""What a refusal says of a step of a schedule, and where the step stands.

Entry: `note_of`, `place_at`.
"""

from __future__ import annotations

from alpha.ir.refusals import Note, Place, place_of
from alpha.ir.schedules.events import Step
from alpha.ir.schedules.lines import Lines


def place_at(step: Step) -> Place | None:
    """Where a step stands in the source, if anything is known of that."""
    place = step.place
    return place if place is None or isinstance(place, Place) else place_of(place)


def note_of(lines: Lines, number: int) -> Note:
    """What an action is, and of which role."""
    action = lines.actions[number]
    return Note(f"role {lines.role_of[number]} is to {action}", place_at(action))
