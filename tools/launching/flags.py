"""The flags of `alpha launch`, and which of them belong to which engine.

Refuses: target-unsupported.
Entry: `add_launch_flags`, `check_flags`.
"""

from __future__ import annotations

import argparse
import re

from alpha.interpreters.participants.listening import PORT_MAX
from alpha.ir.refusals import Refusal
from alpha.tools.driver.arguments import UsageError
from alpha.tools.launching.slurm import PORT_FIRST
from alpha.tools.number_flags import quoted, ranged
from alpha.tools.waiting_flags import add_waiting_flags

ENGINES = ("slurm", "kubernetes")

NAME_LETTERS_MAX = 40
"""A pod's name is at most 63 letters, and has the architecture and an index behind this."""

OF_ENGINES = {
    "option": "slurm",
    "follow": "slurm",
    "image": "kubernetes",
    "claim": "kubernetes",
}
"""The flags that one engine alone has."""

OF_RESULTS = ("metrics", "save")
"""The flags of what is told of a run."""

OF_LAUNCHES = (
    *("output", "submit", "name", "first_port", "checkpoint", "wait", "deadline"),
    *OF_ENGINES,
)
"""The flags of what is written for an engine."""

_NAME = re.compile(r"[a-z]([a-z0-9-]*[a-z0-9])?", re.ASCII)
_OPTION = re.compile(r"--[a-z][a-z-]*(=[A-Za-z0-9_.,:/@%+=*&|\[\]()-]+)?", re.ASCII)
_IMAGE = re.compile(r"[A-Za-z0-9][A-Za-z0-9./_:@-]*", re.ASCII)
_STORE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*)*", re.ASCII)
_CLAIM = re.compile(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?", re.ASCII)


def _matching(pattern: re.Pattern[str], most: int, wanted: str, text: str) -> str:
    if not pattern.fullmatch(text) or len(text) > most:
        raise argparse.ArgumentTypeError(f"expected {wanted}, got {quoted(text)}")
    return text


def _name(text: str) -> str:
    """The name of a job, for argparse."""
    wanted = (
        f"at most {NAME_LETTERS_MAX} small letters, digits and dashes, a letter first and no "
        "dash last"
    )
    return _matching(_NAME, NAME_LETTERS_MAX, wanted, text)


def _option(text: str) -> str:
    """An option of sbatch, for argparse: nothing in it is more than one word for it."""
    return _matching(_OPTION, 1000, "an option of sbatch such as --partition=short", text)


def _image(text: str) -> str:
    """The name of an image, for argparse."""
    wanted = "the name of an image such as registry.example/alpha:1"
    return _matching(_IMAGE, 400, wanted, text)


def _claim(text: str) -> str:
    """The name of a claim on a volume, for argparse."""
    wanted = "the name of a claim on a volume, of small letters, digits, dashes and points"
    return _matching(_CLAIM, 253, wanted, text)


def _folder(text: str) -> str:
    """The name of a folder, for argparse."""
    if not text:
        raise argparse.ArgumentTypeError("expected the name of a folder, got none")
    return text


def add_launch_flags(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    parser.add_argument(
        "folder",
        metavar="DIR",
        type=_folder,
        help="a folder that alpha build has made; with --collect, that of a launch or of one job",
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--engine", choices=ENGINES, help="write what this engine takes, and submit")
    what.add_argument(
        "--collect",
        action="store_true",
        help="read what the roles of a launch have left, and say how it ended as alpha run does",
    )
    parser.add_argument(
        "-o",
        dest="output",
        type=_folder,
        metavar="RUN",
        help="the folder of the launch (default: DIR.slurm or DIR.kubernetes)",
    )
    parser.add_argument(
        "--no-submit", dest="submit", action="store_false", default=None, help="only write"
    )
    parser.add_argument("--name", type=_name, help="of the job (default: that of what is run)")
    parser.add_argument(
        "--first-port",
        type=ranged(1, PORT_MAX, "a port"),
        metavar="P",
        help=f"the first of the ports, one for each edge (default: {PORT_FIRST}; with Slurm, above "
        "it by the number of the job)",
    )
    parser.add_argument(
        "--checkpoint",
        type=_folder,
        metavar="PATH",
        help="the folder of generations: one that all nodes see, or with Kubernetes one in the "
        "volume of the results",
    )
    slurm = parser.add_argument_group("slurm")
    slurm.add_argument(
        "--option",
        type=_option,
        action="append",
        metavar="O",
        help="one more option of sbatch, such as --option=--partition=short",
    )
    slurm.add_argument(
        "--follow",
        action="store_true",
        default=None,
        help="stay until the job is over, and say how it goes and ends as alpha run does",
    )
    cluster = parser.add_argument_group("kubernetes")
    cluster.add_argument("--image", type=_image, help="the image that the Dockerfile makes")
    cluster.add_argument(
        "--claim", type=_claim, help="the claim on the volume to which the results go"
    )
    told = parser.add_argument_group("with --collect or --follow")
    told.add_argument("--metrics", metavar="FILE", help="write observations as JSON lines")
    told.add_argument("--save", metavar="FILE", help="write the final state as .safetensors")
    add_waiting_flags(parser)


def check_flags(arguments: argparse.Namespace) -> None:
    """See that the flags fit to one another.

    Raises:
        UsageError: it isn't said what is to be done.
        Refusal: target-unsupported, a flag belongs to something else, or is missing.
    """
    if arguments.engine is None and not arguments.collect:
        raise UsageError("alpha launch takes --engine or --collect")
    if arguments.collect:
        _refuse(arguments, OF_LAUNCHES, "--engine", "--collect")
        return
    engine = f"--engine {arguments.engine}"
    others = [flag for flag, of in OF_ENGINES.items() if of != arguments.engine]
    for flag in others:
        _refuse(arguments, (flag,), f"--engine {OF_ENGINES[flag]}", engine)
    if not arguments.follow:
        _refuse(arguments, OF_RESULTS, "--collect or --follow", f"{engine} alone")
    if arguments.follow and arguments.submit is False:
        wanted = "a job that is submitted, with --follow"
        raise Refusal("target-unsupported", wanted, "--no-submit")
    given = arguments.checkpoint
    if arguments.engine == "kubernetes" and given is not None and not _STORE.fullmatch(given):
        wanted = "names of folders in the volume, such as generations, with --checkpoint"
        raise Refusal("target-unsupported", wanted, quoted(given))
    for flag in ("image", "claim"):
        if arguments.engine == "kubernetes" and getattr(arguments, flag) is None:
            raise Refusal("target-unsupported", f"--{flag} with {engine}", "none")


def _refuse(arguments: argparse.Namespace, flags: tuple[str, ...], of: str, found: str) -> None:
    """Refuse flags that are given and belong to something else."""
    for flag in flags:
        if getattr(arguments, flag) is not None:
            spelled = {"output": "-o", "submit": "--no-submit"}
            name = spelled.get(flag, f"--{flag.replace('_', '-')}")
            raise Refusal("target-unsupported", f"{of} with {name}", found)
