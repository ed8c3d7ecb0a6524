"""The tables of Linux say what the C headers of each target say."""

from __future__ import annotations

import pytest
from linux.headers import asked

from alpha.ir.linux.calls import CALLS, TARGETS, number_of
from alpha.ir.linux.constants import CONSTANTS, value_of


@pytest.mark.parametrize("target", TARGETS)
def test_numbers_and_values_are_those_of_the_headers(target: str) -> None:
    found = asked([*CONSTANTS, *(f"SYS_{name}" for name in CALLS)], target)
    expected = {name: value_of(name, target) for name in CONSTANTS}
    expected |= {f"SYS_{name}": number_of(name, target) for name in CALLS}
    assert found == expected


def test_the_targets_differ_where_it_is_known_that_they_do() -> None:
    swapped = ("O_DIRECTORY", "O_DIRECT")
    for one, other in (swapped, swapped[::-1]):
        assert value_of(one, "x86-64") == value_of(other, "aarch64")
    assert number_of("openat", "x86-64") != number_of("openat", "aarch64")


def test_no_call_has_more_arguments_than_the_kernel_takes() -> None:
    assert all(0 <= count <= 6 for _, count in CALLS.values())


def test_unknown_names_and_targets_are_errors() -> None:
    with pytest.raises(KeyError):
        number_of("fork", "x86-64")
    with pytest.raises(ValueError):
        value_of("O_CREAT", "sparc")
