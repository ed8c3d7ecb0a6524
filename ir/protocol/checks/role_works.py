"""What a role does by itself in its program: its work, its samples, and what it gives out.

Invariant: after it, a role's local work needs no word that the role hasn't; what it contributes is
    summed, and the groups that its program takes for its own are those of its samples. It uses no
    word behind the advance of its version or its release.
Why: a program that was written by hand, or changed, is held to what the protocol of a learner is
    held to; so that none ends in a word that isn't there, or in words of two versions.
Refuses: shard-contribution-missing, shard-combine-order, and what `works_of_roles`, `lifetimes`,
    `observations`, maps and contracts refuse.
Entry: `check_role_works`.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping
from functools import lru_cache

from xdsl.ir import SSAValue

from alpha.ir.contracts import Contract
from alpha.ir.dialects.protocol_role import PerformOp, RoleOp
from alpha.ir.dialects.protocol_work import LocalOp
from alpha.ir.dialects.shard_work import ContributeOp
from alpha.ir.protocol.checks.lifetimes import check_lifetimes
from alpha.ir.protocol.checks.observations import check_observations
from alpha.ir.protocol.checks.works_of_roles import flaws_of_work
from alpha.ir.protocol.flows import handed_on
from alpha.ir.refusals import Note, Refusal, place_of
from alpha.ir.sharding.checks.contributions import declared_contracts, samples_once
from alpha.ir.sharding.distribution import Distribution
from alpha.ir.sharding.groups import groups_by_owner
from alpha.ir.sharding.maps import ShardMap

Groups = Mapping[PerformOp, Collection[int]]


def check_role_works(
    programs: Mapping[int, RoleOp], distribution: Distribution, own: Groups
) -> None:
    """Refuse the first thing that a role can't do by itself.

    `own` are the groups of each sum that programs take for their own.

    Raises:
        Refusal: those of the module.
    """
    known: set[Hashable] = set()
    summed: set[tuple[str, ShardMap]] = set()
    for role, program in programs.items():
        for op in program.walk():
            if isinstance(op, LocalOp):
                for flaw in flaws_of_work(list(op.body.block.ops), distribution, known):
                    raise flaw
            elif isinstance(op, ContributeOp):
                kind = op.samples.string_value(), op.map.data
                if kind not in summed:
                    summed.add(kind)
                    for flaw in samples_once(distribution, op):
                        raise flaw
                _check_contribution(op, role, distribution, own)
        check_lifetimes(program)
        check_observations(program)


def _check_contribution(
    op: ContributeOp, role: int, distribution: Distribution, own: Groups
) -> None:
    """What a role contributes comes to sums of one contract, as the learner declares it."""
    sums = [sum for part in op.parts for sum in _sums(part)]
    if not sums:
        wanted = f"a sum of what is contributed over @{op.samples.string_value()}"
        raise Refusal("shard-contribution-missing", wanted, f"none at role {role}", op)
    first = sums[0]
    for sum in sums:
        assert sum.contract is not None
        contract = sum.contract.data
        note = (Note("it is contributed here", place_of(op)),)
        declared = declared_contracts(distribution, op)
        if contract not in declared or first.contract != sum.contract:
            wanted = " or ".join(str(each) for each in declared) or "a sum of the learner"
            raise Refusal("shard-combine-order", wanted, str(contract), sum, note)
        groups = _dealt(op.map.data, contract, distribution.owners)[role]
        if set(own.get(sum, groups)) != set(groups):
            wanted = f"role {role} to have groups {groups} of its own, by its samples"
            found = str(sorted(own[sum]))
            raise Refusal("shard-contribution-missing", wanted, found, sum, note)


@lru_cache(maxsize=256)
def _dealt(map: ShardMap, contract: Contract, owners: int) -> list[list[int]]:
    return groups_by_owner(map, contract, owners)


def _sums(part: SSAValue) -> Iterator[PerformOp]:
    """The sums that a part of a contribution comes to."""
    pending, seen = [part], {part}
    while pending:
        value = pending.pop()
        for use in value.uses:
            op = use.operation
            if isinstance(op, PerformOp) and op.kind.data == "reduce" and op.contract is not None:
                yield op
        for becomes in handed_on(value):
            if becomes not in seen:
                seen.add(becomes)
                pending.append(becomes)
