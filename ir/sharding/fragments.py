"""Fragments: the words of one owner's coordinates, and the whole array from all of them.

Invariant: words are moved and never computed with, so that NaN payloads and -0.0 stay what they
    are; `assemble` of what `fragment` gives for every owner is the array again.
Why: every check of a distributed learner compares the logical state, so there is one place that
    says how it lies in fragments: an owner's words in ascending order of its coordinates.
Refuses: shard-owner-range, shard-coverage-missing, shard-coverage-duplicate, select-universe,
    region-domain, region-identity.
Entry: `members`, `owner_of_each`, `fragment`, `put`, `assemble`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from alpha.ir.refusals import Refusal
from alpha.ir.selections import Join, Repeat, Selection, Stride, check_universe
from alpha.ir.sharding.maps import ShardMap

Array = np.ndarray[Any, Any]


def members(selection: Selection) -> Array:
    """All members as 64-bit integers, ascending; one numpy operation a node."""
    if isinstance(selection, Stride):
        return selection.start + selection.step * np.arange(selection.count, dtype=np.int64)
    if isinstance(selection, Repeat):
        starts = selection.step * np.arange(selection.count, dtype=np.int64)
        return np.add.outer(starts, members(selection.inner)).reshape(-1)
    if isinstance(selection, Join):
        return np.concatenate([members(part) for part in selection.parts])
    return np.empty(0, np.int64)


def owner_of_each(shard_map: ShardMap, owners: int, size: int) -> Array:
    """The owner of every coordinate, or -1; one numpy operation an owner that has any.

    Raises:
        Refusal: those of `ShardMap.piece_sizes`.
    """
    owner = np.full(size, -1)
    first = 0
    for count, held in shard_map.piece_sizes(owners, size).pairs:
        for role in range(first, first + count) if held else ():
            owner[members(shard_map.piece(role, owners, size))] = role
        first += count
    return owner


def fragment(array: Array, piece: Selection) -> Array:
    """The words of a piece's coordinates, ascending: a new array with one axis.

    Raises:
        Refusal: `select-universe` for a coordinate that the array doesn't have.
    """
    check_universe(piece, array.size)
    if array.flags.c_contiguous:
        return array.reshape(-1)[_index(piece)].copy()
    # A splat, or a view of a larger array, isn't written out as a whole.
    return array[np.unravel_index(members(piece), array.shape)]


def assemble(
    shard_map: ShardMap, owners: int, shape: Sequence[int], fragments: Sequence[Array]
) -> Array:
    """The array of which each owner, in role order, has one fragment.

    Raises:
        Refusal: those of `ShardMap.check`; `shard-owner-range` unless there is one fragment for
            each owner; `shard-coverage-missing` with the first coordinate that has no word in a
            fragment; `region-domain` for a fragment of too many words or axes, `region-identity`
            for one of another type than the first.
    """
    size = prod(shape)
    shard_map.check(owners, size)
    if len(fragments) != owners:
        found = f"{len(fragments)} fragments for {owners} owners"
        raise Refusal("shard-owner-range", "one fragment for each owner", found)
    whole = np.empty(size, fragments[0].dtype)
    for role, words in enumerate(fragments):
        piece = shard_map.piece(role, owners, size)
        _check_fragment(words, piece, role, whole.dtype)
        put(whole, piece, words)
    return whole.reshape(tuple(shape))


def put(whole: Array, piece: Selection, words: Array) -> None:
    """Put the words of a piece, ascending, to its coordinates in an array of one axis."""
    whole[_index(piece)] = words


def _index(piece: Selection) -> slice | Array:
    """What numpy takes as the coordinates of a piece: a slice where that says it."""
    if isinstance(piece, Stride):
        return slice(piece.start, piece.max + 1, piece.step)
    return members(piece)


def _check_fragment(words: Array, piece: Selection, role: int, dtype: np.dtype[Any]) -> None:
    """See that a fragment has one word for each coordinate of its piece, of the right type."""
    wanted = f"{piece.size} words in the fragment of owner {role}"
    if words.ndim != 1 or words.size > piece.size:
        found = f"{words.size}" if words.ndim == 1 else f"an array of shape {list(words.shape)}"
        raise Refusal("region-domain", wanted, found)
    if words.size < piece.size:
        found = f"{words.size}, none for coordinate {piece.nth(words.size)}"
        raise Refusal("shard-coverage-missing", wanted, found)
    if words.dtype != dtype:
        expected = f"words of type {dtype} in the fragment of owner {role}"
        raise Refusal("region-identity", expected, f"{words.dtype}")
