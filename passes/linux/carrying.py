"""Copies of what a role has of values: round repeats, out of arms, and for publication.

Entry: `fresh`, `like`, `copy_all`.
"""

from __future__ import annotations

from collections.abc import Sequence

from alpha.ir.refusals import Refusal
from alpha.passes.linux.context import RoleContext
from alpha.passes.linux.memory import Held, Part, Place, Total


def fresh(context: RoleContext, held: Held) -> Held:
    """Places of the same kind and size, for other words."""
    if isinstance(held, dict):
        return {group: Part(like(context, each.place), each.count) for group, each in held.items()}
    if isinstance(held, Total):
        return Total(like(context, held.place), held.count)
    return like(context, held)


def like(context: RoleContext, place: Place) -> Place:
    """A place of the same size and type."""
    return context.arena.place(place.words, place.element)


def copy_all(context: RoleContext, given: Sequence[Held], into: Sequence[Held]) -> None:
    """Copy values at once: each becomes what its source was before.

    Raises:
        Refusal: `target-unsupported` if one would become a sum over other samples.
    """
    pairs: list[tuple[Place, Place]] = []
    for from_, to in zip(given, into, strict=True):
        pairs += _pairs(from_, to)
    moving = [(from_, to) for from_, to in pairs if from_ != to]
    if len(moving) > 1:
        moving = [(_saved(context, from_, moving), to) for from_, to in moving]
    for from_, to in moving:
        context.copy(from_, to)


def _saved(context: RoleContext, place: Place, moving: Sequence[tuple[Place, Place]]) -> Place:
    """A place whose words no copy changes: the same, or another with these words."""
    if not any(place.overlaps(to) for _, to in moving):
        return place
    saved = like(context, place)
    context.copy(place, saved)
    return saved


def _pairs(from_: Held, to: Held) -> Sequence[tuple[Place, Place]]:
    match from_, to:
        case Total(), Total() if from_.count == to.count:
            return [(from_.place, to.place)]
        case Place(), Place():
            return [(from_, to)]
        case dict(), dict() if _counts(from_) == _counts(to):
            return [(from_[group].place, to[group].place) for group in from_]
        case _:
            wanted = "a value of the same samples wherever it comes from"
            raise Refusal("target-unsupported", wanted, "sums over others")


def _counts(parts: dict[int, Part]) -> dict[int, int]:
    return {group: part.count for group, part in parts.items()}
