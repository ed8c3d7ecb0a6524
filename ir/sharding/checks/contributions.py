"""Is every sample summed once, and in the order that the learner declares?

Refuses: shard-contribution-missing, shard-coverage-duplicate, shard-not-held, shard-combine-order,
    shard-sum-pending, region-contract-groups, and what maps refuse.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.ir import Operation, SSAValue

from alpha.ir.attributes.shard import ContributionType
from alpha.ir.contracts import Contract
from alpha.ir.dialects.shard_exchange import CombineOp
from alpha.ir.dialects.shard_work import ContributeOp, MeanOp
from alpha.ir.refusals import Note, Refusal, place_of
from alpha.ir.sharding.distribution import Distribution
from alpha.ir.sharding.groups import check_whole_groups

NOTHING = -1
"""The number of the sum of a group without samples."""


def check_contributions(distribution: Distribution) -> Iterator[Refusal]:
    """All samples contribute once, and sums are combined by the learner's contracts."""
    for op in distribution.ops(ContributeOp):
        yield from samples_once(distribution, op)
        if not all(part.uses for part in op.parts):
            wanted = "a combine of every part of a contribution"
            yield Refusal("shard-contribution-missing", wanted, "none of one part", op)
    for op in distribution.ops(MeanOp):
        if isinstance(op.sum.type, ContributionType):
            wanted = "the mean of a total, after shard.combine sum"
            yield Refusal("shard-sum-pending", wanted, str(op.sum.type), op)
    contracts: dict[ContributeOp, CombineOp] = {}
    for op in distribution.ops(CombineOp):
        if op.kind.data == "sum":
            yield from _in_order(distribution, op)
            yield from _one_contract(op, contracts)


def _one_contract(op: CombineOp, contracts: dict[ContributeOp, CombineOp]) -> Iterator[Refusal]:
    """The parts of a contribution are sums of one contract's groups."""
    work = contribution_of(op.part)
    if work is None:
        return
    first = contracts.setdefault(work, op)
    if first.contract != op.contract:
        assert first.contract is not None and op.contract is not None
        note = Note("another part is combined here", place_of(first))
        wanted = f"{first.contract.data} for all parts of one shard.contribute"
        yield Refusal("shard-combine-order", wanted, str(op.contract.data), op, (note,))


def samples_once(distribution: Distribution, op: ContributeOp) -> Iterator[Refusal]:
    """Its owners have all samples, each once, and as many as are declared."""
    name = op.samples.string_value()
    map, owners, size = op.map.data, distribution.owners, distribution.domain(name)
    try:
        map.check(owners, size)
    except Refusal as flaw:
        missing = flaw.code == "shard-coverage-missing"
        code = "shard-contribution-missing" if missing else flaw.code
        found = flaw.found.replace("coordinate", "sample")
        yield Refusal(code, f"each of {size} samples of @{name} once", found, op, flaw.notes)
        return
    held = distribution.place_ops.get(name) and distribution.map_of(name)
    if held:
        outside = map.first_outside(held, owners, size)
        if outside is not None:
            wanted = f"owner {outside.owner} with sample {outside.coordinate} of @{name}"
            yield Refusal("shard-not-held", wanted, f"owner {outside.other_owner} has it", op)
    declared = distribution.op.owners.samples
    if declared is not None and declared.total == size:
        found = map.piece_sizes(owners, size)
        role = declared.first_other(found)
        if role is not None:
            count = declared[role]
            wanted = f"{count} samples of @{name} for owner {role}, as its owners are declared"
            yield Refusal("region-contract-groups", wanted, str(found[role]), op)


def _in_order(distribution: Distribution, op: CombineOp) -> Iterator[Refusal]:
    assert op.contract is not None
    contract = op.contract.data
    if op.order is not None:
        order = [each.data for each in op.order.data]
        if sorted(order) != list(range(len(contract.groups))):
            wanted = f"each of the groups 0 to {len(contract.groups) - 1} once"
            yield Refusal("shard-combine-order", wanted, str(order), op)
        elif not same_additions(contract, order):
            wanted = f"the groups in the order 0 to {len(order) - 1}, or one that adds them alike"
            yield Refusal("shard-combine-order", wanted, str(order), op)
    work = contribution_of(op.part)
    if work is None:
        return
    declared = declared_contracts(distribution, work)
    if contract not in declared:
        wanted = " or ".join(str(each) for each in declared) or "a sum that the learner makes"
        yield Refusal("shard-combine-order", wanted, str(contract), op)
        return
    try:
        check_whole_groups(work.map.data, contract, distribution.owners)
    except Refusal as flaw:
        if flaw.code == "region-contract-groups":
            yield Refusal(flaw.code, flaw.expected, flaw.found, work, flaw.notes)


def same_additions(contract: Contract, order: Sequence[int]) -> bool:
    """Whether the groups in this order are added as in the declared one, for every input.

    Two operands may be exchanged, since IEEE addition commutes, and a group without samples adds
    nothing. O(groups).
    """
    numbers: dict[tuple[int, int], int] = {}
    groups = contract.groups

    def total(places: Sequence[int]) -> int:
        """A number for the additions that make the total; equal additions have one number."""
        values = [group if groups[group] else NOTHING for group in places]
        for into, of in contract.schedule():
            low, high = sorted((values[into], values[of]))
            if low == NOTHING:
                values[into] = high
            else:
                values[into] = numbers.setdefault((low, high), len(groups) + len(numbers))
        return values[0]

    return total(range(len(groups))) == total(order)


def contribution_of(part: SSAValue) -> ContributeOp | None:
    """The operation that made a sum in parts, also through a mean of it."""
    owner: Operation | object = part.owner
    while isinstance(owner, MeanOp):
        owner = owner.sum.owner
    return owner if isinstance(owner, ContributeOp) else None


def declared_contracts(distribution: Distribution, work: ContributeOp) -> list[Contract]:
    """The contracts of the learner's sums of this contribution over these samples.

    One that the distribution brings along is part of some sum over these samples; of which, the
    comparison with the learner says.
    """
    learner = distribution.learner
    own = work.callee.string_value() not in learner.contributions
    return [
        learner.contract_of(total)
        for total in learner.sums()
        if total.samples == work.samples and (own or total.callee == work.callee)
    ]
