"""Which flags of `alpha run` belong to which levels: at another one they would change nothing.

Refuses: target-unsupported.
Entry: `LEVELS_OF`, `refuse_flags_of_other_levels`.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from alpha.ir.refusals import Refusal

LEVELS_OF: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "exchange": ("protocol", "role"),
        "threshold": ("protocol", "role"),
        "seed": ("protocol",),
        "buffer": ("protocol",),
        "fault": ("protocol",),
        "unchecked": ("role",),
        "wait": ("role",),
        "deadline": ("protocol", "role"),
    }
)
"""Each flag that not all levels have, with its levels; flags of owners aren't here."""


def refuse_flags_of_other_levels(arguments: argparse.Namespace) -> None:
    """Refuse flags that the level which is asked for hasn't.

    Raises:
        Refusal: target-unsupported.
    """
    for flag, levels in LEVELS_OF.items():
        if getattr(arguments, flag) not in (None, False) and arguments.interpret not in levels:
            wanted = " or ".join(f"--interpret={level}" for level in levels)
            found = f"--interpret={arguments.interpret}"
            raise Refusal("target-unsupported", f"{wanted} with --{flag}", found)
