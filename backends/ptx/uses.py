"""Where the values of a round are made, and whether the host reads them.

Invariant: what isn't known to stay on a device is read by the host.
Entry: `made_at`, `read_by_host`, `place_among`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, SSAValue

from alpha.ir.dialects.protocol_bodies import YieldOp
from alpha.ir.dialects.protocol_work import LocalOp
from alpha.ir.dialects.shard_exchange import AdvanceOp, PartitionOp, ReleaseOp
from alpha.ir.dialects.shard_work import ContributeOp, UpdateOp

_ON_DEVICES = (ContributeOp, UpdateOp, PartitionOp, ReleaseOp, AdvanceOp)
"""What needs no words of its operands on the host; a state is captured when it is stored."""


def made_at(value: SSAValue) -> SSAValue:
    """The value that local work of a protocol was given, or gives, where it is made."""
    while True:
        match value.owner:
            case LocalOp() as op:
                value = op.yielded[place_among(value, op.results)]
            case Block() as block if isinstance(op := block.parent_op(), LocalOp):
                value = op.operands[place_among(value, block.args)]
            case _:
                return value


def read_by_host(value: SSAValue) -> bool:
    """Whether words of a value that a kernel makes are needed on the host in every round."""
    for use in value.uses:
        op = use.operation
        match op:
            case LocalOp():
                if read_by_host(op.body.block.args[use.index]):
                    return True
            case YieldOp() if isinstance(local := op.parent_op(), LocalOp):
                if read_by_host(local.results[use.index]):
                    return True
            case _ if not isinstance(op, _ON_DEVICES):
                return True
            case _:
                continue
    return False


def place_among(value: SSAValue, values: Sequence[SSAValue]) -> int:
    """The place of a value among some."""
    return next(place for place, each in enumerate(values) if each is value)
