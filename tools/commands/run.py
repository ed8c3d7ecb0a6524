"""`alpha run`: runs a learner for a number of rounds and prints what it observed and its digest.

Without a level it runs an executable a role, which it builds before, or which are in a folder.

Refuses: numeric-nonfinite in a round (exit status 3); target-unsupported.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, TypeAlias

from alpha.ir.refusals import Refusal
from alpha.tools.distribution_flags import add_distribution_flags, refuse_distribution_flags
from alpha.tools.driver.counts import counted
from alpha.tools.exits import DONE, RUN_STATUSES, RoundRefused
from alpha.tools.fault_flags import add_fault_flag
from alpha.tools.level_flags import refuse_flags_of_other_levels
from alpha.tools.number_flags import NUMBER_MAX, ranged
from alpha.tools.progress import progress
from alpha.tools.protocol_flags import (
    add_network_flags,
    add_protocol_flags,
    add_role_flags,
)
from alpha.tools.running.native_flags import add_native_flags, is_native, refuse_native_flags
from alpha.tools.running.outputs import check_inputs, check_targets, finish, recorder
from alpha.tools.running.reporting import Subject, print_heading
from alpha.tools.waiting_flags import add_waiting_flags

if TYPE_CHECKING:
    from alpha.interpreters.learner import LearnerInterpreter
    from alpha.interpreters.shard import ShardInterpreter
    from alpha.tools.driver.boundary import Situation
    from alpha.tools.learner_file import LearnerFile
    from alpha.tools.running.reporting import Recorder

Interpreter: TypeAlias = "LearnerInterpreter | ShardInterpreter"

SUMMARY = "run a learner for a number of rounds"
STATUSES = RUN_STATUSES
LEVELS = ("auto", "learner", "shard", "protocol", "role")

rounds = ranged(0, NUMBER_MAX, "a number of rounds")
"""Reads a number of rounds, for argparse."""


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
    parser.add_argument(
        "file",
        metavar="FILE",
        help="a learner, a protocol or roles, which are built for this run; - for standard input; "
        "or a folder that alpha build has made",
    )
    parser.add_argument(
        "--interpret",
        nargs="?",
        const="auto",
        type=level,
        metavar="LEVEL",
        help="instead of native programs, interpret at this level: learner; shard, with all "
        "owners in one process; protocol, over a simulated network; role, with a process a role "
        "over TCP; auto, the default without LEVEL: shard where owners are given, else learner",
    )
    add_distribution_flags(parser)
    parser.add_argument(
        "--rounds",
        type=rounds,
        metavar="R",
        help="the version at the end (default: that of a protocol in the file, else 1)",
    )
    parser.add_argument("--metrics", metavar="FILE", help="write observations as JSON lines")
    parser.add_argument("--save", metavar="FILE", help="write the final state as .safetensors")
    add_protocol_flags(parser)
    add_network_flags(parser)
    add_fault_flag(parser)
    add_role_flags(parser)
    add_waiting_flags(parser)
    add_native_flags(parser)


def run(arguments: argparse.Namespace, situation: Situation) -> int:
    """Run the command; of a learner the last line on stdout is the digest of the final state."""
    if is_native(arguments):
        from alpha.tools.running.native import run_native

        check_targets(arguments)
        return run_native(arguments, situation)
    refuse_flags_of_other_levels(arguments)
    refuse_native_flags(arguments)
    check_targets(arguments)
    if arguments.interpret in ("protocol", "role"):
        return _run_protocol(arguments, situation)
    return _run_learner(arguments, situation)


def _run_learner(arguments: argparse.Namespace, situation: Situation) -> int:
    """Run all owners, or the undistributed learner, in this process."""
    from alpha.tools.learner_file import LearnerFile

    source = LearnerFile.read(arguments.file, situation)
    check_inputs(arguments, source.data_files())
    total, why = _rounds(source, arguments)
    interpreter, owners = _interpreter(source, arguments, situation)
    with recorder(arguments) as record:
        print_heading(source.learner, source.words, f"{owners}{why}")
        _step(interpreter, total, record)
    subject = Subject.of(source.learner)
    finish(subject, interpreter.state, interpreter.version, arguments, record)
    return DONE


def _rounds(source: LearnerFile, arguments: argparse.Namespace) -> tuple[int, str]:
    """How many rounds are run, and what a heading says of it where nobody said a number.

    A protocol in the file says how many its level runs; so that the levels of one file agree, the
    others run as many.

    Raises:
        Refusal: target-unsupported for another number.
    """
    from alpha.tools.protocol_levels import check_rounds, rounds_written

    written = rounds_written(source.module)
    check_rounds(arguments, written)
    if arguments.rounds is not None:
        return arguments.rounds, ""
    if written is None:
        return 1, ""
    return written, f"; {counted(written, 'round')}, as the protocol in the file makes"


def _run_protocol(arguments: argparse.Namespace, situation: Situation) -> int:
    """Run the roles of a protocol: over a simulated network, or each in a process of its own."""
    from alpha.tools.protocol_file import ProtocolFile

    source = ProtocolFile.read(arguments.file, situation)
    for flag in ("save", "metrics"):
        if source.learner is None and getattr(arguments, flag):
            wanted = f"a learner in the file with --{flag}"
            raise Refusal("target-unsupported", wanted, "none")
    check_inputs(arguments, source.data_files())
    if arguments.interpret == "protocol":
        from alpha.tools.running.simulated import run_simulated

        return run_simulated(source, arguments, situation)
    from alpha.tools.running.launched import run_launched

    return run_launched(source, arguments, situation)


def _interpreter(
    source: LearnerFile, arguments: argparse.Namespace, situation: Situation
) -> tuple[Interpreter, str]:
    """The interpreter of the level that is asked for, and what a heading says of its owners."""
    from alpha.interpreters.learner import LearnerInterpreter
    from alpha.interpreters.shard import ShardInterpreter
    from alpha.interpreters.words import Words
    from alpha.tools.distributing import Levels, is_distributed, say_remarks

    level = arguments.interpret
    if level == "auto":
        level = "shard" if is_distributed(arguments, source) else "learner"
    if level == "learner":
        refuse_distribution_flags(arguments, "--interpret=learner")
        return LearnerInterpreter(source.learner, source.words, Words()), ""
    distribution = list(Levels.of(source, arguments).distributions().values())[-1]
    say_remarks(source, situation)
    owners = f"; {counted(distribution.owners, 'owner')}, {distribution.topology}"
    return ShardInterpreter(distribution, source.words, Words()), owners


def _step(interpreter: Interpreter, total: int, record: Recorder) -> None:
    for _ in progress(range(total), total, "rounds"):
        version = interpreter.version
        try:
            observations = interpreter.step()
        except Refusal as refusal:
            raise RoundRefused(refusal) from None
        record.add(version, observations)
