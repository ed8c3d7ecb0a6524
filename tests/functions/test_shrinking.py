"""What differs is made small: of a function with one wrong subtraction, little more is left."""

from __future__ import annotations

from functions.batches import Way, what_differs
from functions.executions import module_of
from functions.planted import Exchanged
from functions.random_functions import random_function
from functions.shrinking import shrunk, text_of
from selection.compiled import X86
from xdsl.dialects.builtin import ModuleOp

WAY = Way(128, [X86], Exchanged("sub_32"))
SEED = 6
"""Of a function that has such a subtraction."""

LINES_MAX = 24


def differs(text: str) -> bool:
    """Whether the function of the seed gives something else, and isn't refused."""
    lines = what_differs([random_function(SEED).with_text(text)], WAY)
    return bool(lines) and lines[0].startswith("@")


def test_of_a_function_that_differs_little_is_left() -> None:
    whole = random_function(SEED).text
    assert differs(whole) and whole.count("\n") > 10 * LINES_MAX

    def holds(module: ModuleOp) -> bool:
        return differs(text_of(module))

    small = text_of(shrunk(module_of([whole]), holds))
    assert differs(small)
    assert "arith.subi" in small and small.count("\n") < LINES_MAX
