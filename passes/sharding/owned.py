"""Gives every coordinate an owner that alone computes its new words, and states to their owners.

Invariant: after `own_updates` each update computes, with every owner, the words of that owner's
    coordinates; words that serve all coordinates are computed by all owners alike, and agreed. A
    state that is still replicated is assembled by a combine by selection. The passes that build on
    this give the same round in whichever order they run.
Refuses: shard-map-conflict, pointwise-not-separable, pointwise-shared-overclaim,
    shard-owners-undeclared.
Entry: `distributions`, `map_wanted`, `own_updates`, `place_owned`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue

from alpha.ir.attributes.shard import OwnedType, ReplicaType, WhereAttr, located
from alpha.ir.dialects.region import LearnerOp
from alpha.ir.dialects.shard import ShardLearnerOp
from alpha.ir.dialects.shard_exchange import (
    CombineOp,
    PartitionOp,
    ReleaseOp,
    ReplicateOp,
)
from alpha.ir.dialects.shard_work import AgreeOp, ContributeOp, ReadOp, UpdateOp
from alpha.ir.refusals import Refusal
from alpha.ir.separability import require_separable
from alpha.ir.separability.dependences import update_dependences
from alpha.ir.shapes import shape_of, words_of
from alpha.ir.sharding.checks.coverage import flaw_of
from alpha.ir.sharding.distribution import Distribution
from alpha.ir.sharding.maps import Cyclic, ShardMap
from alpha.ir.sharding.places import Owned
from alpha.ir.sharding.shaped_maps import Rows
from alpha.passes.distribute import DistributePass


def distributions(ctx: Context, module: ModuleOp, flag: str) -> Iterator[Distribution]:
    """Every learner's distribution; a learner with owners that has none is distributed first.

    Raises:
        Refusal: `shard-owners-undeclared` if a learner has neither; what `--distribute` refuses.
    """
    distributed = {
        part.learner.string_value()
        for part in module.body.block.ops
        if isinstance(part, ShardLearnerOp)
    }
    for part in list(module.body.block.ops):
        if isinstance(part, LearnerOp) and part.sym_name.data not in distributed:
            if part.owners is None:
                wanted = f'owners: --distribute="owners=N topology=star" before {flag}'
                raise Refusal("shard-owners-undeclared", wanted, "none declared", part)
            DistributePass().distribute(ctx, module, part)
    for part in list(module.body.block.ops):
        if isinstance(part, ShardLearnerOp):
            yield Distribution.of(part)


def map_wanted(distribution: Distribution, text: str | None) -> ShardMap:
    """The map of the coordinates: that of the option, which is the one in use if there is one.

    Raises:
        Refusal: `shard-map-conflict` if another map is in use, and what maps refuse.
    """
    present = _map_in_use(distribution)
    if text is None:
        return present or Cyclic()
    try:
        wanted = ShardMap.parse(text)
    except Refusal as refusal:
        raise Refusal(refusal.code, refusal.expected, refusal.found, distribution.op) from None
    if present is not None and present != wanted:
        what = f"{present}, the map of the fields that are updated together"
        raise Refusal("shard-map-conflict", what, str(wanted), distribution.op)
    return wanted


def _map_in_use(distribution: Distribution) -> ShardMap | None:
    """The map of all owned words that updates compute; a round by hand may have several."""
    present: ShardMap | None = None
    for update in distribution.ops(UpdateOp):
        for value in update.outputs:
            if not isinstance(value.type, OwnedType):
                continue
            map = value.type.map.data
            if present is not None and present != map:
                wanted = f"one map of the words that updates compute, such as {present}"
                raise Refusal("shard-map-conflict", wanted, f"{map} too", update)
            present = map
    return present


def own_updates(distribution: Distribution, map: ShardMap) -> None:
    """Make each update compute only the words of its owner's coordinates.

    Raises:
        Refusal: `pointwise-not-separable` or `pointwise-shared-overclaim` if the learner's update
            isn't separable; `shard-coverage-missing` and its kin if the map doesn't fit a field.
    """
    if _map_in_use(distribution) is not None:
        return
    require_separable(distribution.learner)
    free = _free_reads(distribution)
    for update in distribution.ops(UpdateOp):
        _own_update(distribution, update, map, free)
    _agree_on_replicas(distribution)
    _place_samples_by_coordinate(distribution, map)


def _free_reads(distribution: Distribution) -> set[SSAValue]:
    """Replicas of words that serve all coordinates: shared states, constants and samples."""
    learner = distribution.learner
    free: set[SSAValue] = set()
    for op in distribution.ops(ReadOp):
        for name, value in named_values(distribution, op):
            state = learner.states.get(name)
            if state is None or state.shared is not None:
                free.add(value)
    return free


def named_values(distribution: Distribution, op: ReadOp) -> Iterator[tuple[str, SSAValue]]:
    """Each result of a read with the symbol it is read from."""
    values = iter(op.values)
    for name in op.names():
        samples = distribution.learner.samples.get(name)
        for _ in range(1 if samples is None else len(samples.types.data)):
            yield name, next(values)


def _own_update(
    distribution: Distribution, update: UpdateOp, map: ShardMap, free: set[SSAValue]
) -> None:
    callee = distribution.updates[update.callee.string_value()]
    reached = [
        {int(dependence.source.name) for dependence in each} for each in update_dependences(callee)
    ]
    samples = _sample_reads(distribution)
    coordinate = [value not in free or value in samples for value in update.arguments]
    owned = [any(coordinate[number] for number in numbers) for numbers in reached]
    arguments = [
        _own(value, map, update) if value not in free else value for value in update.arguments
    ]
    types: list[Attribute] = []
    for result, own in zip(update.outputs, owned, strict=True):
        of = located(result)
        version = of.version.data
        types.append(OwnedType.of(of.value, map, version) if own else result.type)
        if own:
            what = f"the results of @{update.callee.string_value()}"
            flaw = flaw_of(map, distribution.owners, words_of(of.value), what, update)
            if flaw is not None:
                raise flaw
    new = UpdateOp(update.callee.string_value(), arguments, types)
    replace_op(update, new)
    free.update(result for result, own in zip(new.outputs, owned, strict=True) if not own)
    _assemble_replicated(distribution, new)


def _own(value: SSAValue, map: ShardMap, before: Operation) -> SSAValue:
    """The owner's words of a value, taken before an operation if it is a replica."""
    if isinstance(value.type, OwnedType):
        return value
    for use in value.uses:
        if isinstance(use.operation, PartitionOp):
            return use.operation.result
    block = before.parent_block()
    assert block is not None
    part = PartitionOp(value, map)
    part.location = before.location
    part.result.name_hint = f"{value.name_hint}_own" if value.name_hint else None
    block.insert_op_before(part, before)
    return part.result


