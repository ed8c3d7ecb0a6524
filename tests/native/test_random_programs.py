"""Random programs give the same bits in every execution; `native.campaign` runs many more."""

from __future__ import annotations

import pytest
from native.batches import of_programs
from selection.compiled import TARGETS

PROGRAMS = 24
TOGETHER = 8


@pytest.mark.parametrize("first", range(0, PROGRAMS, TOGETHER))
def test_random_programs_agree(first: int) -> None:
    found = of_programs(range(first, first + TOGETHER))
    assert not found.wrong, found.wrong
    # By rows and by a processor, on every instruction set, and each in place now and then.
    assert len(found.runs) >= 2 * len(TARGETS)
    assert min(found.runs.values()) >= 1
