"""Every example that is a learner, stopped after any of its rounds and resumed, at every level."""

from __future__ import annotations

from itertools import combinations, product

import pytest
from resuming.examples import (
    COVER,
    FACTORS,
    NAMES,
    NATIVE,
    ROWS,
    ExampleCase,
    can_be,
    examine,
    texts,
)


@pytest.mark.parametrize("case", COVER, ids=map(str, COVER))
def test_an_example_goes_on_as_if_it_had_not_been_stopped(case: ExampleCase) -> None:
    assert examine(case) is None


@pytest.mark.parametrize("case", NATIVE, ids=map(str, NATIVE))
def test_an_example_goes_on_natively(case: ExampleCase) -> None:
    """Some on the other instruction set: each owner's words were written by the first one."""
    assert examine(case) is None


@pytest.mark.parametrize("name", NAMES)
def test_an_example_goes_on_in_binary32(name: str) -> None:
    modes = ("optimizer", "parameters") if can_be({"name": name, "modes": True}) else ()
    assert examine(ExampleCase(name, 4, modes, "role", "protocol"), "f32") is None


def test_the_cases_cover_every_two_values() -> None:
    for names in combinations(FACTORS, 2):
        met = {tuple(row[name] for name in names) for row in ROWS}
        for values in product(*(FACTORS[name] for name in names)):
            assert (values in met) == can_be(dict(zip(names, values, strict=True))), (names, values)


def test_no_learner_among_the_examples_is_left_out() -> None:
    """What has no state can't be resumed, and only that."""
    assert {case.name for case in COVER} == {case.name for case in NATIVE} == {*NAMES}
    assert all("region.state" not in text for text in texts().values())
    assert [*texts()] == ["choice_gate"]
