"""The structure of a distribution: its parts name what the learner has, with the right types.

Invariant: after `check_structure` there is one round that ends in `shard.advance`, every symbol
    resolves to a part of the learner of the right kind, and every located type holds the type that
    the learner gives to that value.
Refuses: shard-learner-count, shard-owner-range, region-symbol-unknown, region-round-count,
    region-identity, pointwise-type, pointwise-footprint.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from xdsl.ir import Attribute, Operation, SSAValue

from alpha.ir.attributes.shard import LocatedType, OwnedType, ReplicaType, TotalType
from alpha.ir.dialects.pointwise_programs import ContributionOp, ProgramOp
from alpha.ir.dialects.pointwise_programs import UpdateOp as UpdateProgramOp
from alpha.ir.dialects.region import LearnerOp
from alpha.ir.dialects.shard import PlaceOp, ShardLearnerOp, ShardRoundOp
from alpha.ir.dialects.shard_exchange import (
    AdvanceOp,
    CombineOp,
    PartitionOp,
    ReleaseOp,
    ReplicateOp,
    TransferOp,
)
from alpha.ir.dialects.shard_work import (
    AgreeOp,
    ContributeOp,
    MeanOp,
    ObserveOp,
    ReadOp,
    UpdateOp,
)
from alpha.ir.learners import Learner
from alpha.ir.refusals import Note, Refusal, name_of, place_of
from alpha.ir.shapes import is_float, types_text
from alpha.ir.sharding.distribution import learner_of, own_programs
from alpha.ir.sharding.places import At, Everywhere

Part = TypeVar("Part", bound=Operation)

ROUND_OPS = (
    ReadOp,
    PartitionOp,
    ReplicateOp,
    ReleaseOp,
    TransferOp,
    CombineOp,
    ContributeOp,
    MeanOp,
    UpdateOp,
    ObserveOp,
    AgreeOp,
    AdvanceOp,
)


def check_structure(op: ShardLearnerOp) -> None:
    """Refuse a distribution whose parts don't fit together or don't fit the learner."""
    learner_op = learner_of(op)
    if learner_op is None:
        wanted = "a region.learner of the same name in the module"
        found = f"none named @{op.learner.string_value()}"
        raise Refusal("region-symbol-unknown", wanted, found, op)
    _check_only_one(op)
    learner = Learner.of(_checked(learner_op))
    rounds: list[ShardRoundOp] = []
    names = _names(learner)
    for part in op.body.block.ops:
        if isinstance(part, PlaceOp):
            _named(part.symbol.string_value(), {**learner.states, **learner.samples}, part)
        elif isinstance(part, ShardRoundOp):
            rounds.append(part)
        elif isinstance(part, ProgramOp):
            name = part.sym_name.data
            first = names.setdefault(name, part)
            if first is not part:
                note = Note(f"@{name} is first defined here", place_of(first))
                raise Refusal("region-identity", f"one definition of @{name}", "two", part, (note,))
        else:
            wanted = "shard.place, programs and shard.round in a distribution"
            raise Refusal("pointwise-footprint", wanted, name_of(part), part)
    if len(rounds) != 1:
        at = rounds[1] if len(rounds) > 1 else op
        raise Refusal("region-round-count", "exactly one shard.round", str(len(rounds)), at)
    block = rounds[0].body.block
    if block.args:
        raise Refusal("pointwise-footprint", "a round without arguments", "some", rounds[0])
    if not isinstance(block.last_op, AdvanceOp):
        found = name_of(block.last_op) if block.last_op else "an empty round"
        at = block.last_op or rounds[0]
        raise Refusal("region-round-count", "shard.advance as the last operation", found, at)
    learner = replace(
        learner,
        contributions={**learner.contributions, **own_programs(op, ContributionOp)},
        updates={**learner.updates, **own_programs(op, UpdateProgramOp)},
    )
    observed: dict[str, ObserveOp] = {}
    for part in block.ops:
        check_part(part, learner, op.owners.count.data)
        if isinstance(part, ObserveOp):
            _check_observed_once(part, observed)


def _check_only_one(op: ShardLearnerOp) -> None:
    """A learner has one distribution in a module."""
    block = op.parent_block()
    assert block is not None
    parts = (part for part in block.ops if isinstance(part, ShardLearnerOp))
    first = next(part for part in parts if part.learner == op.learner)
    if first is not op:
        note = Note("the first is here", place_of(first))
        wanted = f"one distribution of @{op.learner.string_value()}"
        raise Refusal("shard-learner-count", wanted, "two", op, (note,))


def _check_observed_once(op: ObserveOp, observed: dict[str, ObserveOp]) -> None:
    first = observed.setdefault(op.label.data, op)
    if first is not op:
        note = Note(f'"{op.label.data}" is first observed here', place_of(first))
        wanted = f'one observation "{op.label.data}" in a round'
        raise Refusal("region-identity", wanted, "two", op, (note,))


def _names(learner: Learner) -> dict[str, Operation]:
    """The symbols of a learner."""
    fields = {**learner.states, **learner.constants, **learner.samples}
    return {**fields, **learner.contributions, **learner.updates}


def _checked(op: LearnerOp) -> LearnerOp:
    # The learner stands before or behind; a view of one that doesn't verify could fail here.
    op.verify_()
    return op


def check_part(op: Operation, learner: Learner, owners: int) -> None:
    """Refuse an operation of a round whose names or types don't fit the learner."""
    if not isinstance(op, ROUND_OPS):
        wanted = "operations of the shard dialect in a shard.round"
        raise Refusal("pointwise-footprint", wanted, name_of(op), op)
    match op:
        case ReadOp():
            fields = {**learner.states, **learner.constants, **learner.samples}
            wanted = [
                type
                for name in op.names()
                for type in _read_types(learner, _named(name, fields, op))
            ]
            _check_types(op, "for what is read", wanted, op.values)
        case ContributeOp():
            _check_contribute(op, learner)
        case UpdateOp():
            callee = _named(op.callee.string_value(), learner.updates, op)
            _check_types(op, "as arguments", callee.function_type.inputs.data, op.arguments)
            _check_types(op, "as results", callee.function_type.outputs.data, op.outputs)
        case ObserveOp():
            _check_observe(op, learner, owners)
        case AdvanceOp():
            names = op.names()
            for number, (name, value) in enumerate(zip(names, op.values, strict=True)):
                state = _named(name, learner.states, op)
                if name in names[:number]:
                    raise Refusal("region-identity", f"one new value for @{name}", "two", op)
                _check_types(op, f"for @{name}", [state.type], [value])
        case CombineOp():
            where = op.deliver.data
            if isinstance(where, At) and where.role >= owners:
                wanted_role = f"a role from 0 to {owners - 1} to deliver to"
                raise Refusal("shard-owner-range", wanted_role, str(where.role), op)
        case _:
            pass


