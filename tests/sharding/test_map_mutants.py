"""Each rule of shard maps and fragments, made wrong on purpose, is noticed by the comparisons.

Why: an oracle that accepts a wrong rule proves nothing about the right one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import numpy as np
import pytest
from plain_sets.enumeration import form_of
from sharding.fragment_agreement import agrees_in_round_trip
from sharding.map_agreement import (
    agrees_alone,
    agrees_in_check,
    agrees_in_kind,
    agrees_in_pair,
    made_map,
)
from sharding.plain_maps import CROSSING, pieces_of_items, random_cover, random_item

from alpha.ir.refusals import Refusal
from alpha.ir.selections import Empty, Repeat, Selection, Stride
from alpha.ir.selections.relations import CoverFlaw
from alpha.ir.sharding import covers, families, fragments, maps, residues, text
from alpha.ir.sharding.families import Level, Share
from alpha.ir.sharding.maps import Block, BlockCyclic, Cyclic, Explicit


def compare() -> None:
    """The comparisons that the other tests make, some hundreds of each; AssertionError if not."""
    random = Random(12)
    for owners, size in ((1, 5), (3, 0), (3, 10), (4, 9), (4, 2), (5, 23)):
        for kind in (Cyclic(), Block(), BlockCyclic(2), BlockCyclic(3)):
            agrees_in_kind(kind, owners, size)
    for _ in range(150):
        items, size = random_cover(random)
        agrees_in_check(items, size)
        agrees_in_check(items, size + random.choice((-1, 1)))
        agrees_in_check([random_item(random, 2), random_item(random, 2)], random.randrange(40))
    agrees_in_check(CROSSING, 25)
    for _ in range(60):
        items, _ = random_cover(random)
        pieces = pieces_of_items(items)
        agrees_in_pair(items, [form_of(random, has) for has in pieces])
        random.choice(pieces)[0:1] = []
        agrees_in_pair(items, [form_of(random, has) for has in pieces])
    for _ in range(30):
        agrees_in_round_trip(random, "float64")
    broken = made_map([("stride", 0, 1, 3), ("stride", 2, 1, 3)])
    for words in ([np.zeros(3), np.zeros(3)], [np.zeros(3), np.zeros(2)]):
        with pytest.raises(Refusal):
            fragments.assemble(broken, 2, (6,), words)
    # Last, since every coordinate of these takes long.
    for _ in range(80):
        agrees_alone([random_item(random, 3) for _ in range(random.randrange(1, 4))])


def innermost_only(share: Share, role: int) -> int:
    level = share.levels[-1] if share.levels else Level(1, 1, 1)
    return (role - share.first) % level.count * level.step


def outermost_first(share: Share, role: int) -> int:
    offset, width = 0, 1
    for level in share.levels:
        offset += (role - share.first) // width % level.count * level.step
        width *= level.count
    return offset


def last_role_beyond(share: Share, size: int) -> int | None:
    beyond = share.piece.size and share.max >= size
    return share.first + share.roles - 1 if beyond else None


def merged_without_a_look(copies: list[tuple[int, int]]) -> list[tuple[int, int]]:
    result: list[tuple[int, int]] = []
    for step, count in sorted(copies):
        if result and step % result[-1][0] == 0:
            result[-1] = (result[-1][0], result[-1][1] * count)
        elif count > 1:
            result.append((step, count))
    return result


def first_copies_only(
    point: Selection, copies: list[tuple[int, int]], tangled: int, budget: object
) -> list[Selection]:
    return [families._nested(point, copies[:tangled])[0]]


def of_one_role(share: Share, budget: object) -> list[Selection]:
    return [share.piece] if share.piece.size else []


def by_totals(parts: Sequence[Selection], size: int) -> CoverFlaw | None:
    total = sum(part.size for part in parts)
    return None if total == size else CoverFlaw(min(total, size), () if total < size else (0, 1))


def windows_without_bounds(node: Selection, period: int) -> Iterator[Any]:
    turn = node.min // period
    for product in RIGHT_PRODUCTS(node, period):
        yield product or (families.moved(node, -turn * period), Stride(turn, 1, 1))


def windows_forgotten(node: Selection, period: int) -> Iterator[Any]:
    for product in RIGHT_PRODUCTS(node, period):
        yield product and (product[0], families.moved(product[1], -product[1].min))


def moved_at_the_top(selection: Selection, by: int) -> Selection:
    if isinstance(selection, Stride):
        return Stride(selection.start + by, selection.step, selection.count)
    return selection


def scaled_but_for_steps(selection: Selection, factor: int) -> Selection:
    if isinstance(selection, Stride):
        return Stride(selection.start * factor, selection.step, selection.count)
    return selection


def one_holder(share: Share, coordinate: int) -> Iterator[int]:
    yield share.first


def short_block_lost(kind: BlockCyclic, owners: int, size: int) -> Sequence[Share]:
    return RIGHT_SHARES(kind, owners, size - size % kind.block)


def smaller_first(kind: Block, owners: int, size: int) -> Sequence[Share]:
    least, larger = divmod(size, owners)
    counts = [least] * (owners - larger) + [least + 1] * larger
    starts = [sum(counts[:role]) for role in range(owners)]
    pieces = [Stride(at, 1, count) if count else Empty() for at, count in zip(starts, counts)]  # noqa: B905
    return [Share(role, (), piece) for role, piece in enumerate(pieces)]


def copies_by_copy(selection: Selection) -> np.ndarray:
    if isinstance(selection, Repeat):
        starts = selection.step * np.arange(selection.count, dtype=np.int64)
        return np.add.outer(RIGHT_MEMBERS(selection.inner), starts).reshape(-1)
    return RIGHT_MEMBERS(selection)


def computed_fragment(array: np.ndarray, piece: Selection) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        return RIGHT_FRAGMENT(array, piece) + 0.0


RIGHT_PRODUCTS = residues._products
RIGHT_SHARES = BlockCyclic.shares
RIGHT_MEMBERS = fragments.members
RIGHT_FRAGMENT = fragments.fragment

MUTANTS: dict[str, tuple[Any, str, object]] = {
    "a role counts the innermost family alone": (Share, "offset_of", innermost_only),
    "roles of nested families are numbered the other way": (Share, "offset_of", outermost_first),
    "the last role is named for a coordinate outside": (Share, "first_beyond", last_role_beyond),
    "no coordinate is outside": (Share, "first_beyond", lambda share, size: None),
    "copies merge whenever a step divides": (families, "_merged", merged_without_a_look),
    "copies that don't nest are left out": (families, "_split", first_copies_only),
    "any two steps collide": (families, "gcd", lambda one, other: other),
    "a family holds what its first role holds": (covers, "_union", of_one_role),
    "a footprint may cross the bound of a window": (residues, "_products", windows_without_bounds),
    "the window of a footprint is forgotten": (residues, "_products", windows_forgotten),
    "a cluster is whole": (residues, "_by_cluster", lambda parts, size: None),
    "coverage goes by totals": (covers, "cover_flaw", by_totals),
    "the first role of a share has every coordinate": (covers, "_holders_in", one_holder),
    "only strides are moved": (families, "moved", moved_at_the_top),
    "pairs are scaled without their steps": (covers, "scaled", scaled_but_for_steps),
    "equality allows what only one has": (covers, "first_forbidden", lambda *rest: None),
    "the smaller blocks come first": (Block, "shares", smaller_first),
    "the short block has no owner": (BlockCyclic, "shares", short_block_lost),
    "a share begins one role late": (maps, "bisect_right", lambda firsts, role: 1),
    "an explicit map isn't checked": (Explicit, "check", lambda map, owners, size: None),
    "texts lose a digit": (text, "_number", lambda digits: int(digits[0])),
    "members of a repeat are transposed": (fragments, "members", copies_by_copy),
    "fragments are computed with": (fragments, "fragment", computed_fragment),
}


def test_the_comparison_holds() -> None:
    """Nothing is noticed where nothing is wrong."""
    compare()


@pytest.mark.parametrize("mutant", MUTANTS)
def test_mutants_are_noticed(mutant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With one rule replaced, some comparison fails."""
    where, name, wrong = MUTANTS[mutant]
    monkeypatch.setattr(where, name, wrong)
    with pytest.raises((AssertionError, ValueError, IndexError, Refusal, StopIteration)):
        compare()
