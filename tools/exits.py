"""How a tool ends: its exit statuses and what each of them means.

Why: every `--help` and docs/refusals.md print these tables, so that no two pages differ.
Entry: the statuses by name, `STATUSES`, `RUN_STATUSES`, `INSPECT_STATUSES`,
    `VERIFY_STATUSES`, `CHECKPOINT_STATUSES`, `ALL_STATUSES`, `RoundRefused`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from alpha.ir.refusals import Refusal

DONE, REFUSED, USAGE, ROUND_REFUSED, PEER_LOST, INPUT_OUTPUT = 0, 1, 2, 3, 4, 5
# EX_SOFTWARE of sysexits.h, and what a shell gives a command that an interrupt has ended.
INTERNAL, INTERRUPTED = 70, 130

STATUSES: Mapping[int, str] = MappingProxyType(
    {
        DONE: "done",
        REFUSED: "refused or invalid input, a file that can't be read or written, "
        "or no memory left",
        USAGE: "a command line that can't be understood",
        INTERNAL: "an internal error: a bug of the tool, not of the input",
        INTERRUPTED: "interrupted",
    }
)
"""What the exit statuses of a tool mean."""

RUN_STATUSES: Mapping[int, str] = MappingProxyType(
    {
        DONE: STATUSES[DONE],
        REFUSED: "refused or invalid input, or a fault of --fault that the run has no place for",
        USAGE: STATUSES[USAGE],
        ROUND_REFUSED: "a round or a frame was refused, such as for a word that isn't finite",
        PEER_LOST: "a role was lost, or a deadline passed",
        INPUT_OUTPUT: "a file that can't be read or written, or no memory left",
        INTERNAL: STATUSES[INTERNAL],
        INTERRUPTED: STATUSES[INTERRUPTED],
    }
)
"""The same for `alpha run`, which tells more causes apart."""

ROLE_STATUSES: Mapping[int, str] = MappingProxyType(
    {**RUN_STATUSES, REFUSED: "refused or invalid input"}
)
"""The same for `alpha launch` and `alpha role`."""

INSPECT_STATUSES: Mapping[int, str] = MappingProxyType(
    {
        **STATUSES,
        REFUSED: f"{STATUSES[REFUSED]}, or learners that --against doesn't prove equal, or a "
        "generation that --verify finds broken",
    }
)
"""The same for `alpha inspect`, which compares learners and looks at generations."""

CHECKPOINT_STATUSES: Mapping[int, str] = MappingProxyType(
    {**STATUSES, REFUSED: f"{STATUSES[REFUSED]}, or generations that differ"}
)
"""The same for `alpha checkpoint`, which compares generations."""

VERIFY_STATUSES: Mapping[int, str] = MappingProxyType(
    {
        **STATUSES,
        REFUSED: f"{STATUSES[REFUSED]}, or a word that differs, or nothing that could be compared",
    }
)
"""The same for `alpha verify`, which compares levels."""

ALL_STATUSES: Mapping[int, str] = MappingProxyType(
    {
        DONE: STATUSES[DONE],
        REFUSED: f"{INSPECT_STATUSES[REFUSED]}, or levels that alpha verify sees differ, "
        "or generations that alpha checkpoint sees differ, or a fault that alpha run has no place "
        "for",
        USAGE: STATUSES[USAGE],
        ROUND_REFUSED: f"of alpha run, launch and role: {RUN_STATUSES[ROUND_REFUSED]}",
        PEER_LOST: f"of alpha run, launch and role: {RUN_STATUSES[PEER_LOST]}",
        INPUT_OUTPUT: f"of alpha run, launch and role, in place of 1: {RUN_STATUSES[INPUT_OUTPUT]}",
        INTERNAL: STATUSES[INTERNAL],
        INTERRUPTED: STATUSES[INTERRUPTED],
    }
)
"""The same for all tools in one."""


class RoundRefused(Exception):
    """A round of a running learner was refused; the state is that of the version before."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal
