"""`alpha build`: makes an executable of every role of a learner or a protocol, and describes them.

Refuses: target-unsupported for targets and features that aren't built or have no tools here, and
    what the passes refuse.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from alpha.tools.building.target_flags import add_target_flags
from alpha.tools.checkpoints.flags import (
    add_every_flag,
    add_resume_flags,
    check_checkpoint_flags,
)
from alpha.tools.deployment.deployment_flags import add_deployment_flag
from alpha.tools.distribution_flags import add_distribution_flags
from alpha.tools.driver.output import write_line
from alpha.tools.exits import DONE, STATUSES
from alpha.tools.number_flags import NUMBER_MAX, ranged
from alpha.tools.protocol_flags import add_protocol_flags, add_role_flags

if TYPE_CHECKING:
    from alpha.tools.building.description import RunDescription
    from alpha.tools.driver.boundary import Situation

SUMMARY = "make an executable of every role, and a run.json that describes them"

NAMES = 2
"""The first columns of the lines of roles are names; the others are numbers."""


__all__ = ["STATUSES", "SUMMARY", "add_arguments", "run"]


def folder_name(text: str) -> str:
    """The name of a folder, for argparse."""
    if not text:
        raise argparse.ArgumentTypeError("expected the name of a folder, got none")
    return text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    parser.add_argument(
        "file", metavar="FILE", help="a learner, a protocol or roles; - for standard input"
    )
    parser.add_argument(
        "-o",
        dest="output",
        type=folder_name,
        metavar="DIR",
        required=True,
        help="the folder to make, as a whole or not at all; an earlier build in it is replaced",
    )
    add_target_flags(parser)
    add_distribution_flags(parser)
    parser.add_argument(
        "--rounds",
        type=ranged(0, NUMBER_MAX, "a number of rounds"),
        metavar="R",
        help="the version at the end (default: that of a protocol in the file, else 1)",
    )
    add_protocol_flags(parser, "")
    add_role_flags(parser, "build ")
    add_every_flag(parser)
    add_resume_flags(parser)
    add_deployment_flag(parser, "the addresses at which they look for one another")
    parser.add_argument(
        "--no-cache",
        dest="cache",
        action="store_false",
        help="make every object anew, and keep nothing: otherwise what was made before is taken "
        "from $ALPHA_CACHE, $XDG_CACHE_HOME/alpha or ~/.cache/alpha",
    )


def run(arguments: argparse.Namespace, situation: Situation) -> int:
    """Run the command; the last line on stdout is the digest that names the run in every frame."""
    from alpha.tools.building.cache import Cache
    from alpha.tools.building.folders import check_folder, new_folder
    from alpha.tools.building.making import build
    from alpha.tools.building.targets import Targets
    from alpha.tools.deployment.deployment_file import Deployment
    from alpha.tools.running.interrupts import Interrupts

    check_checkpoint_flags(arguments)
    check_folder(arguments.output, arguments.file)
    targets = Targets.of(arguments.targets, arguments.features)
    cache = Cache.of() if arguments.cache else Cache(None)
    deployment = Deployment.of(arguments.deployment)
    with Interrupts(), new_folder(arguments.output, arguments.file) as folder:
        made = build(arguments, targets, cache, folder, situation, arguments.output, deployment)
    for line in lines_of(made):
        write_line(line)
    return DONE


def lines_of(made: RunDescription) -> list[str]:
    """What is said of a build: what it is, each role, and the digest of the run."""
    from alpha.tools.building.inspecting import heading

    rows = [
        (
            f"role {role.role}",
            "+".join((role.target, *role.features)),
            f"{role.bytes:,} bytes",
            "no data" if role.data is None else f"{role.data.bytes:,} bytes of data",
            f"{role.memory_bytes:,} bytes of memory",
        )
        for role in made.roles
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            cell.ljust(width) if at < NAMES else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    return [heading(made), *lines, f"run sha256:{made.digests.run}"]
