"""`alpha run`: runs a learner for a number of rounds and prints what it observed and its digest.

Refuses: numeric-nonfinite in a round (exit status 3); target-unsupported for what isn't built.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from alpha.ir.refusals import Refusal
from alpha.tools.distribution_flags import add_distribution_flags, refuse_distribution_flags
from alpha.tools.driver.counts import counted
from alpha.tools.driver.output import InputOutputError, LineFile, write_file, write_line, writing
from alpha.tools.exits import DONE, RUN_STATUSES, RoundRefused
from alpha.tools.progress import progress

if TYPE_CHECKING:
    from alpha.interpreters.learner import LearnerInterpreter, Observation
    from alpha.interpreters.shard import ShardInterpreter
    from alpha.tools.driver.boundary import Situation
    from alpha.tools.learner_file import LearnerFile

Interpreter: TypeAlias = "LearnerInterpreter | ShardInterpreter"

SUMMARY = "run a learner for a number of rounds"
STATUSES = RUN_STATUSES
LEVELS = ("auto", "learner", "shard", "protocol", "role")
BUILT = ("auto", "learner", "shard")
ROUNDS_MAX = (1 << 63) - 1


def rounds(text: str) -> int:
    """A number of rounds, for argparse."""
    if not text.isascii() or not text.isdigit() or int(text) > ROUNDS_MAX:
        raise argparse.ArgumentTypeError(
            f"expected a number of rounds from 0 to {ROUNDS_MAX}, got {text!r}"
        )
    return int(text)


def level(text: str) -> str:
    """A level, for argparse, which takes any word behind a bare `--interpret` for one."""
    if text not in LEVELS:
        choice = ", ".join(LEVELS)
        raise argparse.ArgumentTypeError(
            f"invalid choice: {text!r} (choose from {choice}); without a level, FILE comes first: "
            "alpha run FILE --interpret"
        )
    return text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    parser.add_argument("file", metavar="FILE", help="a learner; - for standard input")
    parser.add_argument(
        "--interpret",
        nargs="?",
        const="auto",
        type=level,
        metavar="LEVEL",
        help="interpret at this level: learner; shard, with all owners in one process; auto, the "
        "default without LEVEL: shard where owners are given, else learner",
    )
    add_distribution_flags(parser)
    parser.add_argument(
        "--rounds", type=rounds, default=1, metavar="R", help="the version at the end (default: 1)"
    )
    parser.add_argument("--metrics", metavar="FILE", help="write observations as JSON lines")
    parser.add_argument("--save", metavar="FILE", help="write the final state as .safetensors")


def run(arguments: argparse.Namespace, situation: Situation) -> int:
    """Run the command; the last line on stdout is the digest of the final state."""
    if arguments.interpret not in BUILT:
        what = f"--interpret={arguments.interpret}" if arguments.interpret else "native programs"
        wanted = "--interpret, --interpret=learner or --interpret=shard"
        raise Refusal("target-unsupported", wanted, f"{what}, not built in this version")
    from alpha.tools.learner_file import LearnerFile

    source = LearnerFile.read(arguments.file, situation)
    _keep_inputs(source, arguments)
    if arguments.save:
        _check_target(Path(arguments.save))
    interpreter = _interpreter(source, arguments, situation)
    if arguments.metrics:
        with LineFile(arguments.metrics) as metrics:
            _run_rounds(interpreter, arguments.rounds, metrics)
    else:
        _run_rounds(interpreter, arguments.rounds, None)
    if arguments.save:
        _save(source, interpreter, arguments.save)
    _print_digest(source, interpreter)
    return DONE


def _interpreter(
    source: LearnerFile, arguments: argparse.Namespace, situation: Situation
) -> Interpreter:
    """The interpreter of the level that is asked for, behind a line that says what is run."""
    from alpha.interpreters.learner import LearnerInterpreter
    from alpha.interpreters.shard import ShardInterpreter
    from alpha.interpreters.words import Words
    from alpha.tools.distributing import Levels, is_distributed, say_remarks

    level = arguments.interpret
    if level == "auto":
        level = "shard" if is_distributed(arguments, source) else "learner"
    if level == "learner":
        refuse_distribution_flags(arguments, "--interpret=learner")
        _print_heading(source)
        return LearnerInterpreter(source.learner, source.words, Words())
    distribution = list(Levels.of(source, arguments).distributions().values())[-1]
    say_remarks(source, situation)
    _print_heading(source, f"; {counted(distribution.owners, 'owner')}, {distribution.topology}")
    return ShardInterpreter(distribution, source.words, Words())


def _keep_inputs(source: LearnerFile, arguments: argparse.Namespace) -> None:
    """Refuse to write what this run reads, or to write one file twice.

    Raises InputOutputError.
    """
    outputs = [each for each in (arguments.metrics, arguments.save) if each]
    # A descriptor has a file as a path has: stdin may be a file that the shell has opened.
    learner = 0 if arguments.file == "-" else arguments.file
    for output in outputs:
        if any(_same_file(output, each) for each in (learner, *source.data_files())):
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


def _check_target(path: Path) -> None:
    """Say before the rounds are run that the state can't be saved, where that is known by then."""
    if path.is_dir():
        raise InputOutputError(f"cannot write {path}: it is a folder")
    if not path.parent.is_dir():
        raise InputOutputError(f"cannot write {path}: there is no folder {path.parent}")


def _print_heading(source: LearnerFile, owners: str = "") -> None:
    learner = source.learner
    samples = sum(op.count.value.data for op in learner.samples.values())
    words = sum(array.size for array in source.words.states.values())
    sizes = ((samples, "sample"), (len(learner.states), "field"), (words, "word"))
    write_line(f"learner {learner.name}: {', '.join(counted(*size) for size in sizes)}{owners}")


def _run_rounds(interpreter: Interpreter, total: int, metrics: LineFile | None) -> None:
    report = _Report(total)
    for _ in progress(range(total), total, "rounds"):
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
            write_line(f"{'version':>10}{names}")
        means = "".join(f"{observation.mean!r:>26}" for observation in observations)
        write_line(f"{version:>10}{means}")


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
    return json.dumps({"version": version, "observations": values})


def _json_number(value: float) -> float | str:
    """JSON has no NaN and no infinities: they are written as strings."""
    return value if math.isfinite(value) else str(value)


def _save(source: LearnerFile, interpreter: Interpreter, file: str) -> None:
    """Write the state; a failure leaves an old file as it was.

    Raises InputOutputError or OutputClosed.
    """
    import numpy as np
    from safetensors.numpy import save

    state = {name: np.array(words, order="C") for name, words in interpreter.state.items()}
    metadata = {"learner": source.learner.name, "version": str(interpreter.version)}
    data = save(state, metadata)
    with writing(file):
        write_file(data, file)


def _print_digest(source: LearnerFile, interpreter: Interpreter) -> None:
    from alpha.ir.digests import state_digest

    types = {name: op.type for name, op in source.learner.states.items()}
    write_line(f"state sha256:{state_digest(types, interpreter.state)}")
