"""Whether shares hold every coordinate of a domain exactly once, and how two sets of them differ.

Invariant: an answer is exact and comes with the least coordinate that shows it; where it would take
    more visits of index nodes than are allowed, the question is refused and never guessed.
Why: who holds what is a set of pairs. Written as the number coordinate * owners + role, a pair is a
    member of a selection, and a family of roles is a family of selections once more. So two maps
    are compared like two selections, and nobody walks over the owners.
Refuses: shard-coverage-missing, shard-coverage-duplicate, select-universe, select-budget.
Entry: `check_shares`, `holders_of`, `first_other_pair`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from heapq import merge
from itertools import islice

from alpha.ir.refusals import Note, Refusal
from alpha.ir.selections import Selection
from alpha.ir.selections.budget import Budget
from alpha.ir.selections.form import LIMIT
from alpha.ir.selections.relations import VISITS_MAX, VISITS_PER_NODE_MAX
from alpha.ir.selections.windows import first_forbidden, pieces_of
from alpha.ir.sharding.families import Share, moved, scaled, union_of_copies
from alpha.ir.sharding.residues import cover_flaw

COMPARISON = "the owners of two shard maps"

BY_ROLE_FACTOR = 8
"""With fewer roles than this a share, two maps are compared role by role."""


def check_shares(shares: Sequence[Share], size: int) -> None:
    """See that every coordinate from 0 to `size` - 1 is held exactly once, and no other is.

    Raises:
        Refusal: `select-universe` for a coordinate outside, with the first role that holds one;
            `shard-coverage-missing` or `shard-coverage-duplicate`, with the least coordinate that
            isn't held exactly once; `select-budget`.
    """
    for share in shares:
        role = share.first_beyond(size)
        if role is not None:
            piece = share.piece_of(role)
            found = f"coordinate {piece.nth(piece.rank(size))} of owner {role}"
            raise Refusal("select-universe", f"coordinates below {size}", found)
    budget = _budget("the union of a shard map", shares)
    flaw = cover_flaw([part for share in shares for part in _union(share, budget)], size)
    if flaw is None:
        return
    at = flaw.coordinate
    if flaw.is_missing:
        wanted = f"an owner for each of {size} coordinates"
        raise Refusal("shard-coverage-missing", wanted, f"none for coordinate {at}")
    roles = tuple(islice(holders_of(shares, at), 2))
    notes = tuple(_note(shares, role) for role in roles)
    wanted = f"one owner for each of {size} coordinates"
    found = f"owners {roles[0]} and {roles[1]} for coordinate {at}"
    raise Refusal("shard-coverage-duplicate", wanted, found, notes=notes)


def holders_of(shares: Sequence[Share], coordinate: int) -> Iterator[int]:
    """The roles that hold a coordinate, ascending.

    A path through the nodes of each share; a walk over its roles only where the pairs of a share
    are no regular pattern, or don't fit 63 bits.
    """
    for share in shares:
        piece = share.piece
        if not share.levels:
            if coordinate in piece:
                yield share.first
        elif piece.size and piece.min <= coordinate <= share.max:
            yield from _holders_in(share, coordinate)


def first_other_pair(
    inner: Sequence[Share], outer: Sequence[Share], owners: int, both_ways: bool
) -> tuple[int, int] | None:
    """The least pair (coordinate, role) that only `inner` has, or with `both_ways` only one has.

    None if there is no such pair. The shares are those of `owners` roles. A few visits of index
    nodes a share; a walk over the roles only if there are almost as many shares, if pairs don't fit
    63 bits, or if the pairs are no regular pattern.

    Raises:
        Refusal: `select-budget`.
    """
    both = (*inner, *outer)
    allowed = (0, 3) if both_ways else (0, 2, 3)
    greatest = max((share.max for share in both if share.piece.size), default=0)
    if greatest < LIMIT // owners and BY_ROLE_FACTOR * len(both) < owners:
        try:
            return _first_by_pairs(inner, outer, owners, allowed)
        except Refusal as refusal:
            if refusal.code != "select-budget":
                raise
    return _first_by_role(inner, outer, owners, allowed)


def _first_by_pairs(
    inner: Sequence[Share], outer: Sequence[Share], owners: int, allowed: Collection[int]
) -> tuple[int, int] | None:
    """`first_other_pair` as a question about two selections of pairs."""
    budget = _budget(COMPARISON, (*inner, *outer))
    pieces = [
        piece
        for weight, shares in enumerate((inner, outer), 1)
        for share in shares
        for part in _pairs(share, share.first, owners, budget)
        for piece in pieces_of(part, weight)
    ]
    low = min((piece.low for piece in pieces), default=0)
    high = max((piece.high for piece in pieces), default=-1)
    found = first_forbidden(pieces, low, high, allowed, budget)
    return None if found is None else divmod(found, owners)


def _union(share: Share, budget: Budget) -> list[Selection]:
    if not share.levels or not share.piece.size:
        return [share.piece]
    copies = [(level.step, level.count) for level in share.levels]
    return union_of_copies(share.piece, copies, budget)


def _pairs(share: Share, first: int, owners: int, budget: Budget) -> list[Selection]:
    """coordinate * owners + role for all pairs of a share, whose first role is `first`."""
    if not share.piece.size:
        return []
    piece = moved(scaled(share.piece, owners), first)
    copies = [(level.step * owners + level.width, level.count) for level in share.levels]
    return union_of_copies(piece, copies, budget)


def _holders_in(share: Share, coordinate: int) -> Iterator[int]:
    """The roles of one share that hold a coordinate, ascending."""
    roles = share.roles
    low, parts = coordinate * roles, None
    if share.max < LIMIT // roles:
        try:
            parts = _pairs(share, 0, roles, Budget("the owners of a coordinate", VISITS_MAX))
        except Refusal as refusal:
            if refusal.code != "select-budget":
                raise
    if parts is None:
        for role in range(share.first, share.first + roles):
            if coordinate - share.offset_of(role) in share.piece:
                yield role
        return
    found = (_members_between(part, low, low + roles) for part in parts)
    yield from (share.first + pair - low for pair in merge(*found))


def _members_between(selection: Selection, low: int, end: int) -> Iterator[int]:
    """The members from `low` to `end` - 1."""
    return (selection.nth(at) for at in range(selection.rank(low), selection.rank(end)))


def _first_by_role(
    inner: Sequence[Share],
    outer: Sequence[Share],
    owners: int,
    allowed: Collection[int],
) -> tuple[int, int] | None:
    """`first_other_pair` role by role."""
    nodes = max(share.piece.nodes for share in (*inner, *outer))
    budget = Budget(COMPARISON, VISITS_MAX + VISITS_PER_NODE_MAX * nodes * 2 * owners)
    least: tuple[int, int] | None = None
    both = zip(_by_role(inner), _by_role(outer), strict=True)
    for role, (one, other) in enumerate(both):
        if one == other:
            continue
        low = min(part.min for part in (one, other) if part.size)
        if least is not None and low >= least[0]:
            continue
        high = max(part.max for part in (one, other) if part.size)
        pieces = [*pieces_of(one, 1), *pieces_of(other, 2)]
        found = first_forbidden(pieces, low, high, allowed, budget)
        if found is not None and (least is None or found < least[0]):
            least = found, role
    return least


def _by_role(shares: Sequence[Share]) -> Iterator[Selection]:
    """What each role holds, from role 0 on."""
    return (
        share.piece_of(role)
        for share in shares
        for role in range(share.first, share.first + share.roles)
    )


def _note(shares: Sequence[Share], role: int) -> Note:
    share = next(share for share in shares if role < share.first + share.roles)
    piece = share.piece_of(role)
    if piece.size == 1:
        return Note(f"owner {role} has coordinate {piece.min} alone")
    return Note(f"owner {role} has {piece.size} coordinates from {piece.min} to {piece.max}")


def _budget(question: str, shares: Sequence[Share]) -> Budget:
    nodes = sum(share.piece.nodes + len(share.levels) for share in shares)
    return Budget(question, VISITS_MAX + VISITS_PER_NODE_MAX * nodes)
