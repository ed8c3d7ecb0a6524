"""Shard maps as lists of coordinates, an owner each, and random ones.

Invariant: nothing of the package is used and no rule of maps is relied on: an item means the lists
    that its definition counts out.
Entry: `roles_of`, `pieces_of_items`, `first_flaw`, `first_pair`, `random_item`, `random_cover`,
    `CROSSING`.

An item is a form of `plain_sets`, what one role has, or ("family", count, step, item).
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

from plain_sets.enumeration import form_of, listed, random_form

Item = tuple[Any, ...]
Pieces = list[list[int]]


CROSSING: list[Item] = [
    ("stride", 0, 1, 1),
    ("repeat", 2, 6, ("stride", 5, 1, 2)),
    ("repeat", 2, 6, ("stride", 17, 1, 2)),
    ("repeat", 4, 6, ("stride", 1, 1, 4)),
]
"""25 coordinates; what repeats every 6 of them crosses the bounds of the windows of 6."""


def roles_of(item: Item) -> Pieces:
    """What each role of an item has."""
    if item[0] == "family":
        _, count, step, inner = item
        return [
            [at + turn * step for at in has] for turn in range(count) for has in roles_of(inner)
        ]
    return [listed(item)]


def pieces_of_items(items: Sequence[Item]) -> Pieces:
    """What each role of a list of items has."""
    return [has for item in items for has in roles_of(item)]


class Flaw(NamedTuple):
    """The code that a wrong map is refused with, and what the message says was found."""

    code: str
    found: str


def first_flaw(pieces: Pieces, size: int) -> Flaw | None:
    """What is wrong with a map, by counting the owners of every coordinate."""
    for role, has in enumerate(pieces):
        for at in has:
            if at >= size:
                return Flaw("select-universe", f"coordinate {at} of owner {role}")
    holders: list[list[int]] = [[] for _ in range(size)]
    for role, has in enumerate(pieces):
        for at in has:
            holders[at].append(role)
    for at, roles in enumerate(holders):
        if not roles:
            return Flaw("shard-coverage-missing", f"none for coordinate {at}")
        if len(roles) > 1:
            found = f"owners {roles[0]} and {roles[1]} for coordinate {at}"
            return Flaw("shard-coverage-duplicate", found)
    return None


def first_pair(
    pieces: Pieces, others: Pieces, both_ways: bool
) -> tuple[int, int | None, int | None] | None:
    """The least coordinate that a role has in one map alone, and its first owner in each."""
    least: int | None = None
    for has, other in zip(pieces, others, strict=True):
        for at in {*has} ^ {*other} if both_ways else {*has} - {*other}:
            least = at if least is None or at < least else least
    if least is None:
        return None
    owner, other_owner = (
        next((role for role, has in enumerate(side) if least in has), None)
        for side in (pieces, others)
    )
    return least, owner, other_owner


def random_item(random: Random, depth: int) -> Item:
    """Any item: families of families, empty pieces, coordinates that several roles have."""
    if depth and random.random() < 0.6:
        count, step = random.randrange(1, 6), random.randrange(1, 14)
        return ("family", count, step, random_item(random, depth - 1))
    return ("empty",) if random.random() < 0.1 else random_form(random, random.randrange(1, 3))


def rescaled(item: Item, factor: int, offset: int) -> Item:
    """The item with every coordinate c in the place of factor * c + offset."""
    match item:
        case ("family", count, step, inner):
            return ("family", count, step * factor, rescaled(inner, factor, offset))
        case ("repeat", count, step, inner):
            return ("repeat", count, step * factor, rescaled(inner, factor, offset))
        case ("stride", start, step, count):
            return ("stride", start * factor + offset, step * factor, count)
        case ("join", *parts):
            return ("join", *(rescaled(part, factor, offset) for part in parts))
        case _:
            return item


def random_cover(random: Random, depth: int = 2) -> tuple[list[Item], int]:
    """Items that give each coordinate one owner, and how many coordinates there are.

    Segments or residues of the domain are shared out each among its own owners, by blocks, cyclic,
    by blocks dealt out, by tiles of a matrix, by residues that change hands, or by chance; roles
    without any stand between.
    """
    if depth and random.random() < 0.3:
        items, size = random_cover(random, depth - 1)
        factor = random.randrange(2, 4)
        result = [rescaled(item, factor, residue) for residue in range(factor) for item in items]
        random.shuffle(result)
        return result, size * factor
    items, low = [], 0
    for _ in range(random.randrange(1, 4)):
        segment, length = _segment(random)
        items += [rescaled(item, 1, low) for item in segment]
        low += length
    while random.random() < 0.4:
        nobody: Item = ("empty",)
        if random.random() < 0.5:
            nobody = ("family", random.randrange(1, 4), random.randrange(1, 9), nobody)
        items.insert(random.randrange(len(items) + 1), nobody)
    if random.random() < 0.5:
        random.shuffle(items)
    return items, low


def _segment(random: Random) -> tuple[list[Item], int]:
    """Items that share out the coordinates from 0 on, and how many these are."""
    owners, width, turns = (random.randrange(1, limit) for limit in (6, 5, 5))
    match random.randrange(6):
        case 0:
            return [("family", owners, width, ("stride", 0, 1, width))], owners * width
        case 1:
            more = random.randrange(owners)
            items: list[Item] = [("family", owners - more, 1, ("stride", more, owners, turns))]
            if more:
                items.insert(0, ("family", more, 1, ("stride", 0, owners, turns + 1)))
            return items, owners * turns + more
        case 2:
            dealt = ("repeat", turns, owners * width, ("stride", 0, 1, width))
            return [("family", owners, width, dealt)], owners * width * turns
        case 3:
            down, across, high = (random.randrange(1, 4) for _ in range(3))
            row = across * width
            tile = ("repeat", high, row, ("stride", 0, 1, width))
            tiles = ("family", down, high * row, ("family", across, width, tile))
            return [tiles], down * high * row
        case 4:
            residues, turns = random.randrange(2, 5), random.randrange(2, 12)
            items = []
            for residue in range(residues):
                # Every residue changes hands at its own times.
                ends = sorted({turns, *random.choices(range(1, turns), k=random.randrange(4))})
                for start, end in zip([0, *ends], ends, strict=False):
                    low = (residues * start + residue) * width
                    run = ("stride", low, 1, width)
                    items.append(("repeat", end - start, residues * width, run))
            return items, residues * turns * width
        case _:
            size = random.randrange(1, 20)
            has: Pieces = [[] for _ in range(owners)]
            for at in range(size):
                has[random.randrange(owners)].append(at)
            return [form_of(random, each) for each in has], size
