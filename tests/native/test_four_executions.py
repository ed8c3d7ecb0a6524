"""Every example's programs: interpreter, rows, x86-64 and AArch64 give the same bits.

`python -m native.campaign` does the same with up to 100,000 samples and coordinates.
"""

from __future__ import annotations

import pytest
from native.executions import compare
from native.programs import ELEMENTS, EXAMPLES, example

COUNTS = (0, 1, 3, 7, 8, 17, 64)
STEPS_MAX = 30_000


@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize("name", EXAMPLES)
def test_four_executions_of_an_example_agree(name: str, element: str) -> None:
    found = compare(f"{name} {element}", example(name, element), COUNTS, STEPS_MAX)
    assert not found.wrong, found.wrong
    assert min(found.runs.values()) >= 1
