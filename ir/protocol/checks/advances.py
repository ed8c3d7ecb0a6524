"""Versions of a learner's state: all roles advance together, so that copies of it stay equal.

Why: a copy is common to all roles that read it, and a choice on its words needs no message. That
    holds as long as all of them have it at one version.
Refuses: shard-version-mixed.
Entry: `check_advances`.
"""

from __future__ import annotations

from alpha.ir.dialects.protocol_work import LocalOp
from alpha.ir.dialects.shard_exchange import AdvanceOp
from alpha.ir.protocol.view import Protocol
from alpha.ir.refusals import Refusal
from alpha.ir.selections.relations import first_outside


def check_advances(protocol: Protocol) -> None:
    """Refuse local work in which some roles advance and others stay behind.

    Raises:
        Refusal: `shard-version-mixed`; `select-budget`.
    """
    group = protocol.group
    for op in protocol.op.walk():
        if not isinstance(op, AdvanceOp):
            continue
        work = op.parent_op()
        assert isinstance(work, LocalOp), "a version advances at the end of local work"
        missing = first_outside(group.members, work.roles.data)
        if missing is not None:
            wanted = f"all {group.size} roles to advance together"
            raise Refusal("shard-version-mixed", wanted, f"role {missing} stays behind", op)
