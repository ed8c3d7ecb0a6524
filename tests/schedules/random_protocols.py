"""Random global protocols: transfers, nested repeats, and choices that are told to others.

Entry: `random_protocol`, `neighbours`, `exchanged`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random

from schedules.plain_protocols import Choice, Protocol, Repeat, Transfer, numbered, roles_of

from alpha.ir.schedules.events import Branch, Loop, Step


def random_protocol(random: Random, size: int = 10) -> Protocol:
    """A protocol of two to six roles with about `size` operations and the words of its choices."""
    roles = random.choice((2, 3, 3, 4, 4, 5, 6))
    return numbered(random_body(random, roles, random.randrange(2, size + 1), 3))


def random_body(random: Random, roles: int, size: int, depth: int) -> Protocol:
    result: list[Transfer | Repeat | Choice] = []
    while size > 0:
        kind = random.random()
        if depth == 0 or size < 2 or kind < 0.6:
            sender, receiver = random.sample(range(roles), 2)
            result.append(Transfer(sender, receiver, random.randrange(1, 4)))
            size -= 1
            continue
        inner = random.randrange(1, size)
        size -= inner + 1
        if kind < 0.8:
            result += _repeat(random, roles, random_body(random, roles, inner, depth - 1))
        else:
            first = random.randrange(inner + 1)
            sizes = (first, inner - first) if random.random() < 0.9 else (inner, 0, 1)
            arms = tuple(random_body(random, roles, each, depth - 1) for each in sizes)
            authority = random.randrange(roles)
            informed = set[int]().union(*map(roles_of, arms)) - {authority}
            result += _told(random, authority, informed)
            result.append(Choice(arms))
    return tuple(result)


def _repeat(random: Random, roles: int, body: Protocol) -> list[Repeat]:
    """A repeat, which is left at its bound or when a role says so to all others that take part."""
    if random.random() < 0.3:
        authority = random.randrange(roles)
        body = (*body, *_told(random, authority, roles_of(body) - {authority}))
        return [Repeat(random.randrange(1, 4), True, body)]
    return [Repeat(random.randrange(1, 4), False, body)]


def _told(random: Random, authority: int, informed: set[int]) -> list[Transfer]:
    """How a word comes from the authority to the others: each is told by one who knows it."""
    knowing = [authority]
    order = sorted(informed)
    random.shuffle(order)
    told: list[Transfer] = []
    for role in order:
        told.append(Transfer(random.choice(knowing), role))
        knowing.append(role)
    return told


def neighbours(steps: Sequence[Step]) -> list[tuple[list[Step], int]]:
    """Every two steps that stand one behind the other in a schedule: their body, and the first."""
    assert isinstance(steps, list)  # as they are projected, so that they can be exchanged in place
    found = [(steps, at) for at in range(len(steps) - 1)]
    for step in steps:
        if isinstance(step, Loop):
            found += neighbours(step.body)
        elif isinstance(step, Branch):
            for arm in step.arms:
                found += neighbours(arm)
    return found


@contextmanager
def exchanged(body: list[Step], at: int) -> Iterator[None]:
    """A body with two neighbouring steps exchanged, for a while."""
    body[at], body[at + 1] = body[at + 1], body[at]
    try:
        yield
    finally:
        body[at], body[at + 1] = body[at + 1], body[at]
