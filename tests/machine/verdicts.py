"""Small functions and the verdict of the checker on placements of them.

Entry: `verdicts`, `straight`, and the functions.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from machine.writing import Writer

from alpha.backends.core.checker import AllocationError, check_allocation
from alpha.backends.core.placed import Placed, PlacedFunction
from alpha.backends.core.program import Function

W = Writer()


def verdicts(
    function: Function,
    right: PlacedFunction,
    wrong: PlacedFunction,
    message: str,
    limits: Mapping[str, int] | None = None,
) -> None:
    """The right one passes, the wrong one is refused with these words in the message."""
    check_allocation(function, right, W.target, limits)
    with pytest.raises(AllocationError) as caught:
        check_allocation(function, wrong, W.target, limits)
    assert message in str(caught.value)


def straight(function: Function, *steps: Placed, slots: tuple[int, ...] = ()) -> PlacedFunction:
    """A placed function of one block."""
    made = W.placed((0, steps, ()), slots=[each.bytes for each in function.slots] + list(slots))
    made.bytes_out = function.bytes_out
    return made


SUM = W.line("add", [2], [0, 1])
LESS = W.line("sub_tied", [2], [0, 1])
STOP = W.line("stop", [], [2])
TWO = W.function("rrr", ([0, 1], [SUM, STOP]), arrivals="r0 r1")
TIED = W.function("rrr", ([0, 1], [LESS, STOP]), arrivals="r0 r1")
ONE = W.function("r", ([0], [W.line("stop", [], [0])]), arrivals="r0")
STOPS = Placed(ONE.blocks[0].instructions[0], (0,))
