"""Many random programs compared at once: one module, one executable and few processes a target.

Why: to assemble, link and start an emulator takes as long as to compare some programs.
Entry: `of_programs`, `text_of`.
"""

from __future__ import annotations

from collections.abc import Sequence

from code_level.random_programs import random_program
from code_level.random_rows import random_rows
from code_level.running import parsed
from functions.executions import Change
from native.executions import SECONDS_MAX, Compared, compare
from selection.compiled import TARGETS, Target

from alpha.ir.dialects.pointwise_programs import ProgramOp

COUNTS = (0, 1, 2, 3, 5, 8, 9, 17)
STEPS_MAX = 3_000
FUNCTIONS_EVERY = 4
"""Every so many random programs may use exp, log, tanh and sigmoid."""

ROWS_EVERY = 3
"""Every so many are contributions of whole rows."""


def text_of(seed: int) -> str:
    """A random program with a name of its own."""
    make = random_rows if seed % ROWS_EVERY == ROWS_EVERY - 1 else random_program
    text = make(seed, functions=seed % FUNCTIONS_EVERY == 0)
    head, found, rest = text.partition("@p(")
    assert found
    return f"{head}@program{seed}({rest}"


def _seed_of(program: ProgramOp) -> int:
    return int(program.sym_name.data.removeprefix("program"))


def of_programs(
    seeds: Sequence[int],
    targets: Sequence[Target] = TARGETS,
    change: Change | None = None,
    seconds: float = SECONDS_MAX,
) -> Compared:
    """The random programs of these seeds, together; each by itself if anything is wrong."""
    found = _together(seeds, targets, change, seconds)
    if not found.wrong or len(seeds) == 1:
        return found
    alone = Compared(found.runs)
    for seed in seeds:
        alone.wrong += _together([seed], targets, change, seconds).wrong
    return alone if alone.wrong else found


def _together(
    seeds: Sequence[int], targets: Sequence[Target], change: Change | None, seconds: float
) -> Compared:
    """Some programs in one module; a failure is a finding, too."""
    name = f"programs {seeds[0]}" if len(seeds) == 1 else "programs"
    try:
        module = parsed("".join(map(text_of, seeds)))
        found = compare(name, module, COUNTS, STEPS_MAX, _seed_of, targets, change, seconds)
    except Exception as error:
        return Compared({}, [f"{name}: {type(error).__name__}: {error}"])
    found.runs = {" ".join(kind.split()[1:]): count for kind, count in found.runs.items()}
    return found
