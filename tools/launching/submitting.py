"""Handing to an engine what was written for it, and asking it about a job of ours.

Invariant: an engine's program is run with a bound, and what it says where it fails is told.
Entry: `at_hand`, `submit_job`, `apply_manifest`, `job_is_over`.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from alpha.tools.driver.output import InputOutputError, reason_of

SECONDS_MAX = 60.0
"""For an engine's program to answer."""

SAID_LETTERS_MAX = 400


def at_hand(program: str) -> str | None:
    """The path of an engine's program, if it is in PATH."""
    return shutil.which(program)


def submit_job(sbatch: str, folder: str, script: str) -> int:
    """Submit a script of a folder, in which the job's log then is; the number of the job.

    Raises InputOutputError.
    """
    answer = _answer((sbatch, "--parsable", f"--chdir={folder}", script), f"submit {script}")
    # Behind the number is the name of the cluster, if there are several.
    found = re.fullmatch(r"(\d+)(;\S+)?", answer.strip())
    if found is None:
        raise InputOutputError(f"cannot submit {script}: sbatch said {answer.strip()[:60]!r}")
    return int(found[1])


def apply_manifest(kubectl: str, file: str) -> str:
    """Hand a manifest to the cluster that is configured; what is said of it.

    Raises InputOutputError.
    """
    return _answer((kubectl, "apply", "-f", file), f"submit {file}")


def job_is_over(squeue: str, number: int) -> bool:
    """Whether Slurm knows of nothing more that a job will do.

    Raises InputOutputError.
    """
    command = (squeue, "--noheader", "--format=%T", f"--jobs={number}")
    try:
        answer = _answer(command, f"ask for the job {number}")
    except InputOutputError as error:
        # A job that ended some time ago is forgotten, and no number of one any more.
        if "Invalid job id" in str(error):
            return True
        raise
    return not answer.strip()


def _answer(command: Sequence[str], doing: str) -> str:
    """What a program says on stdout; a bounded time is left to it.

    Raises InputOutputError.
    """
    name = Path(command[0]).name
    try:
        ended = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS_MAX,
            check=False,
        )
    except subprocess.TimeoutExpired:
        found = f"{name} didn't end in {SECONDS_MAX:g} s"
        raise InputOutputError(f"cannot {doing}: {found}") from None
    except OSError as error:
        raise InputOutputError(f"cannot {doing}: {name}: {reason_of(error)}") from None
    if ended.returncode:
        said = " ".join(ended.stderr.decode("utf-8", "replace").split())
        said = said[-SAID_LETTERS_MAX:] or f"it ended with status {ended.returncode}"
        raise InputOutputError(f"cannot {doing}: {name}: {said}")
    return ended.stdout.decode("utf-8", "replace")
