"""The files that a run writes, and what is looked at before it begins.

Invariant: nothing is printed before the files that are to be written could be opened or made.
Entry: `check_targets`, `check_inputs`, `recorder`, `finish`.
"""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from alpha.tools.driver.output import LineFile
from alpha.tools.driver.output_checks import STDIN, check_target, keep_inputs
from alpha.tools.running.reporting import Recorder, Subject, print_digest, save_state

if TYPE_CHECKING:
    import numpy as np


def check_targets(arguments: argparse.Namespace) -> None:
    """Say what is known to be in the way of writing the files of a run.

    Raises InputOutputError.
    """
    if arguments.save:
        check_target(arguments.save)
    if arguments.metrics:
        check_target(arguments.metrics, grows=True)


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
