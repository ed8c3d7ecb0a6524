"""Does every replica live from its making to its one release, and no longer than the round?

Refuses: data-parallel-replica-released, data-parallel-replica-retained.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import SSAValue

from alpha.ir.dialects.shard_exchange import AdvanceOp, ReleaseOp, ReplicateOp
from alpha.ir.refusals import Note, Refusal, name_of_value, place_of
from alpha.ir.sharding.distribution import Distribution


def check_replicas(distribution: Distribution) -> Iterator[Refusal]:
    """A replica is read before its release, and released before the version advances."""
    held: dict[SSAValue, ReplicateOp] = {}
    released: dict[SSAValue, ReleaseOp] = {}
    for op in distribution.round.body.block.ops:
        if isinstance(op, AdvanceOp):
            for value, made in held.items():
                note = Note("it is made here", place_of(made))
                wanted = (
                    f"{name_of_value(value, 'the replica')} released before the version advances"
                )
                yield Refusal("data-parallel-replica-retained", wanted, "held", op, (note,))
        for value in op.operands:
            if value in released:
                note = Note("it is released here", place_of(released[value]))
                wanted = f"{name_of_value(value, 'the replica')} read before its release"
                found = f"{op.name} behind it"
                yield Refusal("data-parallel-replica-released", wanted, found, op, (note,))
        if isinstance(op, ReplicateOp):
            held[op.result] = op
        elif isinstance(op, ReleaseOp):
            if not isinstance(op.replica.owner, ReplicateOp):
                wanted = "a replica that shard.replicate made, to release"
                yield Refusal("data-parallel-replica-released", wanted, "another value", op)
            held.pop(op.replica, None)
            released[op.replica] = op
