"""Maps and contracts of what is exchanged: every word has one owner, every sample is summed once.

Invariant: after it, the map of every value gives each of its words to exactly one role of the
    universe; a sum of contributions has the parts that its members contribute, whole groups of the
    contract that the learner declares for it.
Why: frames are sized by maps and contracts. One that doesn't fit is refused here, at its operation,
    and not where the program of some role is made.
Refuses: shard-coverage-missing, shard-coverage-duplicate, shard-owner-range, shard-combine-order,
    shard-contribution-missing, region-contract-groups, select-universe, select-budget.
Entry: `check_maps`.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from alpha.ir.attributes.protocol_values import AtType, at_type
from alpha.ir.attributes.shard import ContributionType, OwnedType, TotalType
from alpha.ir.dialects.protocol_bodies import arm_values
from alpha.ir.dialects.protocol_control import ScopeOp
from alpha.ir.dialects.protocol_upwards import ReduceOp
from alpha.ir.dialects.protocol_work import LocalOp
from alpha.ir.dialects.shard_work import ContributeOp
from alpha.ir.protocol.checks.concerns import parts
from alpha.ir.protocol.payloads import words_in
from alpha.ir.protocol.view import Protocol
from alpha.ir.refusals import Note, Refusal, name_of_value, place_of
from alpha.ir.sharding.checks.contributions import declared_contracts
from alpha.ir.sharding.checks.coverage import flaw_of
from alpha.ir.sharding.groups import check_whole_groups
from alpha.ir.sharding.maps import ShardMap
from alpha.ir.sharding.places import Owned


def check_maps(protocol: Protocol) -> None:
    """Refuse the first operation whose map or contract doesn't fit what it exchanges.

    Raises:
        Refusal: those of the module, at the operation.
    """
    seen: set[tuple[ShardMap, int]] = set()
    for op in parts(protocol.op):
        for what, map, size in _maps(protocol, op):
            if (map, size) not in seen:
                seen.add((map, size))
                flaw = flaw_of(map, protocol.owners, size, what, op)
                if flaw is not None:
                    raise flaw
        if isinstance(op, ReduceOp) and op.map is not None:
            _check_sum(protocol, op, op.map.data)


def _maps(protocol: Protocol, op: Operation) -> Iterator[tuple[str, ShardMap, int]]:
    """The maps of what an operation makes or sums: of what, and of how many words or samples."""
    for value in op.results:
        payload = value.type.payload if isinstance(value.type, AtType) else value.type
        map = _map_of(payload)
        if map is not None:
            yield name_of_value(value), map, words_in(payload)
    if isinstance(op, ReduceOp) and op.map is not None:
        payload = at_type(op.value).payload
        assert isinstance(payload, ContributionType)
        samples = payload.samples.string_value()
        yield f"the samples @{samples}", op.map.data, protocol.domain(samples)


def _map_of(payload: Attribute) -> ShardMap | None:
    if isinstance(payload, OwnedType):
        return payload.map.data
    if isinstance(payload, TotalType) and isinstance(payload.where.data, Owned):
        return payload.where.data.map
    return None


def _check_sum(protocol: Protocol, op: ReduceOp, map: ShardMap) -> None:
    """The parts are those that members contribute, and are summed in an order that is declared."""
    contract = op.contract.data
    try:
        check_whole_groups(map, contract, protocol.owners)
    except Refusal as flaw:
        raise Refusal(flaw.code, flaw.expected, flaw.found, op, flaw.notes) from None
    work = _contribution(op.value)
    if work is None or protocol.distribution is None:
        return
    if work.map.data != map:
        note = Note("they are contributed here", place_of(work))
        wanted = f"the samples by {work.map.data}, as they are contributed"
        raise Refusal("shard-contribution-missing", wanted, f"by {map}", op, (note,))
    declared = declared_contracts(protocol.distribution, work)
    if contract not in declared:
        wanted = " or ".join(f"{each}" for each in declared) or "a sum that the learner makes"
        raise Refusal("shard-combine-order", wanted, str(contract), op)


def _contribution(value: SSAValue) -> ContributeOp | None:
    """The work that a contribution comes from, if it comes from there directly."""
    while isinstance(value, OpResult) and isinstance(value.owner, ScopeOp):
        value = arm_values(value.owner.body)[value.index]
    if not isinstance(value, OpResult) or not isinstance(value.owner, LocalOp):
        return None
    made = value.owner.yielded[value.index].owner
    return made if isinstance(made, ContributeOp) else None
