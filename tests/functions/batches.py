"""Many random functions compared at once: one module, one executable and one process a target.

Why: to assemble, link and start an emulator takes as long as to compare some functions.
Entry: `compare`, `Compared`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from functions.executions import SECONDS_MAX, Change, differences, module_of
from functions.random_functions import RandomFunction, random_function
from selection.compiled import TARGETS, Target


@dataclass
class Compared:
    """How much was compared, and what differed, by seed."""

    functions: int = 0
    called: int = 0
    calls: int = 0
    wrong: dict[int, list[str]] = field(default_factory=dict)

    def add(self, other: Compared) -> None:
        """Count what another one has, too."""
        self.functions += other.functions
        self.called += other.called
        self.calls += other.calls
        self.wrong |= other.wrong

    def __str__(self) -> str:
        return (
            f"functions: {self.functions} (and {self.called} that they call), "
            f"calls: {self.calls}, differences: {len(self.wrong)}"
        )


class Way(NamedTuple):
    """Which functions are made of seeds, and where they run."""

    bits: int = 128
    targets: Sequence[Target] = TARGETS
    change: Change | None = None
    seconds: float = SECONDS_MAX


PLAIN = Way()


def compare(seeds: Sequence[int], way: Way = PLAIN) -> Compared:
    """Compare the functions of these seeds together; each by itself if anything is wrong."""
    made = [random_function(seed, way.bits) for seed in seeds]
    found = Compared(
        len(made),
        sum(each.functions - 1 for each in made),
        sum(len(each.calls) for each in made),
    )
    if what_differs(made, way):
        alone = {each.seed: what_differs([each], way) for each in made}
        found.wrong = {seed: lines for seed, lines in alone.items() if lines}
        if not found.wrong:
            found.wrong = {made[0].seed: ["together with those that follow only"]}
    return found


def what_differs(made: Sequence[RandomFunction], way: Way) -> list[str]:
    """What is wrong with these functions in one module; a failure is a finding, too."""
    lines: list[str] = []
    try:
        module = module_of([each.text for each in made])
        calls = [call for each in made for call in each.calls]
        for line in differences(module, calls, way.targets, way.change, way.seconds):
            lines.append(line)
    except Exception as error:
        lines.append(f"{type(error).__name__}: {error}")
    return lines