def _check_contribute(op: ContributeOp, learner: Learner) -> None:
    callee = _named(op.callee.string_value(), learner.contributions, op)
    samples = _named(op.samples.string_value(), learner.samples, op)
    _check_types(op, "as arguments", callee.parameter_types(), op.arguments)
    _check_types(op, "as parts", callee.function_type.outputs.data, op.parts)
    if callee.sample_types() != tuple(samples.types.data):
        wanted = f"samples of {types_text(callee.sample_types())}"
        raise Refusal("pointwise-type", wanted, types_text(samples.types.data), op)


def _check_observe(op: ObserveOp, learner: Learner, owners: int) -> None:
    """The observation is one of the learner's, and role 0 has its words."""
    label, samples = op.label.data, op.samples.string_value()
    over = {name: sum for sum in learner.sums() for name in learner.observation_labels(sum)}
    if label not in over:
        known = ", ".join(f'"{name}"' for name in over) or "none"
        wanted = f"the name of an observation of the learner (there is: {known})"
        raise Refusal("region-symbol-unknown", wanted, f'"{label}"', op)
    if over[label].samples != op.samples:
        wanted = f'"{label}" over @{over[label].samples.string_value()}, as the learner observes it'
        raise Refusal("pointwise-type", wanted, f"over @{samples}", op)
    type = op.total.type
    assert isinstance(type, LocatedType)
    if not is_float(type.value):
        raise Refusal("pointwise-type", "a scalar to observe", str(type.value), op)
    match type:
        case TotalType():
            there = type.where.data in (At(0), Everywhere()) and type.samples == op.samples
            wanted = f"a total over @{samples} delivered to role 0"
        case OwnedType():
            there = type.map.data.owner(0, owners, 1) == 0
            wanted = "a word that role 0 owns"
        case _:
            there = isinstance(type, ReplicaType)
            wanted = "a total delivered to role 0, a word that role 0 owns, or a replica"
    if not there:
        raise Refusal("pointwise-type", f"{wanted}, to observe", str(type), op)


def _read_types(learner: Learner, part: Operation) -> Sequence[Attribute]:
    for samples in learner.samples.values():
        if part is samples:
            return samples.whole_types()
    return [part.properties["type"]]


def _check_types(
    op: Operation, what: str, wanted: Sequence[Attribute], values: Sequence[SSAValue]
) -> None:
    found = [value.type.value for value in values if isinstance(value.type, LocatedType)]
    if list(wanted) != found:
        expected = f"{types_text(list(wanted))} {what}"
        raise Refusal("pointwise-type", expected, types_text(found), op)


def _named(name: str, parts: dict[str, Part], op: Operation) -> Part:
    found = parts.get(name)
    if found is None:
        known = ", ".join(f"@{other}" for other in sorted(parts)) or "none"
        wanted = f"the name of a part of the learner that fits (there is: {known})"
        raise Refusal("region-symbol-unknown", wanted, f"@{name}", op)
    return found
