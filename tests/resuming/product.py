"""The product of all that a stop and what goes on from it can vary in: which cases, is one right?

Invariant: a case is right only if the run that stops and the one that goes on have every word,
    every observation and the digest of the learner-level interpreter that was never interrupted.
Why: the contract is the learner's, so nothing that varies here may change a bit.
Entry: `FACTORS`, `COVER`, `Case`, `whole`, `owners_of_owners`, `examine`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from resuming.nine_words import ELEMENTS, MAPS, RULES, learner_file, map_text
from resuming.plain_learner import Whole, versions_of
from resuming.runs import LEVELS, Side, Store, difference, run
from sharding.product import SUBSETS, TOPOLOGIES, Row, covering_rows

STOPS = range(1, 9)
ENDS = 10
TURNS = ("x86-64,aarch64", "aarch64,x86-64")
"""Of the side that stops and of the other: every owner goes on on the other instruction set."""

TARGETS = (*TURNS, "x86-64", "aarch64")
PLAIN: Row = {"owners": 1, "topology": "star", "modes": (), "map": "cyclic", "exchange": "gather"}
"""What a side has whose level knows of none of it."""

OF_SIDES: Mapping[str, Sequence[Any]] = {
    "level": LEVELS[:-1],
    "owners": range(1, 8),
    "topology": TOPOLOGIES,
    "modes": SUBSETS,
    "map": MAPS,
    "exchange": ("gather", "sharded"),
}
"""A level that isn't interpreted is said by the targets of its roles, in turn."""

SIDES = ("writer", "reader")


IN_ORDER = (
    *("element", "writer modes", "writer exchange", "stop", "rule", "reader map"),
    *("reader exchange", "writer level", "reader owners", "writer topology", "reader level"),
    *("writer owners", "reader topology", "writer map", "reader modes"),
)
"""Values are chosen in this order: of those that were tried, fewest cases cover it all."""


def factors(targets: Sequence[Sequence[str]]) -> Mapping[str, Sequence[Any]]:
    """All that can vary, with these targets of each side."""
    found: dict[str, Sequence[Any]] = {
        f"{side} {name}": of for name, of in OF_SIDES.items() for side in SIDES
    }
    for side, native in zip(SIDES, targets, strict=True):
        found[f"{side} level"] = (*LEVELS[:-1], *native)
    found |= {"rule": tuple(RULES), "element": ELEMENTS, "stop": STOPS}
    return {name: found[name] for name in IN_ORDER}


FACTORS = factors([TURNS[:1], TURNS[1:]])


class Case(NamedTuple):
    """A run that stops, and one that goes on from there."""

    writer: Side
    reader: Side
    rule: str
    element: str
    stop: int

    def __str__(self) -> str:
        return f"{self.rule} {self.element} {self.writer} | {self.stop} | {self.reader}"


def can_be(row: Row) -> bool:
    """Whether some values of factors can be met, and each of them says something."""
    return all(
        _side_can_be({name: row.get(f"{side} {name}") for name in OF_SIDES}) for side in SIDES
    )


def _side_can_be(given: Row) -> bool:
    """A pair is two, a tree isn't direct, and what a level doesn't look at is as in `PLAIN`."""
    if given["level"] == "learner":
        return all(given[name] in (None, value) for name, value in PLAIN.items())
    if given["topology"] == "pair" and given["owners"] not in (None, 2):
        return False
    direct = given["exchange"] == "sharded"
    if direct and (given["level"] == "shard" or (given["topology"] or "").startswith("tree")):
        return False
    return given["modes"] != () or given["map"] in (None, PLAIN["map"])


def case_of(row: Row) -> Case:
    """The case of a row that has a value of every factor."""
    sides: list[Side] = []
    for name in SIDES:
        given = {each: row[f"{name} {each}"] for each in OF_SIDES}
        if given["level"] in TARGETS:
            given |= {"level": "native", "targets": given["level"]}
        sides.append(Side(**{**given, "map": map_text(given["map"], given["owners"])}))
    writer, reader = sides
    return Case(writer, reader, row["rule"], row["element"], row["stop"])


ROWS = covering_rows(2, FACTORS, can_be)
"""Every two values of two factors are met."""

COVER = [case_of(row) for row in ROWS]


@cache
def _whole(rule: str, element: str) -> Whole:
    with TemporaryDirectory(prefix="alpha-tests-") as folder:
        return versions_of(learner_file(rule, element, Path(folder)), ENDS)


def examine(case: Case) -> str | None:
    """Run a case; what is wrong, or None."""
    whole = _whole(case.rule, case.element)
    with TemporaryDirectory(prefix="alpha-tests-") as name:
        folder = Path(name)
        file = learner_file(case.rule, case.element, folder)
        store = Store(folder / "generations", case.stop // 2 or None)
        found = run(file, case.writer, case.stop, folder, store=store)
        different = difference(found, whole.outcome(0, case.stop))
        if different is not None:
            return f"before the stop: {different}"
        found = run(file, case.reader, ENDS, folder, store=store, resume=store.path)
        different = difference(found, whole.outcome(case.stop, ENDS))
        return None if different is None else f"behind the stop: {different}"


def owners_of_owners() -> list[Case]:
    """Every number of owners going on from every other, at levels and with maps that take turns."""
    found: list[Case] = []
    for number, (before, behind) in enumerate((a, b) for a in range(1, 8) for b in range(1, 8)):
        for turn, level in enumerate(LEVELS[1:]):
            sides: list[Side] = []
            for at, owners in ((number + turn, before), (number // 7 + 3 * turn, behind)):
                topology = TOPOLOGIES[at % 4] if owners == 2 else TOPOLOGIES[(0, 2, 3)[at % 3]]
                map = map_text(MAPS[at % len(MAPS)], owners)
                modes = SUBSETS[at % len(SUBSETS)]
                sides.append(Side(level, owners, topology, modes, map, None, TARGETS[at % 3]))
            rule = [*RULES][number % 3]
            writer, reader = sides
            found.append(Case(writer, reader, rule, ELEMENTS[number % 2], 1 + number % 8))
    return found


def whole() -> list[Case]:
    """Cases in which every three values of three factors are met, on all targets."""
    return [case_of(row) for row in covering_rows(3, factors([TARGETS] * 2), can_be)]
