"""`alpha run`: runs a learner for a number of rounds and prints what it observed and its digest.

Refuses: numeric-nonfinite in a round (exit status 3); target-unsupported for what isn't built.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from alpha.ir.refusals import Refusal
from alpha.tools.distribution_flags import add_distribution_flags, refuse_distribution_flags
from alpha.tools.driver.counts import counted
from alpha.tools.exits import DONE, RUN_STATUSES, RoundRefused
from alpha.tools.fault_flags import add_fault_flag
from alpha.tools.progress import progress
from alpha.tools.protocol_flags import (
    NETWORK_FLAGS,
    PROTOCOL_FLAGS,
    add_network_flags,
    add_protocol_flags,
    add_role_flags,
)
from alpha.tools.running.outputs import check_target, finish, keep_inputs, recorder
from alpha.tools.running.reporting import print_heading
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
    parser.add_argument(
        "file", metavar="FILE", help="a learner, a protocol or roles; - for standard input"
    )
    parser.add_argument(
        "--interpret",
        nargs="?",
        const="auto",
        type=level,
        metavar="LEVEL",
        help="interpret at this level: learner; shard, with all owners in one process; protocol, "
        "over a simulated network; role, with a process a role over TCP; auto, the default without "
        "LEVEL: shard where owners are given, else learner",
    )
    add_distribution_flags(parser)
    parser.add_argument(
        "--rounds", type=rounds, metavar="R", help="the version at the end (default: 1)"
    )
    parser.add_argument("--metrics", metavar="FILE", help="write observations as JSON lines")
    parser.add_argument("--save", metavar="FILE", help="write the final state as .safetensors")
    add_protocol_flags(parser)
    add_network_flags(parser)
    add_fault_flag(parser)
    add_role_flags(parser)
    add_waiting_flags(parser)


def run(arguments: argparse.Namespace, situation: Situation) -> int:
    """Run the command; of a learner the last line on stdout is the digest of the final state."""
    if arguments.interpret is None:
        wanted = "--interpret, alone or with a level"
        raise Refusal("target-unsupported", wanted, "native programs, not built in this version")
    if arguments.save:
        check_target(Path(arguments.save))
    if arguments.interpret in ("protocol", "role"):
        return _run_protocol(arguments, situation)
    for flag in PROTOCOL_FLAGS:
        if getattr(arguments, flag) is not None:
            wanted = f"--interpret=protocol or --interpret=role with --{flag}"
            raise Refusal("target-unsupported", wanted, f"--interpret={arguments.interpret}")
    return _run_learner(arguments, situation)


def _run_learner(arguments: argparse.Namespace, situation: Situation) -> int:
    """Run all owners, or the undistributed learner, in this process."""
    from alpha.tools.learner_file import LearnerFile

    source = LearnerFile.read(arguments.file, situation)
    keep_inputs(arguments, source.data_files())
    interpreter = _interpreter(source, arguments, situation)
    total = 1 if arguments.rounds is None else arguments.rounds
    with recorder(arguments, total) as record:
        _step(interpreter, total, record)
    finish(source.learner, interpreter.state, interpreter.version, arguments)
    return DONE


def _run_protocol(arguments: argparse.Namespace, situation: Situation) -> int:
    """Run the roles of a protocol: over a simulated network, or each in a process of its own."""
    from alpha.tools.protocol_file import ProtocolFile

    source = ProtocolFile.read(arguments.file, situation)
    for flag in ("save", "metrics"):
        if source.learner is None and getattr(arguments, flag):
            wanted = f"a learner in the file with --{flag}"
            raise Refusal("target-unsupported", wanted, "none")
    keep_inputs(arguments, source.data_files())
    if arguments.interpret == "protocol":
        from alpha.tools.running.simulated import run_simulated

        return run_simulated(source, arguments, situation)
    for flag in NETWORK_FLAGS:
        if getattr(arguments, flag) is not None:
            wanted = f"--interpret=protocol with --{flag}"
            raise Refusal("target-unsupported", wanted, "--interpret=role")
    from alpha.tools.running.launched import run_launched

    return run_launched(source, arguments, situation)


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
        print_heading(source.learner, source.words)
        return LearnerInterpreter(source.learner, source.words, Words())
    distribution = list(Levels.of(source, arguments).distributions().values())[-1]
    say_remarks(source, situation)
    owners = f"; {counted(distribution.owners, 'owner')}, {distribution.topology}"
    print_heading(source.learner, source.words, owners)
    return ShardInterpreter(distribution, source.words, Words())


def _step(interpreter: Interpreter, total: int, record: Recorder) -> None:
    for _ in progress(range(total), total, "rounds"):
        version = interpreter.version
        try:
            observations = interpreter.step()
        except Refusal as refusal:
            raise RoundRefused(refusal) from None
        record.add(version, observations)
