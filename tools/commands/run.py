"""`alpha run`: runs a learner for a number of rounds and prints what it observed and its digest.

Refuses: numeric-nonfinite in a round (exit status 3); target-unsupported for what isn't built.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterable, Iterator
from errno import ENOENT
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from alpha.ir.refusals import Refusal
from alpha.tools.driver.output import write_file
from alpha.tools.exits import RoundRefused

if TYPE_CHECKING:
    from alpha.interpreters.learner import LearnerInterpreter, Observation
    from alpha.tools.learner_file import LearnerFile

SUMMARY = "run a learner for a number of rounds"
LEVELS = ("learner", "shard", "protocol", "role")
ROUNDS_MAX = (1 << 63) - 1


def rounds(text: str) -> int:
    """A number of rounds, for argparse."""
    if not text.isascii() or not text.isdigit() or int(text) > ROUNDS_MAX:
        raise argparse.ArgumentTypeError(
            f"expected a number of rounds from 0 to {ROUNDS_MAX}, got {text!r}"
        )
    return int(text)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    parser.add_argument("file", metavar="FILE", help="a learner; - for standard input")
    parser.add_argument(
        "--interpret",
        nargs="?",
        const="learner",
        choices=LEVELS,
        metavar="LEVEL",
        help="interpret at this level; this version builds the learner level alone",
    )
    parser.add_argument(
        "--rounds", type=rounds, default=1, metavar="R", help="the version at the end (default: 1)"
    )
    parser.add_argument("--metrics", metavar="FILE", help="write observations as JSON lines")
    parser.add_argument("--save", metavar="FILE", help="write the final state as .safetensors")


def run(arguments: argparse.Namespace) -> int:
    """Run the command; the last line on stdout is the digest of the final state."""
    if arguments.interpret != "learner":
        what = f"--interpret={arguments.interpret}" if arguments.interpret else "native programs"
        raise Refusal(
            "target-unsupported", "--interpret=learner", f"{what}, not built in this version"
        )
    from alpha.interpreters.learner import LearnerInterpreter
    from alpha.interpreters.words import Words
    from alpha.tools.learner_file import LearnerFile

    source = LearnerFile.read(arguments.file)
    if arguments.save and not Path(arguments.save).parent.is_dir():
        # Said before the rounds are run, not after.
        raise FileNotFoundError(ENOENT, "No such folder", str(Path(arguments.save).parent))
    interpreter = LearnerInterpreter(source.learner, source.words, Words())
    _print_heading(source)
    if arguments.metrics:
        with Path(arguments.metrics).open("w", encoding="utf-8") as metrics:
            _run_rounds(interpreter, arguments.rounds, metrics)
    else:
        _run_rounds(interpreter, arguments.rounds, None)
    if arguments.save:
        _save(interpreter, Path(arguments.save))
    _print_digest(source, interpreter)
    return 0


def _print_heading(source: LearnerFile) -> None:
    learner = source.learner
    samples = sum(op.count.value.data for op in learner.samples.values())
    words = sum(array.size for array in source.words.states.values())
    print(f"learner {learner.name}: {samples} samples, {len(learner.states)} fields, {words} words")


def _run_rounds(interpreter: LearnerInterpreter, total: int, metrics: TextIO | None) -> None:
    report = _Report(total)
    for _ in _progress(range(total), total):
        version = interpreter.version
        try:
            observations = interpreter.step()
        except Refusal as refusal:
            raise RoundRefused(refusal) from None
        report.add(version, observations)
        if metrics is not None:
            metrics.write(_json_line(version, observations))


class _Report:
    """Prints observations at versions 0, 1, 2, 5, 10, 20, 50, ... and the last."""

    def __init__(self, total: int) -> None:
        self._last = total - 1
        self._next = 0
        self._heading = False

    def add(self, version: int, observations: list[Observation]) -> None:
        """Print the observations of one round if it is due."""
        if not observations or (version < self._next and version != self._last):
            return
        while self._next <= version:
            self._next = _after(self._next)
        if not self._heading:
            self._heading = True
            names = "".join(f"{observation.name:>26}" for observation in observations)
            print(f"{'version':>10}{names}")
        means = "".join(f"{observation.mean!r:>26}" for observation in observations)
        print(f"{version:>10}{means}")


def _after(version: int) -> int:
    """The next of 0, 1, 2, 5, 10, 20, 50, ..."""
    if version == 0:
        return 1
    scale = 10 ** (len(str(version)) - 1)
    return {1: 2, 2: 5, 5: 10}[version // scale] * scale


def _json_line(version: int, observations: list[Observation]) -> str:
    values = {
        observation.name: {
            "total": _json_number(float(observation.total)),
            "count": observation.count,
            "mean": _json_number(observation.mean),
        }
        for observation in observations
    }
    return json.dumps({"version": version, "observations": values}) + "\n"


def _json_number(value: float) -> float | str:
    """JSON has no NaN and no infinities: they are written as strings."""
    return value if math.isfinite(value) else str(value)


def _progress(items: Iterable[int], total: int) -> Iterator[int]:
    """Show progress on a terminal; quiet in a pipe."""
    if not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task("rounds", total=total)
        for item in items:
            yield item
            bar.advance(task)


def _save(interpreter: LearnerInterpreter, path: Path) -> None:
    """Write the state; a failure leaves an old file as it was. Raises OSError naming `path`."""
    import numpy as np
    from safetensors.numpy import save

    state = {name: np.ascontiguousarray(words) for name, words in interpreter.state.items()}
    metadata = {"learner": interpreter.learner.name, "version": str(interpreter.version)}
    try:
        write_file(save(state, metadata), str(path))
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def _print_digest(source: LearnerFile, interpreter: LearnerInterpreter) -> None:
    from alpha.ir.digests import state_digest

    types = {name: op.type for name, op in source.learner.states.items()}
    print(f"state sha256:{state_digest(types, interpreter.state)}")
