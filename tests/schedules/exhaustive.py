"""All protocols up to a size, in order of size, up to renaming of their roles.

Invariant: every protocol of at most `roles` roles with so many operations is listed once, roles
    numbered in the order in which the text names them. Operations are transfers, repeats that run
    twice, repeats that run once or twice, and choices of two arms; only one arm may be empty.
Entry: `protocols`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from schedules.plain_protocols import Choice, Protocol, Repeat, Transfer, numbered

Shape = tuple[tuple, ...]
"""Operations in order: each its kind and the shapes of its bodies."""


@cache
def shapes(size: int) -> tuple[Shape, ...]:
    """All sequences of so many operations, without their roles."""
    if size == 0:
        return ((),)
    return tuple(
        (first, *rest)
        for own in range(1, size + 1)
        for first in _operations(own)
        for rest in shapes(size - own)
    )


@cache
def _operations(size: int) -> tuple[tuple, ...]:
    """All operations of this size, itself and what it contains."""
    if size == 1:
        return (("transfer",),)
    bodies = shapes(size - 1)
    return (
        *(("repeat", body) for body in bodies),
        *(("until", body) for body in bodies),
        *(
            ("choice", one, other)
            for first in range(size)
            for one in shapes(first)
            for other in shapes(size - 1 - first)
        ),
    )


def _named(shape: Shape, used: int, roles: int) -> Iterator[tuple[Protocol, int]]:
    """The ways to name the roles of a shape, with how many are named behind it."""
    if not shape:
        yield (), used
        return
    for step, named in _step(shape[0], used, roles):
        for rest, last in _named(shape[1:], named, roles):
            yield (step, *rest), last


def _step(
    operation: tuple, used: int, roles: int
) -> Iterator[tuple[Transfer | Repeat | Choice, int]]:
    kind, *bodies = operation
    if kind == "transfer":
        for sender in range(min(used + 1, roles)):
            named = max(used, sender + 1)
            for receiver in range(min(named + 1, roles)):
                if receiver != sender:
                    yield Transfer(sender, receiver), max(named, receiver + 1)
    elif kind == "choice":
        for one, named in _named(bodies[0], used, roles):
            for other, last in _named(bodies[1], named, roles):
                yield Choice((one, other)), last
    else:
        for body, named in _named(bodies[0], used, roles):
            yield Repeat(2, kind == "until", body), named


def protocols(size: int, roles: int = 4) -> Iterator[Protocol]:
    """All protocols of exactly this size, with sites."""
    for shape in shapes(size):
        for protocol, _ in _named(shape, 0, roles):
            yield numbered(protocol)
