"""What the states of a learner are to it, and so which of them a partitioning gives to owners.

Invariant: a state has one kind. Words that are shared, or that no round changes and no contribution
    reads, lie with all owners under every partitioning.
Why: a pass that shares states out and a tool that does so with stored ones must choose the same.
Entry: `Kind`, `kinds_of`, `partitioned`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from alpha.ir.learners import Learner

Kind = Literal["parameter", "optimizer", "shared"]

_KIND_OF_MODE: Mapping[str, Kind | None] = MappingProxyType(
    {"optimizer": "optimizer", "parameters": "parameter", "gradients": None}
)
"""What each partitioning gives to the owners of coordinates; sums are no states."""


def kinds_of(learner: Learner) -> dict[str, Kind]:
    """The kind of each state, in the learner's order.

    Shared is what is declared so. Of others, a parameter is what a contribution reads, and
    optimizer state is what the round updates. What is left is never changed, and as good as shared.
    """
    parameters = learner.parameters()
    updated = {symbol.string_value() for symbol in learner.advance().symbols.data}
    kinds: dict[str, Kind] = {}
    for name, op in learner.states.items():
        kinds[name] = "shared"
        if op.shared is None and name in parameters:
            kinds[name] = "parameter"
        elif op.shared is None and name in updated:
            kinds[name] = "optimizer"
    return kinds


def partitioned(mode: str, kinds: Mapping[str, Kind]) -> list[str]:
    """The states that this partitioning shares out: `optimizer`, `parameters` or `gradients`."""
    return [name for name, kind in kinds.items() if kind == _KIND_OF_MODE[mode]]
