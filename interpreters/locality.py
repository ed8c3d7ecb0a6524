"""Shows by running that an owner's part of an update is computed from words that the owner has.

Entry: `require_local`, `require_placed`, `require_replicas`, `require_stored`, `LocalityError`.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

import numpy as np

from alpha.interpreters.holdings import Holdings
from alpha.interpreters.programs import Program, Value
from alpha.ir.attributes.shard import LocatedType, OwnedType, located
from alpha.ir.dialects.shard_work import ContributeOp, UpdateOp
from alpha.ir.shapes import shape_of, words_of
from alpha.ir.sharding.distribution import Distribution
from alpha.ir.sharding.shaped_maps import Rows


class LocalityError(RuntimeError):
    """An owner would read a word that it doesn't have: a bug, or a distribution not verified."""


def require_local(holdings: Holdings, op: UpdateOp, role: int, presence: Program) -> None:
    """See that an owner has the words that its part of an update is computed from.

    `presence` is the program of the update, on the carrier of that name.

    Raises:
        LocalityError: naming the owner and the first word that it couldn't compute.
    """
    arguments = [Value(_presence(holdings, located(each), role), False) for each in op.arguments]
    results = zip(op.outputs, presence.run(arguments), strict=True)
    for number, (output, value) in enumerate(results):
        of = located(output)
        there = np.broadcast_to(value.words, shape_of(of.value)).reshape(-1)
        mine = np.arange(there.size)
        if isinstance(of, OwnedType):
            mine = holdings.coordinates(of.map.data, role, there.size)
        if not there[mine].all():
            name, word = op.callee.string_value(), int(mine[np.argmin(there[mine])])
            raise LocalityError(
                f"owner {role} lacks a word for coordinate {word} of result {number} of @{name}"
            )


def require_placed(distribution: Distribution, name: str, of: LocatedType) -> None:
    """See that a state, or a component of samples, is read as words of those who hold them.

    Raises:
        LocalityError: owners would take words of some coordinates for those of others.
    """
    placed = distribution.map_of(name)
    width = prod(shape_of(of.value)[1:]) if name in distribution.learner.samples else 1
    if placed is not None and width > 1:
        placed = Rows(width, placed)
    read = of.map.data if isinstance(of, OwnedType) else None
    size = words_of(of.value)
    in_other_words = (
        placed is not None
        and read is not None
        and placed.same_pieces(read, distribution.owners, size)
    )
    if read != placed and not in_other_words:
        wanted, found = (each or "replicated" for each in (placed, read))
        raise LocalityError(f"owners hold @{name} {wanted}, and would read it {found}")


def require_replicas(distribution: Distribution, op: ContributeOp) -> None:
    """See that owners contribute from words that they all have.

    Raises:
        LocalityError: naming the argument of which each owner has only its own words.
    """
    for number, value in enumerate(op.arguments):
        if isinstance(value.type, OwnedType) and distribution.owners > 1:
            name = op.callee.string_value()
            raise LocalityError(f"owners lack words of others for argument {number} of @{name}")


def require_stored(holdings: Holdings, name: str, of: LocatedType, roles: Iterable[int]) -> None:
    """See that the new words of a state that these roles have are those that they keep.

    Raises:
        LocalityError: an owner would keep words of coordinates that aren't its own.
    """
    kept = holdings.distribution.map_of(name)
    new = of.map.data if isinstance(of, OwnedType) else None
    if kept == new:
        return
    if kept is None or new is None:
        wanted, found = (each or "replicated" for each in (kept, new))
        raise LocalityError(f"owners keep @{name} {wanted}, and would store it {found}")
    size = words_of(of.value)
    for role in roles:
        pieces = [holdings.coordinates(map, role, size) for map in (kept, new)]
        if not np.array_equal(pieces[0], pieces[1]):
            raise LocalityError(f"owner {role} would keep words of @{name} that aren't its own")


def _presence(holdings: Holdings, of: LocatedType, role: int) -> np.ndarray:
    """Whether a role has each word of a value."""
    size = words_of(of.value)
    there = np.ones(size, bool)
    if isinstance(of, OwnedType):
        there[:] = False
        there[holdings.coordinates(of.map.data, role, size)] = True
    return there.reshape(shape_of(of.value))
