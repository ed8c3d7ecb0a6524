"""Faults planted on purpose, to see that a comparison finds them.

Entry: `Exchanged`, `Dropped`, `with_other_rule`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module

from pytest import MonkeyPatch

from alpha.backends.core.placed import Placed, PlacedFunction
from alpha.backends.core.rows import Row
from alpha.backends.core.selection.matching import RuleSet
from alpha.backends.core.target import Target

_RULES: Mapping[str, str] = {
    "x64": "alpha.backends.x86.rules",
    "a64": "alpha.backends.aarch64.rules",
}


@dataclass
class Exchanged:
    """Changes what one row means: what it reads first and second changes places."""

    name: str
    places: int = 0

    def __call__(self, function: PlacedFunction, target: Target) -> PlacedFunction:
        row = target.rows.get(self.name)
        if row is None:
            return function
        meaning = row.meaning
        wrong = replace(row, meaning=lambda carrier, a, b, *rest: meaning(carrier, b, a, *rest))
        return self._replaced(function, row, wrong)

    def _replaced(self, function: PlacedFunction, row: Row, wrong: Row) -> PlacedFunction:
        blocks = [
            replace(
                block, instructions=[self._step(each, row, wrong) for each in block.instructions]
            )
            for block in function.blocks
        ]
        return replace(function, blocks=blocks)

    def _step(self, step: Placed, row: Row, wrong: Row) -> Placed:
        if step.instruction.row.name != row.name:
            return step
        self.places += 1
        return replace(step, instruction=replace(step.instruction, row=wrong))


@dataclass
class Dropped:
    """Takes one move out of the first function that has any of this kind: a store or a load.

    `which` of them says which one, as a share of all.
    """

    kind: str
    which: float = 0.5
    dropped: list[str] = field(default_factory=list)

    def __call__(self, function: PlacedFunction, target: Target) -> PlacedFunction:
        places = [
            (at, number)
            for at, block in enumerate(function.blocks)
            for number, each in enumerate(block.instructions)
            if each.kind == self.kind
        ]
        if not places or self.dropped:
            return function
        at, number = places[int(self.which * len(places))]
        block = function.blocks[at]
        kept = [each for place, each in enumerate(block.instructions) if place != number]
        self.dropped.append(f"{target.name} @{function.name} block {at} instruction {number}")
        blocks = [*function.blocks]
        blocks[at] = replace(block, instructions=kept)
        return replace(function, blocks=blocks)


def with_other_rule(patch: MonkeyPatch, dialect: str, op: str, other: str) -> None:
    """Give an operation of one target the rules of another."""
    module = import_module(_RULES[dialect])
    rules: RuleSet = module.RULES
    table = {**rules.by_operation, op: rules.by_operation[other]}
    patch.setattr(module, "RULES", RuleSet(table, rules.extended))
