"""Wrong distributions, made on purpose: each is one fault that a real system had.

Invariant: a mutant is a round that can be run; it completes its communication where it can. Which
    check refuses it stands in `docs/mutants.md`.
Entry: `KINDS`.

Each function changes the distribution and returns whether there was something to change.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations

from xdsl.ir import Attribute, Operation, SSAValue

from alpha.ir.attributes.shard import (
    ContributionType,
    MapAttr,
    OwnedType,
    ReplicaType,
    WhereAttr,
    located,
)
from alpha.ir.contracts import Contract
from alpha.ir.dialects.shard_exchange import CombineOp, ReleaseOp, ReplicateOp
from alpha.ir.dialects.shard_work import AgreeOp, ContributeOp, MeanOp, ReadOp, UpdateOp
from alpha.ir.selections import Empty
from alpha.ir.shapes import words_of
from alpha.ir.sharding.checks.contributions import same_additions
from alpha.ir.sharding.distribution import Distribution
from alpha.ir.sharding.families import moved
from alpha.ir.sharding.maps import Explicit, ShardMap
from alpha.ir.sharding.places import Owned
from alpha.passes.sharding.owned import named_values, replace_op

Mutation = Callable[[Distribution], bool]


def unweighted_mean(distribution: Distribution) -> bool:
    """Each owner takes the mean of its own samples; then the mean of these means is taken."""
    changed = False
    for combine in distribution.ops(CombineOp):
        averaged = any(isinstance(use.operation, MeanOp) for use in combine.result.uses)
        if averaged and isinstance(combine.part.type, ContributionType):
            mean = MeanOp(combine.part)
            _insert_before(mean, combine)
            combine.operands[0] = mean.result
            changed = True
    return changed


def deliver_next_owner(distribution: Distribution) -> bool:
    """The sums of an owner's coordinates are delivered to the owner behind it."""
    changed = False
    owners = distribution.owners
    for combine in distribution.ops(CombineOp):
        where = combine.deliver.data
        if owners == 1 or combine.contract is None or not isinstance(where, Owned):
            continue
        size = _size(combine.result)
        pieces = [where.map.piece((role - 1) % owners, owners, size) for role in range(owners)]
        new = CombineOp.sum(combine.part, combine.contract.data, Owned(Explicit(tuple(pieces))))
        means = [use.operation for use in combine.result.uses]
        replace_op(combine, new)
        for mean in means:
            replace_op(mean, MeanOp(new.result))
        changed = True
    return changed


def release_early(distribution: Distribution) -> bool:
    """A replica is released as soon as it is made, before anything reads it."""
    for release in distribution.ops(ReleaseOp):
        made = release.replica.owner
        assert isinstance(made, Operation)
        block = made.parent_block()
        assert block is not None
        release.detach()
        block.insert_op_after(release, made)
    return bool(distribution.ops(ReleaseOp))


def release_never(distribution: Distribution) -> bool:
    """Replicas are kept."""
    releases = distribution.ops(ReleaseOp)
    for release in releases:
        release.detach()
        release.erase()
    return bool(releases)


def drop_contribution(distribution: Distribution) -> bool:
    """The last owner that has samples doesn't contribute them."""
    for work in distribution.ops(ContributeOp):
        size = distribution.domain(work.samples.string_value())
        pieces = [
            work.map.data.piece(role, distribution.owners, size)
            for role in range(distribution.owners)
        ]
        last = max((role for role, piece in enumerate(pieces) if piece.size), default=None)
        if last is not None:
            pieces[last] = Empty()
            work.map = MapAttr(Explicit(tuple(pieces)))
            return True
    return False


def stale_version(distribution: Distribution) -> bool:
    """Contributions read the parameters of the version before."""
    changed = False
    for work in distribution.ops(ContributeOp):
        for number, value in enumerate(work.arguments):
            name = _state_read(distribution, value)
            if name is None:
                continue
            replicate = value.owner if isinstance(value.owner, ReplicateOp) else None
            read_type = located(replicate.owned if replicate else value)
            old: Attribute = ReplicaType.of(read_type.value, -1)
            if isinstance(read_type, OwnedType):
                old = OwnedType.of(read_type.value, read_type.map.data, -1)
            read = ReadOp([name], [old])
            _insert_before(read, work)
            stale = read.values[0]
            if replicate:
                copy = ReplicateOp(stale)
                _insert_before(copy, work)
                stale = copy.result
                for use in list(replicate.result.uses):
                    if isinstance(use.operation, ReleaseOp):
                        use.operation.operands[0] = stale
                if len(list(replicate.result.uses)) == 1:
                    work.operands[number] = stale
                    replicate.detach()
                    replicate.erase()
            work.operands[number] = stale
            changed = True
    return changed


