"""Brings the operations of several vectors in one body closer: each stands once its operands are.

Invariant: an operation stands behind those that it uses. What reads and writes at one index stays
    in its order; at another index there are other words, since the iterations of the loop may run
    at once.
Why: a processor looks some hundreds of operations ahead. A vector that waits for a root or quotient
    would fill them alone.
Entry: `interleave`.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects import scf, vector
from xdsl.ir import Operation, SSAValue
from xdsl.traits import is_side_effect_free

LATENCIES: Mapping[str, int] = {
    "arith.divf": 3,
    "exact.divide": 4,
    "math.sqrt": 5,
    "exact.sqrt": 8,
}
"""How long a result lets others wait, where it isn't about as long as that of an addition."""


def interleave(loop: scf.ForOp) -> None:
    """Order the body of a parallel loop; one that reads or writes in other ways is left alone."""
    *body, last = loop.body.block.ops
    ready: dict[Operation, int] = {}
    reached: dict[SSAValue, int] = {}
    for op in body:
        time = max((_after(value, ready) for value in op.operands), default=0)
        if isinstance(op, vector.LoadOp | vector.StoreOp) and len(op.indices) == 1:
            time = max(time, reached.get(op.indices[0], 0))
            reached[op.indices[0]] = time
        elif op.regions or not is_side_effect_free(op):
            return
        ready[op] = time
    for op in sorted(body, key=ready.__getitem__):
        op.detach()
        loop.body.block.insert_op_before(op, last)


def _after(value: SSAValue, ready: Mapping[Operation, int]) -> int:
    """When a value is there; what is made outside of the body is from the start."""
    owner = value.owner
    if not isinstance(owner, Operation) or owner not in ready:
        return 0
    return ready[owner] + LATENCIES.get(owner.name, 1)
