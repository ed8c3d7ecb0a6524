"""Random programs give the same bits in every execution; `native.campaign` runs many more."""

from __future__ import annotations

import pytest
from native.campaign import of_program

PROGRAMS = 24


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_a_random_program_agrees(seed: int) -> None:
    found = of_program(seed)
    assert not found.wrong, found.wrong
    assert found.runs