def _assemble_replicated(distribution: Distribution, update: UpdateOp) -> None:
    """A state that stays replicated takes its new words from a combine by selection."""
    advance = distribution.advance()
    block = update.parent_block()
    assert block is not None
    last: Operation = update
    for result in update.outputs:
        if not isinstance(result.type, OwnedType):
            continue
        used = [use for use in result.uses if use.operation is advance]
        if used:
            combine = CombineOp.select(result)
            combine.location = update.location
            combine.result.name_hint = f"{result.name_hint}_all" if result.name_hint else None
            block.insert_op_after(combine, last)
            last = combine
            for use in used:
                advance.operands[use.index] = combine.result


def _agree_on_replicas(distribution: Distribution) -> None:
    """Owners compare only what several of them computed."""
    for agree in distribution.ops(AgreeOp):
        kept = [value for value in agree.values if isinstance(value.type, ReplicaType)]
        block = agree.parent_block()
        assert block is not None
        if kept:
            new = AgreeOp(kept)
            new.location = agree.location
            block.insert_op_before(new, agree)
        block.erase_op(agree)


def _sample_reads(distribution: Distribution) -> set[SSAValue]:
    samples = distribution.learner.samples
    return {
        value
        for op in distribution.ops(ReadOp)
        for name, value in named_values(distribution, op)
        if name in samples
    }