def swap_combine_order(distribution: Distribution) -> bool:
    """Two groups that have samples change places where sums are combined.

    They are the last two that aren't added to each other alone; where there are no such two, the
    last two, which changes nothing.
    """
    changed = False
    for combine in distribution.ops(CombineOp):
        if combine.contract is None:
            continue
        contract = combine.contract.data
        filled = [group for group, size in enumerate(contract.groups) if size]
        swaps = [_swapped(contract, one, other) for one, other in combinations(filled[::-1], 2)]
        if not swaps:
            continue
        order = next((each for each in swaps if not same_additions(contract, each)), swaps[0])
        new = CombineOp.sum(combine.part, contract, combine.deliver.data, order)
        replace_op(combine, new)
        changed = True
    return changed


def replica_authority(distribution: Distribution) -> bool:
    """The state takes its new words from a read-only replica of what the owners computed."""
    changed = False
    advance = distribution.advance()
    for number, value in enumerate(advance.values):
        combine = value.owner
        owned = combine.part if isinstance(combine, CombineOp) else value
        if not isinstance(owned.type, OwnedType) or not isinstance(owned.owner, UpdateOp):
            continue
        replica = ReplicateOp(owned)
        _insert_before(replica, advance)
        advance.operands[number] = replica.result
        if isinstance(combine, CombineOp) and not combine.result.uses:
            combine.detach()
            combine.erase()
        changed = True
    return changed


def move_boundary(distribution: Distribution) -> bool:
    """One owner's piece of a state, or of the samples, is moved by one coordinate."""
    return _with_wrong_map(distribution, _moved)


def _with_wrong_map(
    distribution: Distribution, wronged: Callable[[ShardMap, int, int], ShardMap | None]
) -> bool:
    """Place the first owned state, or else the first owned samples, by a wrong map."""
    states = [name for name in distribution.learner.states if distribution.map_of(name)]
    for name in states or list(distribution.learner.samples):
        place = distribution.place_ops.get(name)
        map = distribution.map_of(name) if place else None
        wrong = map and wronged(map, distribution.owners, distribution.domain(name))
        if place is None or not wrong:
            continue
        place.where = WhereAttr(Owned(wrong))
        for work in distribution.ops(ContributeOp):
            if work.samples.string_value() == name:
                work.map = MapAttr(wrong)
        return True
    return False


def leave_gap(distribution: Distribution) -> bool:
    """One owner's piece of a state, or of the samples, has no owner."""
    return _with_wrong_map(distribution, _without_a_piece)


def skip_agree(distribution: Distribution) -> bool:
    """Owners publish what several of them computed without comparing it."""
    agreements = distribution.ops(AgreeOp)
    for agree in agreements:
        agree.detach()
        agree.erase()
    return bool(agreements)


KINDS: Mapping[str, Mutation] = {
    "unweighted-mean": unweighted_mean,
    "deliver-next-owner": deliver_next_owner,
    "release-early": release_early,
    "release-never": release_never,
    "drop-contribution": drop_contribution,
    "stale-version": stale_version,
    "swap-combine-order": swap_combine_order,
    "replica-authority": replica_authority,
    "move-boundary": move_boundary,
    "leave-gap": leave_gap,
    "skip-agree": skip_agree,
}
"""The mutants of the shard level."""


def _moved(map: ShardMap, owners: int, size: int) -> ShardMap | None:
    """The map with the last piece that can be moved down by one moved so, or None."""
    pieces = [map.piece(role, owners, size) for role in range(owners)]
    for role in range(owners - 1, -1, -1):
        if pieces[role].size and pieces[role].min > 0:
            pieces[role] = moved(pieces[role], -1)
            return Explicit(tuple(pieces))
    return None


def _without_a_piece(map: ShardMap, owners: int, size: int) -> ShardMap | None:
    """The map without the last piece that has a coordinate, or None."""
    pieces = [map.piece(role, owners, size) for role in range(owners)]
    for role in range(owners - 1, -1, -1):
        if pieces[role].size:
            pieces[role] = Empty()
            return Explicit(tuple(pieces))
    return None


def _swapped(contract: Contract, one: int, other: int) -> list[int]:
    """The groups in order, but for two that have changed places."""
    order = list(range(len(contract.groups)))
    order[one], order[other] = other, one
    return order


def _state_read(distribution: Distribution, value: SSAValue) -> str | None:
    """The updated state that a value is read from, perhaps through a replica."""
    if isinstance(value.owner, ReplicateOp):
        value = value.owner.owned
    read = value.owner
    if not isinstance(read, ReadOp):
        return None
    name = next(name for name, each in named_values(distribution, read) if each is value)
    return name if name in distribution.advance().names() else None


def _size(value: SSAValue) -> int:
    return words_of(located(value).value)


def _insert_before(new: Operation, at: Operation) -> None:
    block = at.parent_block()
    assert block is not None
    new.location = at.location
    block.insert_op_before(new, at)
