"""The files that a run writes, and what is looked at before it begins.

Invariant: nothing is printed before the files that are to be written could be opened or made.
Entry: `check_targets`, `check_inputs`, `recorder`, `finish`.
"""

from __future__ import annotations

import argparse
import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from alpha.tools.driver.output import InputOutputError, LineFile
from alpha.tools.driver.output_checks import STDIN, check_target, keep_inputs
from alpha.tools.running.reporting import Recorder, Subject, print_digest, save_state

if TYPE_CHECKING:
    import numpy as np


def check_targets(arguments: argparse.Namespace) -> None:
    """Say what is known to be in the way of writing the files of a run.

    Raises InputOutputError.
    """
    read = getattr(arguments, "resume", None)
    if arguments.save:
        check_target(arguments.save, read=read)
    if arguments.metrics:
        check_target(arguments.metrics, grows=True, read=read)
    store = getattr(arguments, "checkpoint", None)
    for output in (arguments.save, arguments.metrics):
        if output and store is not None:
            _keep_folder(output, store)


def _keep_folder(output: str, store: str) -> None:
    """Refuse to write a file where the folder of the generations is, or will be."""
    target, folder = (Path(os.path.realpath(each)) for each in (output, store))
    if target == folder:
        raise InputOutputError(f"cannot write {output}: it is the folder of --checkpoint")
    if target in folder.parents:
        raise InputOutputError(f"cannot write {output}: the folder of --checkpoint is in it")


def check_inputs(arguments: argparse.Namespace, data_files: Sequence[Path]) -> None:
    """Refuse to write what a run reads, or to write one file twice.

    Raises InputOutputError.
    """
    outputs = [each for each in (arguments.metrics, arguments.save) if each]
    keep_inputs(outputs, (STDIN if arguments.file == "-" else arguments.file, *data_files))


@contextlib.contextmanager
def recorder(arguments: argparse.Namespace) -> Iterator[Recorder]:
    """What records the observations of rounds, with the file of the metrics if any.

    Raises InputOutputError or OutputClosed.
    """
    if not arguments.metrics:
        yield Recorder(None)
        return
    with LineFile(arguments.metrics) as metrics:
        yield Recorder(metrics)


def finish(
    subject: Subject,
    state: Mapping[str, np.ndarray],
    version: int,
    arguments: argparse.Namespace,
    record: Recorder,
) -> None:
    """Print what was observed last, save the state where that is wanted, and print its digest.

    Raises InputOutputError or OutputClosed.
    """
    record.end()
    if arguments.save:
        save_state(subject, state, version, arguments.save)
    print_digest(subject, state)
