"""A contract read recursively, with expressions as words, and random exchanges of its groups.

Invariant: a word is the text of what was added, so an addition that is left out, made twice or made
    with its operands exchanged shows; what roles send is found by a search that adds until nothing
    can be added any more.
Entry: `reading`, `nodes`, `searched`, `Case`, `random_case`, `combined`, `agrees_in_combining`,
    which raises AssertionError where sums that travel up a topology are other than these.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import numpy as np

from alpha.interpreters import combine
from alpha.interpreters.carriers import Array
from alpha.interpreters.combine import Part, Parts
from alpha.interpreters.words import Words
from alpha.ir.contracts import Contract, Left, Tree
from alpha.ir.sharding.additions import parts_upwards
from alpha.ir.topologies import PreorderTree


class Expressions(Words):
    """A carrier that writes additions down."""

    def __init__(self) -> None:
        self.additions: list[tuple[str, str]] = []

    def apply(self, operation: str, *operands: Array) -> Array:
        assert operation == "arith.addf"
        one, other = (str(each[()]) for each in operands)
        self.additions.append((one, other))
        return word(f"({one} + {other})")


def word(text: str) -> Array:
    """A word that is a text."""
    array = np.empty((), object)
    array[()] = text
    return array


def reading(contract: Contract) -> str:
    """The total as the design reads it: left-deep, or a tree of groups."""
    groups = list(range(len(contract.groups)))
    if isinstance(contract.combine, Left):
        total = "0"
        for group in groups[1:]:
            total = f"({total} + {group})"
        return total
    return subtree(groups, contract.combine.fan_out)


def subtree(groups: Sequence[int], fan: int) -> str:
    """A node's own group, then its children's totals; the larger children stand first."""
    total, rest = str(groups[0]), list(groups[1:])
    children = min(fan, len(rest))
    for child in range(children):
        size = -(-len(rest) // (children - child))
        total = f"({total} + {subtree(rest[:size], fan)})"
        rest = rest[size:]
    return total


def nodes(contract: Contract) -> dict[str, tuple[str, str]]:
    """Every sum of the reading, by its text, with its two operands."""
    found: dict[str, tuple[str, str]] = {}

    def cut(text: str) -> None:
        if not text.startswith("("):
            return
        depth = 0
        for at, letter in enumerate(text):
            depth += (letter == "(") - (letter == ")")
            if letter == "+" and depth == 1:
                found[text] = text[1 : at - 1], text[at + 2 : -1]
        for operand in found[text]:
            cut(operand)

    cut(reading(contract))
    return found


class Case(NamedTuple):
    """Who has which groups, and how they exchange."""

    contract: Contract
    tree: PreorderTree
    deal: list[list[int]]


def random_case(random: Random) -> Case:
    """Groups dealt to roles by chance, or in runs as a distribution deals them."""
    groups, roles = random.randrange(1, 13), random.randrange(1, 11)
    combine = Left() if random.random() < 0.4 else Tree(random.randrange(1, 5))
    contract = Contract(tuple(random.randrange(3) for _ in range(groups)), combine)
    holders = [random.randrange(roles) for _ in range(groups)]
    if random.random() < 0.6:
        holders.sort()
    deal = [[g for g in range(groups) if holders[g] == role] for role in range(roles)]
    return Case(contract, PreorderTree(roles, random.randrange(1, 5)), deal)


def parts_of(case: Case) -> list[Parts]:
    """Each role's groups as parts; the count is that of the group."""
    counts = case.contract.groups
    return [{g: Part(word(str(g)), counts[g]) for g in held} for held in case.deal]


def searched(case: Case, role: int) -> set[str]:
    """What a role sends: the groups of its subtree, added until no sum has both its operands."""
    held = {str(g) for below in case.tree.subtree(role) for g in case.deal[below]}
    sums = nodes(case.contract)
    while True:
        ready = [text for text, pair in sums.items() if {*pair} <= held]
        if not ready:
            return held
        held -= {*sums[ready[0]]}
        held.add(ready[0])


def combined(case: Case) -> tuple[Parts, Expressions, dict[int, tuple[int, int]]]:
    """What the root ends with, the additions, and the parts that each role sends to its parent."""
    sent: dict[int, tuple[int, int]] = {}

    def send(child: int, parent: int, count: int) -> None:
        assert child not in sent
        sent[child] = parent, count

    carrier = Expressions()
    left = combine.combine_up(case.tree, parts_of(case), case.contract, carrier, send)
    return left, carrier, sent


def agrees_in_combining(case: Case) -> None:
    """The total, every addition, and what each role sends."""
    left, carrier, sent = combined(case)
    assert [*left] == [0]
    assert str(left[0].words[()]) == reading(case.contract), case
    assert left[0].count == sum(case.contract.groups)
    # Every addition of the contract is made once, and no other.
    assert sorted(carrier.additions) == sorted(nodes(case.contract).values())
    assert len(carrier.additions) == len(case.contract.groups) - 1
    assert sorted(sent) == list(range(1, case.tree.count))
    for role, (parent, count) in sent.items():
        assert parent == case.tree.parent(role)
        assert count == len(searched(case, role)), (case, role)
    counts = [0] * case.tree.count
    for role, parts in parts_upwards(case.tree, dict(enumerate(case.deal)), case.contract):
        counts[role] = len(parts)
    assert counts == [1, *(sent[role][1] for role in range(1, case.tree.count))], case
