"""The generation at a path that a command was given, found whole.

Invariant: every byte of it was compared with its digests. What was passed over on the way to it is
    said on stderr.
Refuses: what reading a generation refuses.
Entry: `whole_at`.
"""

from __future__ import annotations

from pathlib import Path

from alpha.ir.checkpoints.reading import Generation, newest
from alpha.tools.checkpoints.paths import reading
from alpha.tools.driver.boundary import say
from alpha.tools.progress import amounts


def whole_at(path: Path) -> Generation:
    """The generation at a path, or the newest whole one in the folder that it names.

    Raises:
        Refusal: there is none that is whole.
        InputOutputError: a file can't be read.
    """
    with reading(path), amounts("reading") as told:
        found = newest(path, told)
    for name, why in found.passed_over:
        say(f"alpha: warning: {name} was passed over: {why}\n")
    return found.generation
