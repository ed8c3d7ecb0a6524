"""How sums in parts travel up a topology and are combined, in the order of their contract.

Invariant: every addition is one of the contract's, with its operands in the contract's order. An
    owner makes an addition only when it has both operands complete, and hands on unsummed what it
    can't add; so the total has the same bits on every topology and for every number of owners.
Entry: `Part`, `combine_up`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from alpha.interpreters.carriers import Carrier
from alpha.ir.contracts import Contract
from alpha.ir.sharding.additions import Additions
from alpha.ir.topologies import PreorderTree


@dataclass(frozen=True)
class Part:
    """The sum of a group, or of groups that were combined into it, with its count."""

    words: np.ndarray
    count: int


Parts = dict[int, Part]
"""An owner's parts, by group."""


def add_what_is_there(additions: Additions, parts: Parts, carrier: Carrier) -> None:
    """Make every addition whose operands are among an owner's parts, in the contract's order."""
    for into, of in additions.possible(parts, list(parts)):
        one, other = parts[into], parts.pop(of)
        words = carrier.apply("arith.addf", one.words, other.words)
        parts[into] = Part(words, one.count + other.count)


def combine_up(
    tree: PreorderTree,
    owners: Sequence[Parts],
    contract: Contract,
    carrier: Carrier,
    sent: Callable[[int, int, int], None],
) -> Parts:
    """The parts that the root of the tree ends with; where none is missing, one: the total.

    Each owner adds what it can, and its parent takes what is left; `sent(child, parent, parts)` is
    called for each of these messages.
    """
    additions = Additions(contract)
    held = [dict(parts) for parts in owners]
    # Descendants have higher numbers, so downwards every owner has heard from its children.
    for role in range(len(held) - 1, -1, -1):
        parts = held[role]
        add_what_is_there(additions, parts, carrier)
        parent = tree.parent(role)
        if parent is not None:
            sent(role, parent, len(held[role]))
            held[parent].update(held[role])
            held[role] = {}
    return held[0]
