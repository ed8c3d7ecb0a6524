"""Local work as part of a round: versions, places and owners, as in the round of a distribution.

Invariant: local work reads what is placed where it says, at version +0; computes new words, of +1,
    from words that the roles have; and what advances goes to those who keep it.
Why: the types of located values say version and owner; here they are held to what they say, as
    `--verify-shards` does for a distribution, so that no role looks for a word that it hasn't.
Refuses: shard-version-mixed, data-parallel-replica-version, shard-not-held, shard-replica-write,
    shard-coverage-missing, shard-sum-pending, select-budget.
Entry: `check_works`, `flaws_of_work`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from xdsl.ir import Operation

from alpha.ir.attributes.shard import ContributionType
from alpha.ir.dialects.protocol_work import LocalOp
from alpha.ir.dialects.shard_exchange import AdvanceOp
from alpha.ir.dialects.shard_work import MeanOp, UpdateOp
from alpha.ir.protocol.checks.concerns import parts
from alpha.ir.protocol.view import Protocol
from alpha.ir.refusals import Refusal
from alpha.ir.sharding.checks.authority import written_where_kept
from alpha.ir.sharding.checks.locality import locality_of
from alpha.ir.sharding.checks.versions import versions_of
from alpha.ir.sharding.distribution import Distribution


def check_works(protocol: Protocol) -> None:
    """Refuse the first local work that mixes versions, or needs words that a role hasn't.

    Raises:
        Refusal: those of the module.
    """
    distribution = protocol.distribution
    if distribution is None:
        return
    known: set[Hashable] = set()
    for op in parts(protocol.op):
        if isinstance(op, LocalOp):
            ops = list(op.body.block.ops)
            for flaw in flaws_of_work(ops, distribution, known):
                raise flaw


def flaws_of_work(
    ops: list[Operation], distribution: Distribution, known: set[Hashable]
) -> Iterator[Refusal]:
    """What is wrong with the operations of one piece of local work; `known` are found to be right.

    Whoever looks at several pieces keeps `known`.
    """
    yield from versions_of(ops)
    for op in ops:
        if isinstance(op, MeanOp) and isinstance(op.sum.type, ContributionType):
            wanted = "the mean of a total, behind protocol.reduce"
            yield Refusal("shard-sum-pending", wanted, str(op.sum.type), op)
        elif isinstance(op, AdvanceOp):
            for name, value in zip(op.names(), op.values, strict=True):
                yield from written_where_kept(distribution, op, name, value)
        elif _form(op) not in known:
            # An update may take long to look at, and is the same wherever it has these types.
            yield from locality_of(distribution, (op,))
            known.add(_form(op))


def _form(op: Operation) -> Hashable:
    if not isinstance(op, UpdateOp):
        return op
    types = tuple(value.type for value in (*op.arguments, *op.outputs))
    return op.callee.string_value(), types
