"""Staying with a job of Slurm until it is over, while its results are read.

Invariant: only files tell how a run goes and ends; the engine is asked, not often, whether the job
    is over, since then no more of them will come. An interrupt leaves the job alone.
Entry: `follow`.
"""

from __future__ import annotations

import argparse
import shlex
import time
from pathlib import Path

from alpha.tools.building.description import NAME as DESCRIPTION
from alpha.tools.driver.boundary import say
from alpha.tools.driver.output import InputOutputError, flush_stdout
from alpha.tools.launching.results import Results, collect
from alpha.tools.launching.submitting import at_hand, job_is_over

LOOK_SECONDS, ASK_SECONDS = 0.2, 5.0
"""Between two looks at the files of a job, and between two questions to its engine."""

SETTLE_SECONDS = 10.0
"""How long what a job has written may take to come into sight, where a file system is shared."""


class _Job:
    """A job, and what is known of it."""

    def __init__(self, squeue: str, number: int) -> None:
        self._squeue, self._number = squeue, number
        self._asked = time.monotonic()
        self._over: float | None = None

    def goes_on(self) -> bool:
        """Whether more may come of it; waits a little."""
        time.sleep(LOOK_SECONDS)
        now = time.monotonic()
        if self._over is None and now - self._asked >= ASK_SECONDS:
            self._asked = now
            self._over = now if job_is_over(self._squeue, self._number) else None
        return self._over is None or now - self._over < SETTLE_SECONDS


def follow(number: int, folder: str, arguments: argparse.Namespace) -> int:
    """Say how the job of a number goes, whose launch is in a folder; the exit status of its run.

    Raises:
        Refusal: as `collect` raises it.
        InputOutputError, OutputClosed: the engine doesn't answer, or a file can't be read.
    """
    squeue = at_hand("squeue")
    if squeue is None:
        raise InputOutputError(f"cannot follow the job {number}: there is no squeue in PATH")
    flush_stdout()
    results, job = Path(folder) / f"job-{number}", _Job(squeue, number)
    try:
        # Until then it waits for its nodes.
        while not (results / DESCRIPTION).exists():
            if not job.goes_on():
                found = f"it left no results; see {results}.log"
                raise InputOutputError(f"cannot follow the job {number}: {found}")

        def goes_on(found: Results) -> bool:
            return bool(found.unended()) and job.goes_on()

        return collect(results, arguments, goes_on)
    except KeyboardInterrupt:
        collecting = shlex.join(("alpha", "launch", "--collect", str(results)))
        say(f"alpha: remark: the job goes on; scancel {number} ends it, {collecting} reads it\n")
        raise
