"""The flags of `alpha run` that belong to native programs, and those that don't.

Refuses: target-unsupported.
Entry: `add_native_flags`, `is_native`, `is_folder`, `refuse_native_flags`,
    `refuse_flags_of_levels`, `refuse_flags_of_builds`.
"""

from __future__ import annotations

import argparse
import os

from alpha.ir.refusals import Refusal
from alpha.tools.building.target_flags import add_target_flags, words
from alpha.tools.deployment.deployment_flags import add_deployment_flag
from alpha.tools.distribution_flags import FLAGS
from alpha.tools.level_flags import LEVELS_OF
from alpha.tools.number_flags import SIZE_MAX, ranged

NATIVE = ("targets", "features", "roles_interpreted", "device", "deployment")
"""Flags of native programs alone, by the names of their values."""

OF_ROLES = ("exchange", "threshold", "unchecked", "wait", "deadline")
"""Flags of levels that native programs have as well."""

BUILDING = (
    *(*FLAGS, "rounds", "exchange", "threshold", "unchecked"),
    *("targets", "features", "roles_interpreted", "device"),
    *("checkpoint_every", "resume", "allow"),
)
"""Flags that a folder is built with."""

_role = ranged(0, SIZE_MAX, "roles such as 1,3, each")


def _roles(text: str) -> tuple[int, ...]:
    """Numbers of roles, for argparse."""
    return tuple(sorted({*map(_role, text.split(","))}))


def add_native_flags(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    add_target_flags(parser)
    parser.add_argument(
        "--roles-interpreted",
        type=_roles,
        metavar="R,...",
        help="these roles are interpreted, and the others native",
    )
    parser.add_argument(
        "--device",
        type=words,
        metavar="NAME,...",
        help="what runs the kernels of the roles for sm86, in turn: GPU-UUID, or interpreter, "
        "which is no GPU",
    )
    add_deployment_flag(parser, "where they are started, and how they are connected")


def is_native(arguments: argparse.Namespace) -> bool:
    """Whether executables are run: no level is given, or that of roles for some of them.

    A folder holds nothing else, and so it is whatever is given.
    """
    level = arguments.interpret
    some = level == "role" and arguments.roles_interpreted is not None
    return level is None or some or is_folder(arguments.file)


def is_folder(file: str) -> bool:
    """Whether a file is a folder of executables, if it is one of anything."""
    return file != "-" and os.path.isdir(file)


def refuse_native_flags(arguments: argparse.Namespace) -> None:
    """Refuse flags of native programs where a level is interpreted.

    Raises:
        Refusal: target-unsupported.
    """
    for flag in NATIVE:
        if getattr(arguments, flag) is not None:
            wanted = f"native programs with {_spelled(flag)}"
            raise Refusal("target-unsupported", wanted, f"--interpret={arguments.interpret}")


def refuse_flags_of_levels(arguments: argparse.Namespace) -> None:
    """Refuse flags that native programs haven't.

    Raises:
        Refusal: target-unsupported.
    """
    for flag, levels in LEVELS_OF.items():
        if flag not in OF_ROLES and getattr(arguments, flag) is not None:
            wanted = " or ".join(f"--interpret={level}" for level in levels)
            raise Refusal("target-unsupported", f"{wanted} with --{flag}", "native programs")


def refuse_flags_of_builds(arguments: argparse.Namespace, rounds: int) -> None:
    """Refuse flags that would build another folder than that which is here, of so many rounds.

    Raises:
        Refusal: target-unsupported.
    """
    folder = arguments.file
    if arguments.interpret is not None:
        wanted = "a file with --interpret"
        raise Refusal("target-unsupported", wanted, f"{folder}, a folder of executables")
    for flag in BUILDING:
        given = getattr(arguments, flag)
        if given in (None, False) or (flag == "rounds" and given == rounds):
            continue
        if flag == "rounds":
            wanted = f"--rounds {rounds}, which is how many {folder} is built for"
            raise Refusal("target-unsupported", wanted, f"--rounds {given}")
        wanted = f"a file with {_spelled(flag)}"
        raise Refusal("target-unsupported", wanted, f"{folder}, a folder of executables")


def _spelled(flag: str) -> str:
    return f"--{flag.replace('_', '-')}"
