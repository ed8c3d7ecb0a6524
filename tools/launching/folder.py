"""The folder of a launch: what an engine takes, and behind that the results of its jobs.

Invariant: a file is written whole or stays as it was. A folder that holds anything else than
    launches write is left alone, and results are never removed.
Entry: `check_launch_folder`, `write_launch`, `results_in`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from alpha.tools.building.description import NAME as DESCRIPTION
from alpha.tools.driver.output import InputOutputError, reason_of, write_file, writing
from alpha.tools.driver.output_checks import keep_generations

SCRIPT, MANIFEST, DOCKERFILE = "job.sh", "job.yaml", "Dockerfile"
_JOB = re.compile(r"job-[0-9]+")
_OWN = re.compile(rf"job\.sh|job\.yaml|Dockerfile|{_JOB.pattern}(\.log)?")


def check_launch_folder(folder: str, build: str) -> None:
    """Say what is known to be in the way of a launch of this build in this folder.

    Raises InputOutputError.
    """
    keep_generations(folder)
    target = Path(os.path.realpath(folder))
    if target == Path(os.path.realpath(build)):
        raise InputOutputError(f"cannot write {folder}: it is the build that is launched")
    try:
        names = sorted(os.listdir(target))
    except FileNotFoundError:
        if not target.parent.is_dir():
            found = f"there is no folder {target.parent}"
            raise InputOutputError(f"cannot write {folder}: {found}") from None
        return
    except (OSError, ValueError) as error:
        raise InputOutputError(f"cannot write {folder}: {reason_of(error)}") from None
    strange = next((name for name in names if not _OWN.fullmatch(name)), None)
    if strange is not None:
        found = f"it holds {strange}, which no launch has written"
        raise InputOutputError(f"cannot write {folder}: {found}")


def write_launch(folder: str, texts: Mapping[str, str]) -> None:
    """Write the files of a launch into a folder, which is made if there is none.

    Raises InputOutputError or OutputClosed.
    """
    with writing(folder):
        Path(folder).mkdir(exist_ok=True)
    for name, text in texts.items():
        file = os.path.join(folder, name)
        with writing(file):
            # The names of folders needn't be UTF-8.
            write_file(text.encode("utf-8", "surrogateescape"), file)


def results_in(folder: str) -> Path:
    """The folder of the results of a job: this one, or the only one of a launch.

    Raises InputOutputError.
    """
    at = Path(folder)
    try:
        names = os.listdir(at)
    except (OSError, ValueError) as error:
        raise InputOutputError(f"cannot read {folder}: {reason_of(error)}") from None
    if DESCRIPTION in names:
        return at
    jobs = sorted(name for name in names if _JOB.fullmatch(name) and (at / name).is_dir())
    if len(jobs) == 1:
        return at / jobs[0]
    if jobs:
        shown = ", ".join(jobs[:8]) + (", ..." if len(jobs) > 8 else "")
        raise InputOutputError(
            f"cannot collect {folder}: it holds the results of several jobs, "
            f"of which one is to be named: {shown}"
        )
    raise InputOutputError(f"cannot collect {folder}: no job has left results in it")
