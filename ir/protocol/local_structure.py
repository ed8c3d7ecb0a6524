"""What local work may be: operations of the shard level that send nothing, and arithmetic.

Invariant: after `check_local` a role can do the work by itself, with what the work is given and
    with the role's own words of the learner; names and types fit the learner.
Refuses: protocol-unrealized, protocol-payload-type, region-symbol-unknown, pointwise-type,
    target-unsupported.
Entry: `check_local`, `INTEGER_OPERATIONS`.
"""

from __future__ import annotations

from dataclasses import replace

from xdsl.dialects.builtin import IntegerAttr, IntegerType
from xdsl.ir import Operation

from alpha.ir.attributes.protocol_values import is_payload, is_selector
from alpha.ir.dialects.pointwise_domain import DomainOp
from alpha.ir.dialects.protocol_bodies import YieldOp
from alpha.ir.dialects.protocol_work import LocalOp, WordsOp
from alpha.ir.dialects.shard_exchange import AdvanceOp, PartitionOp, ReleaseOp
from alpha.ir.dialects.shard_work import ContributeOp, MeanOp, ObserveOp, ReadOp, UpdateOp
from alpha.ir.refusals import Refusal, name_of, place_of
from alpha.ir.scalars import CONSTANT, SELECT, check_scalar
from alpha.ir.sharding.distribution import Distribution
from alpha.ir.sharding.structure import check_part

LOCAL_WORK = (
    ReadOp,
    ContributeOp,
    MeanOp,
    PartitionOp,
    ReleaseOp,
    UpdateOp,
    ObserveOp,
    AdvanceOp,
)
"""What of the shard dialect sends nothing."""

EXTEND, SUBTRACT = "arith.extui", "arith.subi"

INTEGER_OPERATIONS = (CONSTANT, SELECT, EXTEND, SUBTRACT)
"""What makes selectors, integers of 64 bits: a constant, one of two, a truth, a difference."""


def check_local(op: LocalOp, distribution: Distribution | None) -> None:
    """Refuse local work that a role can't do by itself."""
    for part in op.body.block.ops:
        if isinstance(part, LOCAL_WORK):
            _check_work(part, distribution)
        elif not isinstance(part, YieldOp | WordsOp | DomainOp):
            _check_arithmetic(part)
    for value in op.yielded:
        if not is_payload(value.type):
            wanted = "words, a selector (i64) or a value of the shard dialect as payload"
            raise Refusal("protocol-payload-type", wanted, str(value.type), op)


def _check_arithmetic(op: Operation) -> None:
    """Arithmetic as in the programs of a learner, and what makes selectors."""
    if op.name.partition(".")[0] not in ("arith", "math", "pointwise"):
        wanted = "local work: reads, contributions, updates and arithmetic, which send nothing"
        raise Refusal("protocol-unrealized", wanted, name_of(op), op)
    if not any(is_selector(value.type) for value in (*op.operands, *op.results)):
        check_scalar(op)
        return
    if op.name not in INTEGER_OPERATIONS:
        wanted = f"one of {', '.join(INTEGER_OPERATIONS)} of integers"
        raise Refusal("protocol-unrealized", wanted, name_of(op), op)
    truths = op.operands[:1] if op.name in (SELECT, EXTEND) else ()
    for value in op.operands:
        width = value.type.width.data if isinstance(value.type, IntegerType) else 0
        if width != (1 if value in truths else 64):
            wanted = f"i1 or i64 operands of {op.name}"
            raise Refusal("pointwise-type", wanted, str(value.type), op)
    if op.name == CONSTANT and not isinstance(op.properties.get("value"), IntegerAttr):
        raise Refusal("pointwise-type", "an i64 constant", str(op.results[0].type), op)


def _check_work(op: Operation, distribution: Distribution | None) -> None:
    if distribution is None:
        wanted = "a learner, whose words are read and advanced"
        raise Refusal("protocol-unrealized", wanted, f"{name_of(op)} in a protocol of none", op)
    learner = replace(
        distribution.learner,
        contributions=distribution.contributions,
        updates=distribution.updates,
    )
    try:
        check_part(op, learner, distribution.owners)
    except Refusal as refusal:
        # What a map says of itself has no place.
        refusal.place = refusal.place or place_of(op)
        raise