def _place_samples_by_coordinate(distribution: Distribution, map: ShardMap) -> None:
    """Samples that only updates read lie with the coordinates that their numbers are."""
    summed = {op.samples.string_value() for op in distribution.ops(ContributeOp)}
    for op in distribution.ops(ReadOp):
        values = list(named_values(distribution, op))
        types = [value.type for _, value in values]
        for name in {name for name, _ in values if name in distribution.learner.samples} - summed:
            count = distribution.domain(name)
            read = [value for of, value in values if of == name]
            users = [use.operation for value in read for use in value.uses]
            if not all(_is_over(user, (count,)) for user in users):
                continue
            distribution.place_ops[name].where = WhereAttr(Owned(map))
            for number, (of, value) in enumerate(values):
                if of == name:
                    whole = located(value).value
                    width = prod(shape_of(whole)[1:])
                    by = map if width == 1 else Rows(width, map)
                    types[number] = OwnedType.of(whole, by, 0)
        if types != [value.type for _, value in values]:
            replace_op(op, ReadOp(op.names(), types))


def _is_over(user: Operation, shape: tuple[int, ...]) -> bool:
    """Whether the user is an update of which every result is owned and has this shape."""
    return isinstance(user, UpdateOp) and all(
        isinstance(value.type, OwnedType) and shape_of(value.type.value) == shape
        for value in user.outputs
    )


def place_owned(distribution: Distribution, names: Sequence[str], map: ShardMap) -> None:
    """Give the words of these states to the owners of their coordinates.

    A contribution that reads one gets a replica of the version, which is released behind it.
    """
    for name in names:
        distribution.place_ops[name].where = WhereAttr(Owned(map))
    for op in distribution.ops(ReadOp):
        values = list(named_values(distribution, op))
        if not any(name in names for name, _ in values):
            continue
        types = [
            OwnedType.of(located(value).value, map, 0) if name in names else value.type
            for name, value in values
        ]
        new = ReadOp(op.names(), types)
        replace_op(op, new)
        for (name, _), value in zip(values, new.values, strict=True):
            if name in names:
                _use_owned(distribution, value)
    advance = distribution.advance()
    for number, (name, value) in enumerate(zip(advance.names(), advance.values, strict=True)):
        combine = value.owner
        if name in names and isinstance(combine, CombineOp):
            advance.operands[number] = combine.part
            if not combine.result.uses:
                combine.detach()
                combine.erase()
        elif name in names and isinstance(value.type, ReplicaType):
            # New words that depend on no coordinate are computed by all; each keeps its own.
            advance.operands[number] = _own(value, map, advance)


def _use_owned(distribution: Distribution, value: SSAValue) -> None:
    """Partitions of what is owned now go; contributions read a replica of it."""
    for use in list(value.uses):
        if isinstance(use.operation, PartitionOp):
            use.operation.result.replace_all_uses_with(value)
            use.operation.detach()
            use.operation.erase()
    readers = [op for op in distribution.ops(ContributeOp) if value in op.arguments]
    if not readers:
        return
    read = value.owner
    assert isinstance(read, Operation)
    block = read.parent_block()
    assert block is not None
    replica = ReplicateOp(value)
    replica.location = read.location
    replica.result.name_hint = value.name_hint
    value.name_hint = f"{value.name_hint}_own" if value.name_hint else None
    earlier = [op for op in distribution.ops(ReplicateOp) if op.owned.owner is read]
    block.insert_op_after(replica, earlier[-1] if earlier else read)
    for reader in readers:
        for number, argument in enumerate(reader.arguments):
            if argument is value:
                reader.operands[number] = replica.result
    release = ReleaseOp(replica.result)
    release.location = readers[-1].location
    block.insert_op_after(release, readers[-1])


def replace_op(old: Operation, new: Operation) -> None:
    """Put an operation in the place of another, with its place in the source and its names."""
    block = old.parent_block()
    assert block is not None
    new.location = old.location
    new.attributes.update(old.attributes)
    block.insert_op_before(new, old)
    for before, after in zip(old.results, new.results, strict=True):
        after.name_hint = before.name_hint
        before.replace_all_uses_with(after)
    block.erase_op(old)
