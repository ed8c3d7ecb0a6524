"""What the protocol of a distributed learner costs: frames and bytes of each edge, and the waits.

Invariant: the numbers are read from the programs of the roles, and nothing is run. A frame counts
    whole, with its header and its digest. The longest wait is the number of frames for which roles
    may wait one after the other, once a role has stopped, before all know that the run is lost.
Entry: `print_protocol_tables`, `ROLES_MAX`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from alpha.interpreters.role import find_roles
from alpha.ir.frames import frame_bytes
from alpha.ir.schedules.bounds import edge_bounds
from alpha.ir.schedules.events import Schedules
from alpha.ir.schedules.longest import longest_wait
from alpha.ir.schedules.matched import Matched
from alpha.ir.schedules.reading import schedule_of
from alpha.tools.distributing import run_pass, without_programs
from alpha.tools.driver.counts import counted
from alpha.tools.driver.output import write_line
from alpha.tools.tables import print_table

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from alpha.ir.frontend.registry import AlphaContext

ROLES_MAX = 64
"""Up to so many roles the tables have a row a role and edge; `alpha simulate` looks at more."""


def print_protocol_tables(
    context: AlphaContext, module: ModuleOp, every: int | None = None
) -> None:
    """Print the tables of one round of a distribution's protocol, with its publication.

    With `every`, of so many rounds (of one for 0) and the generation that is written behind them.
    There are at most `ROLES_MAX` owners.
    """
    copy = without_programs(module)
    options = {"rounds": 1} if every is None else {"rounds": every or 1, "checkpoint": every}
    run_pass(context, copy, "lower_shard_to_protocol", **options)
    run_pass(context, copy, "project_role")
    roles = find_roles(copy)
    schedules: Schedules = {role: schedule_of(op) for role, op in roles.items()}
    matched = Matched.of(schedules)
    bounds = edge_bounds(matched)
    rows: list[Sequence[object]] = []
    for (sender, receiver), bound in bounds.items():
        whole = bound.payload_bytes + bound.frames * frame_bytes(0)
        rows.append((sender, receiver, bound.frames, whole, bound.frames_in_flight))
    headings = ("from", "to", "frames", "bytes", "in flight at most")
    print_table(_title(every), headings, rows)
    waits = {role: longest_wait(matched, role) for role in roles}
    role = max(waits, key=lambda each: waits[each])
    if waits[role]:
        frames = counted(waits[role], "frame")
        write_line(f"\nlongest wait: {frames}, one after the other, once role {role} has stopped")


def _title(every: int | None) -> str:
    """What the tables are of."""
    if every is None:
        return "protocol, one round and its publication"
    rounds = "one round" if every <= 1 else counted(every, "round")
    return f"protocol, {rounds}, a generation and its publication"
