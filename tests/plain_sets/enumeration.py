"""Selections as nested tuples that are enumerated member by member, and random ones.

Invariant: nothing of the package is used, no rule of selections is relied on: a form means the list
    of numbers that its definition counts out, well formed or not.
Entry: `listed`, `is_ascending`, `random_form`, `random_numbers`, `form_of`, `periodic_form`.

A form is ("empty",), ("stride", start, step, count), ("repeat", count, step, form) or
("join", form, ...).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from random import Random
from typing import Any

Form = tuple[Any, ...]


def listed(form: Form) -> list[int]:
    """The numbers that a form counts out, in its order."""
    match form:
        case ("stride", start, step, count):
            return [start + step * turn for turn in range(count)]
        case ("repeat", count, step, inner):
            members = listed(inner)
            return [member + step * turn for turn in range(count) for member in members]
        case ("join", *parts):
            return [member for part in parts for member in listed(part)]
        case _:
            return []


def is_ascending(numbers: Sequence[int]) -> bool:
    """Whether each number is above the one before."""
    return all(one < other for one, other in itertools.pairwise(numbers))


def random_form(random: Random, depth: int, low: int = 0, large: int = 1) -> Form:
    """A well-formed selection, nested at most `depth` deep, with no member below `low`.

    Counts and steps are up to about 5 times `large`.
    """
    kind = random.random()
    if depth == 1 or kind < 0.3:
        step = random.randrange(1, 2 + 4 * large)
        count = random.randrange(1, 2 + 4 * large)
        return ("stride", low + random.randrange(7), step, count)
    if kind < 0.7:
        inner = random_form(random, depth - 1, low, large)
        members = listed(inner)
        step = members[-1] - members[0] + random.choice((1, 1, 2, 3, 1 + random.randrange(20)))
        return ("repeat", random.randrange(1, 2 + 3 * large), step, inner)
    parts: list[Form] = []
    for _ in range(random.randrange(1, 5)):
        parts.append(random_form(random, depth - 1, low, large))
        low = listed(parts[-1])[-1] + 1
    return ("join", *parts)


def random_numbers(random: Random, depth: int) -> Form:
    """A form of random numbers that may break any rule but one: whatever is counted twice or more.

    Counts are at least 2, since for a count of 1 the step says nothing about the enumeration.
    """
    kind = random.random()
    if depth == 1 or kind < 0.3:
        return ("stride", random.randrange(12), random.randrange(5), random.randrange(2, 5))
    if kind < 0.7:
        inner = random_numbers(random, depth - 1)
        return ("repeat", random.randrange(2, 4), random.randrange(24), inner)
    return ("join", *(random_numbers(random, depth - 1) for _ in range(random.randrange(1, 4))))


def form_of(random: Random, members: Sequence[int]) -> Form:
    """A random form with exactly these members, which ascend."""
    parts: list[Form] = []
    at = 0
    while at < len(members):
        step = members[at + 1] - members[at] if at + 1 < len(members) else 1
        count = 1
        most = random.choice((1, 2, 3, 1000))
        while count < most and members[at + count : at + count + 1] == [members[at] + step * count]:
            count += 1
        stride = ("stride", members[at], step, count)
        if count % 2 == 0 and random.random() < 0.5:
            stride = ("repeat", 2, step * (count // 2), ("stride", members[at], step, count // 2))
        parts.append(stride)
        at += count
    if not parts:
        return ("empty",)
    if len(parts) > 2 and random.random() < 0.3:
        cut = random.randrange(1, len(parts))
        parts = [("join", *parts[:cut]), *parts[cut:]]
    return parts[0] if len(parts) == 1 else ("join", *parts)


def periodic_form(random: Random, members: Sequence[int]) -> Form:
    """A random form with exactly these members, a repeat where a period up to 40 allows one."""
    for period in random.sample(range(1, 41), 40):
        first = [member for member in members if member < members[0] + period]
        count = len(members) // max(len(first), 1)
        copied = members[: len(first) * count]
        if count > 1 and list(copied) == [
            at + period * turn for turn in range(count) for at in first
        ]:
            inner = periodic_form(random, first) if len(first) > 1 else form_of(random, first)
            whole: Form = ("repeat", count, period, inner)
            rest = members[len(copied) :]
            return ("join", whole, form_of(random, rest)) if rest else whole
    return form_of(random, members)
