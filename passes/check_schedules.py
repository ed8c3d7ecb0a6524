"""Refuses programs of roles that don't fit together, whatever made them.

It reads what each role sends and receives from its own program, and knows nothing of the protocol:
every frame that is sent is received, in the same order on every edge; there is an order of all
frames with which every program agrees, so that no run sticks even where sends wait for their
receivers; every choice is one role's; all programs are of one protocol. What no frame shows is
compared as well: all roles advance their versions, choose, and make what they have in common in the
same way. A module without programs of roles is left alone.

Preserves: everything; the module is read and not changed.
Refuses: protocol-role-duplicate, protocol-role-unfinished, protocol-orphan-send,
    protocol-orphan-receive, protocol-dual-mismatch, protocol-edge-order, protocol-wait-cycle,
    protocol-buffer-unbounded, protocol-choice-authority, protocol-choice-forwarder-early,
    protocol-digest-mismatch, protocol-step-frames, protocol-step-differs, shard-version-mixed,
    source-structure for an operation outside of every program; and of the roles of a learner what
    `--check-protocol` refuses of its local work, versions, releases, observations and
    publications.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from alpha.ir.schedules.checking import Limit
from alpha.passes.protocol.schedules import check_programs, roles_by_protocol


@dataclass(frozen=True)
class CheckSchedulesPass(ModulePass):
    """Checks the programs of all roles of the module, protocol by protocol.

    With `in-flight-frames-max`, or the same of bytes, no more may be on its way on an edge and in a
    direction, even if no send waits.
    """

    name = "check-schedules"
    in_flight_frames_max: int | None = None
    in_flight_bytes_max: int | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Check the roles of each title."""
        limit = None
        if self.in_flight_frames_max is not None or self.in_flight_bytes_max is not None:
            limit = Limit(self.in_flight_frames_max, self.in_flight_bytes_max)
        for roles in roles_by_protocol(op).values():
            check_programs(roles, limit=limit)
