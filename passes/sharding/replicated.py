"""The replicated distribution of a learner: every owner has all state and a part of the samples.

Invariant: the round is the learner's own, operation by operation: a sum becomes each owner's
    contribution and one combine a result, by the learner's contract; what several owners compute
    they agree on before the version advances.
Refuses: region-contract-groups.
Entry: `replicated_distribution`, `deal`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from xdsl.ir import Attribute, Block, Operation, SSAValue

from alpha.ir.attributes.region import SumType
from alpha.ir.attributes.shard import ContributionType, OwnersAttr, ReplicaType
from alpha.ir.contracts import Contract
from alpha.ir.dialects.pointwise_round import ApplyOp, MeanOp, SumOp
from alpha.ir.dialects.region import AdvanceOp, ReadOp
from alpha.ir.dialects.shard import PlaceOp, ShardLearnerOp, ShardRoundOp
from alpha.ir.dialects.shard_exchange import AdvanceOp as ShardAdvanceOp
from alpha.ir.dialects.shard_exchange import CombineOp
from alpha.ir.dialects.shard_work import AgreeOp, ContributeOp, ObserveOp, UpdateOp
from alpha.ir.dialects.shard_work import MeanOp as ShardMeanOp
from alpha.ir.dialects.shard_work import ReadOp as ShardReadOp
from alpha.ir.learners import Learner
from alpha.ir.refusals import Refusal
from alpha.ir.runs import even_runs
from alpha.ir.sharding import maps
from alpha.ir.sharding.maps import ShardMap
from alpha.ir.sharding.places import At, Everywhere, Owned, Where
from alpha.ir.sharding.shaped_maps import Sizes

Op = TypeVar("Op", bound=Operation)


def replicated_distribution(learner: Learner, owners: OwnersAttr) -> ShardLearnerOp:
    """The distribution in which every owner keeps the whole state.

    Raises:
        Refusal: `region-contract-groups` if owners would have to share a group of samples.
    """
    splits = _splits(learner, owners)
    block = Block()
    for name in learner.states:
        block.add_op(_placed(PlaceOp(name, Everywhere()), learner.states[name]))
    for name, where in _sample_places(learner, splits).items():
        block.add_op(_placed(PlaceOp(name, where), learner.samples[name]))
    block.add_op(_placed(ShardRoundOp(_round(learner, splits)), learner.round))
    op = ShardLearnerOp(learner.name, owners, block)
    return _placed(op, learner.op)


def deal(contract: Contract, owners: OwnersAttr, at: Operation) -> ShardMap:
    """How many samples each owner has: those declared, else whole groups, as evenly as they go.

    Raises:
        Refusal: `region-contract-groups` if a declared split cuts a group.
    """
    count, groups = owners.count.data, contract.groups
    declared = owners.samples
    if declared is None:
        sizes = groups.gathered(even_runs(groups.length, count))
        return maps.Block() if sizes == even_runs(groups.total, count) else Sizes(sizes)
    if declared.total != groups.total:
        wanted = f"owners' samples that add up to {groups.total}"
        raise Refusal("region-contract-groups", wanted, str(declared.total), at)
    end = groups.split_by(declared)
    if end is not None:
        wanted = f"owners with whole groups of {contract}"
        found = f"owner {declared.at(end - 1)} ends at sample {end}, inside a group"
        raise Refusal("region-contract-groups", wanted, found, at)
    return Sizes(declared)


def _splits(learner: Learner, owners: OwnersAttr) -> dict[SumOp, ShardMap]:
    return {op: deal(learner.contract_of(op), owners, op) for op in learner.sums()}


def _sample_places(learner: Learner, splits: dict[SumOp, ShardMap]) -> dict[str, Where]:
    """Samples lie with those who sum over them, and with all owners if an update reads them."""
    read = {
        symbol.string_value()
        for op in learner.round.body.block.ops
        if isinstance(op, ReadOp)
        for symbol in op.symbols.data
    }
    places: dict[str, Where] = {}
    for name in learner.samples:
        wanted = {split for op, split in splits.items() if op.samples.string_value() == name}
        if len(wanted) == 1 and name not in read:
            places[name] = Owned(wanted.pop())
        elif wanted or name in read:
            places[name] = Everywhere()
    return places


def _round(learner: Learner, splits: dict[SumOp, ShardMap]) -> Block:
    block = Block()
    values: dict[SSAValue, SSAValue] = {}
    for op in learner.round.body.block.ops:
        match op:
            case ReadOp():
                names = [symbol.string_value() for symbol in op.symbols.data]
                types = [ReplicaType.of(value.type, 0) for value in op.values]
                _put(block, ShardReadOp(names, types), op, op.values, values)
            case SumOp():
                _sum(block, op, learner, splits[op], values)
            case MeanOp():
                _put(block, ShardMeanOp(values[op.sum]), op, [op.result], values)
            case ApplyOp():
                types = [ReplicaType.of(value.type, 1) for value in op.outputs]
                arguments = [values[value] for value in op.arguments]
                update = UpdateOp(op.callee.string_value(), arguments, types)
                _put(block, update, op, op.outputs, values)
            case AdvanceOp():
                names = [symbol.string_value() for symbol in op.symbols.data]
                new = [values[value] for value in op.values]
                if new:
                    block.add_op(_placed(AgreeOp(list(dict.fromkeys(new))), op))
                block.add_op(_placed(ShardAdvanceOp(names, new), op))
    return block


def _sum(
    block: Block, op: SumOp, learner: Learner, split: ShardMap, values: dict[SSAValue, SSAValue]
) -> None:
    """Contributions of all owners, a combine for each sum, and one for each observation."""
    callee = learner.contributions[op.callee.string_value()]
    samples = op.samples.string_value()
    types: list[Attribute] = [
        ContributionType.of(type, op.samples, 0) for type in callee.function_type.outputs.data
    ]
    arguments = [values[value] for value in op.arguments]
    work = ContributeOp(op.callee.string_value(), arguments, samples, split, types)
    block.add_op(_placed(work, op))
    contract = learner.contract_of(op)
    summed, observed = work.parts[: len(op.sums)], work.parts[len(op.sums) :]
    for part, total in zip(summed, op.sums, strict=True):
        assert isinstance(total.type, SumType)
        combine = CombineOp.sum(part, contract, Everywhere())
        _put(block, combine, op, [total], values)
    for part, label in zip(observed, learner.observation_labels(op), strict=True):
        combine = _placed(CombineOp.sum(part, contract, At(0)), op)
        block.add_ops([combine, _placed(ObserveOp(label, combine.result, samples), op)])


def _put(
    block: Block,
    new: Operation,
    old: Operation,
    results: Sequence[SSAValue],
    values: dict[SSAValue, SSAValue],
) -> None:
    """Add the operation that takes the place of `old`, with the names of its results."""
    block.add_op(_placed(new, old))
    for before, after in zip(results, new.results, strict=True):
        after.name_hint = before.name_hint
        values[before] = after


def _placed(new: Op, old: Operation) -> Op:
    new.location = old.location
    return new
