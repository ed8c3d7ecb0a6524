"""The flags by which a command writes generations, and goes on from one.

Refuses: checkpoint-path.
Entry: `add_every_flag`, `add_resume_flags`, `add_checkpoint_flags`, `every_of`,
    `folder_path`, `resume_flags`, `check_checkpoint_flags`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from alpha.ir.refusals import Refusal
from alpha.tools.number_flags import NUMBER_MAX, ranged

END = "end"
AT_THE_END = 0
"""As the passes have it: a generation at the end alone."""

_rounds = ranged(1, NUMBER_MAX, f"{END}, or a number of rounds")


def _every(text: str) -> int:
    """Every how many rounds a generation is written."""
    return AT_THE_END if text == END else _rounds(text)


def folder_path(text: str) -> str:
    """The path of a folder, for argparse."""
    if not text:
        raise argparse.ArgumentTypeError("expected the name of a folder, got none")
    return text


def add_every_flag(parser: argparse.ArgumentParser) -> None:
    """Declare when generations are written."""
    parser.add_argument(
        "--checkpoint-every",
        type=_every,
        metavar="K",
        help="write a generation whenever the version is a multiple of K, and at the end; or at "
        f"the {END} alone",
    )


def add_resume_flags(parser: argparse.ArgumentParser) -> None:
    """Declare what a run goes on from."""
    parser.add_argument(
        "--resume",
        type=folder_path,
        metavar="PATH",
        help="begin with the words of a generation, or of the newest whole one in a folder of "
        "them, at its version; owners, partitioning and targets may be others than its writer's",
    )
    parser.add_argument(
        "--allow",
        action="append",
        metavar="NAME",
        help="with --resume: this part of the learner may be another than the generation's; its "
        "name, such as rate, or 'constant rate' where several parts have it (may be repeated)",
    )


def add_checkpoint_flags(parser: argparse.ArgumentParser) -> None:
    """Declare all flags of a run."""
    parser.add_argument(
        "--checkpoint",
        type=folder_path,
        metavar="PATH",
        help="the folder in which every owner writes its words, as a part of a generation",
    )
    add_every_flag(parser)
    parser.add_argument(
        "--keep",
        type=ranged(1, NUMBER_MAX, "a number of generations"),
        metavar="N",
        help="remove all but the N newest generations, once the newest has been read back",
    )
    add_resume_flags(parser)


def resume_flags(arguments: argparse.Namespace) -> Sequence[str]:
    """What a process of one role is told of what the run goes on from."""
    if arguments.resume is None:
        return ()
    return ("--resume", str(Path(arguments.resume).absolute()))


def every_of(arguments: argparse.Namespace) -> int | None:
    """Every how many rounds a generation is written; None for never."""
    every = getattr(arguments, "checkpoint_every", None)
    if every is None and getattr(arguments, "checkpoint", None) is not None:
        return AT_THE_END
    return every


def check_checkpoint_flags(arguments: argparse.Namespace) -> None:
    """See that flags which need another are given with it.

    Raises:
        Refusal: checkpoint-path.
    """
    for flag, needed in (
        ("checkpoint_every", "checkpoint"),
        ("keep", "checkpoint"),
        ("allow", "resume"),
    ):
        given = getattr(arguments, flag, None) is not None
        if given and hasattr(arguments, needed) and getattr(arguments, needed) is None:
            spelled = flag.replace("_", "-")
            wanted = f"--{needed} PATH with --{spelled}"
            raise Refusal("checkpoint-path", wanted, "none")
