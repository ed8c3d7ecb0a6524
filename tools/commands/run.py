"""`alpha run`: runs a learner for a number of rounds and prints what it observed and its digest.

Without a level it runs an executable a role, which it builds before, or which are in a folder.

Refuses: numeric-nonfinite in a round (exit status 3); target-unsupported.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from alpha.ir.refusals import Refusal
from alpha.tools.checkpoints.flags import add_checkpoint_flags, check_checkpoint_flags
from alpha.tools.distribution_flags import add_distribution_flags
from alpha.tools.exits import RUN_STATUSES
from alpha.tools.fault_flags import add_fault_flag
from alpha.tools.level_flags import refuse_flags_of_other_levels
from alpha.tools.number_flags import NUMBER_MAX, ranged
from alpha.tools.protocol_flags import (
    add_network_flags,
    add_protocol_flags,
    add_role_flags,
)
from alpha.tools.running.native_flags import add_native_flags, is_native, refuse_native_flags
from alpha.tools.running.outputs import check_inputs, check_targets
from alpha.tools.waiting_flags import add_waiting_flags

if TYPE_CHECKING:
    from alpha.tools.driver.boundary import Situation

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
    add_checkpoint_flags(parser)
    add_protocol_flags(parser)
    add_network_flags(parser)
    add_fault_flag(parser)
    add_role_flags(parser)
    add_waiting_flags(parser)
    add_native_flags(parser)


def run(arguments: argparse.Namespace, situation: Situation) -> int:
    """Run the command; of a learner the last line on stdout is the digest of the final state."""
    check_checkpoint_flags(arguments)
    if is_native(arguments):
        from alpha.tools.running.native import run_native

        check_targets(arguments)
        return run_native(arguments, situation)
    refuse_flags_of_other_levels(arguments)
    refuse_native_flags(arguments)
    check_targets(arguments)
    if arguments.interpret in ("protocol", "role"):
        return _run_protocol(arguments, situation)
    from alpha.tools.running.in_process import run_in_process

    return run_in_process(arguments, situation)


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
