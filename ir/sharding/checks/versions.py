"""Do words of one version meet words of that version alone?

Refuses: shard-version-mixed, data-parallel-replica-version.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.ir import Operation, SSAValue

from alpha.ir.attributes.shard import located
from alpha.ir.dialects.shard_exchange import AdvanceOp, CombineOp, ReplicateOp
from alpha.ir.dialects.shard_work import ContributeOp, ObserveOp, ReadOp, UpdateOp
from alpha.ir.refusals import Refusal
from alpha.ir.sharding.distribution import Distribution


def check_versions(distribution: Distribution) -> Iterator[Refusal]:
    """A round reads version +0, contributes and observes at +0, and publishes +1."""
    yield from versions_of(list(distribution.round.body.block.ops))


def versions_of(ops: Sequence[Operation]) -> Iterator[Refusal]:
    """The same of operations that stand in one round, or in one piece of local work."""
    for op in ops:
        match op:
            case ContributeOp():
                yield from (_contributed(op, value) for value in op.arguments if _of(value))
                yield from (_mixed(op, value, "+0") for value in op.parts if _of(value))
            case UpdateOp():
                yield from _updated(op)
            case ObserveOp():
                if _of(op.total):
                    yield _mixed(op, op.total, "+0")
            case CombineOp() if op.kind.data == "select" and _of(op.part) == 0:
                yield _mixed(op, op.part, "+1, since words of +0 are copied by shard.replicate")
            case AdvanceOp():
                yield from (_mixed(op, value, "+1") for value in op.values if _of(value) != 1)
            case _:
                pass
    for op in ops:
        if isinstance(op, ReadOp):
            yield from (_mixed(op, value, "+0") for value in op.values if _of(value))


def _of(value: SSAValue) -> int:
    return located(value).version.data


def _contributed(op: ContributeOp, value: SSAValue) -> Refusal:
    if isinstance(value.owner, ReplicateOp):
        wanted = "a replica of version +0 to contribute from"
        return Refusal("data-parallel-replica-version", wanted, f"{_of(value):+d}", op)
    return _mixed(op, value, "+0")


def _updated(op: UpdateOp) -> Iterator[Refusal]:
    """New words come from this version and from new words; values on the way from this version."""
    version = max((_of(value) for value in op.outputs), default=0)
    for value in op.outputs:
        if _of(value) != version or version not in (0, 1):
            yield _mixed(op, value, "+0 or +1, the same for all results")
    for value in op.arguments:
        if _of(value) not in (0, version):
            yield _mixed(op, value, "+0" if version == 0 else "+0 or +1")


def _mixed(op: Operation, value: SSAValue, wanted: str) -> Refusal:
    name = f"%{value.name_hint}" if value.name_hint else "a value"
    return Refusal("shard-version-mixed", f"{name} of version {wanted}", f"{_of(value):+d}", op)
