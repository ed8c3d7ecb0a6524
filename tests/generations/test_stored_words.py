"""What is stored at a version is the learner's state there, and a run goes on from it in bits."""

from __future__ import annotations

from pathlib import Path

import pytest
from generations.running import Schedule
from generations.trials import SCHEDULES, Case, check
from levels.product import EXCHANGES, FACTORS
from levels.test_native_examples import DISTRIBUTED, WRITTEN
from oracle_comparison.running import example_file
from sharding.product import Choice, Row, Setting, case_of, covering_rows, distributed

from alpha.tools.distributing import run_pass

EXAMPLES = {
    "least_squares_adam": ({}, ("optimizer", "parameters", "gradients")),
    "least_squares_momentum": ({"owners": 7, "topology": "tree<2>"}, ("gradients",)),
    "least_squares_sgd": ({"owners": 5, "topology": "tree<1>"}, ()),
    **{name: (options, modes) for name, (options, modes, _) in DISTRIBUTED.items()},
    **dict.fromkeys(WRITTEN, (None, ())),
}
"""How examples are distributed and partitioned; None where the distribution is in the file."""

APART = 7
"""Of so many schedules an example has one; the next example has the ones behind."""


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_stores_and_goes_on(name: str, tmp_path: Path) -> None:
    options, modes = EXAMPLES[name]
    file = example_file(name, "f64", tmp_path)
    if options is not None:
        run_pass(file.context, file.module, "distribute", **options)
    for mode in modes:
        run_pass(file.context, file.module, f"partition_{mode}")
    for number, schedule in enumerate(schedules_of(name)):
        levels = ("protocol", "roles", "sockets") if number == 0 else ("protocol", "roles")
        check(Case(file.context, file.module, file.words), schedule, levels)


def schedules_of(name: str) -> tuple[Schedule, ...]:
    return SCHEDULES[list(EXAMPLES).index(name) % APART :: APART]


def can_be(row: Row) -> bool:
    """A pair is two, and a tree has no direct connections."""
    if row.get("topology") == "pair":
        return row.get("owners", 2) == 2
    return row.get("exchange") != "sharded" or row.get("topology", "star") == "star"


ROWS = covering_rows(2, {**FACTORS, "exchange": EXCHANGES}, can_be)
"""Every two values of two factors are met."""

CASES = [
    (*case_of(row), row["exchange"], SCHEDULES[number % len(SCHEDULES)])
    for number, row in enumerate(ROWS)
]


@pytest.mark.parametrize(("setting", "choice", "way", "schedule"), CASES, ids=str)
def test_every_kind_of_distribution_stores(
    setting: Setting, choice: Choice, way: str, schedule: Schedule
) -> None:
    file = distributed(setting)
    for mode in choice.modes:
        run_pass(file.context, file.module, f"partition_{mode}", map=choice.map)
    case = Case(file.context, file.module, file.words, way)
    check(case, schedule, ("protocol", "roles"))


def test_all_schedules_are_met() -> None:
    assert {schedule for name in EXAMPLES for schedule in schedules_of(name)} == set(SCHEDULES)
    assert len(CASES) >= 2 * len(SCHEDULES)
    assert {schedule for *_, schedule in CASES} == set(SCHEDULES)
    assert {setting.owners for setting, *_ in CASES} == {*range(1, 8)}
