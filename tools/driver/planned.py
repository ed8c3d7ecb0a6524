"""What the design promises and this version doesn't build: asked for by name, refused by name.

Invariant: no name here is one that exists; a test compares them with the registries.
Why: a user who follows the design must be told that a part is missing, not that it is unknown.
Refuses: target-unsupported.
Entry: `COMMANDS`, `COMMAND_FLAGS`, `refuse_planned`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NoReturn

from alpha.ir.refusals import Refusal

COMMANDS: Sequence[str] = ()
"""Subcommands of `alpha`."""

_PLACES = ("targets",)
COMMAND_FLAGS: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "inspect": _PLACES,
    }
)
"""Flags of the subcommands that exist."""


def refuse_planned(kind: str, spelling: str) -> NoReturn:
    """Refuse what is planned.

    Raises Refusal, always.
    """
    raise Refusal(
        "target-unsupported",
        f"a {kind} that this version builds",
        f"{spelling}, which the design plans and this version doesn't build",
    )
