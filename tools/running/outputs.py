"""The files that a run writes, and what is looked at before it begins.

Invariant: a run writes none of its inputs and no file twice.
Entry: `keep_inputs`, `check_target`, `recorder`, `finish`.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from alpha.tools.driver.output import InputOutputError, LineFile
from alpha.tools.running.reporting import Recorder, print_digest, save_state

if TYPE_CHECKING:
    import numpy as np

    from alpha.ir.learners import Learner


def keep_inputs(arguments: argparse.Namespace, data_files: Sequence[Path]) -> None:
    """Refuse to write what this run reads, or to write one file twice.

    Raises InputOutputError.
    """
    outputs = [each for each in (arguments.metrics, arguments.save) if each]
    # A descriptor has a file as a path has: stdin may be a file that the shell has opened.
    learner = 0 if arguments.file == "-" else arguments.file
    for output in outputs:
        if any(_same_file(output, each) for each in (learner, *data_files)):
            raise InputOutputError(f"cannot write {output}: it is an input of this run")
    if len(outputs) == 2 and _same_file(*outputs):
        raise InputOutputError(f"cannot write {outputs[1]}: it is named twice")


def _same_file(output: str, other: str | Path | int) -> bool:
    """Whether two paths are one file, also where there is none yet; a device may be shared."""
    try:
        found, against = os.stat(output), os.stat(other)
    except OSError:
        # At least one of them isn't there yet.
        if isinstance(other, int):
            return False
        return os.path.abspath(os.path.realpath(output)) == os.path.realpath(other)
    return stat.S_ISREG(found.st_mode) and os.path.samestat(found, against)


def check_target(path: Path) -> None:
    """Say before the rounds are run that the state can't be saved, where that is known by then.

    Raises InputOutputError.
    """
    if path.is_dir():
        raise InputOutputError(f"cannot write {path}: it is a folder")
    if not path.parent.is_dir():
        raise InputOutputError(f"cannot write {path}: there is no folder {path.parent}")


@contextlib.contextmanager
def recorder(arguments: argparse.Namespace, total: int) -> Iterator[Recorder]:
    """What records the observations of `total` rounds, with the file of the metrics if any.

    Raises InputOutputError or OutputClosed.
    """
    if not arguments.metrics:
        yield Recorder(total, None)
        return
    with LineFile(arguments.metrics) as metrics:
        yield Recorder(total, metrics)


def finish(
    learner: Learner,
    state: Mapping[str, np.ndarray],
    version: int,
    arguments: argparse.Namespace,
) -> None:
    """Save the state where that is wanted, and print its digest.

    Raises InputOutputError or OutputClosed.
    """
    if arguments.save:
        save_state(learner, state, version, arguments.save)
    print_digest(learner, state)
